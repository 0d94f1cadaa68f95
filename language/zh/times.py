"""Chinese time expressions.

上周三 is the Wednesday of last week, a bare 周三 the one of this week, 去年冬天 the winter that began last year,
三个月前 that whole calendar month.
"""

import re
from datetime import date, datetime, timedelta
from re import Match

from language.times import periods
from language.times.numerals import CHINESE_NUMBER, parse_number
from language.times.periods import Period, TimeRule

_DAYS = {"大前": -3, "前": -2, "昨": -1, "今": 0, "明": 1, "后": 2, "大后": 3}
_YEARS = {"大前年": -3, "前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2}
_SIDES = {"上上": -2, "上": -1, "这": 0, "本": 0, "下": 1, "下下": 2}
_WEEKDAYS = {
    "一": 0,
    "二": 1,
    "三": 2,
    "四": 3,
    "五": 4,
    "六": 5,
    "日": 6,
    "天": 6,
    **{str(n): n - 1 for n in range(1, 8)},
}
_PARTS = {
    "凌晨": "dawn", "清晨": "morning", "早上": "morning", "早晨": "morning", "上午": "morning", "早": "morning",
    "中午": "noon", "下午": "afternoon", "傍晚": "evening", "晚上": "evening", "夜里": "night",
    "晚": "evening", "夜": "night",
}  # fmt: skip
_SEASONS = {"春": "spring", "夏": "summer", "秋": "autumn", "冬": "winter"}
_UNITS = {
    "分钟": "minute", "小时": "hour", "钟头": "hour", "天": "day", "日": "day", "周": "week", "星期": "week",
    "礼拜": "week", "月": "month", "年": "year",
}  # fmt: skip
_HOLIDAYS = {
    "元旦": (1, 1), "情人节": (2, 14), "妇女节": (3, 8), "劳动节": (5, 1), "五一": (5, 1), "儿童节": (6, 1),
    "教师节": (9, 10), "国庆节": (10, 1), "国庆": (10, 1), "双十一": (11, 11), "平安夜": (12, 24), "圣诞节": (12, 25),
    "圣诞": (12, 25),
}  # fmt: skip
_FARTHEST = 300
_ABOUT = re.compile(r"[一二三四五六七八九两]{2,}")
_THIRDS_OF_MONTH = {"初": (1, 10), "中旬": (11, 20), "底": (21, 31), "末": (21, 31)}


def _either(*words: str) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_N = CHINESE_NUMBER
_YEAR = (
    rf"(?:(?P<year>(?:19|20)\d\d|[一二][九〇零][〇零一二三四五六七八九]{{2}})\s?年|(?P<near_year>{_either(*_YEARS)}))"
)
_MONTH = r"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])\s?月"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])\s?[日号]"
_PART = rf"(?P<part>{_either(*(part for part in _PARTS if len(part) > 1))})"
_HOUR = r"(?P<hour>[012]?\d|十[一二]?|二十[一二三]?|[一二两三四五六七八九])"
_CLOCK = rf"{_HOUR}(?:点|时|[:：])(?:(?P<half>半)|(?P<minute>[0-5]?\d)分?)?"
_NOT_IN_NUMBER = r"(?<![\d一二三四五六七八九十第])"
_WHEN = rf"(?:的?{_PART})?(?:{_CLOCK})?"
_SIDE = r"(?P<side>上上|下下|上|下|这|本)"
_WEEK = r"(?:周|星期|礼拜)"
_WEEKDAY = r"(?P<weekday>[一二三四五六日天1-7])(?![\d月年个点十百千天次])"


def _year_number(found: Match[str], now: datetime) -> int | None:
    if found["near_year"]:
        return now.year + _YEARS[found["near_year"]]
    return parse_number(found["year"]) if found["year"] else None


def _parse_number(text: str) -> int:
    value = parse_number(text)
    if value is None:
        raise ValueError("not a number")
    return value


def _narrow_to_part(found: Match[str], when: date, whole: Period) -> Period:
    """Narrow a day to the part or the hour that follows it."""
    part = _PARTS.get(found["part"] or "")
    if found["hour"]:
        hour, minute = _parse_number(found["hour"]), 30 if found["half"] else _parse_number(found["minute"] or "0")
        late = part in ("afternoon", "evening", "night") and hour < 12
        return periods.clock(when, hour + 12 * late, minute)
    return periods.part_of(when, part) if part else whole


def _near_day(found: Match[str], now: datetime) -> Period:
    when = now.date() + timedelta(days=_DAYS[found["near"]])
    return _narrow_to_part(found, when, periods.day(when))


