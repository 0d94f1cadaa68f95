"""English time expressions.

Conventions where usage wavers: "last Wednesday" is the latest Wednesday before today, "next Friday" the Friday of the
next calendar week, "last spring" the latest spring that is over, "two months ago" that whole calendar month.
"""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from re import Match

from language.times import periods
from language.times.numerals import ENGLISH_NUMBER, parse_number
from language.times.periods import Period, TimeRule

MONTH_NAMES: list[str] = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
DAY_NAMES: list[str] = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"]
MONTH = (
    r"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?:\.(?=\s?\d))?"
)
WEEKDAY = (
    r"(?P<weekday>mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:rs(?:day)?)?|fri(?:day)?"
    r"|sat(?:urday)?|sun(?:day)?)"
)
_SEASON = r"(?P<season>spring|summer|autumn|fall|winter)"
YEAR = r"(?P<year>(?:19|20)\d\d)"
_DAY = r"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?"
_UNIT = r"(?P<unit>minute|hour|day|week|month|year)s?"
_SIDE = r"(?P<side>last|past|previous|this|current|next|coming|following)"
_COUNT = rf"(?:a\s+)?(?P<count>{ENGLISH_NUMBER})(?:\s+of)?"
_PART = r"(?P<part>morning|noon|afternoon|evening|night)"
_CLOCK = r"(?P<hour>[01]?\d)(?::(?P<minute>[0-5]\d))?\s?(?P<half>[ap])(?:m\b|\.m\.)"
_SIDES = {"last": -1, "past": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1, "following": 1}
_NEAR_DAYS = {"yesterday": -1, "today": 0, "tomorrow": 1}
_HOLIDAYS = {
    "christmas eve": (12, 24),
    "christmas": (12, 25),
    "new year's eve": (12, 31),
    "new year's day": (1, 1),
    "halloween": (10, 31),
    "valentine's day": (2, 14),
}
_HOLIDAY = "|".join(name.replace("'", "['’]") for name in _HOLIDAYS)
HINT = re.compile(
    rf"[\dı\u0307]|\b(?:{MONTH}|{WEEKDAY}|{_SEASON}|{_HOLIDAY}|{_UNIT}|{_PART}|quarter|now|tonight|yesterday|today|tomorrow)"
)
"""A case-folded text in which this is not found names no time that the rules below know.

They take a Turkish i for an i, which folding does not: a text with one is worth trying.
"""
_PAST = re.compile(r"\b(?:was|were|did|went|had|saw|met|got|came|took|bought|\w{2,15}ed)\b", re.IGNORECASE)


def _month_number(found: Match[str]) -> int:
    return MONTH_NAMES.index(found["month"][:3].lower()) + 1


def _date(found: Match[str], now: datetime) -> Period:
    """Day and month, with the year said or else the nearest one."""
    month, day = _month_number(found), int(found["day"])
    year = int(found["year"]) if found["year"] else periods.nearest_year(now, month, day)
    return periods.day(date(year, month, day))


def _month_year(found: Match[str], _: datetime) -> Period:
    return periods.month(int(found["year"]), _month_number(found))


def _bare_month(found: Match[str], now: datetime) -> Period:
    number_ = _month_number(found)
    return periods.month(periods.nearest_year(now, number_), number_)


def _relative_month(found: Match[str], now: datetime) -> Period:
    number_, side = _month_number(found), _SIDES[found["side"].lower()]
    year = now.year + (side if side * (number_ - now.month) <= 0 else 0)
    return periods.month(year, number_)


def _year(found: Match[str], _: datetime) -> Period:
    return periods.year_of(int(found["year"]))


def _relative_unit(found: Match[str], now: datetime) -> Period:
    return periods.shift_period(now, _SIDES[found["side"].lower()], found["unit"].lower())


def _season_name(found: Match[str]) -> str:
    name = found["season"].lower()
    return "autumn" if name == "fall" else name


def _season_year(found: Match[str], _: datetime) -> Period:
    return periods.season(int(found["year"]), _season_name(found))


