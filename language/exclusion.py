"""Whether a newer statement about a person and an older one cannot both hold, and which words are over then.

A gate of words and values: without another value of the same matter, or words that say that this very thing is over,
both hold. The caller sees to it that both are about one person.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from language import tables
from language.assertions import has_several_assertions, split_assertions
from language.classifier import load_classifier
from language.corrections import correct_value, find_contrast, has_value, is_bare_correction, is_slip
from language.detection import Language, language_of
from language.ending_likelihood import content_words, profile_sentence, supersession_likelihood
from language.kinds import Grounds
from language.objects import holds_as_object
from language.people import SPEAKER, find_person, is_same_person
from language.predicates import object_key
from language.readers import read_value
from language.statements import is_denial
from language.tables import Patterns, patterns_of
from language.terms import word_terms
from language.values import StatedValue, differing_value, find_values

_ONE_AT_A_TIME = frozenset({"lives_in", "works_at", "job", "age", "name", "birthday"})
"""Predicates of the exact readers whose values exclude each other."""
SUREST: tuple[Grounds, ...] = ("said", "excluded", "likely")
EVENT = 0.5
"""How probable it has to be that a sentence tells of something that happened once."""
LIKELY = 0.2
"""How likely an ending has to be for words that two statements share to be looked at."""
PLAIN_PROBABILITY = 0.5
"""How likely it has to be for a word of change to be about what they share."""
TELLS_CHANGE = 0.3
"""How probable it has to be that a sentence tells of a change, where no word of it does."""
_STATES = ("marriage", "diet", "hand", "day", "work", "housing", "smoking", "household", "commute", "boarding")
"""Sets of states of which a person is in one at a time."""
_TIMES = ("time", "weekday", "month", "day", "year")


@dataclass(frozen=True)
class Exclusion:
    """``old`` are the words of the older statement that are over, ``new`` what holds instead; ``new`` may be empty.

    A ``correction`` says that they never were so.
    """

    grounds: Grounds
    old: str
    new: str
    correction: bool = False


@lru_cache(maxsize=8_192)
def find_exclusion(older: str, newer: str) -> Exclusion | None:
    """Why the older of two statements of one person does not hold beside the newer one; None where both may.

    Of a statement that says several things the part is named that is over.
    """
    if language_of(older) != language_of(newer) or _is_unsure(newer):
        return None
    if found := _find_correction(older, newer):
        return found
    parts = [older, *split_assertions(older)] if has_several_assertions(older) else [older]
    found = [each for part in parts if not _is_past(part) and (each := _find_end(part, newer, part is not older))]
    return min(found, key=lambda each: SUREST.index(each.grounds), default=None)


@lru_cache(maxsize=8_192)
def _is_past(part: str) -> bool:
    return is_event(part) or words_of(part).before.search(part) is not None


def _find_end(part: str, newer: str, is_part: bool) -> Exclusion | None:
    """By structure, or by likeness beside what the words themselves tell; a whole of several parts by no likeness."""
    by_structure = _find_ending(part, newer) or _find_other_value(part, newer)
    if by_structure or (not is_part and has_several_assertions(part)):
        return by_structure
    return _find_likely(part, newer)


def takes_one_place(sentence: str, predicate: str) -> bool:
    """Whether a value that was read off a sentence takes the place of an earlier one under its predicate."""
    certain = not _adds(sentence) or _tells_change(sentence)
    return predicate in _ONE_AT_A_TIME and certain and not _is_unsure(sentence)


@lru_cache(maxsize=8_192)
def _tells_change(text: str) -> bool:
    return words_of(text).changes.search(text) is not None


@lru_cache(maxsize=8_192)
def _adds(text: str) -> bool:
    """Whether it tells of one more thing, or of one occasion."""
    words = words_of(text)
    return bool(words.adds.search(text) or words.one_time.search(text))


@lru_cache(maxsize=8_192)
def _is_unsure(text: str) -> bool:
    return words_of(text).not_so.search(text) is not None


@lru_cache(maxsize=8_192)
def is_event(text: str) -> bool:
    """Whether a sentence tells of something that happened once: it stays true whatever comes after it."""
    return words_of(text).once.search(text) is not None or load_classifier().classify(text).kinds["event"] >= EVENT


def _find_correction(older: str, newer: str) -> Exclusion | None:
    """The person takes back a value by its name, in the same matter or with nothing else said."""
    contrast = find_contrast(newer)
    if contrast is None or not has_value(older, contrast.old):
        return None
    plain = words_of(newer).changes.sub(" ", newer)
    rest = content_words(plain) - content_words(contrast.old) - content_words(contrast.new)
    slipped = is_slip(newer) and bool(correct_value(older, newer))
    alone = not rest and holds_as_object(older, contrast.old, language_of(newer))
    if is_bare_correction(newer) or slipped or alone or rest & content_words(older):
        return Exclusion("said", contrast.old, contrast.new, correction=True)
    return None


def _find_ending(older: str, newer: str) -> Exclusion | None:
    """Words of ending with an object that the older statement is about."""
    held = (holds_as_object(older, what, language_of(newer)) for what in _ended_things(newer))
    return next((Exclusion("said", each, "") for each in held if each), None)


@lru_cache(maxsize=8_192)
def _ended_things(text: str) -> tuple[str, ...]:
    """What a sentence says is over, in its words."""
    patterns = tables.pattern_list("endings.endings", language_of(text))
    named = (found["what"].strip(" ,，.。") for pattern in patterns for found in pattern.finditer(text))
    return tuple(each for each in named if each)


def _find_other_value(older: str, newer: str) -> Exclusion | None:
    """Another value of one matter that has one value at a time."""
    changes = _tells_change(newer)
    if not changes and _adds(newer):
        return None
    pair = _read_pair(older, newer) or _matter_pair(older, newer) or _state_pair(older, newer) or _polar(older, newer)
    return Exclusion("said" if changes else "excluded", *pair) if pair else None


def _find_likely(older: str, newer: str) -> Exclusion | None:
    """What the fitted model proposes, where both name one thing and the newer one also tells of a change in words, in
    another value or by denying: then it is said, or values exclude each other; else no more than likely.
    """
    shared = _shared_matter(older, newer)
    if not shared and not _same_relative(older, newer):
        return None
    likely = supersession_likelihood(older, newer)
    if likely < (LIKELY if shared else PLAIN_PROBABILITY):
        return None
    words, pair = words_of(newer), _likely_pair(older, newer)
    endings = tables.pattern_list("endings.endings", words.language)
    told = is_slip(newer) or any(each.search(newer) for each in (words.changes, words.settles, *endings))
    changes = told or profile_sentence(newer).change >= TELLS_CHANGE
    if words.adds.search(newer) and not changes:
        return None
    if pair and _is_mostly_shared(older, newer):
        return Exclusion("said" if told else "excluded", pair[0].text, pair[1].text)
    denies = is_denial(older) != is_denial(newer)
    named = bool(shared) and changes
    turns = told or ((denies or named) and _is_mostly_shared(older, newer))
    return Exclusion("likely", older, newer) if turns else None


def _is_mostly_shared(older: str, newer: str) -> bool:
    """Whether at least a half of what the shorter one says stands in the other as well; of pairs of characters, a
    third: each word makes several of them.
    """
    one, other = (content_words(each) - _side_words(each) - _act_terms(language_of(each)) for each in (older, newer))
    return (2 if tables.is_spaced(language_of(older)) else 3) * len(one & other) >= min(len(one), len(other))


def _likely_pair(older: str, newer: str) -> tuple[StatedValue, StatedValue] | None:
    """Two values of one frame; a number without its unit ("it's sixty") is the only one that the older one has."""
    if pair := differing_value(older, newer):
        return pair
    bare = [each for each in find_values(newer) if each.kind == "number"]
    counted = [each for each in find_values(older) if each.kind in ("quantity", "money", "number", "time")]
    alone = len(bare) == len(counted) == 1 and bare[0].key != counted[0].key
    return (counted[0], bare[0]) if alone else None


def _shared_matter(older: str, newer: str) -> frozenset[str]:
    """Words that both have and that name neither a person of theirs nor a number, a unit or a time."""
    shared = content_words(older) & content_words(newer) - _act_terms(language_of(newer))
    return frozenset(each for each in shared - _side_words(older) - _side_words(newer) if not each.isdigit())


@lru_cache(maxsize=8_192)
def _side_words(text: str) -> frozenset[str]:
    kin = " ".join(found[0] for found in words_of(text).relative.finditer(text))
    values = (each for each in find_values(text) if each.kind != "name")
    return content_words(kin).union(*(content_words(f"{each.text} {each.unit}") for each in values))


def _same_relative(older: str, newer: str) -> bool:
    """Whether both are about one of the speaker's people."""
    one, other = find_person(older), find_person(newer)
    return SPEAKER not in (one, other) and bool(one) and is_same_person(one, other)


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
            if _is_same_matter(old, new, newer):
                if old.is_free and new.is_free:
                    return _other(old.rest, new.rest)
                if (pair := differing_value(f"· {old.rest}", f"· {new.rest}")) and _is_one_matter(old, new, pair):
                    return pair[0].text, pair[1].text
    return None