def _part_today(found: Match[str], now: datetime) -> Period:
    return _narrow_to_part(found, now.date(), periods.day(now.date()))


def _date(found: Match[str], now: datetime) -> Period:
    month, day = _parse_number(found["month"]), _parse_number(found["day"])
    year = _year_number(found, now) or periods.nearest_year(now, month, day)
    when = date(year, month, day)
    return _narrow_to_part(found, when, periods.day(when))


def _month(found: Match[str], now: datetime) -> Period:
    month = _parse_number(found["month"])
    return periods.month(_year_number(found, now) or periods.nearest_year(now, month), month)


def _year(found: Match[str], now: datetime) -> Period:
    return periods.year_of(_year_number(found, now) or now.year)


def _part_of_year(found: Match[str], now: datetime) -> Period:
    """年初 is January and February, 年底 November and December."""
    year = _year_number(found, now) or now.year
    return periods.months(periods.month(year, 1 if found["edge"] == "初" else 11), 2, "season")


def _season(found: Match[str], now: datetime) -> Period:
    return periods.season(_year_number(found, now) or now.year, _SEASONS[found["season"]])


def _relative_unit(found: Match[str], now: datetime) -> Period:
    unit = {"月": "month", "季度": "quarter"}.get(found["unit"], "week")
    return periods.shift_period(now, _SIDES[found["side"]], unit)


def _relative_weekend(found: Match[str], now: datetime) -> Period:
    return periods.shift_period(now, _SIDES[found["side"]], "weekend")


def _weekday(found: Match[str], now: datetime) -> Period:
    offset = _WEEKDAYS[found["weekday"]] + 7 * _SIDES[found["side"] or "这"]
    when = periods.monday(now.date()) + timedelta(days=offset)
    return _narrow_to_part(found, when, periods.day(when))


def _day_of_relative_month(found: Match[str], now: datetime) -> Period:
    month = periods.shift_period(now, _SIDES[found["side"]], "month").start
    return periods.day(date(month.year, month.month, _parse_number(found["day"])))


def _third_of_month(found: Match[str], now: datetime) -> Period:
    month = periods.shift_period(now, _SIDES[found["side"]], "month")
    first, last = _THIRDS_OF_MONTH[found["third"]]
    start = month.start + timedelta(days=first - 1)
    end = min(month.end, month.start + timedelta(days=last))
    return Period(start, end, "week")


def _count(found: Match[str]) -> tuple[int, str]:
    """How many of which unit; a year (2023年前) is no count, nor is 七八, which means about as many."""
    count = _parse_number(found["count"])
    if _ABOUT.fullmatch(found["count"]):
        raise ValueError("no exact distance in time")
    if count > _FARTHEST:
        raise ValueError("not a distance in time")
    return count, _UNITS[found["unit"] or found["long_unit"]]


def _ago(found: Match[str], now: datetime) -> Period:
    count, unit = _count(found)
    return periods.shift_period(now, -count, unit)


def _ahead(found: Match[str], now: datetime) -> Period:
    count, unit = _count(found)
    return periods.shift_period(now, count, unit)


def _half(found: Match[str], now: datetime) -> Period:
    """半年 is six months, 半个月 fifteen days."""
    sign = -1 if found["way"].endswith("前") else 1
    return (
        periods.shift_period(now, 6 * sign, "month")
        if found["half"] == "半年"
        else periods.shift_period(now, 15 * sign, "day")
    )


def _a_few_days_ago(_: Match[str], now: datetime) -> Period:
    return Period(periods.shift_period(now, -7, "day").start, periods.shift_period(now, -1, "day").start, "day")


def _past_stretch(found: Match[str], now: datetime) -> Period:
    count, unit = _count(found)
    return periods.period_until_now(now, count, unit)


def _holiday(found: Match[str], now: datetime) -> Period:
    month, day = _HOLIDAYS[found["holiday"]]
    return periods.day(date(_year_number(found, now) or periods.nearest_year(now, month, day), month, day))


def _just_now(_: Match[str], now: datetime) -> Period:
    return Period(now - timedelta(hours=1), now, "hour")


def _year_range(found: Match[str], _: datetime) -> Period:
    first, last = (periods.year_of(_parse_number(found[name])) for name in ("first", "last"))
    return periods.join(first, last, "year")


