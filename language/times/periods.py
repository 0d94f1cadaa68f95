"""Stretches of the local calendar: the arithmetic behind every time expression, in one place."""

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Literal

Granularity = Literal["minute", "hour", "part_of_day", "day", "week", "month", "season", "year"]
Kind = Literal["explicit", "relative"]

SEASON_STARTS = {"spring": 3, "summer": 6, "autumn": 9, "winter": 12}
"""First month of each meteorological season of the northern hemisphere; winter runs into the next year."""

PARTS_OF_DAY = {
    "dawn": (0, 6),
    "morning": (6, 12),
    "noon": (11, 14),
    "afternoon": (12, 18),
    "evening": (18, 24),
    "night": (18, 24),
}
"""Hours [from, to) of a part of the day, local time."""


_MAX_RANGE = timedelta(days=36_600)
"""A hundred years: two numbers farther apart are no years."""


@dataclass(frozen=True)
class Period:
    """A half-open stretch ``[start, end)`` of naive local time."""

    start: datetime
    end: datetime
    granularity: Granularity


def day(when: date) -> Period:
    """The whole of one local day."""
    return days(when, 1, "day")


def days(first: date, count: int, granularity: Granularity) -> Period:
    """``count`` whole days from ``first`` on."""
    start = datetime.combine(first, time())
    return Period(start, start + timedelta(days=count), granularity)


def week(when: date) -> Period:
    """The Monday-to-Sunday week around a day."""
    return days(monday(when), 7, "week")


def weekend(when: date) -> Period:
    """Saturday and Sunday of the week around a day."""
    return days(monday(when) + timedelta(days=5), 2, "day")


def month(year: int, number: int) -> Period:
    """A calendar month; numbers outside 1 to 12 roll over into neighbouring years."""
    years, index = divmod(number - 1, 12)
    first = date(year + years, index + 1, 1)
    return days(first, monthrange(first.year, first.month)[1], "month")


def months(first: Period, count: int, granularity: Granularity) -> Period:
    """``count`` calendar months starting with the month of ``first``."""
    last = month(first.start.year, first.start.month + count - 1)
    return Period(first.start, last.end, granularity)


def join(first: Period, last: Period, granularity: Granularity) -> Period:
    """From the start of one period to the end of a later one; ValueError when it is not later, or centuries are."""
    if not first.start < last.start <= first.start + _MAX_RANGE:
        raise ValueError("no stretch of time")
    return Period(first.start, last.end, granularity)


def season(year: int, name: str) -> Period:
    """A season that begins in ``year``."""
    return months(month(year, SEASON_STARTS[name]), 3, "season")


def year_of(year: int) -> Period:
    """A calendar year."""
    return Period(datetime(year, 1, 1), datetime(year + 1, 1, 1), "year")


def monday(when: date) -> date:
    """The Monday on or before a day."""
    return when - timedelta(days=when.weekday())


def part_of(when: date, part: str) -> Period:
    """A part of one day, such as its morning."""
    first, last = PARTS_OF_DAY[part]
    start = datetime.combine(when, time())
    return Period(start + timedelta(hours=first), start + timedelta(hours=last), "part_of_day")


def clock(when: date, hour: int, minute: int = 0) -> Period:
    """An hour (or, with minutes named, one minute) of a day; ValueError when there is no such time."""
    start = datetime.combine(when, time(hour % 24, minute))
    if minute:
        return Period(start, start + timedelta(minutes=1), "minute")
    return Period(start, start + timedelta(hours=1), "hour")


def nearest_year(now: datetime, number: int, day_of_month: int = 15) -> int:
    """The year in which a month and day without a year lie closest to ``now``."""
    candidates = [year for year in (now.year - 1, now.year, now.year + 1) if _exists(year, number, day_of_month)]
    if not candidates:
        raise ValueError("no such day in any of the years around the reference")
    return min(candidates, key=lambda year: abs(datetime(year, number, day_of_month) - now))


def shift_period(now: datetime, count: int, unit: str) -> Period:
    """The day, week, month or year that lies ``count`` units from ``now``; hours and minutes are exact."""
    match unit:
        case "minute" | "hour":
            start = now + timedelta(**{f"{unit}s": count})
            return Period(start, start + timedelta(**{f"{unit}s": 1}), unit)
        case "day":
            return day(now.date() + timedelta(days=count))
        case "week":
            return week(now.date() + timedelta(weeks=count))
        case "weekend":
            return weekend(now.date() + timedelta(weeks=count))
        case "month":
            return month(now.year, now.month + count)
        case "quarter":
            return months(month(now.year, (now.month - 1) // 3 * 3 + 1 + 3 * count), 3, "season")
        case _:
            return year_of(now.year + count)


def period_until_now(now: datetime, count: int, unit: str) -> Period:
    """The stretch of the last ``count`` units that ends now."""
    back = shift_period(now, -count, unit)
    start = now - timedelta(days=7 * count) if unit == "week" else back.start
    return Period(start, now, back.granularity)


def _exists(year: int, number: int, day_of_month: int) -> bool:
    return 1 <= number <= 12 and 1 <= day_of_month <= monthrange(year, number)[1]
