"""What a correction puts right: "Apex, not Acme", 不是周三，是周四, "no wait, 521"."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from functools import lru_cache

from language import tables
from language.detection import language_of
from language.kinds import ValueKind
from language.predicates import has_whole_words, object_key
from language.tables import Patterns, pattern_list, patterns_of
from language.values import StatedValue, find_values

_COUNTS: frozenset[ValueKind] = frozenset({"number", "time", "quantity"})
"""Kinds of numbers that may be meant by one another: "I'm at 24, not 42"."""
_OF_DATE: frozenset[ValueKind] = frozenset({"day", "month", "year", "weekday"})
ALIKE = 0.6
"""How alike two spellings of one name are at least: Susan and Suzanne."""
_WORD = re.compile(r"[a-z0-9]+|[^\W_]")


@dataclass(frozen=True)
class ValueContrast:
    """``new`` takes the place of ``old``, both in the words of the correction."""

    old: str
    new: str


@lru_cache(maxsize=8_192)
def find_contrast(correction: str) -> ValueContrast | None:
    """The two values of a correction that names both."""
    cue = _words_of(correction).cue
    for pattern in pattern_list("corrections.contrasts", language_of(correction)):
        if found := pattern.search(correction):
            contrast = ValueContrast(found["old"].strip(), cue.sub("", found["new"]).strip())
            if contrast.new and cue.sub("", contrast.old):
                return contrast if object_key(contrast.old) != object_key(contrast.new) else None
    return None


def is_slip(text: str) -> bool:
    """Whether words of it say that the speaker said something wrongly."""
    return _words_of(text).slip.search(text) is not None


def without_slip(text: str) -> str:
    """The text without the words by which its speaker takes something back."""
    return _words_of(text).slip.sub(" ", text)


def is_bare_correction(text: str) -> bool:
    """Whether it only takes something back and names a value: it says nothing without what it corrects."""
    contrast = find_contrast(text)
    rest = without_slip(text)
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
    if not is_slip(correction) or _words_of(correction).denies.search(without_slip(correction)):
        return ""
    new, held = find_values(without_slip(correction)), find_values(statement)
    if dates := _date_pairs(held, new):
        return _exchange_all(statement, dates)
    pair = _slipped_value(statement, correction)
    return exchange_value(statement, *pair) if pair else ""


def split_correction(sentence: str) -> tuple[str, str]:
    """What a sentence says is right, and what it says is wrong."""
    words = patterns_of("requests", language_of(sentence))
    if (set_to := words.set_to.search(sentence)) is not None:
        return tables.text("requests.set_form", words.language).format(**set_to.groupdict()), ""
    if (contrast := find_contrast(sentence)) is not None and is_bare_correction(sentence):
        return contrast.new, contrast.old
    stated, denied = words.lead_in.sub("", words.lead_out.sub("", sentence.strip())), ""
    for pattern in pattern_list("requests.denials", words.language):
        if (found := pattern.search(stated)) is not None:
            denied = found["denied"].strip(" ,.!?，。！？")
            stated = f"{stated[: found.start()]}{stated[found.end() :]}"
            break
    return re.sub(r"\s+", " ", words.lead_in.sub("", stated)).strip(" ,;:，；："), denied


def exchange_stated(statement: str, correction: str) -> str:
    """The statement with the one value of a correction that can stand there ("14 June" for "4 June").

    Empty where it is not plain which value that is, and where more than the value tells when ("next Wednesday").
    """
    new, held = find_values(correction), find_values(statement)
    if any(_words_of(correction).nearer.search(correction[: each.start]) for each in new):
        return ""
    if dates := _date_pairs(held, new):
        return _exchange_all(statement, dates)
    if len(new) > 1 or _has_other_day(held, new):
        return ""
    pairs = [(old, each) for each in new for old in held if old.frame == each.frame]
    if len(pairs) != 1 or pairs[0][0].key == pairs[0][1].key:
        return ""
    return exchange_value(statement, *pairs[0])


def _date_pairs(held: Sequence[StatedValue], new: Sequence[StatedValue]) -> list[tuple[StatedValue, StatedValue]]:
    """The parts of a date that a correction names whole, each with the one that it takes the place of; none where it
    names no date of several parts and nothing else, where a part has no place, or where all are the same.
    """
    if len(new) < 2 or len({each.frame for each in new}) < len(new) or not _is_date(new):
        return []
    places = [[old for old in held if old.frame == each.frame] for each in new]
    if any(len(olds) != 1 for olds in places):
        return []
    pairs = [(olds[0], each) for olds, each in zip(places, new, strict=True)]
    if any(each.kind == "weekday" for each in held) and not any(each.kind == "weekday" for each in new):
        return []
    if not _is_date([old for old, _ in pairs]):
        return []
    return pairs if any(old.key != each.key for old, each in pairs) else []


def _has_other_day(held: Sequence[StatedValue], new: Sequence[StatedValue]) -> bool:
    """Whether a statement also tells a day that new parts of a date leave open, and that need not be the day then:
    "Monday, 12 May" moved to Tuesday, "March 2" to April.
    """
    given = {each.kind for each in new}
    behind_month = {each.end + 1 for each in held if each.kind == "month"}
    days = {each.kind for each in held if each.kind in ("day", "weekday") or each.start in behind_month}
    return bool(given & _OF_DATE and days - given)


def _is_date(values: Sequence[StatedValue]) -> bool:
    """Whether they are the parts of one date; a bare number is one right behind its month ("March 26")."""
    months = [each for each in values if each.kind == "month"]
    bare = [each for each in values if each.kind not in _OF_DATE]
    return all(each.kind == "number" and any(each.start == one.end + 1 for one in months) for each in bare)


def _exchange_all(statement: str, pairs: Sequence[tuple[StatedValue, StatedValue]]) -> str:
    for old, new in sorted(pairs, key=lambda pair: pair[0].start, reverse=True):
        statement = exchange_value(statement, old, new)
    return statement


def has_value(statement: str, value: str) -> bool:
    """Whether a statement holds a value as whole words."""
    return has_whole_words(object_key(statement), object_key(value))


def _slipped_value(statement: str, correction: str) -> tuple[StatedValue, StatedValue] | None:
    """The one value of the statement that a value of the correction can only mean."""
    new, held = find_values(without_slip(correction)), find_values(statement)
    if len(new) != 1:
        return None
    olds = same_frame(held, new[0])
    if len(olds) != 1 or olds[0].key == new[0].key:
        return None
    lead = correction[: correction.find(new[0].text)]
    return (olds[0], new[0]) if is_of_one_kind(statement, olds[0], lead, new[0]) else None


def is_of_one_kind(statement: str, old: StatedValue, lead: str, new: StatedValue) -> bool:
    """Whether the value behind ``lead`` is plainly another of the kind of the old one: a name may be anything's."""
    if old.kind != "name":
        return True
    words = _words_of(lead + new.text)
    before = statement[: old.start]
    if SequenceMatcher(None, old.key, new.key).ratio() >= ALIKE:
        return True
    if any(words.quality.search(each.text) for each in (old, new)) or words.describes.search(lead):
        return False
    if words.names_it.search(lead) and not words.named.search(before):
        return False
    return not words.addresses.search(lead) and bool(words.one_of.search(before)) == bool(words.one_of.search(lead))


