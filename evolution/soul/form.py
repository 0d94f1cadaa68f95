"""Checks of a proposal's form: plain points in known sections, not too many, not too different."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from brain.prompting.tokens import count_tokens
from brain.safety.sanitizer import sanitize_text
from brain.soul_document import LASTING, MAX_TOKENS, SECTIONS, Section, SoulDocument
from evolution.soul.report import SoulCheck, found, make_check

Point = tuple[Section, str]
"""A point with its section."""
MAX_CHARACTERS = 6_000
"""Of a whole SOUL."""
MAX_POINT_CHARACTERS = 300
MAX_POINTS = 60
MAX_CHANGED_SHARE = 0.3
"""Of the points before and after together that are new or gone."""

_MARKUP = re.compile(
    r"[<>{}\[\]`|\\^~]|\*\*|__|&[a-z]{2,8};|&#|\w+://|\bwww\.|\b[\w-]+\.(?:com|org|net|io|cn|example|ai|dev|app|gif|png|html?)\b"
    r"|[\w.+-]+@[\w-]|\b(?:javascript|data|file)\s*:\s*\w|^\s*(?:#|---|===|>|\* |\d+[.)] )"
)
_SPACED_OUT = re.compile(r"(?:(?<!\S)\w(?:[ \u3000.\-_*/]{1,3})){5,}\w(?!\S)")
_MEANINGLESS = re.compile(
    r"(?<![\w-])(?=[A-Za-z0-9+/=_-]*[0-9A-Z])[A-Za-z0-9+/=_]{16,}(?![\w-])|(?<!\w)[A-Za-z]{26,}(?!\w)"
)
_LEET = re.compile(r"(?<!\w)(?=\w*[A-Za-z])(?:[A-Za-z]+[0134579$@][A-Za-z]+)\w*(?!\w)")
_PINYIN = re.compile("[āáǎàēéěèīíǐìōóǒòūúǔùǖǘǚǜ]")
_HAN = re.compile(r"[\u4e00-\u9fff]")
_LATIN_WORD = re.compile(r"[A-Za-z]{2,}")
_MAX_FOREIGN_WORDS, _MIN_FOREIGN_CHARACTERS = 2, 2


def check_form(document: SoulDocument, added: Sequence[Point]) -> SoulCheck:
    """The known sections, each point once and a line of plain text, and nothing hidden in any of them."""
    refused = [found(code, section) for section, point in document.all_points for code in _faults(point)]
    points = [point for _, point in document.all_points]
    if len(set(points)) < len(points):
        refused.append(found("twice"))
    refused += [found("empty", section) for section in SECTIONS if not document.points(section)]
    mixed = [found("two_languages", section) for section, point in added if _is_mixed(point)]
    return make_check("well_formed", refused, mixed)


def check_size(document: SoulDocument) -> SoulCheck:
    """As long as the slot of the system prompt allows."""
    faults = ["too_long"] if any(len(point) > MAX_POINT_CHARACTERS for _, point in document.all_points) else []
    if _is_too_large(document):
        faults.append("too_large")
    return make_check("size", [found(each) for each in faults])


def is_oversized(document: SoulDocument) -> bool:
    """Whether it is refused for its size alone, before anybody reads it closely."""
    return bool(check_size(document)["refused"])


def _is_too_large(document: SoulDocument) -> bool:
    return (
        len(document.text) > MAX_CHARACTERS
        or len(document.all_points) > MAX_POINTS
        or count_tokens(document.body) > MAX_TOKENS
    )


def check_proportion(before: SoulDocument, after: SoulDocument) -> tuple[SoulCheck, float]:
    """How much of it changes; something has to, and not too much at once."""
    changed = changed_share(before, after)
    faults = [found("nothing")] if not changed else [found("too_much")] if changed > MAX_CHANGED_SHARE else []
    return make_check("proportion", faults), changed


def changed_share(before: SoulDocument, after: SoulDocument) -> float:
    """The share of all points, before and after, that are new or gone."""
    ratio = SequenceMatcher(a=before.all_points, b=after.all_points, autojunk=False).ratio()
    return round(1 - ratio, 4)


def check_lasting(before: SoulDocument, after: SoulDocument) -> SoulCheck:
    """Every anchor and constraint stands word for word where it stood."""
    lost = [
        found("lost", section)
        for section in LASTING
        for point in before.points(section)
        if point not in after.points(section)
    ]
    return make_check("anchors", lost)


def added_points(before: SoulDocument, after: SoulDocument) -> list[Point]:
    """The points that were not there, with their sections."""
    known = set(before.all_points)
    return [each for each in after.all_points if each not in known]


def removed_points(before: SoulDocument, after: SoulDocument) -> list[Point]:
    """The points that are there no more."""
    return added_points(after, before)


def _faults(point: str) -> Iterator[str]:
    if "\n" in point or "\r" in point:
        yield "line_breaks"
    if _MARKUP.search(point):
        yield "markup"
    if "hidden_characters" in sanitize_text(point).rules or any(unicodedata.category(each)[0] == "C" for each in point):
        yield "hidden"
    if _is_odd(point):
        yield "odd_letters"


def _is_odd(point: str) -> bool:
    """Letters of other scripts among Latin ones, forms that pass for others, letters one by one, and blobs."""
    if _SPACED_OUT.search(point) or _MEANINGLESS.search(point) or _LEET.search(point):
        return True
    if _HAN.search(point) and _PINYIN.search(point.lower()):
        return True
    return any(_is_foreign(each) for each in point if each.isalpha())


def _is_foreign(letter: str) -> bool:
    name = unicodedata.name(letter, "")
    return not name.startswith(("LATIN SMALL", "LATIN CAPITAL", "CJK UNIFIED")) or "MATHEMATICAL" in name


def _is_mixed(point: str) -> bool:
    """Chinese with more than a name in Latin letters, or the other way round."""
    han, words = len(_HAN.findall(point)), len(_LATIN_WORD.findall(point))
    return han >= _MIN_FOREIGN_CHARACTERS and words > _MAX_FOREIGN_WORDS
