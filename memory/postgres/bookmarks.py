"""Bookmarks on PostgreSQL."""

from collections.abc import Sequence
from dataclasses import dataclass
from uuid import UUID

from memory.bookmarks import MAX_BOOKMARKS, Bookmark
from memory.errors import BrainError
from memory.postgres.database import Database, scope_params
from memory.scope import Scope


@dataclass(frozen=True)
class PostgresBookmarks:
    """The promises are those of the port."""

    database: Database

    async def add(self, scope: Scope, bookmark: Bookmark) -> Bookmark:
        params = {**scope_params(scope), **vars(bookmark), "most": MAX_BOOKMARKS}
        async with self.database.scope_session(scope) as session:
            session.execute("add_bookmark", params)
            kept = await session.fetch_one("find_bookmark", params, Bookmark)
        if kept is None:
            raise BrainError("E_CONFLICT", f"There are {MAX_BOOKMARKS} bookmarks already.", "Remove one first.")
        return kept

    async def list_bookmarks(self, scope: Scope) -> Sequence[Bookmark]:
        async with self.database.scope_session(scope) as session:
            return await session.fetch("list_bookmarks", {**scope_params(scope), "most": MAX_BOOKMARKS}, Bookmark)

    async def remove(self, scope: Scope, bookmark_id: UUID) -> bool:
        params = {**scope_params(scope), "bookmark_id": bookmark_id}
        async with self.database.scope_session(scope) as session:
            return bool(await session.fetch("remove_bookmark", params, Bookmark))
