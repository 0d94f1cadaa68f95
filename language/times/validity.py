"""Since when and until when something holds, by the words of the statement itself."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from language import tables
from language.assertions import has_several_assertions
from language.detection import language_of
from language.own_words import HIDDEN, own_words
from language.tables import Patterns, patterns_of
from language.times.find import TimeSpan, find_times, zone_of
from language.times.numerals import parse_number
from language.times.periods import shift_period
from language.times.rules import validity_rules

MAX_CHARACTERS = 300
"""Characters of a statement that are read for its times: more is no statement about one thing."""
_WITHIN_DAY = ("minute", "hour", "part_of_day")
_RECENT = timedelta(days=60)
"""Who names a date without a year that was so long ago hardly means the next year's."""
_QUOTED = re.compile(r"[\"“「『][^\"“”「」『』\n]{1,300}[\"”」』]")
"""Also what is a title or somebody's text: its times are not the statement's."""


@dataclass(frozen=True)
class Validity:
    """``[since, until)``, both aware; None where the words do not tell."""

    since: datetime | None = None
    until: datetime | None = None

    def begins(self, said: datetime) -> datetime:
        """Since when it holds as far as anybody knows: what was over when it was ``said`` held on its last day."""
        if self.since is not None or self.until is None:
            return self.since or said
        return min(said, self.until - timedelta(days=1))


NOTHING_TOLD = Validity()


def find_validity(text: str, at: datetime, zone: str) -> Validity:
    """What the words of one statement tell, said at ``at`` (aware) in ``zone``; nothing where that is in doubt.

    A single time tells when something began: what began then may go on.
    """
    words = patterns_of("validity", language_of(text))
    said = _QUOTED.sub(lambda quote: HIDDEN * len(quote[0]), own_words(text))
    if len(said) > MAX_CHARACTERS or words.doubtful.search(said):
        return NOTHING_TOLD
    try:
        return _read(_Reading(said, at.astimezone(zone_of(zone)), words))
    except (ValueError, OverflowError):  # 29 February of another year, or nine thousand years ago
        return NOTHING_TOLD


def _without_times(text: str, times: Sequence[TimeSpan]) -> str:
    """What joins two times joins no assertions."""
    for start, end in (each.span for each in times):
        text = f"{text[:start]}{' ' * (end - start)}{text[end:]}"
    return text


@dataclass(frozen=True)
class _Reading:
    """One statement, said at ``at`` in the speaker's zone, and the words of its language."""

    text: str
    at: datetime
    words: Patterns

    @property
    def past_is_sure(self) -> bool:
        """Whether the past tense tells the past for sure."""
        return bool(tables.numbers("validity.tense", self.words.language)["past_is_sure"])

    def name(self, time: TimeSpan) -> str:
        return self.text[slice(*time.span)]

    def before(self, time: TimeSpan) -> str:
        """All that stands before a time, with the preposition at its head."""
        return self.text[: self._core(time)]

    def _core(self, time: TimeSpan) -> int:
        lead = self.words.lead.match(self.name(time))
        return time.span[0] + (lead.end() if lead else 0)

    def bare(self, time: TimeSpan) -> str:
        """A time without the preposition at its head."""
        return self.text[self._core(time) : time.span[1]]

    def is_range(self, time: TimeSpan) -> bool:
        return self.words.joint.search(self.bare(time)) is not None

    def behind(self, time: TimeSpan) -> str:
        return self.text[time.span[1] :]

    def begins_at(self, time: TimeSpan) -> bool:
        """Whether the words around a time say that something holds since then."""
        before, behind = self.before(time), self.behind(time)
        marked = self.words.since.search(before) or self.words.starting.search(before)
        return bool(marked or self.words.since_behind.match(behind)) or self._opens(time)

    def _opens(self, time: TimeSpan) -> bool:
        """«From June I'll work in Rome», but no letter from 2016 and no change from one day to another."""
        opened = self.words.opening.search(self.before(time)) and self.words.future.search(self.text)
        return time.end > self.at and bool(opened and not self.words.elsewhere_behind.match(self.behind(time)))

    def ends_at(self, time: TimeSpan) -> bool:
        """Whether they say that it holds until then; up to today it holds and may go on."""
        today = time.granularity == "day" and time.start <= self.at < time.end
        return not today and bool(
            self.words.until.search(self.before(time)) or self.words.until_behind.match(self.behind(time))
        )

    def is_elsewhere(self, time: TimeSpan) -> bool:
        """Whether a time only tells what something was before, after or like, or belongs to a part of the statement."""
        before, behind = self.before(time), self.behind(time)
        aside = self.words.elsewhere.search(before) or self.words.elsewhere_behind.match(behind)
        return bool(aside or self.words.subordinate.search(before) or self.words.subordinate_behind.match(behind))

    def is_yearless(self, time: TimeSpan) -> bool:
        return self.words.yearless.search(self.name(time)) is not None

    def happens_once(self, time: TimeSpan) -> bool:
        """Whether a time that comes again each week or year means one day: the sentence tells of past or future."""
        if self.words.recurring.search(self.text):
            return False
        past = self.words.past.search(self.text) is not None
        ahead = not self.is_yearless(time) or self.words.future.search(self.text) is not None
        return past or (ahead and not self.words.habitual.search(self.text))

    def is_dated(self, time: TimeSpan) -> bool:
        """Whether it means one day whatever it is joined to: from Monday to Friday comes again each week."""
        return not self.is_yearless(time) or (
            not self.words.weekday.search(self.name(time)) and self.happens_once(time)
        )

    def is_in_another_tense(self, time: TimeSpan) -> bool:
        """Whether the words speak of the past and the time is yet to come."""
        told = self.past_is_sure and self.words.past.search(self.text) and not self.words.future.search(self.text)
        return time.start > self.at and bool(told)

    def in_tense(self, time: TimeSpan) -> TimeSpan:
        """The same day of the week or year on the side of now of which the words speak. ValueError where that is in
        doubt.
        """
        if not self.is_yearless(time):
            return time
        past = self.words.past.search(self.text) is not None
        begun = self.words.since.search(self.before(time)) is not None
        if time.start > self.at and (begun or (past and not self.ends_at(time))):
            return self._shift(time, -1, is_sure=begun or self.past_is_sure)
        if time.end > self.at or past or begun:
            return time
        if self.ends_at(time):
            return self._shift(time, 1)
        return self._shift(time, 1, is_sure=self._is_long_ago(time)) if self.words.future.search(self.text) else time

    def _is_long_ago(self, time: TimeSpan) -> bool:
        """Whether a date cannot mean the last of its name: nobody calls last month's next year's."""
        return self.words.weekday.search(self.name(time)) is not None or self.at - time.end >= _RECENT

    def _shift(self, time: TimeSpan, count: int, *, is_sure: bool = True) -> TimeSpan:
        if self.words.weekday.search(self.name(time)):
            start, end = (each + timedelta(weeks=count) for each in (time.start, time.end))
        else:
            start, end = (each.replace(year=each.year + count) for each in (time.start, time.end))
        if not is_sure or start <= self.at < end:
            raise ValueError("nobody can tell which week or year is meant")
        return replace(time, start=start, end=end)


