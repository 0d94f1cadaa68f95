"""What a person asks of memory in a turn: to forget, correct, remember, not to note, or to take such a change back.

The sentence classifier tells that something is asked; what is left of the sentence without the words of asking tells
about what.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from language.detection import language_of
from language.en import requests as english
from language.kinds import Topic
from language.patterns import RequestWords
from language.secrets import has_secret
from language.statements import SURE, Statement, read_statements
from language.terms import fold, word_terms
from language.times import time_words
from language.zh import requests as chinese

Act = Literal["forget", "correct", "remember", "dont_note", "undo", "off_record", "on_record"]

FORGETS = 0.25
"""How probable it has to be that a sentence asks to forget, when it also says so in so many words."""
LIKELY = 0.3
"""The same without such words, where the sentence is addressed to Brain."""
SURELY = 0.8
"""How probable a request to forget has to be, to be carried out though it addresses nobody."""
PUTS_RIGHT = 0.45
"""How probable it has to be that a sentence puts something right, without a word that says so."""
WITHHOLDS = 0.9
"""How probable it has to be that a sentence asks not to be noted, without a word that says so."""
COMMANDS = 0.05
"""How probable it has to be that a sentence asks to forget which begins with the command to."""
_APART = re.compile(r"[\s，。！？；：、“”]+")
BARE = 24
"""Characters of an English sentence that can only point; a third of them in Chinese."""
LONGEST = 600
"""Characters of a turn that is read as a request; of a longer one beginning and end may ask not to note it."""


@dataclass(frozen=True, kw_only=True)
class Request:
    """One thing asked of memory.

    ``about`` is the asking sentence without the words of asking; empty when it only points ("forget that"). ``points``
    tells that it means what was just said, ``everything`` that all matches are meant, ``when`` are the words of a time
    when all that was said then is meant. A correction states ``stated``
    in the place of ``denied``, either of which may be empty. One that is not ``is_addressed`` to Brain may be talk.
    """

    act: Act
    sentence: Statement | None = None
    about: str = ""
    everything: bool = False
    when: str = ""
    points: bool = False
    stated: str = ""
    denied: str = ""
    is_addressed: bool = True


def find_request(text: str, before: str = "") -> Request | None:
    """The first thing that a turn asks of memory; None when it asks nothing. ``before`` is what Brain said last."""
    words = _words(text)
    if len(text) > LONGEST:
        return _withhold_request([*read_statements(text[:LONGEST], before), *read_statements(text[-LONGEST:])], words)
    for act, pattern in words.switches.items():
        if pattern.search(text):
            return Request(act=act)
    statements = read_statements(text, before)
    asked = next((found for each in statements if (found := _read_request(each, words))), None)
    return _withhold_request(statements, words) or asked or _correct_request(text, statements, words)


def terms_of(text: str, *, alone: bool = False) -> frozenset[str]:
    """The content terms of a text; single Chinese characters where there is nothing longer, or with ``alone``."""
    empty = _words(text).empty
    found: set[str] = set()
    for piece in _APART.split(fold(text)):
        terms = [term for term in word_terms(piece) if term not in empty]
        longer = [term for term in terms if len(term) > 1 or term.isascii()]
        found.update(terms if alone else longer or terms)
    return frozenset(found)


@lru_cache(maxsize=1_024)
def aliases(term: str) -> frozenset[str]:
    """Other terms for the same matter: an address is where somebody lives."""
    return frozenset(other for _, each in _topic_terms() if term in each for other in each) - {term}


@lru_cache(maxsize=1_024)
def topics_of_term(term: str) -> frozenset[Topic]:
    """The topics that a term may stand for as a whole: a job is whatever somebody works as."""
    return frozenset(topic for topic, each in _topic_terms() if term in each)


@cache
def _topic_terms() -> tuple[tuple[Topic, frozenset[str]], ...]:
    both = (*english.MATTERS, *chinese.MATTERS)
    return tuple((topic, terms_of(line)) for topic, line in both)


def _words(text: str) -> RequestWords:
    return (chinese if language_of(text) == "zh" else english).WORDS


def _withhold_request(statements: Sequence[Statement], words: RequestWords) -> Request | None:
    found = next((each for each in statements if _is_withholding(each, words)), None)
    if found is None:
        return None
    return Request(act="dont_note", sentence=found, about=_about(found.text, words))


def _is_withholding(statement: Statement, words: RequestWords) -> bool:
    if statement.kind != "dont_note" or words.not_asked.search(statement.text):
        return False
    return statement.kinds["dont_note"] >= WITHHOLDS or bool(words.withholds.search(statement.text))


def _read_request(statement: Statement, words: RequestWords) -> Request | None:
    text = statement.text
    said = words.remembers.search(text) is not None
    if said or (statement.kind == "remember" and not words.corrects.search(text)):
        return _remember_request(statement, words)
    if words.not_asked.search(text):
        return None
    return _forget_request(statement, words) if _is_forgetting(statement, words) else None


def _is_forgetting(statement: Statement, words: RequestWords) -> bool:
    """Surely by its kind, or less surely with the words for it."""
    found, kinds = words.forgets.search(statement.text), statement.kinds
    if words.politely.search(statement.text):
        return kinds["forget"] >= COMMANDS
    if found is None:
        unworded = LIKELY if statement.kind == "forget" and words.addressed.search(statement.text) else SURE
        return kinds["forget"] >= unworded and not words.corrects.search(statement.text)
    least = (COMMANDS if found.start() == 0 else FORGETS) * (1 - kinds["courtesy"])
    return kinds["forget"] + kinds["dont_note"] >= least


def _forget_request(statement: Statement, words: RequestWords) -> Request | None:
    if words.idioms.search(statement.text):
        return None
    everything = bool(words.everything.search(statement.text))
    about, when = _about(statement.text, words), ", ".join(time_words(statement.text))
    just_said = words.just_said.search(statement.text) is not None
    if when and not just_said and not terms_of(_about(_without_times(statement.text), words)):
        return Request(act="forget", sentence=statement, when=when)
    return Request(
        act="forget",
        sentence=statement,
        about=about if terms_of(about) else "",
        everything=everything,
        is_addressed=statement.kinds["forget"] >= SURELY or bool(words.addressed.search(statement.text)),
        points=just_said or (_is_bare(statement.text) and not terms_of(about)),
    )


def _is_bare(text: str) -> bool:
    """Whether so little is said that it can only point: "delete that", 删了吧."""
    return len(text) <= (BARE if text.isascii() else BARE // 3)


def _without_times(text: str) -> str:
    for each in time_words(text):
        text = text.replace(each, " ")
    return text


def _about(text: str, words: RequestWords) -> str:
    return words.asking.sub(" ", text).strip(" ,.!?;:，。！？；：")


def _remember_request(statement: Statement, words: RequestWords) -> Request | None:
    stated = words.remembers.sub("", statement.text, count=1).strip(" ,:，：")
    if statement.kind in ("question", "task") or has_secret(stated) or not terms_of(stated):
        return None
    if statement.kind != "remember" and not words.first_person.search(stated):
        return None
    return Request(act="remember", sentence=statement, stated=stated)


def _correct_request(text: str, statements: Sequence[Statement], words: RequestWords) -> Request | None:
    told = bool(words.corrects.search(text))
    for each in reversed(statements):
        stated, denied = _split_correction(each.text, words)
        likely = each.kinds["slip"] + (each.kinds["change"] if told else 0.0)
        bare = words.alone.fullmatch(each.text.strip())
        if (
            bare
            or not stated
            or each.kind == "question"
            or (each.kind == "forget" and not told)
            or words.not_asked.search(each.text)
            or words.changes.search(each.text)
        ):
            continue
        if told or denied or likely >= PUTS_RIGHT:
            sure = told or likely >= PUTS_RIGHT
            return Request(
                act="correct",
                sentence=each,
                about=f"{stated} {denied}",
                stated=stated,
                denied=denied,
                is_addressed=sure,
            )
    return None


def _split_correction(sentence: str, words: RequestWords) -> tuple[str, str]:
    """What a sentence says is right, and what it says is wrong."""
    if (set_to := words.set_to.search(sentence)) is not None:
        return words.set_form.format(**set_to.groupdict()), ""
    stated, denied = words.lead_in.sub("", sentence.strip()), ""
    for pattern in words.denials:
        if (found := pattern.search(stated)) is not None:
            denied = found["denied"].strip(" ,.!?，。！？")
            stated = f"{stated[: found.start()]}{stated[found.end() :]}"
            break
    return re.sub(r"\s+", " ", words.lead_in.sub("", stated)).strip(" ,;:，；："), denied
