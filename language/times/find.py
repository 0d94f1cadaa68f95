"""Finding time expressions in a text and resolving them against the moment and place where it was said."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from re import Match
from zoneinfo import ZoneInfo

from language.tables import languages, pattern
from language.times.periods import Granularity, Kind, Period, clock, day
from language.times.rules import TimeRule, time_rules


@dataclass(frozen=True, kw_only=True)
class TimeSpan:
    """A stretch of time that a text names: ``[start, end)``, both aware, in the speaker's zone.

    ``span`` holds the character offsets of the words; ``explicit`` words name the calendar, ``relative`` ones need a
    reference.
    """

    start: datetime
    end: datetime
    span: tuple[int, int]
    granularity: Granularity
    kind: Kind


def zone_of(name: str) -> ZoneInfo:
    """The time zone of that IANA name. Raises ``ValueError`` when there is none."""
    try:
        return ZoneInfo(name)
    except (KeyError, ValueError, OSError) as error:
        raise ValueError(f"{name!r} is not an IANA time zone.") from error


def find_times(text: str, at: datetime, zone: str, more: Sequence[TimeRule] = ()) -> list[TimeSpan]:
    """Every time expression of a text in order, none overlapping; ``at`` (aware) is when it was said, ``zone`` where.

    ``more`` are rules beside those of the languages.
    ValueError when ``at`` is naive, ``E_BAD_REQUEST`` when the zone does not exist.
    """
    if at.tzinfo is None:
        raise ValueError("The reference time must carry a time zone.")
    place = zone_of(zone)
    now = at.astimezone(place).replace(tzinfo=None)
    found = sorted(_candidates(text, now, more), key=lambda each: (each[0], -each[1]))
    return [
        TimeSpan(
            start=period.start.replace(tzinfo=place),
            end=period.end.replace(tzinfo=place),
            span=(start, end),
            granularity=period.granularity,
            kind=kind,
        )
        for start, end, kind, period in _widen_to_neighbours(text, _drop_overlaps(found))
    ]


def time_words(text: str) -> list[str]:
    """The time expressions of a text verbatim: that there are any does not depend on when it was said."""
    return [text[slice(*found.span)] for found in find_times(text, _ANY_MOMENT, "UTC")]


_ANY_MOMENT = datetime(2024, 6, 12, 12, tzinfo=UTC)
_Found = tuple[int, int, Kind, Period]
_ISO = re.compile(
    r"(?<![\d./-])(?P<year>\d{4})(?P<dash>[-/.])(?P<month>\d{1,2})(?P=dash)(?P<day>\d{1,2})"
    r"(?:[T\s](?P<hour>\d{2}):(?P<minute>\d{2}))?(?![\d/-])"
)
_AROUND = re.compile(r"the\s+(?P<unit>day|week|weekend|month)\s+(?P<side>before|after)\s+$", re.IGNORECASE)
_ALMOST_FOREVER = 9998


def _iso(found: Match[str], _: datetime) -> Period:
    when = datetime(int(found["year"]), int(found["month"]), int(found["day"]))
    return clock(when.date(), int(found["hour"]), int(found["minute"])) if found["hour"] else day(when.date())


def _candidates(text: str, now: datetime, more: Sequence[TimeRule]) -> Iterator[_Found]:
    for match in _ISO.finditer(text):
        if (period := _checked(_iso, match, now)) is not None:
            yield match.start(), match.end(), "explicit", period
    for rule in (*_rules_to_try(text), *more):
        for match in rule.pattern.finditer(text):
            if (period := _checked(rule.period, match, now)) is not None:
                yield match.start(), match.end(), _kind(rule, match), period


def _rules_to_try(text: str) -> Iterator[TimeRule]:
    """Most questions name no time, and forty patterns take longer to say so than one look for each language."""
    folded = text.casefold()
    for language in languages():
        if pattern("times.hint", language).search(folded):
            yield from time_rules(language)


def _kind(rule: TimeRule, match: Match[str]) -> Kind:
    """去年春天 stands in the row of 2022年春天, yet needs a reference."""
    return "relative" if match.groupdict().get("near_year") else rule.kind


def _checked(
    resolve: Callable[[Match[str], datetime], Period | None], match: Match[str], now: datetime
) -> Period | None:
    """None for words that look like a time but are none, such as 31 February, or CHRİSTMAS with a dotted capital."""
    try:
        period = resolve(match, now)
    except (LookupError, ValueError, OverflowError):
        return None
    return period if period is not None and 1 < period.start.year < _ALMOST_FOREVER else None


def _drop_overlaps(found: list[_Found]) -> Iterator[_Found]:
    """The candidates that remain when the first and longest takes its characters."""
    taken = 0
    for each in found:
        if each[0] >= taken:
            taken = each[1]
            yield each


def _widen_to_neighbours(text: str, found: Iterator[_Found]) -> Iterator[_Found]:
    """Widen «the week before 9 June» to its first word and move it to that week."""
    spans = list(found)
    floor = [0, *(end for _, end, _, _ in spans)]
    for (start, end, kind, period), lowest in zip(spans, floor, strict=False):
        lead = _AROUND.search(text, max(lowest, start - 24), start)
        if lead is None or period.granularity != "day":
            yield start, end, kind, period
        else:
            yield (
                lead.start(),
                end,
                kind,
                _neighbour_period(period, lead["unit"].lower(), before=lead["side"].lower() == "before"),
            )


def _neighbour_period(period: Period, unit: str, *, before: bool) -> Period:
    length = timedelta(days={"day": 1, "weekend": 2, "week": 7, "month": 30}[unit])
    start = period.start - length if before else period.end
    if unit == "weekend":
        saturday = (period.start.weekday() - 5) % 7
        start = period.start - timedelta(days=saturday or 7) if before else period.start + timedelta(days=7 - saturday)
    return Period(start, start + length, "day" if unit == "weekend" else _GRANULARITY[unit])


_GRANULARITY: dict[str, Granularity] = {"day": "day", "week": "week", "month": "month"}
