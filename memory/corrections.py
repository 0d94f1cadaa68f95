"""What the words of a correction say in the place of a memory."""

from language.predicates import fold_predicate, slot_of
from language.readers import read_value
from memory.memory_item import MemoryItem
from memory.revision import Correction

MAX_CHARACTERS = 2_000
"""Characters of a correction that are read at all; whatever is longer is no single statement."""
_ENDING = " .!。！"


def read_correction(item: MemoryItem, words: str) -> Correction:
    """What the words say in the place of this memory: a value that can be read off, or the sentence itself.

    A sentence that stands for itself says its own denial: it is never negated.
    """
    value = read_value(words) if len(words) <= MAX_CHARACTERS else None
    if value and slot_of(item.subject, fold_predicate(value.predicate)) == item.slot:
        return Correction(content=words, object=value.text, negated=False, category=item.category)
    held = _new_object(item, words)
    return Correction(content=words, object=held or words, negated=bool(held) and item.negated, category=item.category)


def _new_object(item: MemoryItem, words: str) -> str:
    """The Lyon of "Ann lives in Lyon" where the memory says "Ann lives in Paris.": its own sentence, another object."""
    before, held, after = item.content.rstrip(_ENDING).rpartition(item.object)
    plain = words.rstrip(_ENDING)
    framed = held and (before or after) and plain.startswith(before) and plain.endswith(after)
    return plain[len(before) : len(plain) - len(after)].strip() if framed else ""
