"""Whether a statement is plainly about one thing: "I play squash on Mondays" is about squash.

"My squash racket is from Ann" and "I watch squash" are not.
"""

import re
from functools import cache

from language import tables
from language.detection import Language
from language.terms import fold, word_terms

_TOKEN = re.compile(r"[\w’'-]+|[.,;:!?]")
_PAUSES = "，,。；;"


def holds_as_object(statement: str, what: str, language: Language) -> str:
    """The words of a statement that is plainly about this thing; empty for any other statement.

    ``language`` is that of the words that name the thing.
    """
    return (
        _find_words(statement, what, language) if tables.is_spaced(language) else _find_run(statement, what, language)
    )


def _find_run(statement: str, what: str, language: Language) -> str:
    words = tables.patterns_of("endings", language)
    bare = words.carries.match(what)
    thing = what[bare.end() :] if bare and bare.end() < len(what) else what
    thing = words.thing_ending.sub("", thing)
    if not thing or (len(thing) == 1 and not words.short_thing.fullmatch(thing)):
        return ""
    at = statement.find(thing)
    if at < 0:
        return ""
    clause = max((statement.rfind(mark, 0, at) for mark in _PAUSES), default=-1) + 1
    carried = (words.carries.match(statement, begin) for begin in (0, clause))
    reaches = any(each is not None and each.end() >= at for each in carried)
    return thing if reaches and words.after.match(statement[at + len(thing) :]) else ""


def _find_words(statement: str, what: str, language: Language) -> str:
    carries = _carrying_terms(language)
    wanted = [term for term in word_terms(fold(what)) if term not in carries]
    if not wanted:
        return ""
    tokens = list(_TOKEN.finditer(statement))
    for at in range(len(tokens)):
        end = _match_from(tokens, at, wanted)
        if end and _only_carries(tokens[:at], carries) and _is_closed(tokens, end, language):
            return statement[tokens[at].start() : tokens[end - 1].end()]
    return ""


@cache
def _carrying_terms(language: Language) -> frozenset[str]:
    """Words before an object that only say that it is there, or done."""
    return frozenset(word_terms(" ".join(tables.words("endings.carries", language))))


def _match_from(tokens: list[re.Match[str]], at: int, wanted: list[str]) -> int:
    """The place behind a run of tokens that is the wanted words; 0 where they do not stand there."""
    left = list(wanted)
    for place in range(at, len(tokens)):
        terms = word_terms(fold(tokens[place][0]))
        if terms and terms[0] == left[0]:
            left.pop(0)
            if not left:
                return place + 1
        elif terms or place == at:
            return 0
    return 0


def _only_carries(before: list[re.Match[str]], carries: frozenset[str]) -> bool:
    clause = [each[0] for each in before]
    for place in range(len(clause) - 1, -1, -1):
        if clause[place] in ".;!?:":
            clause = clause[place + 1 :]
            break
    return all(term in carries for word in clause for term in word_terms(fold(word)))


def _is_closed(tokens: list[re.Match[str]], end: int, language: Language) -> bool:
    """Whether the object ends there: no noun of its own follows."""
    if end >= len(tokens):
        return True
    after = tokens[end][0].casefold()
    light = after in tables.words("endings.after", language) or after in tables.words_of_all("terms.stop_words")
    return not after[0].isalpha() or light