def _relative_season(found: Match[str], now: datetime) -> Period | None:
    side, name = _SIDES[found["side"].lower()], _season_name(found)
    seasons = [periods.season(now.year + offset, name) for offset in (-2, -1, 0, 1)]
    if side < 0:
        return [each for each in seasons if each.end <= now][-1]
    if side > 0:
        return next((each for each in seasons if each.start > now), None)
    return next(each for each in seasons if each.end > now)


def _weekday_index(found: Match[str]) -> int:
    return DAY_NAMES.index(found["weekday"][:3].lower())


def _relative_weekday(found: Match[str], now: datetime) -> Period:
    side, index, today = found["side"].lower(), _weekday_index(found), now.date()
    if _SIDES[side] < 0:
        return _within(found, today - timedelta(days=(today.weekday() - index - 1) % 7 + 1))
    if side == "coming":
        return _within(found, today + timedelta(days=(index - today.weekday() - 1) % 7 + 1))
    return _within(found, periods.monday(today) + timedelta(days=index + 7 * _SIDES[side]))


def _on_weekday(found: Match[str], now: datetime) -> Period:
    """The coming one, unless the words around it are in the past tense."""
    index, today = _weekday_index(found), now.date()
    around = found.string[max(0, found.start() - 80) : found.end() + 80]
    if _PAST.search(around):
        return _within(found, today - timedelta(days=(today.weekday() - index - 1) % 7 + 1))
    return _within(found, today + timedelta(days=(index - today.weekday() - 1) % 7 + 1))


def _near_day(found: Match[str], now: datetime) -> Period:
    return _within(found, now.date() + timedelta(days=_NEAR_DAYS[found["near"].lower()]))


def _within(found: Match[str], when: date) -> Period:
    """The day, or the part or the hour of it that is named behind it."""
    if found["hour"]:
        return _at_clock(found, when)
    return periods.part_of(when, found["part"].lower()) if found["part"] else periods.day(when)


def _at_clock(found: Match[str], when: date) -> Period:
    hour = int(found["hour"]) % 12 + (12 if found["half"].lower() == "p" else 0)
    return periods.clock(when, hour, int(found["minute"] or 0))


def _today_part(found: Match[str], now: datetime) -> Period:
    words = found[0].lower()
    when = now.date() - timedelta(days=1) if words.startswith("last") else now.date()
    return periods.part_of(when, (found["part"] or "night").lower())


def _clock_today(found: Match[str], now: datetime) -> Period:
    return _at_clock(found, now.date())


def _before_last(found: Match[str], now: datetime) -> Period:
    return periods.shift_period(now, -2, found["unit"].lower())


def _period_before(found: Match[str], now: datetime) -> Period:
    return periods.shift_period(now, -1, found["unit"].lower())


def _ago(found: Match[str], now: datetime) -> Period | None:
    count = parse_number(found["count"])
    return None if count is None else periods.shift_period(now, -count, found["unit"].lower())


def _ahead(found: Match[str], now: datetime) -> Period | None:
    count = parse_number(found["count"])
    return None if count is None else periods.shift_period(now, count, found["unit"].lower())


def _past_stretch(found: Match[str], now: datetime) -> Period | None:
    count = parse_number(found["count"])
    return None if count is None else periods.period_until_now(now, count, found["unit"].lower())


def _holiday(found: Match[str], now: datetime) -> Period:
    month, day = _HOLIDAYS[found["holiday"].lower().replace("’", "'")]
    side = (found["side"] or "").lower()
    if found["year"]:
        year = int(found["year"])
    elif side:
        passed = date(now.year, month, day) < now.date()
        year = now.year + {"last": 0 if passed else -1, "next": 1 if passed else 0, "this": 0}[side]
    else:
        year = periods.nearest_year(now, month, day)
    return periods.day(date(year, month, day))


def _just_now(_: Match[str], now: datetime) -> Period:
    return Period(now - timedelta(hours=1), now, "hour")


