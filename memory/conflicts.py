"""Contradictions that wait for a decision: both sides live on until somebody settles them (M7)."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, Protocol
from uuid import UUID

from memory.contracts import Author
from memory.scope import Scope

ConflictKind = Literal["contradiction", "outdated", "inconsistent", "duplicate"]
ConflictStatus = Literal["open", "kept", "merged", "discarded"]
Resolution = Literal["keep", "merge", "discard"]

STATUS_BY_RESOLUTION: dict[Resolution, ConflictStatus] = {"keep": "kept", "merge": "merged", "discard": "discarded"}


@dataclass(frozen=True, kw_only=True)
class Conflict:
    """``held_id`` was remembered when ``new_id`` came and did not outweigh it."""

    conflict_id: UUID
    kind: ConflictKind
    status: ConflictStatus
    held_id: UUID
    new_id: UUID
    opened_at: datetime
    opened_by: str
    settled_at: datetime | None = None
    settled_by: str | None = None


@dataclass(frozen=True, kw_only=True)
class Settlement:
    """``keep``: both are true after all. ``merge``: they say the same, and one rests on the evidence of both.

    ``discard``: only one is true. The ``winner`` is the one with the higher provenance, then the newer, unless named.
    """

    resolution: Resolution
    winner: UUID | None = None


class Conflicts(Protocol):
    """Contradictions among one person's memories."""

    async def list_conflicts(self, scope: Scope, *, include_settled: bool = False, limit: int = 100) -> list[Conflict]:
        """Oldest first. One whose memory has ended meanwhile is settled by that."""
        ...

    async def resolve(self, scope: Scope, conflict_id: UUID, settlement: Settlement, author: Author) -> ConflictStatus:
        """Settle an open one. The memory that does not win is superseded by the one that does; both keep their history.

        Raises ``E_NOT_FOUND`` for one that is unknown or settled already, ``E_BAD_REQUEST`` for a foreign winner.
        """
        ...