def _is_same_matter(old: _Matter, new: _Matter, newer: str) -> bool:
    """Whether both name one thing; where it has changed, one name may be a part of the other."""
    part = old.key <= new.key or new.key <= old.key
    return old.key == new.key or (part and _tells_change(newer))


def _is_one_matter(old: _Matter, new: _Matter, pair: tuple[StatedValue, StatedValue]) -> bool:
    """Whether beside the value itself the older one says nothing that the newer one does not speak of."""
    return not any(each.kind == "name" and each.frame != pair[0].frame for each in find_values(f"· {new.rest}"))


@lru_cache(maxsize=8_192)
def _matters(text: str) -> tuple[_Matter, ...]:
    """The matter that a statement gives a value, with what it says of it; ``is_free``: any words are a value."""
    matters: list[_Matter] = []
    for place, pattern in enumerate(tables.pattern_list("endings.matters", language_of(text))):
        if found := pattern.search(text):
            groups = found.groupdict()
            noun, verb = groups.get("noun") or groups.get("free") or "", groups.get("verb") or ""
            named = content_words(noun) | ({verb} if verb else frozenset[str]())
            key = named or frozenset({noun or f"#{place}"})
            matters.append(_Matter(key, _first_clause(found["rest"]), "free" in groups))
    return tuple(matters)


