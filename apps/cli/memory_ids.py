"""Ids as people type them."""

from collections.abc import Sequence
from uuid import UUID

from brain.resources import Resources
from memory.errors import BrainError, bad_request
from memory.items import MemoryItems
from memory.memory_item import MemoryItem
from memory.scope import Scope

_MIN_CHARACTERS = 8
_TIME_CHARACTERS = 18
"""Of an id that begins with the millisecond it was made in, up to what tells apart those of one millisecond."""
_TIME_VERSION = 7
"""The version of UUIDs that are such."""
_MAX_NAMED = 5
"""Memories that are named when a beginning fits several."""
_PREVIEW_CHARACTERS = 40
_MAX_SEARCHED, _MAX_CONFLICTS = 100_000, 1_000
"""Memories, and conflicts, that are searched for an abbreviated id."""


async def find_memory_id(resources: Resources, scope: Scope, name: str) -> UUID:
    """The memory of that id or unique beginning of one. Raises ``E_NOT_FOUND`` or ``E_BAD_REQUEST``."""
    whole = _try_uuid(name)
    return whole or (await _find_by_prefix(resources.memory.items, scope, name.strip().lower())).memory_id


async def find_conflict_id(resources: Resources, scope: Scope, name: str) -> UUID:
    """The open conflict of that id or unique beginning of one. Raises ``E_NOT_FOUND`` or ``E_BAD_REQUEST``."""
    prefix = name.strip().lower()
    opened = await resources.memory.conflicts.list_conflicts(scope, limit=_MAX_CONFLICTS)
    found = [each for each in opened if prefix and str(each.conflict_id).startswith(prefix)]
    if not found:
        raise BrainError("E_NOT_FOUND", "There is no such open conflict.", "'brain memories conflicts' lists them.")
    if len(found) > 1:
        raise bad_request(f"{len(found)} conflicts begin with {prefix[:60]!r}.", "Give more of the id.")
    return found[0].conflict_id


def parse_uuid(text: str) -> UUID:
    """A whole id. Raises ``E_BAD_REQUEST``."""
    found = _try_uuid(text)
    if found is None:
        raise bad_request(f"{text[:60]!r} is not an id.", "Give the whole id, as printed with --json.")
    return found


def short_ids(ids: Sequence[UUID]) -> list[str]:
    """The beginnings by which these ids can be told apart, all of one length."""
    known = {str(each) for each in ids}
    shortest = _TIME_CHARACTERS if any(each.version == _TIME_VERSION for each in ids) else _MIN_CHARACTERS
    lengths = range(shortest, len(str(UUID(int=0))) + 1)
    enough = next(size for size in lengths if len({text[:size] for text in known}) == len(known))
    return [str(each)[:enough] for each in ids]


def _try_uuid(text: str) -> UUID | None:
    try:
        return UUID(text.strip())
    except ValueError:
        return None


async def _find_by_prefix(items: MemoryItems, scope: Scope, prefix: str) -> MemoryItem:
    if not prefix or not set(prefix) <= set("0123456789abcdef-"):
        raise bad_request(f"{prefix[:60]!r} is not the beginning of an id.", "'brain memories list' shows the ids.")
    everything = await items.list_newest(scope, include_inactive=True, limit=_MAX_SEARCHED)
    matching = [item for item in everything if str(item.memory_id).startswith(prefix)]
    if len(matching) > 1:
        raise _ambiguous_id_error(prefix, matching)
    if not matching:
        raise BrainError("E_NOT_FOUND", f"No memory begins with {prefix!r}.", "'brain memories list' shows the ids.")
    return matching[0]


def _ambiguous_id_error(prefix: str, matching: Sequence[MemoryItem]) -> BrainError:
    names = short_ids([item.memory_id for item in matching])
    told = [f"{name} ({_preview(item)})" for name, item in zip(names, matching, strict=True)]
    more = ["…"] if len(told) > _MAX_NAMED else []
    choices = ", ".join([*told[:_MAX_NAMED], *more])
    return bad_request(f"{len(matching)} memories begin with {prefix!r}: {choices}.", "Give more of the id.")


def _preview(item: MemoryItem) -> str:
    words = item.content if len(item.content) <= _PREVIEW_CHARACTERS else f"{item.content[:_PREVIEW_CHARACTERS]}…"
    return words if item.status == "active" else f"{item.status}: {words}"
