"""A past that a person brought along: exports of other assistants, in the log as evidence of their own date."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from memory.scope import Scope, name_id

PastState = Literal["running", "done", "removing"]
BROUGHT_ALONG = "brought along from elsewhere: nothing is drawn from it"
"""Why no memory is drawn from what an import brought. No reason for which work is done again begins so."""


@dataclass(frozen=True, kw_only=True)
class PastImport:
    """One file that was brought along. ``counts`` tell what was read, added and refused, as far as it came."""

    import_id: UUID
    file_name: str
    sha256: str
    format: str
    started_at: datetime
    state: PastState = "running"
    finished_at: datetime | None = None
    counts: Mapping[str, int] = field(default_factory=dict[str, int])


class PastImports(Protocol):
    """The imports of one person."""

    async def begin(self, scope: Scope, new: PastImport) -> PastImport:
        """Enter an import, or find the one that read the same file before, as it stands."""
        ...

    async def list_newest(self, scope: Scope, limit: int = 100) -> Sequence[PastImport]:
        """The person's imports, the newest first."""
        ...

    async def find_known(self, scope: Scope, keys: Sequence[str]) -> frozenset[str]:
        """Which of these messages, by their idempotency keys, are in the log already."""
        ...

    async def find_brought(self, scope: Scope, event_ids: Sequence[UUID]) -> frozenset[UUID]:
        """Which of these turns were brought along."""
        ...

    async def finish(self, scope: Scope, import_id: UUID, counts: Mapping[str, int], at: datetime) -> None:
        """The file was read to its end."""
        ...

    async def begin_removal(self, scope: Scope, import_id: UUID, operator: str, at: datetime) -> bool:
        """From now on the import is being taken back, which the audit says; False where it is not this person's."""
        ...

    async def remove_part(self, scope: Scope, import_id: UUID, most: int) -> int:
        """Take back at most so many of its turns with what was made of them. 0: nothing of it is left."""
        ...


def past_session_id(scope: Scope, source: str, conversation: str) -> UUID:
    """The id of a conversation that was held elsewhere: no name of a conversation with Brain leads to it."""
    return name_id("past", str(scope.tenant_id), scope.key, scope.owner, source, conversation)
