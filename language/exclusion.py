"""Whether a newer statement about a person and an older one cannot both hold, and which words of the older one are over.

A gate of words and values: without another value of the same matter, or words that say that this very thing is over,
both hold. The caller sees to it that both are about one person.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, NamedTuple, Protocol

from language.classifier import load_classifier
from language.corrections import correct_value, find_contrast, has_value, is_bare_correction, is_slip
from language.detection import language_of
from language.en import endings as english
from language.predicates import object_key
from language.readers import read_value
from language.supersession import content_words
from language.values import StatedValue, differing_value, find_values
from language.zh import endings as chinese

Basis = Literal["corrected", "ended", "excluded"]
"""The older one never was so, it is said to be over, or another value of its matter is stated."""
_ONE_AT_A_TIME = frozenset({"lives_in", "works_at", "job", "age", "name", "birthday"})
"""Predicates of the exact readers whose values exclude each other."""
EVENT = 0.5
"""How probable it has to be that a sentence tells of something that happened once."""


@dataclass(frozen=True)
class Exclusion:
    """``old`` are the words of the older statement that are over, ``new`` what holds instead; ``new`` may be empty."""

    basis: Basis
    old: str
    new: str

    @property
    def is_explicit(self) -> bool:
        """Whether the person said that this very thing is over or wrong."""
        return self.basis != "excluded"


class EndingWords(Protocol):
    """What a language's own file holds."""

    NOT_SO: re.Pattern[str]
    ADDS: re.Pattern[str]
    BEFORE: re.Pattern[str]
    CHANGES: re.Pattern[str]
    ONCE: re.Pattern[str]
    ENDINGS: tuple[re.Pattern[str], ...]
    MATTERS: tuple[re.Pattern[str], ...]
    STATES: tuple[frozenset[str], ...]
    DENIES: re.Pattern[str]
    LIKES: re.Pattern[str]
    DISLIKES: re.Pattern[str]

    def holds_as_object(self, statement: str, what: str) -> str: ...


@lru_cache(maxsize=8_192)
def find_exclusion(older: str, newer: str) -> Exclusion | None:
    """Why the older of two statements of one person does not hold beside the newer one; None where both may."""
    tongue = words_of(newer)
    if language_of(older) != language_of(newer) or tongue.NOT_SO.search(newer):
        return None
    if found := _find_correction(older, newer):
        return found
    if is_event(older) or tongue.NOT_SO.search(older) or tongue.BEFORE.search(older):
        return None
    return _find_ending(older, newer) or _find_other_value(older, newer)


def takes_one_place(sentence: str, predicate: str) -> bool:
    """Whether a value that was read off a sentence takes the place of an earlier one under its predicate."""
    tongue = words_of(sentence)
    adds = tongue.ADDS.search(sentence) and not tongue.CHANGES.search(sentence)
    return predicate in _ONE_AT_A_TIME and not adds and not tongue.NOT_SO.search(sentence)


def words_of(text: str) -> EndingWords:
    """The patterns of a text's language."""
    return chinese if language_of(text) == "zh" else english


@lru_cache(maxsize=8_192)
def is_event(text: str) -> bool:
    """Whether a sentence tells of something that happened once: it stays true whatever comes after it."""
    return words_of(text).ONCE.search(text) is not None or load_classifier().classify(text).kinds["event"] >= EVENT


def _find_correction(older: str, newer: str) -> Exclusion | None:
    """The person takes back a value by its name, in the same matter or with nothing else said."""
    contrast = find_contrast(newer)
    if contrast is None or not has_value(older, contrast.old):
        return None
    rest = content_words(newer) - content_words(contrast.old) - content_words(contrast.new)
    slipped = is_slip(newer) and bool(correct_value(older, newer))
    alone = not rest and words_of(newer).holds_as_object(older, contrast.old)
    if is_bare_correction(newer) or slipped or alone or rest & content_words(older):
        return Exclusion("corrected", contrast.old, contrast.new)
    return None


def _find_ending(older: str, newer: str) -> Exclusion | None:
    """Words of ending with an object that the older statement is about."""
    tongue = words_of(newer)
    for pattern in tongue.ENDINGS:
        for found in pattern.finditer(newer):
            what = found["what"].strip(" ,，.。")
            if what and (held := tongue.holds_as_object(older, what)):
                return Exclusion("ended", held, "")
    return None


