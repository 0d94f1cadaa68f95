"""Times in words that need no reference: full dates in the place of relative ones."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from language import tables
from language.detection import Language
from language.times.find import TimeSpan


def insert_full_dates(text: str, place: tuple[int, int], times: Sequence[TimeSpan], language: Language) -> str:
    """A stretch of the turn with its relative times, and dates without a year, as full dates."""
    start, end = place
    with_year = tables.pattern_of_all("wording.with_year")
    parts: list[str] = []
    at = start
    for time in times:
        first, last = time.span
        if at <= first and last <= end and (time.kind == "relative" or not with_year.search(text, first, last)):
            parts += (text[at:first], _insert_date(text[start:first], text[first:last], time, language))
            at = last
    return "".join((*parts, text[at:end])).strip()


def _insert_date(before: str, words: str, time: TimeSpan, language: Language) -> str:
    date, patterns = calendar_words(time, language), tables.patterns_of("wording", language)
    if leading := patterns.leading.match(words):
        return leading[0] + date
    if patterns.preposition.search(before):
        return date
    key = "on_day" if time.granularity in ("day", "part_of_day", "hour", "minute") else "in_period"
    return tables.text(f"wording.{key}", language).format(date=date)


def calendar_words(time: TimeSpan, language: Language) -> str:
    """A period in words that need no reference: «2024-05-17», «the week of 2024-05-13»."""
    first, last = time.start, time.end - timedelta(seconds=1)
    if time.granularity == "year":
        return _say("year", first, language)
    if time.granularity in ("month", "season"):
        return _range([_say("month", each, language) for each in (first, last)], language)
    days = [_say("day", each, language) for each in (first, last)]
    if time.granularity == "week":
        return tables.text("wording.week", language).format(day=days[0])
    clock = f" {first:%H:%M}" if time.granularity in ("hour", "minute") else ""
    return _range(days, language) + clock


def _say(unit: str, when: datetime, language: Language) -> str:
    return tables.text(f"wording.{unit}", language).format(year=when.year, month=when.month, day=when.day)


def _range(ends: list[str], language: Language) -> str:
    first, last = ends
    return first if first == last else tables.text("wording.range", language).format(first=first, last=last)
