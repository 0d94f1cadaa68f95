"""What a sentence tells of one of the speaker's people, and another one tells to be otherwise now.

Three matters have one value at a time: how old somebody is, where they work, and who the speaker's manager, dentist or
partner is. A newer value takes the place of an older one only where words say that it has changed, or where somebody
has grown older.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Literal, NamedTuple, get_args

from language.detection import language_of
from language.endings import ending_words, is_past, tells_change
from language.people import SPEAKER, find_person, is_about_one
from language.predicates import object_key
from language.tables import pattern_list
from language.times.numerals import parse_number

Matter = Literal["age", "work", "role"]
_MATTERS: tuple[Matter, ...] = get_args(Matter)


class _Told(NamedTuple):
    """``value`` of a ``matter``; ``role`` is the one that somebody holds, ``begins`` that its words say a change."""

    matter: Matter
    value: str
    role: str
    begins: bool


@lru_cache(maxsize=8_192)
def find_others_change(older: str, newer: str) -> tuple[str, str] | None:
    """The values of one matter of one person that the newer one says has changed, as (old, new)."""
    for old in _read_told(older):
        for new in _read_told(newer):
            if old.matter == new.matter and old.role == new.role and _has_changed(old, new, older, newer):
                return old.value, new.value
    return None


def _has_changed(old: _Told, new: _Told, older: str, newer: str) -> bool:
    one, other = object_key(old.value), object_key(new.value)
    if is_past(newer) or (old.matter != "age" and (one in other or other in one)):
        return False
    if old.matter == "age":
        return _is_one_person(older, newer) and _has_grown(old, new, older, newer)
    if ending_words(newer).adds.search(newer) and not new.begins:
        return False
    changed = new.begins or tells_change(newer)
    return changed and (old.matter == "role" or _is_one_person(older, newer))


def _has_grown(old: _Told, new: _Told, older: str, newer: str) -> bool:
    """Whether an age is a later one of the same person: words say so, or both call them by one name."""
    before, after = parse_number(old.value), parse_number(new.value)
    if before is None or after is None or after <= before:
        return False
    one, other = find_person(older), find_person(newer)
    return new.begins or tells_change(newer) or (len(one.split()) > 1 and one == other)


def _is_one_person(older: str, newer: str) -> bool:
    """Whether both are about one person; whom a pronoun means, the talk has to tell."""
    one, other = find_person(older), find_person(newer)
    if SPEAKER in (one, other):
        return False
    return not one or not other or is_about_one(one, older, other, newer)


def _read_told(text: str) -> Iterator[_Told]:
    for matter in _MATTERS:
        for pattern in pattern_list(f"others_values.{matter}", language_of(text)):
            if found := pattern.search(text):
                groups = found.groupdict()
                role = (groups.get("role") or "").casefold()
                yield _Told(matter, found["value"].strip(" .,，、"), role, bool(groups.get("begins")))
                break
