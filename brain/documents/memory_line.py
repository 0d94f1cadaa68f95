"""How one memory is told in a document: a statement in its speaker's own words, a fact as it is worded."""

from language.headings import headings_for
from language.kinds import TOPICS
from language.people import SPEAKER, is_first_person
from memory.index_rows import is_statement
from memory.memory_item import MemoryItem


def _is_quotation(item: MemoryItem) -> bool:
    """A value may have been read from a sentence that stays in the words of its speaker."""
    return (is_statement(item) and item.predicate in TOPICS) or is_first_person(item.content)


def format_memory(item: MemoryItem, speaker: str = SPEAKER) -> str:
    """The memory on one line. Whom a statement is about is named where neither its words nor the ``speaker`` tell."""
    words = " ".join(item.content.split())
    if not _is_quotation(item):
        return words
    quoted = headings_for((words,)).quote(words)
    known = item.subject in (SPEAKER, speaker) or item.subject.casefold() in words.casefold()
    return quoted if known else f"{item.subject}: {quoted}"
