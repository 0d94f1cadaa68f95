"""Asking to be erased: one of a few sentences, said as it stands in the tables. Nothing else is ever taken for it."""

from functools import cache

from language.tables import languages, lines

_ENDS = " \t\n.!。！"


def asks_to_be_erased(text: str) -> bool:
    """Whether the turn is one of the sentences, whatever its case and its full stop."""
    return text.strip(_ENDS).casefold() in _sentences()


@cache
def _sentences() -> frozenset[str]:
    return frozenset(each for language in languages() for each in lines("erasing.asks", language))
