"""Times in which a person does not want to be remembered: turns said in them teach nothing, now or later."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from memory.scope import Scope


@dataclass(frozen=True, kw_only=True)
class RememberingPause:
    """One such time. ``session_id`` None: in every conversation; ``ends_at`` None: until the person ends it."""

    pause_id: UUID
    session_id: UUID | None
    since: datetime
    ends_at: datetime | None


class RememberingPauses(Protocol):
    """The pauses of one person, by the database's clock."""

    async def begin(self, scope: Scope, pause_id: UUID, session_id: UUID | None, minutes: int | None) -> None:
        """Remember nothing from now on: of one conversation or of all, for so many minutes or for good.

        It takes the place of one that goes on there. The same id begins once.
        """
        ...

    async def end(self, scope: Scope, session_id: UUID | None) -> int:
        """Remember again what is said from now on: in this conversation, or in all that have no pause of their own.

        How many pauses ended. A conversation that was off the record is on it again.
        """
        ...

    async def list_current(self, scope: Scope) -> Sequence[RememberingPause]:
        """Those that go on, the newest first; of many the newest 100."""
        ...

    async def covers(self, scope: Scope, session_id: UUID, at: datetime) -> bool:
        """Whether what was said in a conversation at this moment is not to be remembered."""
        ...
