"""Whether a newer statement about a person and an older one cannot both hold, and which words are over then.

A gate of words and values: without another value of the same matter, or words that say that this very thing is over,
both hold. The caller sees to it that both are about one person.
"""

from dataclasses import dataclass, replace
from functools import lru_cache

from language import tables
from language.assertions import has_several_assertions, split_assertions
from language.corrections import (
    ValueContrast,
    correct_value,
    find_contrast,
    has_value,
    is_bare_correction,
    is_slip,
    values_within,
    without_slip,
)
from language.detection import Language, language_of
from language.ending_likelihood import content_words, profile_sentence, supersession_likelihood
from language.endings import (
    certain_words,
    ended_things,
    ending_words,
    is_event,
    tells_addition,
    tells_change,
    tells_of_before,
)
from language.exclusive_values import denies_allergies, denies_other_allergy, exclusive_pair, names_other_matter
from language.kinds import Grounds
from language.objects import holds_as_object
from language.others_values import find_others_change
from language.people import SPEAKER, find_person, is_first_person, is_same_person
from language.predicates import object_key
from language.readers import read_value
from language.reported import asserted_words
from language.statements import is_denial
from language.terms import word_terms
from language.values import StatedValue, differing_value, find_values

SUREST: tuple[Grounds, ...] = ("said", "excluded", "likely")
LIKELY = 0.2
"""How likely an ending has to be for words that two statements share to be looked at."""
PLAIN_PROBABILITY = 0.5
"""How likely it has to be for a word of change to be about what they share."""
TELLS_CHANGE = 0.3
"""How probable it has to be that a sentence tells of a change, where no word of it does."""

_PLACES = frozenset({"lives_in", "origin"})


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

    Of a statement that says several things the part is named that is over. What others say ends nothing, nor is any
    allergy said to be over by words that do not name it.
    """
    older, newer = asserted_words(older), certain_words(asserted_words(newer))
    if not newer or language_of(older) != language_of(newer):
        return None
    if found := _find_correction(older, newer):
        return found
    if _denies_only(older, newer):
        return None
    parts = [older, *split_assertions(older)] if has_several_assertions(older) else [older]
    found = [each for part in parts if not _is_past(part) and (each := _find_end(part, newer, part is not older))]
    if denies_allergies(older, newer):
        found = [replace(each, grounds="excluded") if each.grounds == "said" else each for each in found]
    return min(found, key=lambda each: SUREST.index(each.grounds), default=None)


@lru_cache(maxsize=8_192)
def _is_past(part: str) -> bool:
    return tells_of_before(part) or is_event(part)


def _find_end(part: str, newer: str, is_part: bool) -> Exclusion | None:
    """By structure, or by likeness beside what the words themselves tell; a whole of several parts by no likeness."""
    by_structure = _find_ending(part, newer) or _find_other_value(part, newer)
    if by_structure or (not is_part and has_several_assertions(part)):
        return by_structure
    return _find_likely(part, newer)


def _find_correction(older: str, newer: str) -> Exclusion | None:
    """The person takes back a value by its name, in the same matter or with nothing else said."""
    contrast = find_contrast(newer)
    if contrast is None or not has_value(older, contrast.old):
        return None
    plain = ending_words(newer).changes.sub(" ", without_slip(newer))
    named = content_words(_value_named(older, contrast))
    rest = content_words(plain) - content_words(contrast.old) - named
    slipped = not rest and is_slip(newer) and bool(correct_value(older, newer))
    alone = not rest and holds_as_object(older, contrast.old, language_of(newer))
    if is_bare_correction(newer) or slipped or alone or rest & content_words(older):
        return Exclusion("said", contrast.old, contrast.new, correction=True)
    return None


def _denies_only(older: str, newer: str) -> bool:
    """Whether a value of the older statement is denied for something else: no word tells of a change."""
    contrast = find_contrast(newer)
    return contrast is not None and has_value(older, contrast.old) and not tells_change(newer)


def _value_named(older: str, contrast: ValueContrast) -> str:
    """The new words of a correction; where a value stands in the older statement, no more of them than is a value."""
    valued = any(contrast.old.casefold() in each.text.casefold() for each in find_values(older))
    values = values_within(contrast.new) if valued else []
    return " ".join(each.text for each in values) or contrast.new


def _find_ending(older: str, newer: str) -> Exclusion | None:
    """Words of ending with an object that the older statement is about."""
    held = (holds_as_object(older, what, language_of(newer)) for what in ended_things(newer))
    return next((Exclusion("said", each, "") for each in held if each), None)


def _find_other_value(older: str, newer: str) -> Exclusion | None:
    """Another value of one matter that has one value at a time."""
    if others := find_others_change(older, newer):
        return Exclusion("said", *others)
    changes = tells_change(newer)
    if not changes and tells_addition(newer):
        return None
    pair = exclusive_pair(older, newer)
    return Exclusion("said" if changes else "excluded", *pair) if pair else None


def _find_likely(older: str, newer: str) -> Exclusion | None:
    """What the fitted model proposes, where both name one thing and the newer one also tells of a change in words, in
    another value or by denying: then it is said, or values exclude each other; else no more than likely.
    """
    shared = _shared_matter(older, newer)
    if _is_about_place(older, newer, shared) or denies_other_allergy(older, newer):
        return None
    if not is_slip(newer) and names_other_matter(older, newer):
        return None
    if not shared and not _same_relative(older, newer):
        return None
    likely = supersession_likelihood(older, newer)
    if likely < (LIKELY if shared else PLAIN_PROBABILITY):
        return None
    words, pair = ending_words(newer), _likely_pair(older, newer)
    endings = tables.pattern_list("endings.endings", words.language)
    told = is_slip(newer) or any(each.search(newer) for each in (words.changes, words.settles, *endings))
    changes = told or profile_sentence(newer).change >= TELLS_CHANGE
    if tells_addition(newer) and not changes:
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


def _is_about_place(older: str, newer: str, shared: frozenset[str]) -> bool:
    """Whether the newer one tells of the speaker's town and not of the speaker: its weather, its team."""
    home = read_value(older)
    if home is None or home.predicate not in _PLACES or not shared <= content_words(home.text):
        return False
    return not is_first_person(newer) or object_key(newer).startswith(object_key(home.text))


@lru_cache(maxsize=8_192)
def _side_words(text: str) -> frozenset[str]:
    kin = " ".join(found[0] for found in ending_words(text).relative.finditer(text))
    values = (each for each in find_values(text) if each.kind != "name")
    return content_words(kin).union(*(content_words(f"{each.text} {each.unit}") for each in values))


def _same_relative(older: str, newer: str) -> bool:
    """Whether both are about one of the speaker's people."""
    one, other = find_person(older), find_person(newer)
    return SPEAKER not in (one, other) and bool(one) and is_same_person(one, other)


@lru_cache(maxsize=8)
def _act_terms(language: Language) -> frozenset[str]:
    """Verbs that two statements may share without being about one thing."""
    return frozenset(word_terms(" ".join(tables.words("endings.acts", language))))
