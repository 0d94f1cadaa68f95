"""The port of bookmarks: a person's own references to what the organisation knows. Nothing is copied."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol
from uuid import UUID

from memory.scope import Scope

MAX_BOOKMARKS = 500
"""Of one person in one compartment."""


@dataclass(frozen=True, kw_only=True)
class Bookmark:
    """A reference to an entry, and the revision that it had when it was bookmarked."""

    bookmark_id: UUID
    entry_id: UUID
    revision: int
    created_at: datetime


class Bookmarks(Protocol):
    """Bookmarks of one person at a time."""

    async def add(self, scope: Scope, bookmark: Bookmark) -> Bookmark:
        """Keep a bookmark; the first one of an entry stands. Raises ``E_CONFLICT`` when there are too many."""
        ...

    async def list_bookmarks(self, scope: Scope) -> Sequence[Bookmark]:
        """All of them, the newest first."""
        ...

    async def remove(self, scope: Scope, bookmark_id: UUID) -> bool:
        """Take a bookmark away; whether there was one."""
        ...
