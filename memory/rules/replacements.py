"""Values that a turn takes back in so many words: 不是X，是Y; not X but Y; Y, not X."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.rules.rows import HIDDEN, SKIPPED, Finding, Row, Subject

_SHORT = r"[^，,。！？?!\n；;我你他她它这那哪谁]{1,15}?"
_NOT_THIS_BUT = re.compile(
    rf"(?<![是可要还莫并岂])(?P<whole>不是(?P<old>{_SHORT})[，,]\s*而?)"
    r"(?=是|我?(?:现在|其实|应该|更|已经)*(?:是|喜欢|住|叫|爱|在|属))"
)
_AND_NOT_THIS = re.compile(
    rf"(?<=[^，,。！？?!\n；;])(?P<whole>[，,]\s*(?:并|而)?(?:不是|不在|不住在?|不叫)(?P<old>{_SHORT}))"
    r"(?=了?\s*(?:[，,。！!；;\n]|$))"
)
_VALUE = r"(?:an?\s+|the\s+)?[\w'’-]+(?:\s[\w'’-]+){0,3}"
_CUE = r"(?:no|sorry|actually|correction|wait|it['’]s|that['’]s|i\s+meant|i\s+said|make\s+that)\b[\s,:]*"
_ENGLISH_NOT_BUT = re.compile(
    rf"\b(?P<whole>not\s+(?:in\s+|at\s+)?(?P<old>{_VALUE}?)"
    r"(?:,?\s+but\s+(?!also\b|I\b)|,\s+(?:(?:it|that|he|she)['’]s|it\s+is|i['’]m|they['’]re)\s+(?!not\b)))",
    re.IGNORECASE,
)
_BARE_CHINESE = re.compile(
    rf"(?:^|[。！!\n，,])\s*(?:我(?:说|记|写|搞"
    rf"|弄)错了[，,]\s*)?(?:应该)?{SKIPPED}+\s*(?:应该)?是(?P<object>[^，,。！？?!\n；;我你他她这那]{{1,12}})\s*(?=[，,。！!；;\n]|$)"
)
_BARE_ENGLISH = re.compile(
    rf"(?:^|(?<=[.!\n]))\s*(?P<cue>{_CUE})*(?P<object>{_VALUE}),\s*not\s+(?P<old>{_VALUE})\s*(?=[.!\n]|$)",
    re.IGNORECASE,
)
_OPENING = re.compile(rf"(?:^|[.!\n])\s*(?:{_CUE})*$", re.IGNORECASE)
_ONE_VALUE = re.compile(rf"(?P<object>{_VALUE})\s*(?=[.!\n]|$)", re.IGNORECASE)
_NO_VALUE = re.compile(
    r"\b(?:why|nope|nah|oh|maybe|just|so|but|and|or|if|yes|no|ok|okay|sure|well|now|yet|really|today|tomorrow|me|him|her|you|it|this|that|i)$|(?:说|因为|为了|这样|只|问题|不|想|要|为|没)",
    re.I,
)
_ARTICLE = re.compile(r"^(?:an?|the)\s+", re.IGNORECASE)

CORRECTS = Row(
    predicate="corrects",
    says="",
    category="correction",
    changes=True,
)
"""A value put right without a word on whose or what: it applies to the one live memory that has the old value."""


@dataclass(frozen=True)
class TakenBack:
    """``old`` is withdrawn by the characters ``[start, end)``."""

    start: int
    end: int
    old: str


def taken_back(said: str) -> tuple[str, list[TakenBack]]:
    """The turn with withdrawn values masked, so that «我不是老师，是医生» reads as 我是医生."""
    found = [
        TakenBack(*match.span("whole"), _ARTICLE.sub("", match["old"].strip()))
        for pattern in (_NOT_THIS_BUT, _AND_NOT_THIS, _ENGLISH_NOT_BUT)
        for match in pattern.finditer(said)
        if not _NO_VALUE.search(match["old"])
    ]
    masked = list(said)
    for each in found:
        english = said[each.start : each.start + 3].lower() == "not"
        masked[each.start : each.end] = (" " if english else SKIPPED) * (each.end - each.start)
    return "".join(masked), found


def bare(words: str, at: int, withdrawn: list[TakenBack], speaker: Subject) -> Iterator[Finding]:
    """«不是周三，是周四» and «Lyon, not Paris»: sentences that name only the two values; ``words`` begin at ``at``."""
    for match in _BARE_CHINESE.finditer(words):
        old = next((each.old for each in withdrawn if match.start() <= each.start - at < match.end()), "")
        if old and HIDDEN not in match[0]:
            yield _bare(match, at, old, speaker)
    for match in _BARE_ENGLISH.finditer(words):
        values = (match["object"], match["old"])
        named = match["cue"] or all(value[0].isupper() or value[0].isdigit() for value in values)
        if named and not any(_NO_VALUE.search(value) or HIDDEN in value for value in values):
            yield _bare(match, at, match["old"], speaker)
    for each in withdrawn:
        yield from _bare_but(words, at, each, speaker)


def _bare_but(words: str, at: int, each: TakenBack, speaker: Subject) -> Iterator[Finding]:
    """«Not green tea, but oolong.»: what was withdrawn is blank here, and one value alone follows it."""
    start, end = each.start - at, each.end - at
    if not 0 <= start < end <= len(words) or not words[start:end].isspace():
        return
    value = _ONE_VALUE.match(words, end)
    if value and _OPENING.search(words[max(0, start - 40) : start]) and not _NO_VALUE.search(value["object"]):
        yield _bare(value, at, each.old, speaker)


def _bare(match: re.Match[str], at: int, old: str, speaker: Subject) -> Finding:
    start, end = match.span("object")
    opening = match.end() - len(match[0].lstrip())
    return Finding(
        row=CORRECTS,
        subject=speaker,
        place=(start + at, end + at),
        clause=(opening + at, match.end() + at),
        old=old,
        corrects=True,
    )
