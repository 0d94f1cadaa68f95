"""Ids as people type them."""

from collections.abc import Sequence
from uuid import UUID

from memory.contracts import MemoryItem
from memory.errors import BrainError, bad_request
from memory.ports import MemoryItems
from memory.scope import Scope

_SHORTEST = 8
_WHOLE_TIME = 13
"""Characters of an id that begins with the millisecond it was made in: what is made later begins otherwise."""
_BY_TIME = 7
"""The version of UUIDs that are such."""
_TOLD = 5
"""Memories that are named when a beginning fits several."""
_WORDS = 40
_ENOUGH = 100_000
"""How many memories are searched for an abbreviated id."""


async def find_memory(items: MemoryItems, scope: Scope, name: str) -> MemoryItem:
    """The memory of that id or unique beginning of one. Raises ``E_NOT_FOUND`` or ``E_BAD_REQUEST``."""
    whole = _try_uuid(name)
    return await items.get(scope, whole) if whole else await _find_by_prefix(items, scope, name.strip().lower())


def parse_uuid(text: str) -> UUID:
    """A whole id. Raises ``E_BAD_REQUEST``."""
    found = _try_uuid(text)
    if found is None:
        raise bad_request(f"{text[:60]!r} is not an id.", "Give the whole id, as printed with --json.")
    return found


async def fetch_short_ids(items: MemoryItems, scope: Scope, listed: Sequence[MemoryItem]) -> list[str]:
    """Beginnings of ids that no other memory of the person shares, listed or not, now or later."""
    everything = await items.list_newest(scope, include_inactive=True, limit=_ENOUGH)
    return short_ids([each.memory_id for each in listed], [each.memory_id for each in everything])


def short_ids(ids: Sequence[UUID], others: Sequence[UUID] = ()) -> list[str]:
    """The beginnings by which these ids can be told apart, also from others, all of one length."""
    known = {str(each) for each in (*ids, *others)}
    shortest = _WHOLE_TIME if any(each.version == _BY_TIME for each in ids) else _SHORTEST
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
    everything = await items.list_newest(scope, include_inactive=True, limit=_ENOUGH)
    matching = [item for item in everything if str(item.memory_id).startswith(prefix)]
    if len(matching) > 1:
        raise _ambiguous_id_error(prefix, matching)
    if not matching:
        raise BrainError("E_NOT_FOUND", f"No memory begins with {prefix!r}.", "'brain memories list' shows the ids.")
    return matching[0]


def _ambiguous_id_error(prefix: str, matching: Sequence[MemoryItem]) -> BrainError:
    names = short_ids([item.memory_id for item in matching])
    told = [f"{name} ({_preview(item)})" for name, item in zip(names, matching, strict=True)]
    more = ["…"] if len(told) > _TOLD else []
    choices = ", ".join([*told[:_TOLD], *more])
    return bad_request(f"{len(matching)} memories begin with {prefix!r}: {choices}.", "Give more of the id.")


def _preview(item: MemoryItem) -> str:
    words = item.content if len(item.content) <= _WORDS else f"{item.content[:_WORDS]}…"
    return words if item.status == "active" else f"{item.status}: {words}"
