"""Which items of a numbered list an answer chooses: "the second one", "both", 第二个, 都删, or one by its words."""

import re

from language.detection import language_of
from language.tables import Patterns, pattern_list, patterns_of
from language.terms import terms_of

MAX_CHARACTERS = 80
"""Characters of an answer to such a question."""
_LETTER = re.compile(r"[^\W_]")


def read_choice(text: str, shown: list[str], *, plainly: bool = False) -> tuple[int, ...] | None:
    """Places in the list, from 0; empty for none of them, None when the text is no answer to the question.

    With ``plainly`` a mere "ok" is none: it may only take note of what was said.
    """
    if len(text) > MAX_CHARACTERS:
        return None
    words = patterns_of("choices", language_of(text))
    if words.none.search(text):
        return ()
    if words.names.search(text) and (meant := _choose_by_words(text, shown)) is not None:
        return meant
    left = words.filling.sub(" ", text)
    if len(shown) == 1 and not (plainly and words.notes.match(text)) and _says_yes(text, shown[0], words):
        return (0,)
    if _is_nothing_but(words.all, left):
        return tuple(range(len(shown)))
    if _is_nothing_but(words.last, left):
        return (len(shown) - 1,)
    return _choose_by_place(left, len(shown), words)


def _says_yes(text: str, shown: str, words: Patterns) -> bool:
    """A yes and nothing beside it but the words of what it was asked about."""
    left, says = text, False
    while (found := words.yes.search(left)) is not None:
        left, says = left[found.end() :], True
    return says and terms_of(words.filling.sub(" ", left)) <= terms_of(shown, alone=True)


def declines(reply: str) -> bool:
    """Whether a reply asks back, or says that something is not there or not done."""
    words = patterns_of("choices", language_of(reply))
    return "?" in reply or "？" in reply or words.declines.search(reply) is not None


def _is_nothing_but(pattern: re.Pattern[str], text: str) -> bool:
    """A longer sentence that happens to hold such a word is about something else."""
    return bool(pattern.search(text)) and not _LETTER.search(pattern.sub("", text))


def _choose_by_place(text: str, count: int, words: Patterns) -> tuple[int, ...] | None:
    ordinals = pattern_list("choices.ordinals", words.language)
    named = [place for place, pattern in enumerate(ordinals) if pattern.search(text)]
    for pattern in ordinals:
        text = pattern.sub(" ", text)
    if not named or _LETTER.search(text):
        return None
    return tuple(place for place in named if place < count) or None


def _choose_by_words(text: str, shown: list[str]) -> tuple[int, ...] | None:
    """The one line that shares most of the answer's words, if there is one such line."""
    asked = terms_of(text)
    shared = [len(asked & terms_of(line)) for line in shown]
    best = max(shared, default=0)
    return (shared.index(best),) if best and shared.count(best) == 1 and 2 * best >= len(asked) else None
