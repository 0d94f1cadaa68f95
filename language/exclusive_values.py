"""Pairs of values that two statements of one person give one matter, and that exclude each other."""

from collections.abc import Mapping
from functools import lru_cache
from typing import NamedTuple

from language import tables
from language.detection import language_of
from language.ending_likelihood import content_words
from language.endings import certain_words, ending_words, is_past, tells_addition, tells_change
from language.predicates import has_whole_words, object_key
from language.readers import read_denied_allergy, read_value
from language.values import StatedValue, differing_value, find_values

_ONE_AT_A_TIME = frozenset({"lives_in", "works_at", "job", "age", "name", "birthday"})
"""Predicates of the exact readers whose values exclude each other."""
_STATES = ("marriage", "diet", "hand", "day", "work", "housing", "smoking", "household", "commute", "boarding")
"""Sets of states of which a person is in one at a time."""
_TIMES = ("time", "weekday", "month", "day", "year")


def takes_one_place(sentence: str, predicate: str) -> bool:
    """Whether a value that was read off a sentence takes the place of an earlier one under its predicate."""
    certain = not tells_addition(sentence) or tells_change(sentence)
    return predicate in _ONE_AT_A_TIME and certain and bool(certain_words(sentence)) and not is_past(sentence)


def exclusive_pair(older: str, newer: str) -> tuple[str, str] | None:
    """What the older statement and the newer one say of one matter, where only one of the two can hold."""
    return (
        _read_pair(older, newer)
        or _matter_pair(older, newer)
        or _state_pair(older, newer)
        or _allergy_pair(older, newer)
        or _polar(older, newer)
    )


def denies_other_allergy(older: str, newer: str) -> bool:
    """Whether the older one names an allergy, and the newer one denies another."""
    said, denied = _allergy_of(older), read_denied_allergy(newer)
    return bool(said and denied) and not _is_one_thing(said, denied)


def denies_allergies(older: str, newer: str) -> bool:
    """Whether the older one names an allergy, and the newer one denies to have any without naming it."""
    said, denied = _allergy_of(older), ending_words(newer).no_allergy.search(newer) is not None
    return bool(said) and denied and content_words(said).isdisjoint(content_words(newer))


def _allergy_pair(older: str, newer: str) -> tuple[str, str] | None:
    """An allergy and its denial, however much else the newer one tells; of several allergies the one denied."""
    said, denied = _allergy_of(older), read_denied_allergy(newer)
    if not said or not denied or not _is_one_thing(said, denied):
        return None
    narrower = denied in said and denied != said
    return (denied if narrower else older.strip(" .。"), newer.strip(" .。"))


def _allergy_of(text: str) -> str:
    value = read_value(text)
    return value.text if value and value.predicate == "allergic_to" else ""


def _is_one_thing(one: str, other: str) -> bool:
    first, second = object_key(one), object_key(other)
    held = first == second or has_whole_words(first, second) or has_whole_words(second, first)
    return held or not content_words(one).isdisjoint(content_words(other))


def _read_pair(older: str, newer: str) -> tuple[str, str] | None:
    """Two values that exact readers find under one predicate."""
    old, new = read_value(older), read_value(newer)
    if old is None or new is None or old.predicate != new.predicate or old.predicate not in _ONE_AT_A_TIME:
        return None
    if is_past(newer):
        return None
    return _other(old.text, new.text)


class _Matter(NamedTuple):
    """``head`` is the last word of the name of the matter; of Chinese the last character."""

    key: frozenset[str]
    head: str
    rest: str
    is_free: bool
    is_spaced: bool


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
    return old.key == new.key or (part and tells_change(newer))


def _is_one_matter(old: _Matter, new: _Matter, pair: tuple[StatedValue, StatedValue]) -> bool:
    """Whether beside the value itself the older one says nothing that the newer one does not speak of."""
    return not any(each.kind == "name" and each.frame != pair[0].frame for each in find_values(f"· {new.rest}"))


def names_other_matter(older: str, newer: str) -> bool:
    """Whether both name the matter that they give a value, and it is not the same one: a hat size, a shoe size.

    What has changed or is put right may go by another name than before.
    """
    words = ending_words(newer)
    if words.settles.search(newer) or (not tables.is_spaced(words.language) and tells_change(newer)):
        return False
    named = [[each for each in _matters(text) if each.head] for text in (older, newer)]
    pairs = [(one, other) for one in named[0] for other in named[1]]
    spoken_of = content_words(newer)
    return bool(pairs) and all(_is_other(*each) and not each[0].key <= spoken_of for each in pairs)


def _is_other(one: _Matter, other: _Matter) -> bool:
    """The same sort of thing with another word before it, or nothing in common, which only tells where words have
    spaces between them; a knee surgery may be a knee operation.
    """
    if one.key <= other.key or other.key <= one.key:
        return False
    return one.head == other.head or (one.is_spaced and not one.key & other.key)


@lru_cache(maxsize=8_192)
def _matters(text: str) -> tuple[_Matter, ...]:
    """The matter that a statement gives a value, with what it says of it; ``is_free``: any words are a value."""
    matters: list[_Matter] = []
    spaced = tables.is_spaced(language_of(text))
    for place, pattern in enumerate(tables.pattern_list("endings.matters", language_of(text))):
        if found := pattern.search(text):
            groups = found.groupdict()
            noun, verb = groups.get("noun") or groups.get("free") or "", groups.get("verb") or ""
            named = content_words(noun) | ({verb} if verb else frozenset[str]())
            key = named or frozenset({noun or f"#{place}"})
            words = noun.casefold().split() if spaced else list(noun)
            head = words[-1] if content_words(noun) else ""
            matters.append(_Matter(key, head, _first_clause(found["rest"]), "free" in groups, spaced))
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
    words = ending_words(text)
    return (words.denies.search(text) is not None) != (words.dislikes.search(text) is not None)


@lru_cache(maxsize=8_192)
def _bare_words(text: str) -> frozenset[str]:
    words = ending_words(text)
    bare = words.likes.sub(" ", words.dislikes.sub(" ", words.denies.sub(" ", words.changes.sub(" ", text))))
    times = [each for each in find_values(bare) if each.kind in _TIMES]
    for each in reversed(times):
        bare = f"{bare[: each.start]} {bare[each.end :]}"
    return content_words(bare)
