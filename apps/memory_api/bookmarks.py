"""A person's own references to what the organisation knows: they survive an edit, and say when their source is gone."""

from datetime import datetime
from typing import Annotated
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiCall, ApiRequest, endpoint
from apps.memory_api.knowledge import fetch_entries
from knowledge.entries import StoredEntry
from language.secrets import mask_secrets
from memory.bookmarks import Bookmark
from memory.errors import BrainError

_ID = "0198c0de-0000-7000-8000-000000000043"


class BookmarksAsked(ApiRequest):
    """One's own."""


class NewBookmark(ApiRequest):
    """Which entry."""

    entry_id: Annotated[UUID, Field(description="The entry's id, as a search or a list tells it.")]


class OneBookmark(ApiRequest):
    """Which bookmark."""

    id: Annotated[UUID, Field(description="The bookmark's id.")]


class BookmarkView(ApiAnswer):
    """A reference, and the entry as it reads now; ``gone`` where no answer uses it any more, ``edited`` where it says

    something else than when it was bookmarked.
    """

    bookmark_id: UUID
    entry_id: UUID
    created_at: datetime
    text: str
    gone: bool
    edited: bool


class BookmarkList(ApiAnswer):
    """The newest first."""

    bookmarks: list[BookmarkView]


class BookmarkRemoved(ApiAnswer):
    """Whether there was one."""

    removed: bool


@endpoint("GET /bookmarks", command="knowledge bookmarks")
async def list_bookmarks(asked: BookmarksAsked, call: ApiCall) -> BookmarkList:
    """List one's bookmarks of what the organisation knows, as it reads now."""
    kept = await call.memory.bookmarks.list_bookmarks(call.scope)
    entries = await fetch_entries(call, [each.entry_id for each in kept]) if kept else {}
    return BookmarkList(bookmarks=[_view(each, entries.get(each.entry_id)) for each in kept])


@endpoint("POST /bookmarks", scope="memory:write", status=201, command="knowledge bookmark", example={"entry_id": _ID})
async def add_bookmark(asked: NewBookmark, call: ApiCall) -> BookmarkView:
    """Bookmark an entry; a second time changes nothing."""
    found = await fetch_entries(call, [asked.entry_id])
    entry = found.get(asked.entry_id)
    if entry is None or entry.removed_at is not None:
        raise BrainError("E_NOT_FOUND", "There is no such entry.")
    bookmark = Bookmark(
        bookmark_id=call.resources.new_id(),
        entry_id=asked.entry_id,
        revision=entry.revision,
        created_at=call.resources.clock(),
    )
    return _view(await call.memory.bookmarks.add(call.scope, bookmark), entry)


@endpoint("DELETE /bookmarks/{id}", scope="memory:write", command="knowledge unbookmark", example={"id": _ID})
async def remove_bookmark(asked: OneBookmark, call: ApiCall) -> BookmarkRemoved:
    """Take a bookmark away."""
    return BookmarkRemoved(removed=await call.memory.bookmarks.remove(call.scope, asked.id))


def _view(bookmark: Bookmark, entry: StoredEntry | None) -> BookmarkView:
    gone = entry is None or entry.removed_at is not None
    return BookmarkView(
        bookmark_id=bookmark.bookmark_id,
        entry_id=bookmark.entry_id,
        created_at=bookmark.created_at,
        text="" if gone or entry is None else mask_secrets(entry.text),
        gone=gone,
        edited=entry is not None and not gone and entry.revision != bookmark.revision,
    )