def _read(reading: _Reading) -> Validity:
    times = [reading.in_tense(each) for each in _find_days(reading.text, reading.at, reading.words)]
    if has_several_assertions(_without_times(reading.text, times)):
        return NOTHING_TOLD
    for told in (_of_range(reading, times), _of_marks(reading, times), _of_length(reading, times)):
        if told is not None:
            return told
    return _of_single(reading, times)


def _find_days(text: str, at: datetime, words: Patterns) -> list[TimeSpan]:
    """Times of a day or longer; of an hour on a day that is named, the day."""
    times = find_times(text, at, str(at.tzinfo), validity_rules(words.language))
    return [
        _whole_day(each)
        for each in times
        if each.granularity not in _WITHIN_DAY or not words.clock_alone.search(text[slice(*each.span)])
    ]


def _whole_day(time: TimeSpan) -> TimeSpan:
    if time.granularity not in _WITHIN_DAY:
        return time
    start = time.start.replace(hour=0, minute=0, second=0, microsecond=0)
    return replace(time, start=start, end=start + timedelta(days=1), granularity="day")


def _of_range(reading: _Reading, times: Sequence[TimeSpan]) -> Validity | None:
    """None without a range; nothing for one that comes again, or among other times."""
    if not any(map(reading.is_range, times)):
        return None
    once = len(times) == 1 and reading.happens_once(times[0]) and not reading.words.negated.search(reading.text)
    return Validity(times[0].start, times[0].end) if once else NOTHING_TOLD


def _of_marks(reading: _Reading, times: Sequence[TimeSpan]) -> Validity | None:
    """None where no time is marked; nothing where several claim the same place, or the end lies before the start."""
    if joined := _joined(reading, times):
        return joined
    since = [each for each in times if reading.begins_at(each)]
    until = [each for each in times if reading.ends_at(each)]
    if not since and not until:
        return None
    doubtful = reading.words.yearly.search(reading.text) or (until and reading.words.negated.search(reading.text))
    if doubtful or len(since) > 1 or len(until) > 1:
        return NOTHING_TOLD
    told = Validity(since[0].start if since else None, until[0].end if until else None)
    return told if told.since is None or told.until is None or told.since < told.until else NOTHING_TOLD


def _joined(reading: _Reading, times: Sequence[TimeSpan]) -> Validity | None:
    """Two times with nothing but a joint between them, such as 从去年三月到今年五月."""
    if len(times) != 2:
        return None
    first, last = times
    between = reading.words.between.fullmatch(reading.text[first.span[1] : last.span[1] - len(reading.bare(last))])
    once = not reading.words.yearly.search(reading.text) and not reading.words.negated.search(reading.text)
    dated = all(map(reading.is_dated, times)) and first.start < last.start
    return Validity(first.start, last.end) if between and once and dated else None


def _of_length(reading: _Reading, times: Sequence[TimeSpan]) -> Validity | None:
    """«For three years» now: None where it is not told, or is told of something that is over."""
    found, language = reading.words.lasting.search(reading.text), reading.words.language
    count = parse_number(found["count"]) if found else None
    if found is None or count is None or found["count"].lower() in tables.words("validity.vague", language):
        return None
    others = [each for each in times if each.span[1] <= found.start() or found.end() <= each.span[0]]
    if others or not reading.words.perfect.search(reading.text[: found.start()]):
        return NOTHING_TOLD
    return Validity(_back(reading.at, count, tables.names("validity.units", language)[found["unit"].lower()]))


def _back(at: datetime, count: int, unit: str) -> datetime:
    now = at.replace(tzinfo=None)
    return shift_period(now, -count, unit).start.replace(tzinfo=at.tzinfo)


def _of_single(reading: _Reading, times: Sequence[TimeSpan]) -> Validity:
    """When something happened or will happen."""
    if len(times) != 1 or reading.words.negated.search(reading.text):
        return NOTHING_TOLD
    (time,) = times
    told = not reading.is_elsewhere(time) and reading.happens_once(time) and time.end != reading.at
    return Validity(time.start) if told and not reading.is_in_another_tense(time) else NOTHING_TOLD
