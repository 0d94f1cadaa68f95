"""What each kind of time expression means: one function for all languages, which reads the words in the tables."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from functools import cache
from re import Match, Pattern

from language import tables
from language.tables import Language
from language.times import periods
from language.times.expression import TimeWords
from language.times.periods import Kind, Period

_AROUND = 80
"""Characters before and behind a weekday among which a verb tells its tense."""


def _year_range(said: TimeWords) -> Period:
    return periods.join(periods.year_of(said.number("year")), periods.year_of(said.number("last_year")), "year")


def _month_range(said: TimeWords) -> Period:
    """A year that is told once is that of both months; without one, the first is the nearest."""
    first, last = said.month(), said.month("last_month")
    told = said.number("last_year") if said.word("last_year") else None
    ended = told or (said.year() or periods.nearest_year(said.now, first)) + (last < first)
    begun = said.year() or ended - (last < first)
    return periods.join(periods.month(begun, first), periods.month(ended, last), "season")


def _day_range(said: TimeWords) -> Period:
    """The month that is told once is that of both days."""
    named = [said.month(each) for each in ("month", "last_month") if said.word(each)]
    month, last_month = named[0], named[-1]
    last = said.number("last_day")
    year = said.number("last_year") if said.word("last_year") else periods.nearest_year(said.now, last_month, last)
    begun = periods.day(date(year - (month > last_month), month, said.number("day")))
    return periods.join(begun, periods.day(date(year, last_month, last)), "day")


def _date(said: TimeWords) -> Period:
    month, day = said.month(), said.number("day")
    return said.within(date(said.year() or periods.nearest_year(said.now, month, day), month, day))


def _month(said: TimeWords) -> Period:
    return periods.month(said.year() or periods.nearest_year(said.now, said.month()), said.month())


def _season(said: TimeWords) -> Period:
    return periods.season(said.year() or said.now.year, said.name("seasons", "season"))


def _part_of_year(said: TimeWords) -> Period:
    """Two months at an edge of the year."""
    return periods.months(periods.month(said.year() or said.now.year, said.meaning("edges", "edge")), 2, "season")


def _year(said: TimeWords) -> Period:
    return periods.year_of(said.year() or said.now.year)


def _holiday(said: TimeWords) -> Period:
    """Of the year that is said, or on the side that is said, or the nearest."""
    month, day = divmod(said.meaning("holidays", "holiday"), 100)
    year = said.year()
    if year is None and said.word("side"):
        passed = date(said.now.year, month, day) < said.today
        year = said.now.year + {-1: 0 if passed else -1, 1: int(passed)}.get(said.side(), 0)
    return periods.day(date(year or periods.nearest_year(said.now, month, day), month, day))


def _just_now(said: TimeWords) -> Period:
    return Period(said.now - timedelta(hours=1), said.now, "hour")


def _near_day(said: TimeWords) -> Period:
    away = said.meaning("days", "near") if said.word("near") else 0
    return said.within(said.today + timedelta(days=away))


def _relative_unit(said: TimeWords) -> Period:
    return periods.shift_period(said.now, said.side(), said.unit())


def _ago(said: TimeWords) -> Period:
    return periods.shift_period(said.now, -said.count(), said.unit())


def _ahead(said: TimeWords) -> Period:
    return periods.shift_period(said.now, said.count(), said.unit())


def _half(said: TimeWords) -> Period:
    """Half a year is six months, half a month fifteen days."""
    count, unit = (6, "month") if said.unit() == "year" else (15, "day")
    return periods.shift_period(said.now, count * said.side(), unit)


def _few_days_ago(said: TimeWords) -> Period:
    first, last = (periods.shift_period(said.now, -days, "day").start for days in (7, 1))
    return Period(first, last, "day")


def _past_stretch(said: TimeWords) -> Period:
    return periods.period_until_now(said.now, said.count(), said.unit())


def _relative_season(said: TimeWords) -> Period | None:
    name = said.name("seasons", "season")
    seasons = [periods.season(said.now.year + offset, name) for offset in (-2, -1, 0, 1)]
    if said.side() < 0:
        return [each for each in seasons if each.end <= said.now][-1]
    if said.side() > 0:
        return next((each for each in seasons if each.start > said.now), None)
    return next(each for each in seasons if each.end > said.now)


def _relative_month(said: TimeWords) -> Period:
    number, side = said.month(), said.side()
    return periods.month(said.now.year + (side if side * (number - said.now.month) <= 0 else 0), number)


def _past_weekday(said: TimeWords) -> Period:
    return said.within(said.today - timedelta(days=(said.today.weekday() - said.weekday() - 1) % 7 + 1))


def _coming_weekday(said: TimeWords) -> Period:
    return said.within(said.today + timedelta(days=(said.weekday() - said.today.weekday() - 1) % 7 + 1))


def _weekday_of_week(said: TimeWords) -> Period:
    return said.within(periods.monday(said.today) + timedelta(days=said.weekday() + 7 * said.side()))


def _weekday_by_tense(said: TimeWords) -> Period:
    """The coming one, unless the words around it are in the past tense."""
    start, end = said.found.span()
    around = said.found.string[max(0, start - _AROUND) : end + _AROUND]
    return (_past_weekday if tables.pattern("times.past", said.language).search(around) else _coming_weekday)(said)


def _day_of_relative_month(said: TimeWords) -> Period:
    month = periods.shift_period(said.now, said.side(), "month").start
    return periods.day(date(month.year, month.month, said.number("day")))


def _third_of_month(said: TimeWords) -> Period:
    month = periods.shift_period(said.now, said.side(), "month")
    first, last = divmod(said.meaning("thirds", "third"), 100)
    start = month.start + timedelta(days=first - 1)
    return Period(start, min(month.end, month.start + timedelta(days=last)), "week")


def _coming_day(said: TimeWords) -> Period:
    """The next day of that number."""
    return next(each for each in _days_of_number(said, (0, 1)) if each.end > said.now)


def _past_day(said: TimeWords) -> Period:
    return next(each for each in _days_of_number(said, (0, -1)) if each.end <= said.now)


def _day_by_tense(said: TimeWords) -> Period:
    past = tables.pattern("validity.past", said.language).search(said.found.string)
    return (_past_day if past else _coming_day)(said)


def _days_of_number(said: TimeWords, months: tuple[int, ...]) -> Iterator[Period]:
    """The day of that number in the months that lie so far away."""
    for ahead in months:
        first = periods.month(said.now.year, said.now.month + ahead).start
        yield periods.day(first.replace(day=said.number("day")).date())


Resolver = Callable[[TimeWords], Period | None]
_EXPLICIT: dict[str, Resolver] = {
    "year_range": _year_range,
    "month_range": _month_range,
    "day_range": _day_range,
    "month_first_day_range": _day_range,
    "date": _date,
    "month": _month,
    "season": _season,
    "part_of_year": _part_of_year,
    "year": _year,
    "calendar_holiday": _holiday,
}
_RELATIVE: dict[str, Resolver] = {
    "holiday": _holiday,
    "just_now": _just_now,
    "near_day": _near_day,
    "relative_unit": _relative_unit,
    "ago": _ago,
    "ahead": _ahead,
    "half": _half,
    "few_days_ago": _few_days_ago,
    "past_stretch": _past_stretch,
    "relative_season": _relative_season,
    "relative_month": _relative_month,
    "past_weekday": _past_weekday,
    "coming_weekday": _coming_weekday,
    "weekday_of_week": _weekday_of_week,
    "weekday_by_tense": _weekday_by_tense,
    "day_of_relative_month": _day_of_relative_month,
    "third_of_month": _third_of_month,
    "clock_today": _near_day,
}
_BY_NUMBER: dict[str, Resolver] = {"coming_day": _coming_day, "past_day": _past_day, "day_by_tense": _day_by_tense}
_VALIDITY = ("year", "month", "coming_weekday", "past_weekday", *_BY_NUMBER, "relative_unit")


@dataclass(frozen=True)
class TimeRule:
    """What a kind of time looks like in a language, and which period it is."""

    pattern: Pattern[str]
    resolve: Resolver
    kind: Kind
    language: Language

    def period(self, found: Match[str], now: datetime) -> Period | None:
        """The period, seen from ``now``. LookupError, ValueError, OverflowError where the words name no time."""
        return self.resolve(TimeWords(found, now, self.language))


@cache
def time_rules(language: Language) -> tuple[TimeRule, ...]:
    """Every rule of a language."""
    return _read_rules("times", (*_EXPLICIT, *_RELATIVE), language)


@cache
def validity_rules(language: Language) -> tuple[TimeRule, ...]:
    """Times that are none without words such as since and until."""
    return _read_rules("validity", _VALIDITY, language)


def _read_rules(file: str, keys: tuple[str, ...], language: Language) -> tuple[TimeRule, ...]:
    resolvers = _EXPLICIT | _RELATIVE | _BY_NUMBER
    return tuple(
        TimeRule(pattern, resolvers[key], "explicit" if key in _EXPLICIT else "relative", language)
        for key in keys
        for pattern in tables.pattern_list(f"{file}.{key}", language)
    )
