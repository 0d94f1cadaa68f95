"""What a correction puts right: "Apex, not Acme", 不是周三，是周四, "no wait, 521", "at eight, sorry, nine"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from language.detection import language_of
from language.kinds import ValueKind
from language.predicates import has_whole_words, object_key
from language.tables import Patterns, pattern_list, patterns_of
from language.values import StatedValue, find_values

_COUNTS: frozenset[ValueKind] = frozenset({"number", "time", "quantity"})
"""Kinds of numbers that may be meant by one another: "I'm at 24, not 42"."""


@dataclass(frozen=True)
class ValueContrast:
    """``new`` takes the place of ``old``, both in the words of the correction."""

    old: str
    new: str


@lru_cache(maxsize=8_192)
def find_contrast(correction: str) -> ValueContrast | None:
    """The two values of a correction that names both."""
    for pattern in pattern_list("corrections.contrasts", language_of(correction)):
        if found := pattern.search(correction):
            contrast = ValueContrast(found["old"].strip(), found["new"].strip())
            return contrast if object_key(contrast.old) != object_key(contrast.new) else None
    return None


def is_slip(text: str) -> bool:
    """Whether words of it say that the speaker said something wrongly."""
    return _words_of(text).slip.search(text) is not None


def is_bare_correction(text: str) -> bool:
    """Whether it only takes something back and names a value: it says nothing without what it corrects."""
    contrast = find_contrast(text)
    rest = _words_of(text).slip.sub(" ", text)
    for said in (contrast.old, contrast.new) if contrast else ():
        rest = rest.replace(said, " ", 1)
    values = () if contrast else find_values(rest)
    for value in reversed(values):
        rest = rest[: value.start] + " " + rest[value.end :]
    if contrast and _words_of(text).clause.search(contrast.new):
        return False
    words = _words_of(text).carrier.sub(" ", rest)
    return bool(contrast or (is_slip(text) and values)) and not re.search(r"\w", words)


def correct_value(statement: str, correction: str) -> str:
    """The statement with the value that the correction gives, in the clause where the old one stands; empty where it
    does not say which value that is: another number alone never does.
    """
    if contrast := find_contrast(correction):
        return _replace_named(statement, contrast)
    if not is_slip(correction):
        return ""
    pair = _slipped_value(statement, _words_of(correction).slip.sub(" ", correction))
    return _exchange(statement, *pair) if pair else ""


def settle_slip(sentence: str) -> str:
    """A sentence whose speaker put it right while saying it, as it was meant; empty for any other."""
    for cue in _words_of(sentence).slip_within.finditer(sentence):
        if settled := _settle_at(sentence[: cue.start()], sentence[cue.end() :]):
            return settled
    return ""


def _settle_at(before: str, after: str) -> str:
    """What was said before the cue with the value that comes right after it."""
    gap = 0
    for new in find_values(after):
        if _words_of(after).carrier.sub("", after[gap : new.start]).strip(" ,，"):
            return ""
        old = next(reversed(_same_frame(find_values(before), new)), None)
        if old is not None and old.key != new.key:
            rest = after[new.end :].removeprefix(before[old.end :].strip())
            return f"{_exchange(before, old, new).rstrip()}{rest}".strip()
        gap = new.end
    return ""


def exchange_stated(statement: str, correction: str) -> str:
    """The statement with the one value of a correction that can stand there ("14 June" for "4 June").

    Empty where it is not plain which value that is.
    """
    pairs = [(old, new) for new in find_values(correction) for old in find_values(statement) if old.frame == new.frame]
    if len(pairs) != 1 or pairs[0][0].key == pairs[0][1].key:
        return ""
    return _exchange(statement, *pairs[0])


def has_value(statement: str, value: str) -> bool:
    """Whether a statement holds a value as whole words."""
    return has_whole_words(object_key(statement), object_key(value))


def _slipped_value(statement: str, said: str) -> tuple[StatedValue, StatedValue] | None:
    """The one value of the statement that a value of the correction can only mean."""
    new, held = find_values(said), find_values(statement)
    if len(new) != 1:
        return None
    olds = _same_frame(held, new[0])
    return (olds[0], new[0]) if len(olds) == 1 and olds[0].key != new[0].key else None


def _same_frame(held: Sequence[StatedValue], new: StatedValue) -> list[StatedValue]:
    """The values that a new one may replace; a bare number ("no, nine") the only number that there is."""
    olds = [each for each in held if each.frame == new.frame]
    numbers = [each for each in held if each.kind not in ("name", "weekday", "month", "year")]
    return olds or (numbers if new.kind == "number" and len(numbers) == 1 else [])


def _exchange(statement: str, old: StatedValue, new: StatedValue) -> str:
    return statement[: old.start] + new.text + statement[old.end :]


def _replace_named(statement: str, contrast: ValueContrast) -> str:
    """The named value exchanged where it stands once; what is more than a value is no part of the statement."""
    found = _named(statement, contrast.old)
    if len(found) != 1:
        return ""
    start, end = found[0].span()
    new = _value_like(find_values(statement), contrast, (start, end)) or _strip_overlap(statement[:start], contrast.new)
    return "" if _words_of(new).clause.search(new) else statement[:start] + new + statement[end:]


def _value_like(held: Sequence[StatedValue], contrast: ValueContrast, span: tuple[int, int]) -> str:
    """The one value of the new words that has the frame of the old one; empty where there is none."""
    old = next((each for each in held if each.start <= span[0] and span[1] <= each.end), None)
    if old is None or (old.start, old.end) != span:
        return ""
    new = find_values(contrast.new)
    like = [each for each in new if each.frame == old.frame] or [
        each for each in new if {old.kind, each.kind} <= _COUNTS
    ]
    return like[0].text if len(like) == 1 else ""


def _named(statement: str, value: str) -> list[re.Match[str]]:
    edge = r"(?<![^\W_]){}(?![^\W_])" if value.isascii() else "{}"
    return list(re.finditer(edge.format(re.escape(value)), statement, re.IGNORECASE))


def _strip_overlap(before: str, new: str) -> str:
    """The nurse of "my sister is a nurse, not a doctor": the value without the words that lead up to it."""
    words, said = new.split(), before.casefold().split()
    for count in range(len(words) - 1, 0, -1):
        if said[-count:] == [each.casefold() for each in words[:count]]:
            return " ".join(words[count:])
    return new


def _words_of(text: str) -> Patterns:
    return patterns_of("corrections", language_of(text))
