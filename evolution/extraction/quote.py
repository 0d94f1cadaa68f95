"""Where the words that a model quotes stand in a turn: exactly, or in other spacing, width and case."""

import unicodedata

from language.own_words import HIDDEN, own_words

MIN_LETTERS = 4
"""Letters that a quotation needs to prove anything; an ideograph counts as two."""

_PLAIN = str.maketrans("‘’“”‹›…", "''\"\"<>.")
_EDGES = " \t\r\n\"'“”‘’「」『』.…"


def find_quote(text: str, quote: str) -> tuple[int, int] | None:
    """The span ``[start, end)`` of ``text`` that the quotation stands for; None when it is not there or too short."""
    words = quote.strip()
    if _letters(words) < min(MIN_LETTERS, _letters(text)) or not words:
        return None
    start = text.find(words)
    if start >= 0:
        return start, start + len(words)
    return _find_folded(text, words.strip(_EDGES))


def own_share(text: str, span: tuple[int, int]) -> float:
    """How much of a span is the speaker's own statement: pasted transcripts, injected memory and speech are not."""
    own = own_words(text)
    if set(own) <= {HIDDEN}:
        return 1.0
    start, end = span
    kept = sum(own[at : at + 1] == text[at] for at in range(start, end))
    return kept / (end - start)


def _letters(text: str) -> int:
    return sum((2 if char >= "\u2e80" else 1) for char in text if char.isalnum())


def _find_folded(text: str, quote: str) -> tuple[int, int] | None:
    folded, places = _fold_with_places(text)
    wanted, _ = _fold_with_places(quote)
    at = folded.find(wanted) if wanted else -1
    return (places[at], places[at + len(wanted) - 1] + 1) if at >= 0 else None


def _fold_with_places(text: str) -> tuple[str, list[int]]:
    """The text without spaces, in one width and case, and from which character each of its characters came."""
    pairs = [
        (folded, place)
        for place, char in enumerate(text)
        for folded in unicodedata.normalize("NFKC", char).translate(_PLAIN).casefold()
        if not folded.isspace()
    ]
    return "".join(folded for folded, _ in pairs), [place for _, place in pairs]