def _first_clause(rest: str) -> str:
    """What is said of the matter itself, and not of another one behind it."""
    return next(
        (each for each in tables.pattern("assertions.joints", language_of(rest)).split(rest) if each and each.strip()),
        rest,
    )


def _other(old: str, new: str) -> tuple[str, str] | None:
    """Two values that differ, and of which none is a part of the other."""
    one, other = object_key(old), object_key(new)
    apart = bool(one and other) and one not in other and other not in one
    return (old.strip(), new.strip()) if apart else None


def _state_pair(older: str, newer: str) -> tuple[str, str] | None:
    """Two of a set of states of which a person is in one at a time."""
    old, new = _states_of(older), _states_of(newer)
    pairs = ((old[name], new[name]) for name in _STATES if name in old and name in new)
    return next(((one[1], other[1]) for one, other in pairs if one[0] != other[0]), None)


@lru_cache(maxsize=8_192)
def _states_of(text: str) -> Mapping[str, tuple[int, str]]:
    """By set, the one state that a text names, with its words; nothing of a set of which it names none or several."""
    named: dict[str, tuple[int, str]] = {}
    for name in _STATES:
        states = tables.pattern_list(f"endings.states.{name}", language_of(text))
        found = [(number, match[0]) for number, each in enumerate(states) if (match := each.search(text))]
        if len(found) == 1:
            named[name] = found[0]
    return named


def _polar(older: str, newer: str) -> tuple[str, str] | None:
    """One says that something is so, the other that it is not, and the one that denies is no narrower."""
    old_denies, new_denies = _denies(older), _denies(newer)
    if old_denies == new_denies:
        return None
    old, new = _bare_words(older), _bare_words(newer)
    denied, said = (old, new) if old_denies else (new, old)
    return (
        (older.strip(" .。"), newer.strip(" .。"))
        if denied and denied <= said and 2 * len(denied) >= len(said)
        else None
    )


@lru_cache(maxsize=8_192)
def _denies(text: str) -> bool:
    words = words_of(text)
    return (words.denies.search(text) is not None) != (words.dislikes.search(text) is not None)


@lru_cache(maxsize=8_192)
def _bare_words(text: str) -> frozenset[str]:
    words = words_of(text)
    bare = words.likes.sub(" ", words.dislikes.sub(" ", words.denies.sub(" ", words.changes.sub(" ", text))))
    times = [each for each in find_values(bare) if each.kind in _TIMES]
    for each in reversed(times):
        bare = f"{bare[: each.start]} {bare[each.end :]}"
    return content_words(bare)


def words_of(text: str) -> Patterns:
    """The words by which something ends, changes or is put right, in the language of a text."""
    return patterns_of("endings", language_of(text))


@lru_cache(maxsize=8)
def _act_terms(language: Language) -> frozenset[str]:
    """Verbs that two statements may share without being about one thing."""
    return frozenset(word_terms(" ".join(tables.words("endings.acts", language))))