def _find_other_value(older: str, newer: str) -> Exclusion | None:
    """Another value of one matter that has one value at a time."""
    tongue = words_of(newer)
    changes = tongue.CHANGES.search(newer) is not None
    if tongue.ADDS.search(newer) and not changes:
        return None
    pair = _read_pair(older, newer) or _matter_pair(older, newer) or _state_pair(older, newer) or _polar(older, newer)
    return Exclusion("ended" if changes else "excluded", *pair) if pair else None


def _read_pair(older: str, newer: str) -> tuple[str, str] | None:
    """Two values that exact readers find under one predicate."""
    old, new = read_value(older), read_value(newer)
    if old is None or new is None or old.predicate != new.predicate or old.predicate not in _ONE_AT_A_TIME:
        return None
    return _other(old.text, new.text)


class _Matter(NamedTuple):
    key: frozenset[str]
    rest: str
    is_free: bool


def _matter_pair(older: str, newer: str) -> tuple[str, str] | None:
    """Two values of a matter that both name: "my dentist is …", 组会在…, "I get up at …"."""
    for old in _matters(older):
        for new in _matters(newer):
            if old.key == new.key:
                if old.is_free and new.is_free:
                    return _other(old.rest, new.rest)
                if (pair := differing_value(f"· {old.rest}", f"· {new.rest}")) and _is_one_matter(old, new, pair):
                    return pair[0].text, pair[1].text
    return None


def _is_one_matter(old: _Matter, new: _Matter, pair: tuple[StatedValue, StatedValue]) -> bool:
    """Whether beside the value itself the older one says nothing that the newer one does not speak of."""
    return not any(each.kind == "name" and each.frame != pair[0].frame for each in find_values(f"· {new.rest}"))


def _matters(text: str) -> Iterator[_Matter]:
    """The matter that a statement gives a value, with what it says of it; ``is_free``: any words are a value."""
    for pattern in words_of(text).MATTERS:
        if found := pattern.search(text):
            groups = found.groupdict()
            noun = groups.get("noun") or groups.get("free") or ""
            key = content_words(noun) | {groups["verb"]} if groups.get("verb") else content_words(noun) or {noun}
            yield _Matter(frozenset(key) - {""}, found["rest"], "free" in groups)


def _other(old: str, new: str) -> tuple[str, str] | None:
    """Two values that differ, and of which none is a part of the other."""
    one, other = object_key(old), object_key(new)
    apart = bool(one and other) and one not in other and other not in one
    return (old.strip(), new.strip()) if apart else None


def _state_pair(older: str, newer: str) -> tuple[str, str] | None:
    """Two of a set of states of which a person is in one at a time."""
    for states in words_of(older).STATES:
        old, new = ([each for each in states if re.search(each, text, re.IGNORECASE)] for text in (older, newer))
        if len(old) == len(new) == 1 and old != new:
            return tuple(re.search(each[0], text, re.IGNORECASE)[0] for each, text in ((old, older), (new, newer)))  # type: ignore[index,return-value]
    return None


def _polar(older: str, newer: str) -> tuple[str, str] | None:
    """One says that something is so, the other that it is not, and the one that denies is no narrower."""
    old_denies, new_denies = _denies(older), _denies(newer)
    if old_denies == new_denies:
        return None
    old, new = _bare_words(older), _bare_words(newer)
    denied, said = (old, new) if old_denies else (new, old)
    return (older.strip(" .。"), newer.strip(" .。")) if denied and denied <= said else None


def _denies(text: str) -> bool:
    tongue = words_of(text)
    return (tongue.DENIES.search(text) is not None) != (tongue.DISLIKES.search(text) is not None)


def _bare_words(text: str) -> frozenset[str]:
    tongue = words_of(text)
    bare = tongue.LIKES.sub(" ", tongue.DISLIKES.sub(" ", tongue.DENIES.sub(" ", tongue.CHANGES.sub(" ", text))))
    times = [each for each in find_values(bare) if each.kind in ("time", "weekday", "month", "day", "year")]
    for each in reversed(times):
        bare = f"{bare[: each.start]} {bare[each.end :]}"
    return content_words(bare)
