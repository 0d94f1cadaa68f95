"""Whether the words of a memory stand in the turns that it cites."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from language.similarity import content_terms
from memory.index_rows import is_statement
from memory.memory_item import Evidence, MemoryItem
from memory.provenance import COMPOSED, REWORDED, SPEAKER


def is_founded(item: MemoryItem, cited: Sequence[str]) -> bool:
    """Whether every word of a memory that is shown as said, or was made of what was said, stands in the cited turns.

    What a person or a model worded claims nobody's words, and a program's conclusion rests on no turn.
    """
    if not (is_statement(item) or SPEAKER in item.provenance or COMPOSED in item.provenance) or not cited:
        return True
    if REWORDED in item.provenance:
        return True
    unheard = content_terms(item.content) - frozenset(term for text in cited for term in content_terms(text))
    return not unheard or (COMPOSED in item.provenance and _are_seams(unheard, "".join(cited)))


def _are_seams(terms: AbstractSet[str], said: str) -> bool:
    """Whether terms are Chinese and made of what was said: where one value took another's place, two words meet."""
    return all(not term.isascii() and set(term) <= set(said) for term in terms)


def verify_words(item: MemoryItem, found: Sequence[Evidence]) -> list[Evidence]:
    """The evidence as it is; none of it verified where the memory says what the quotes together do not."""
    if is_founded(item, [each.quote for each in found]):
        return list(found)
    return [replace(each, verified=False) for each in found]
