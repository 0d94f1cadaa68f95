"""What a request names, and whether a memory holds it: names, numbers and content words, by spelling, stem or alias.

"Is it there at all" is judged here, apart from "which one is likest": a value that a memory does not hold is a veto,
however well the rest fits.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

from language.detection import language_of
from language.kinds import TOPICS, Topic
from language.matters import aliases, topics_of_term
from language.people import SPEAKER, find_person, is_same_person
from language.predicates import fold_relation, relations_in
from language.tables import is_spaced, languages, lines, pattern_of_all, words_by_name, words_of_all
from language.terms import fold, terms_of

ON_TOPIC = 0.5
"""How probable the topic of a memory has to be, for a word that names the whole topic to stand for it."""
_SPELLED_ALIKE = 0.88
_LONG_LETTERS = 6
"""Letters from which on a word may be misspelt, and from which a stem may be longer than another."""
_LATIN = re.compile(r"[a-z]+")
_AGES = frozenset(("older", "younger"))
_HAN = re.compile(r"[\u3400-\u9fff]+")
_NAME = re.compile(r"(?<!^)\b[A-Z][\w'’-]*|\b\w*\d[\w:.-]*")
_ATTRIBUTES: Mapping[str, re.Pattern[str]] = {
    word: pattern
    for words, pattern in (
        ("name surname", re.compile(r"(?<!^)\b[A-Z][a-z]|\b(?:named?|called?|mr|mrs|ms|dr)\b")),
        ("number date age amount year", re.compile(r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten)\b")),
    )
    for word in words.split()
}
"""Words that name what kind of value is meant, which a memory holds without saying so."""


@dataclass(frozen=True, kw_only=True)
class Named:
    """What a request names. Every one of ``terms`` has to be held; ``exact`` are names and numbers among them.

    ``values`` are those that name no general matter ("penicillin", not "allergy").
    """

    terms: frozenset[str]
    values: frozenset[str]
    exact: frozenset[str]
    person: str
    about: str
    sentence: str


@dataclass(frozen=True, kw_only=True)
class Held:
    """How much of what is named one memory holds. ``literally`` counts the terms that it says in the same words, or in
    another word for the same relative.
    """

    unheld: frozenset[str]
    literally: int
    is_of_person: bool
    agrees: bool

    @property
    def is_whole(self) -> bool:
        """Whether it holds all of it, of the same person, and does not say the opposite."""
        return not self.unheld and self.is_of_person and self.agrees


def read_named(about: str, sentence: str) -> Named:
    """What ``about``, a ``sentence`` without its words of asking, names."""
    terms = _run_terms(about) | terms_of(_HAN.sub(" ", about))
    exact = {term for word in _NAME.findall(sentence) for term in terms_of(word)}
    return Named(
        terms=terms,
        values=frozenset(each for each in terms if not topics_of_term(each) and each not in _ATTRIBUTES),
        exact=frozenset(exact) & terms,
        person=find_person(about),
        about=about,
        sentence=sentence,
    )


def compare_named(named: Named, text: str, person: str, topics: Mapping[Topic, float]) -> Held:
    """Compare what is named with a memory that says ``text`` about ``person``."""
    said = terms_of(text, alone=True)
    unheld = frozenset(each for each in named.terms if not _is_held(each, named, (text, said), topics))
    literally = sum(
        each in said or (not each.isascii() and each in text) or _is_of_relation(each, text) for each in named.terms
    )
    return Held(
        unheld=unheld,
        literally=literally,
        is_of_person=_is_of_person(named, person),
        agrees=_agrees(named, text),
    )


def _is_held(term: str, named: Named, said: tuple[str, frozenset[str]], topics: Mapping[Topic, float]) -> bool:
    text, terms = said
    if term in terms or terms & aliases(term) or _is_of_relation(term, text):
        return True
    if term in named.exact:
        return False
    if any(topics.get(each, 0.0) >= ON_TOPIC for each in topics_of_term(term)):
        return True
    if not term.isascii():
        return _covers(term, text) or any(each in text for each in aliases(term))
    attribute = _ATTRIBUTES.get(term)
    if attribute is not None and attribute.search(text):
        return True
    return any(_is_spelled_alike(term, each) or fold_relation(term) == fold_relation(each) for each in terms)


def _is_of_relation(term: str, text: str) -> bool:
    """Whether a relative goes by another word there, of any language: 女朋友 is a girlfriend, a mum is a mother."""
    asked = _relations(term)
    return bool(asked) and asked <= _relations(_words("former").sub(" ", fold(text)))


def _relations(text: str) -> frozenset[str]:
    """The relatives that a text speaks of, by one name each; which of two sisters it is they do not tell."""
    said = relations_in(text) | (frozenset(_LATIN.findall(text)) & _relation_names())
    return said - _AGES


@cache
def _relation_names() -> frozenset[str]:
    return frozenset(word for kin in words_by_name("predicates.relatives").values() for word in kin.split())


def _is_spelled_alike(term: str, other: str) -> bool:
    """One word misspelt, or another form of it: "allergy" and "allergic" have different stems."""
    if min(len(term), len(other)) < _LONG_LETTERS or not other.isascii():
        return False
    if term.startswith(other) or other.startswith(term):
        return True
    return SequenceMatcher(None, term, other).ratio() >= _SPELLED_ALIKE


def _run_terms(about: str) -> frozenset[str]:
    """Stretches of ideographs, with the words of general matters for themselves."""
    found, light = set[str](), words_of_all("naming.light")
    for run in _HAN.findall(fold(about)):
        found.update(_matters_of_runs().findall(run))
        found.update(each for each in _matters_of_runs().split(run) if set(each) - light)
    return frozenset(found)


@cache
def _matters_of_runs() -> re.Pattern[str]:
    told = (line for language in languages() for topic in TOPICS for line in lines(f"matters.topics.{topic}", language))
    words = {word for line in told for word in line.partition(":")[0].split() if len(word) > 1 and _HAN.fullmatch(word)}
    return re.compile("|".join(sorted(words, key=len, reverse=True)))


def _words(key: str) -> re.Pattern[str]:
    return pattern_of_all(f"naming.{key}")


def _covers(run: str, text: str) -> bool:
    """Whether each character of a run stands in the text, beside one that it stands beside in the run."""
    told, light = fold(text), words_of_all("naming.light")
    if len(run) == 1:
        return run in told
    pairs = [run[at : at + 2] in told for at in range(len(run) - 1)]
    return all(
        character in light or (at > 0 and pairs[at - 1]) or (at < len(pairs) and pairs[at])
        for at, character in enumerate(run)
    )


def _is_of_person(named: Named, person: str) -> bool:
    """What is said of somebody else is not meant by who speaks of themselves ("forget that I smoke"), nor by "my X"."""
    if (
        person in ("", SPEAKER)
        or is_same_person(named.person, person)
        or not _words("own").search(_words("said").sub(" ", named.sentence))
    ):
        return True
    terms = terms_of(named.about, alone=True)
    asked = {fold_relation(each) for term in terms for each in (term, *aliases(term))}
    words = re.findall(r"[\w-]+", person)
    parts = {fold_relation(each) for word in words for each in _relation_words(word)}
    return bool(parts & asked) or any(part in named.about for part in person.split())


def _relation_words(word: str) -> tuple[str, ...]:
    """The word with its terms; a former one ("ex-wife", 前妻) is no other."""
    return (word,) if "-" in word or _words("former").search(word) else (word, *terms_of(word))


def _agrees(named: Named, text: str) -> bool:
    """Whether a memory says the opposite of a clause that the request states ("that I smoke")."""
    if not is_spaced(language_of(text)):
        asked, told = set(_words("denied").findall(named.about)), set(_words("denied").findall(text))
        return not any(each in named.about for each in told - asked) and not any(each in text for each in asked - told)
    clause = _words("asked_not").sub(" ", _words("said").sub(" ", named.sentence))
    return not _words("self").search(clause) or bool(_words("negated").search(clause)) == bool(
        _words("negated").search(text)
    )