def same_frame(held: Sequence[StatedValue], new: StatedValue) -> list[StatedValue]:
    """The values that a new one may replace; a bare number ("no, nine") the only number that there is."""
    olds = [each for each in held if each.frame == new.frame]
    numbers = [each for each in held if each.kind not in ("name", "weekday", "month", "year")]
    return olds or (numbers if new.kind == "number" and len(numbers) == 1 else [])


def exchange_value(statement: str, old: StatedValue, new: StatedValue) -> str:
    """The statement with a new value in the place of an old one."""
    return statement[: old.start] + new.text + statement[old.end :]


def _replace_named(statement: str, contrast: ValueContrast) -> str:
    """The named value exchanged where it stands once and what is new is a value of its kind and nothing more."""
    found = _named(statement, contrast.old)
    if len(found) != 1:
        return ""
    start, end = found[0].span()
    new = _value_like(statement, contrast, (start, end))
    return statement[:start] + new + statement[end:] if new else ""


def _value_like(statement: str, contrast: ValueContrast, span: tuple[int, int]) -> str:
    """The new value as it can stand at ``span`` of a statement; empty where it is of another kind, or says more."""
    olds = [each for each in find_values(statement) if each.start < span[1] and span[0] < each.end]
    news = values_within(contrast.new)
    if len(olds) == len(news) == 1 and (olds[0].start, olds[0].end) == span:
        counts = {olds[0].kind, news[0].kind} <= _COUNTS
        is_like = (olds[0].frame == news[0].frame or counts) and not _says_more(statement, contrast.new, news[0])
        is_like = is_like and not _words_of(contrast.new).quality.search(news[0].text)
        return news[0].text if is_like else ""
    new = _strip_overlap(statement[: span[0]], contrast.new)
    return new if _may_replace(olds, news, contrast.old, new) else ""


def values_within(words: str) -> list[StatedValue]:
    """The values of words that stand within a sentence: there also the first word may be a name."""
    lead = "– "
    found = find_values(lead + words)
    return [replace(each, start=each.start - len(lead), end=each.end - len(lead)) for each in found]


def _says_more(statement: str, words: str, value: StatedValue) -> bool:
    """Whether words say more than a value: other than what carries it, or leads up to it in the statement as well."""
    rest = _words_of(words).carrier.sub(" ", words[: value.start] + " " + words[value.end :]).casefold()
    said = set(_WORD.findall(statement.casefold()))
    return any(each not in said for each in _WORD.findall(rest))


def _may_replace(olds: Sequence[StatedValue], news: Sequence[StatedValue], old: str, new: str) -> bool:
    """Whether words of which no single value is read may take the place of others: both count alike, or neither does,
    a name is no word for a thing, and no sentence is put in.
    """
    words = _words_of(new)
    if words.clause.search(new) or (words.more.search(new) and not words.more.search(old)):
        return False
    one, other = ([each.kind for each in values if each.kind != "name"] for values in (olds, news))
    if one != other:
        return False
    unnamed = any(each.kind == "name" for each in olds) and not any(each.kind == "name" for each in news)
    return not unnamed or (old.islower() and len(new.split()) == 1)


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