def _constant_offset(count: int, unit: str) -> Callable[[Match[str], datetime], Period]:
    """A phrase that is always the same number of units away."""

    def resolve(_: Match[str], now: datetime) -> Period:
        return periods.shift_period(now, count, unit)

    return resolve


def _compile_word(pattern: str) -> re.Pattern[str]:
    return re.compile(rf"\b{pattern}(?!\w)", re.IGNORECASE)


def _other(pattern: str) -> str:
    """The same pattern with names of its own for the last of two times."""
    return pattern.replace("(?P<", "(?P<last_")


def _year_range(found: Match[str], _: datetime) -> Period:
    return periods.join(periods.year_of(int(found["year"])), periods.year_of(int(found["last_year"])), "year")


def _month_range(found: Match[str], now: datetime) -> Period:
    """A year that is told once is that of both months; without one, the first is the nearest."""
    first, last = _month_number(found), MONTH_NAMES.index(found["last_month"][:3].lower()) + 1
    told = int(found["last_year"]) if found["last_year"] else None
    ended = told or int(found["year"] or periods.nearest_year(now, first)) + (last < first)
    begun = int(found["year"]) if found["year"] else ended - (last < first)
    return periods.join(periods.month(begun, first), periods.month(ended, last), "season")


def _day_range(found: Match[str], now: datetime) -> Period:
    """«From 1 to 19 June», «from 28 May to 2 June»: the month that is told once is that of both days."""
    month = MONTH_NAMES.index(found["last_month"][:3].lower()) + 1
    first_month = _month_number(found) if found["month"] else month
    first, last = int(found["day"]), int(found["last_day"])
    year = int(found["last_year"]) if found["last_year"] else periods.nearest_year(now, month, last)
    begun = periods.day(date(year - (first_month > month), first_month, first))
    return periods.join(begun, periods.day(date(year, month, last)), "day")


def _month_first_day_range(found: Match[str], now: datetime) -> Period:
    """«May 28 to June 2», «June 1–19»."""
    month = _month_number(found)
    last_month = MONTH_NAMES.index(found["last_month"][:3].lower()) + 1 if found["last_month"] else month
    year = (
        int(found["last_year"]) if found["last_year"] else periods.nearest_year(now, last_month, int(found["last_day"]))
    )
    begun = periods.day(date(year - (month > last_month), month, int(found["day"])))
    return periods.join(begun, periods.day(date(year, last_month, int(found["last_day"]))), "day")


_AT = rf"(?:\s+(?:{_PART}\b|(?:at\s+)?{_CLOCK}))?"
_LEAD = r"(?:in|since|during|by|until|till|around|before|after|early|late|mid|of)"
_OVER = r"(?:over\s+|in\s+|for\s+|during\s+)?(?:the\s+)?(?:past|last)"

_OPEN = r"(?:from|between)\s+(?:the\s+)?"
_JOINT = r"\s*(?:[–—-]|\b(?:to|and|until|till|til|through)\b(?:\s+the)?)\s*"
_NO_MEASURE = r"(?![\d-])(?!\s*(?:[kcm]?(?:cal|g|m|l)\b|calories|steps|hours|people|euros?|pounds|dollars|[€$£%]))"
_LAST_YEAR = rf"(?:,?\s+(?:of\s+)?{_other(YEAR)})?"

_RANGE_RULES: tuple[TimeRule, ...] = (
    TimeRule(_compile_word(rf"{_OPEN}{YEAR}{_JOINT}{_other(YEAR)}{_NO_MEASURE}"), _year_range, "explicit"),
    TimeRule(
        _compile_word(rf"(?<![\d.-]){YEAR}(?:\s?[–—-]\s?|\s+to\s+){_other(YEAR)}{_NO_MEASURE}"), _year_range, "explicit"
    ),
    TimeRule(
        _compile_word(
            rf"{_OPEN}{MONTH}(?:,?\s+(?:of\s+)?{YEAR})?{_JOINT}{_other(MONTH)}(?!\s*\d{{1,2}}(?!\d)){_LAST_YEAR}"
        ),
        _month_range,
        "explicit",
    ),
    TimeRule(
        _compile_word(
            rf"{_OPEN}{_DAY}(?:\s+(?:of\s+)?{MONTH})?{_JOINT}{_other(_DAY)}\s+(?:of\s+)?{_other(MONTH)}{_LAST_YEAR}"
        ),
        _day_range,
        "explicit",
    ),
    TimeRule(
        _compile_word(rf"{_OPEN}{MONTH}\s+{_DAY}{_JOINT}(?:{_other(MONTH)}\s+)?{_other(_DAY)}(?!\d){_LAST_YEAR}"),
        _month_first_day_range,
        "explicit",
    ),
)
"""From the start of one time to the end of another."""

