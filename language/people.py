"""Whom a sentence is about: the speaker, one of their people by relation, or somebody by name."""

import re
import unicodedata
from functools import lru_cache

from language import tables
from language.detection import language_of
from language.predicates import fold_relation, has_whole_words, object_key

SPEAKER = "user"
"""The person of sentences about their speaker."""
SOMEONE = "someone"
"""The person of sentences about somebody whom they do not name: never the same as anybody."""
_WORD = re.compile(r"[\w-]+")
_OWNED = re.compile(r"(?P<owner>.+(?:['’]s\s|的)).+")


@lru_cache(maxsize=16_384)
def find_person(sentence: str) -> str:
    """Whom a sentence is about, in its own words ("sister Niamh", "husband's friend", 妹妹), ``user`` for its speaker.

    Empty where a pronoun points back ("she is from Braga").
    """
    words = tables.patterns_of("people", language_of(sentence))
    found = [
        each
        for each in (
            words.mine.search(sentence),
            words.bare.search(sentence),
            words.theirs.match(sentence),
            words.named.match(sentence),
        )
        if each
    ]
    first = min((each for each in found if not _is_no_name(each, words)), key=lambda each: each.start(), default=None)
    if first is None:
        return "" if words.pronoun.match(sentence) else SPEAKER
    speaker = words.speaker.search(sentence)
    if speaker and speaker.start() < first.start() + (
        first.re in (words.named, words.theirs)
    ):  # a name may be spelt like "Im"
        return SPEAKER
    named = first.groupdict()
    whole = " ".join(named.get(each) or "" for each in ("owner", "kin", "name"))
    return " ".join(whole.split()).replace("的 ", "的")


def names_relative(sentence: str) -> bool:
    """Whether it speaks of one of its speaker's people, whomever it is about."""
    words = tables.patterns_of("people", language_of(sentence))
    return words.mine.search(sentence) is not None or words.bare.search(sentence) is not None


def _is_no_name(found: re.Match[str], words: tables.Patterns) -> bool:
    return words.no_name.match(found.groupdict().get("name") or "-") is not None


def introduces(sentence: str, other: str) -> bool:
    """Whether a sentence tells whose relative a name is ("my daughter Emma"), and the other one does not."""
    found = tables.patterns_of("people", language_of(sentence)).mine.search(sentence)
    if found is None or not found["name"]:
        return False
    kin: str = found["kin"]
    return kin.casefold() not in other.casefold()


def is_first_person(sentence: str) -> bool:
    """Whether the speaker speaks of themselves or of their own people, in English or Chinese."""
    return bool(tables.pattern_of_all("people.first_person").search(sentence))


def is_same_person(one: str, other: str) -> bool:
    """Whether two names may mean one person: "sister" is "sister Niamh", "sister Orla" is not; an ex is nobody else."""
    if SOMEONE in (one, other) or _owner(one) != _owner(other):
        return False
    first, second = _parts(one), _parts(other)
    if first == second:
        return True
    shared = first & second
    return bool(shared) and (first <= second or second <= first)


def is_about_one(older_subject: str, older: str, newer_subject: str, newer: str) -> bool:
    """Whether two statements may be about one person: also where one names whom the other is about, or where an
    outsider (a landlord, a doctor) does something to what is the speaker's.
    """
    if SOMEONE in (older_subject, newer_subject) or _is_somebody_else(older_subject, newer_subject):
        return False
    if is_same_person(older_subject, newer_subject):
        return True
    if older_subject != SPEAKER and is_first_person(older) and _has_name(newer, older_subject):
        return True
    if newer_subject != SPEAKER and _has_name(older, newer_subject):
        return True
    return older_subject == SPEAKER and is_first_person(newer) and _is_outsider(newer_subject)


def _is_somebody_else(older_subject: str, newer_subject: str) -> bool:
    """Whether the newer of two is another of the speaker's people: a husband's friend is not the husband, and whoever
    says "my older daughter" where they said "my daughter" has two.
    """
    if SPEAKER in (older_subject, newer_subject):
        return False
    if _owner(older_subject) != _owner(newer_subject):
        return True
    if (_parts(newer_subject) - _parts(older_subject)) & tables.words_of_all("people.which"):
        return True
    relation = tables.pattern_of_all("people.relation")
    both = relation.search(older_subject) and relation.search(newer_subject)
    return bool(both) and not is_same_person(older_subject, newer_subject)


def _owner(person: str) -> str:
    """Whose relative somebody is who is not the speaker's: of "husband's friend" the husband."""
    found = _OWNED.fullmatch(person)
    return found["owner"].casefold() if found else ""


def _has_name(text: str, person: str) -> bool:
    name = person.split()[-1].removesuffix("'s").removesuffix("’s")
    return has_whole_words(object_key(text), object_key(name))


def _is_outsider(person: str) -> bool:
    """Whether somebody is neither family nor friend, nor anybody else's doctor."""
    return not _owner(person) and not tables.words_of_all("people.outsiders").isdisjoint(
        (person, *_WORD.findall(person.casefold()))
    )


@lru_cache(maxsize=4_096)
def _parts(person: str) -> frozenset[str]:
    plain = unicodedata.normalize("NFKC", person).casefold()
    return frozenset(fold_relation(word) for word in _WORD.findall(plain))
