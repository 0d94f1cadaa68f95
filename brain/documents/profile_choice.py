"""What of a profile stands in every prompt: a few lines that are worth their place; recall finds the others."""

import re
from collections.abc import Callable, Mapping, Sequence
from uuid import UUID

from brain.prompting.tokens import count_tokens
from memory.memory_item import MemoryItem

PROMPT_TOKENS, BY_WORDS = 280, 420
"""How long the part of a profile that every prompt shows may be, its tag aside: longer where words alone find the rest,
for what shares no word with a question has to stand there.
"""

MORE = "<!-- brain:more: what follows stands in no prompt by itself; recall finds it. -->"
_HEADING_TOKENS = 6
_MORE_PART = re.compile(rf"^{re.escape(MORE)}\n(?:(?!<!-- brain:end).*\n)*", re.MULTILINE)

_CONSTRAINTS = frozenset({"health", "diet"})
_IDENTITY = ("name", "answers", "home", "work", "family", "partner")
"""Who somebody is and how they want to be spoken to, the most telling first."""


def split_by_worth(
    items: Sequence[MemoryItem],
    line_of: Callable[[MemoryItem], str],
    uses: Mapping[UUID, int],
    room: int = PROMPT_TOKENS,
) -> tuple[list[MemoryItem], list[MemoryItem]]:
    """The memories that every prompt tells, and the others, both in the order given.

    Constraints come first, then the newest word on each side of who somebody is, then what is used most, or newest.
    """
    chosen, headings = set[UUID](), set[str]()
    for item in _sort_by_worth(items, uses):
        cost = count_tokens(line_of(item)) + (0 if item.category in headings else _HEADING_TOKENS)
        if cost <= room:
            room -= cost
            chosen.add(item.memory_id)
            headings.add(item.category)
    return [each for each in items if each.memory_id in chosen], [
        each for each in items if each.memory_id not in chosen
    ]


def without_more(body: str) -> str:
    """A profile without the part that recall finds where it bears on the question."""
    return _MORE_PART.sub("", body)


def _sort_by_worth(items: Sequence[MemoryItem], uses: Mapping[UUID, int]) -> list[MemoryItem]:
    newest = sorted(items, key=lambda item: (item.observed_at, item.memory_id), reverse=True)
    first = {item.category: item for item in reversed(newest)}
    return sorted(newest, key=lambda item: _worth(item, first[item.category] is item, uses))


def _worth(item: MemoryItem, is_newest_alike: bool, uses: Mapping[UUID, int]) -> tuple[int, int]:
    """Less is more."""
    if item.memory_type == "constraint" or item.category in _CONSTRAINTS:
        return 0, 0
    if is_newest_alike and item.category in _IDENTITY:
        return 1, _IDENTITY.index(item.category)
    return 2, -uses.get(item.memory_id, 0)
