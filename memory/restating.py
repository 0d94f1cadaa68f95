"""What a person says is true instead of a memory, read by the rules that read a turn."""

import re
from datetime import datetime

from memory.contracts import MemoryItem
from memory.revision import Restated
from memory.rules import USER, Assertion, SpokenTurn, extract, slot_of

LONGEST = 2_000
"""Characters of a correction that are read at all; whatever is longer is no single statement."""
_ENDING = " .!。！"
_NOW = re.compile(r"\s+(?:now|today|instead)$|了$", re.IGNORECASE)


def restated(item: MemoryItem, words: str, at: datetime) -> Restated:
    """What the words say in the place of this memory; where the rules do not understand them as that, themselves."""
    found = _understood(item, words, at) if len(words) <= LONGEST else None
    if found is not None:
        content = found.content if _says_no_more(found, words) else words
        return Restated(content=content, object=found.object, negated=found.negated, category=found.category)
    held = _reworded(item, words) or words
    return Restated(content=words, object=held, negated=item.negated, category=item.category)


def _understood(item: MemoryItem, words: str, at: datetime) -> Assertion | None:
    """The one statement that a turn of these words would make, if it is about the same matter."""
    for speaker in dict.fromkeys((USER, item.subject)):
        found = extract(SpokenTurn(text=words, role="user", speaker=speaker, at=at))
        if len(found) == 1 and slot_of(found[0].subject, found[0].predicate) == item.slot:
            return found[0]
    return None


def _reworded(item: MemoryItem, words: str) -> str:
    """«The user lives in Lyon» of «The user lives in Paris.»: the memory's own sentence around another object."""
    before, held, after = item.content.rstrip(_ENDING).rpartition(item.object)
    plain = words.rstrip(_ENDING)
    framed = held and (before or after) and plain.startswith(before) and plain.endswith(after)
    return plain[len(before) : len(plain) - len(after)].strip() if framed else ""


def _says_no_more(found: Assertion, words: str) -> bool:
    """Whether nothing of what the person said is lost with the wording of the rules."""
    return _NOW.sub("", words.strip(_ENDING)).endswith(found.object)