def _month_range(found: Match[str], now: datetime) -> Period:
    """A year that is told once is that of the first month; the last one is the next of its name."""
    first, last = _parse_number(found["month"]), _parse_number(found["last"])
    begun = _year_number(found, now) or periods.nearest_year(now, first)
    return periods.join(periods.month(begun, first), periods.month(begun + (last < first), last), "season")


_YEAR_NUMBER = r"(?:19|20)\d\d|[一二][九〇零][〇零一二三四五六七八九]{2}"
_JOINT = r"\s?(?:到|至|—+|–|-|~|～)\s?"
_QUANTITY = rf"(?P<count>{_N})\s?(?:个(?P<long_unit>月|星期|礼拜|小时|钟头)|(?P<unit>分钟|小时|天|日|周|星期|礼拜|年))"

_RANGE_RULES: tuple[TimeRule, ...] = (
    TimeRule(
        re.compile(
            rf"(?<!\d)(?:从\s?)?(?P<first>{_YEAR_NUMBER})\s?年?{_JOINT}(?P<last>{_YEAR_NUMBER})\s?年(?!\s?\d{{1,2}}\s?月)"
        ),
        _year_range,
        "explicit",
    ),
    TimeRule(
        re.compile(
            rf"(?:从\s?)?(?:{_YEAR}的?\s?)?{_NOT_IN_NUMBER}{_MONTH}(?:份)?{_JOINT}"
            rf"{_MONTH.replace('<month>', '<last>')}(?!\s?\d{{1,2}}\s?[日号])"
        ),
        _month_range,
        "explicit",
    ),
)
"""From the start of one time to the end of another."""

RULES: tuple[TimeRule, ...] = (
    *_RANGE_RULES,
    TimeRule(re.compile(rf"(?:{_YEAR}的?\s?)?{_NOT_IN_NUMBER}{_MONTH}\s?{_DAY}{_WHEN}"), _date, "explicit"),
    TimeRule(re.compile(rf"(?:{_YEAR}的?\s?)?{_NOT_IN_NUMBER}{_MONTH}份?"), _month, "explicit"),
    TimeRule(re.compile(rf"{_YEAR}的?(?P<season>[春夏秋冬])(?!节)(?:天|季)?"), _season, "explicit"),
    TimeRule(re.compile(rf"{_YEAR}年?(?P<edge>[初底末])"), _part_of_year, "explicit"),
    TimeRule(
        re.compile(rf"(?:{_YEAR}的?)?(?<![王李张刘陈杨赵周吴徐孙朱马胡郭林何高罗])(?P<holiday>{_either(*_HOLIDAYS)})"),
        _holiday,
        "explicit",
    ),
    TimeRule(re.compile(_YEAR), _year, "explicit"),
    TimeRule(re.compile(rf"(?<![以之然最目年月周])(?P<near>{_either(*_DAYS)})[天日]{_WHEN}"), _near_day),
    TimeRule(re.compile(rf"(?P<near>[昨今明])(?P<part>早上|早|晚上|晚|夜里|夜)(?:{_CLOCK})?"), _near_day),
    TimeRule(re.compile(rf"{_SIDE}个?(?P<unit>周(?![围边转身游折全到])|星期|礼拜|月|季度)"), _relative_unit),
    TimeRule(re.compile(rf"{_SIDE}个?{_WEEK}末"), _relative_weekend),
    TimeRule(re.compile(rf"(?<![每隔个])(?:{_SIDE}个?)?{_WEEK}{_WEEKDAY}{_WHEN}"), _weekday),
    TimeRule(re.compile(rf"{_SIDE}个?月{_DAY}"), _day_of_relative_month),
    TimeRule(re.compile(rf"{_SIDE}个?月(?P<third>初|中旬|底|末)"), _third_of_month),
    TimeRule(re.compile(rf"{_QUANTITY}(?:之前|以前|前)"), _ago),
    TimeRule(re.compile(rf"{_QUANTITY}(?:之后|以后|后)(?!天)"), _ahead),
    TimeRule(re.compile(r"(?P<half>半年|半个月)(?P<way>之前|以前|前|之后|以后|后)"), _half),
    TimeRule(re.compile(r"前几天|几天前|前些天|前阵子"), _a_few_days_ago),
    TimeRule(re.compile(rf"(?:最近|过去|近)的?这?{_QUANTITY}"), _past_stretch),
    TimeRule(re.compile(r"刚才|方才"), _just_now),
    TimeRule(re.compile(rf"{_PART}{_CLOCK}"), _part_today),
)
"""Every row is tried; where two overlap, the one that begins first and is longest stands."""
