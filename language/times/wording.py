"""Times in words that need no reference: full dates in the place of relative ones."""

import re
from collections.abc import Sequence
from datetime import timedelta

from language.detection import Language
from language.times.find import TimeSpan

_WITH_YEAR = re.compile(r"\d{4}|[一二][九〇零][〇零一二三四五六七八九]{2}年")
_PREPOSITION = re.compile(r"\b(?:on|in|by|since|until|till|before|after|from|at)\s+$", re.IGNORECASE)
_LEADING = re.compile(r"(?:on|in|by|since|until|till|before|after|around|during)\s", re.IGNORECASE)


def insert_full_dates(text: str, place: tuple[int, int], times: Sequence[TimeSpan], language: Language) -> str:
    """A stretch of the turn with its relative times, and dates without a year, as full dates."""
    start, end = place
    parts: list[str] = []
    at = start
    for time in times:
        first, last = time.span
        if at <= first and last <= end and (time.kind == "relative" or not _WITH_YEAR.search(text, first, last)):
            parts += (text[at:first], _insert_date(text[start:first], text[first:last], time, language))
            at = last
    return "".join((*parts, text[at:end])).strip()


def _insert_date(before: str, words: str, time: TimeSpan, language: Language) -> str:
    date = calendar_words(time, language)
    if language == "zh":
        return date
    leading = _LEADING.match(words)
    if leading:
        return leading[0] + date
    return (
        date
        if _PREPOSITION.search(before)
        else f"{'on' if time.granularity in ('day', 'part_of_day', 'hour', 'minute') else 'in'} {date}"
    )


def calendar_words(time: TimeSpan, language: Language) -> str:
    """A period in words that need no reference: «2024-05-17», 2024年5月17日, «the week of 2024-05-13»."""
    chinese = language == "zh"
    first, last = time.start, time.end - timedelta(seconds=1)
    if time.granularity == "year":
        return f"{first.year}年" if chinese else str(first.year)
    if time.granularity in ("month", "season"):
        months = [f"{each.year}年{each.month}月" if chinese else f"{each:%Y-%m}" for each in (first, last)]
        return _range(months, chinese)
    days = [f"{each.year}年{each.month}月{each.day}日" if chinese else f"{each:%Y-%m-%d}" for each in (first, last)]
    if time.granularity == "week":
        return f"{days[0]}那周" if chinese else f"the week of {days[0]}"
    clock = f" {first:%H:%M}" if time.granularity in ("hour", "minute") else ""
    return _range(days, chinese) + clock


def _range(ends: list[str], chinese: bool) -> str:
    return ends[0] if ends[0] == ends[1] else f"{ends[0]}{'至' if chinese else ' to '}{ends[1]}"