RULES: tuple[TimeRule, ...] = (
    *_RANGE_RULES,
    TimeRule(_compile_word(rf"(?:the\s+)?{_DAY}\s+(?:of\s+)?{MONTH}(?:,?\s+{YEAR})?"), _date, "explicit"),
    TimeRule(_compile_word(rf"{MONTH}\s+(?:the\s+)?{_DAY}(?!\d)(?:,?\s+{YEAR})?"), _date, "explicit"),
    TimeRule(_compile_word(rf"{MONTH},?\s+(?:of\s+)?{YEAR}"), _month_year, "explicit"),
    TimeRule(_compile_word(rf"{_SEASON}\s+(?:of\s+)?{YEAR}"), _season_year, "explicit"),
    TimeRule(_compile_word(rf"{_LEAD}\s+{YEAR}"), _year, "explicit"),
    TimeRule(_compile_word(rf"{_LEAD}\s+{MONTH}(?!,?\s+(?:of\s+)?{YEAR})"), _bare_month, "explicit"),
    TimeRule(
        _compile_word(rf"(?:(?P<side>last|this|next)\s+)?(?P<holiday>{_HOLIDAY})(?:\s+(?:of\s+)?{YEAR})?"), _holiday
    ),
    TimeRule(_compile_word(r"just\s+now"), _just_now),
    TimeRule(_compile_word(r"(?:the\s+)?day\s+before\s+yesterday"), _constant_offset(-2, "day")),
    TimeRule(_compile_word(r"(?:the\s+)?day\s+after\s+tomorrow"), _constant_offset(2, "day")),
    TimeRule(_compile_word(r"(?:the\s+)?(?P<unit>weekend|week|month|year)\s+before\s+last"), _before_last),
    TimeRule(_compile_word(r"the\s+(?P<unit>weekend|week|month|year)\s+before(?!\s+\w)"), _period_before),
    TimeRule(_compile_word(rf"(?P<near>yesterday|today|tomorrow){_AT}"), _near_day),
    TimeRule(_compile_word(rf"(?:tonight|last\s+night|this\s+{_PART})"), _today_part),
    TimeRule(_compile_word(rf"{_COUNT}\s+{_UNIT}\s+(?:ago|back|earlier)"), _ago),
    TimeRule(_compile_word(rf"in\s+(?:about\s+)?{_COUNT}\s+{_UNIT}"), _ahead),
    TimeRule(_compile_word(rf"{_COUNT}\s+{_UNIT}\s+(?:from\s+now|later)"), _ahead),
    TimeRule(_compile_word(rf"{_OVER}\s+{_COUNT}\s+{_UNIT}"), _past_stretch),
    TimeRule(_compile_word(rf"(?:the\s+)?{_SIDE}\s+(?P<unit>weekend|week|month|year|quarter)"), _relative_unit),
    TimeRule(_compile_word(rf"{_SIDE}\s+{_SEASON}"), _relative_season),
    TimeRule(_compile_word(rf"{_SIDE}\s+{MONTH}"), _relative_month),
    TimeRule(_compile_word(rf"{_SIDE}\s+{WEEKDAY}{_AT}"), _relative_weekday),
    TimeRule(_compile_word(rf"on\s+{WEEKDAY}{_AT}"), _on_weekday),
    TimeRule(_compile_word(rf"at\s+{_CLOCK}"), _clock_today),
)
"""Every row is tried; where two overlap, the one that begins first and is longest stands."""
