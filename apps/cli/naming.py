"""Ids as people type them."""

from collections.abc import Sequence
from uuid import UUID

from memory.contracts import MemoryItem
from memory.errors import BrainError, bad_request
from memory.ports import MemoryItems
from memory.scope import Scope

_SHORTEST = 8
_ENOUGH = 100_000
"""How many memories are searched for an abbreviated id."""


async def memory_named(items: MemoryItems, scope: Scope, name: str) -> MemoryItem:
    """The memory of that id or unique beginning of one. Raises ``E_NOT_FOUND`` or ``E_BAD_REQUEST``."""
    whole = _uuid(name)
    return await items.get(scope, whole) if whole else await _beginning(items, scope, name.strip().lower())


def required_uuid(text: str) -> UUID:
    """A whole id. Raises ``E_BAD_REQUEST``."""
    found = _uuid(text)
    if found is None:
        raise bad_request(f"{text[:60]!r} is not an id.", "Give the whole id, as printed with --json.")
    return found


def short_names(ids: Sequence[UUID]) -> list[str]:
    """The beginnings by which these ids can be told apart, all of one length."""
    texts = [str(each) for each in ids]
    lengths = range(_SHORTEST, len(str(UUID(int=0))) + 1)
    enough = next(size for size in lengths if len({text[:size] for text in texts}) == len(set(texts)))
    return [text[:enough] for text in texts]


def _uuid(text: str) -> UUID | None:
    try:
        return UUID(text.strip())
    except ValueError:
        return None


async def _beginning(items: MemoryItems, scope: Scope, prefix: str) -> MemoryItem:
    if not prefix or not set(prefix) <= set("0123456789abcdef-"):
        raise bad_request(f"{prefix[:60]!r} is not the beginning of an id.", "'brain memories list' shows the ids.")
    everything = await items.newest(scope, include_inactive=True, limit=_ENOUGH)
    matching = [item for item in everything if str(item.memory_id).startswith(prefix)]
    if len(matching) > 1:
        raise bad_request(f"{len(matching)} memories begin with {prefix!r}.", "Give more of the id.")
    if not matching:
        raise BrainError("E_NOT_FOUND", f"No memory begins with {prefix!r}.", "'brain memories list' shows the ids.")
    return matching[0]
