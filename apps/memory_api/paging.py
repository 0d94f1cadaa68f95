"""Lists that come page by page; a cursor is opaque to those who hold it."""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime
from typing import Annotated, Any, Generic, TypeVar, cast
from uuid import UUID

from pydantic import Field

from apps.memory_api.endpoint import ApiAnswer, ApiRequest, Text
from memory.errors import BrainError, bad_request
from memory.paging import Cursor
from memory.storable_text import require_storable_text

T = TypeVar("T")
V = TypeVar("V")


class PageRequest(ApiRequest):
    """Which page: ``cursor`` is the last answer's ``next_cursor``."""

    limit: Annotated[int, Field(ge=1, le=200, description="How many rows at most.")] = 50
    cursor: Annotated[Text, Field(max_length=1_000, description="Where the page before ended.")] = ""


class Page(ApiAnswer, Generic[V]):
    """``next_cursor`` is null on the last page."""

    items: list[V]
    next_cursor: str | None


async def read_page(
    asked: PageRequest,
    read: Callable[[int, Cursor | None], Awaitable[Sequence[T]]],
    cursor_of: Callable[[T], Cursor],
    view: Callable[[T], V],
) -> Page[V]:
    """The rows behind the cursor, and one more to know whether others follow."""
    found = await read(asked.limit + 1, _read_cursor(asked.cursor))
    return build_page(found, asked.limit, lambda row: _write_cursor(cursor_of(row)), view)


def build_page(rows: Sequence[T], limit: int, cursor_of: Callable[[T], str], view: Callable[[T], V]) -> Page[V]:
    """A page of rows of which one more was read than it shows."""
    shown = rows[:limit]
    following = cursor_of(shown[-1]) if len(rows) > limit else None
    return Page[Any](items=[view(each) for each in shown], next_cursor=following)


def write_cursor_text(*values: str) -> str:
    """Some values as one word."""
    return urlsafe_b64encode(json.dumps(values).encode()).decode().rstrip("=")


def read_cursor_text(text: str, count: int) -> list[str]:
    """The values of a cursor. Raises ``E_BAD_REQUEST`` for what was never one."""
    try:
        values: object = json.loads(urlsafe_b64decode(text + "=" * (-len(text) % 4)))
    except (ValueError, RecursionError):
        raise unknown_cursor() from None
    if not isinstance(values, list):
        raise unknown_cursor()
    words = [require_storable_text(each) for each in cast("list[object]", values) if isinstance(each, str)]
    if len(words) != count:
        raise unknown_cursor()
    return words


def unknown_cursor() -> BrainError:
    """It is none that an answer gave."""
    return bad_request("That is not a cursor.", "Take next_cursor from the answer before, or leave it out.")


def _read_cursor(text: str) -> Cursor | None:
    if not text:
        return None
    at, row_id = read_cursor_text(text, 2)
    try:
        return Cursor(datetime.fromisoformat(at), UUID(row_id))
    except ValueError:
        raise unknown_cursor() from None


def _write_cursor(cursor: Cursor) -> str:
    return write_cursor_text(cursor.at.isoformat(), str(cursor.row_id))
