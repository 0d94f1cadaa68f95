"""The values that a sentence states: times, days, sums, quantities with their unit, names."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from language.detection import language_of
from language.kinds import VALUE_KINDS, ValueKind
from language.tables import pattern_list
from language.times.numerals import parse_number

_HALF_DAY = re.compile(r"\s*([ap])\.?m\.?", re.IGNORECASE)


@dataclass(frozen=True)
class StatedValue:
    """One value at ``text[start:end]``; only values of one kind and unit can take each other's place."""

    kind: ValueKind
    unit: str
    text: str
    start: int
    end: int

    @property
    def frame(self) -> tuple[str, str]:
        """What another value has to have in common with it."""
        return self.kind, self.unit

    @property
    def key(self) -> str:
        """What it is compared by: "nine" and "9" are one."""
        return _value_key(self.text, self.kind)


@lru_cache(maxsize=16_384)
def find_values(text: str) -> tuple[StatedValue, ...]:
    """The values of a sentence in order, none overlapping."""
    found: list[StatedValue] = []
    for pattern in pattern_list("values.values", language_of(text)):
        for match in pattern.finditer(text):
            value = _value_of(match)
            begins = value.kind == "name" and value.start == 0  # any first word is written like a name
            if not begins and not any(value.start < each.end and each.start < value.end for each in found):
                found.append(value)
    return tuple(sorted(found, key=lambda each: each.start))


def _value_of(match: re.Match[str]) -> StatedValue:
    """The group that is named like its kind."""
    named = match.re.groupindex
    kind: ValueKind = next(each for each in VALUE_KINDS if named.get(each))
    unit = (match.groupdict().get("unit") or "").casefold()
    start, end = match.span(kind)
    return StatedValue(kind, unit.removesuffix("s") if unit.isascii() else unit, match[kind], start, end)


def differing_value(older: str, newer: str) -> tuple[StatedValue, StatedValue] | None:
    """The one pair of values of one frame in which two texts differ; None where it is none, or not the only one."""
    pairs = list(_value_pairs(find_values(older), find_values(newer)))
    return pairs[0] if len(pairs) == 1 and pairs[0][0].key != pairs[0][1].key else None


def _value_pairs(
    older: Sequence[StatedValue], newer: Sequence[StatedValue]
) -> Iterator[tuple[StatedValue, StatedValue]]:
    """Values that stand alone under their frame in both; a frame that one of them fills twice is skipped."""
    for frame in dict.fromkeys(each.frame for each in older):
        before = [each for each in older if each.frame == frame]
        after = [each for each in newer if each.frame == frame]
        if len(before) == len(after) == 1 and before[0].key != after[0].key:
            yield before[0], after[0]


def _value_key(text: str, kind: ValueKind) -> str:
    plain = " ".join(text.casefold().split())
    half = _HALF_DAY.search(plain) if kind == "time" else None
    bare = _HALF_DAY.sub("", plain) if half else plain
    number = parse_number(re.sub(r"(?<=\d)(?:st|nd|rd|th)$", "", bare))
    if kind == "weekday":
        return plain.removesuffix("s")
    return f"{bare if number is None else number}{half[1] if half else ''}"
