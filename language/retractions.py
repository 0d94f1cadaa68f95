"""Does a turn take something back? It is looked at before others then, and nothing more."""

from language.corrections import find_contrast
from language.endings import is_bare_change
from language.statements import Statement, read_statements

TAKES_BACK = 0.35
"""How probable a change or a slip has to be, for a turn to be looked at before others."""
_MAX_CHARACTERS = 2_000
"""Characters of a turn in which a correction is looked for: a long paste is none."""


def is_retraction(text: str) -> bool:
    """Whether a person's turn says that something has changed, ended or was wrong: it jumps the queue, nothing more."""
    return any(_may_take_back(each) or _has_contrast(each) for each in read_statements(text[:_MAX_CHARACTERS]))


def _may_take_back(statement: Statement) -> bool:
    probable = statement.kinds["change"] + statement.kinds["slip"] >= TAKES_BACK
    probable = probable or is_bare_change(statement.text)
    return probable and statement.kind not in ("question", "forget", "dont_note")


def _has_contrast(statement: Statement) -> bool:
    return statement.is_memorable and find_contrast(statement.text) is not None
