"""Plots as plain geometry: what grows over time, as stacked bars that a template draws as SVG."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

WIDTH, HEIGHT = 640, 180
_LEFT, _BOTTOM, _TOP = 46, 22, 10
_DAYS, _WEEKS = 31, 26
"""Up to how many days each day has a bar, and up to how many weeks each week."""
_MIN_DAYS = 14
"""Days that are drawn at least."""
_LABELS = 6


@dataclass(frozen=True, kw_only=True)
class Bar:
    """A period and its amounts, by series."""

    label: str
    amounts: Mapping[str, int]

    @property
    def total(self) -> int:
        """All series together."""
        return sum(self.amounts.values())


@dataclass(frozen=True, kw_only=True)
class Rect:
    """One stretch of a bar in the plot's own units. ``series`` counts from 0, for its colour."""

    x: float
    y: float
    width: float
    height: float
    series: int
    title: str


@dataclass(frozen=True, kw_only=True)
class Tick:
    """A label at a place of an axis."""

    at: float
    text: str


@dataclass(frozen=True, kw_only=True)
class Plot:
    """All that a template draws, and the bars themselves for a table beside it."""

    bars: tuple[Bar, ...]
    series: tuple[str, ...]
    rects: tuple[Rect, ...]
    columns: tuple[Tick, ...]
    lines: tuple[Tick, ...]

    width = WIDTH
    height = HEIGHT
    left = _LEFT
    bottom = HEIGHT - _BOTTOM

    @property
    def total(self) -> int:
        """Everything that is drawn."""
        return sum(each.total for each in self.bars)


def draw_bars(bars: Sequence[Bar], series: Sequence[str]) -> Plot:
    """Bars beside each other, their series on top of each other; the highest reaches a round number."""
    top = _round_up(max((each.total for each in bars), default=0))
    step = (WIDTH - _LEFT) / max(len(bars), 1)
    every = max(1, -(-len(bars) // _LABELS))
    columns = (Tick(at=_LEFT + step * (n + 0.5), text=each.label) for n, each in enumerate(bars) if n % every == 0)
    lines = (Tick(at=_height_at(top * part / 2, top), text=f"{top * part // 2:,}") for part in range(3))
    return Plot(
        bars=tuple(bars),
        series=tuple(series),
        rects=tuple(rect for n, each in enumerate(bars) for rect in _rects(each, series, (n, step, top))),
        columns=tuple(columns),
        lines=tuple(lines),
    )


def count_by_period(moments: Iterable[datetime], today: date, time_zone: str) -> list[Bar]:
    """How many fell into each day, week or month, from the first to today; two weeks at least."""
    zone = ZoneInfo(time_zone)
    days = [each.astimezone(zone).date() for each in moments]
    first = min([*days, today - timedelta(days=_MIN_DAYS - 1)])
    starts = list(_periods(first, max(today, first)))
    found = Counter(max(start for start in starts if start <= day) for day in days)
    return [Bar(label=f"{start:%Y-%m-%d}", amounts={"memories": found[start]}) for start in starts]


def _periods(first: date, last: date) -> Iterator[date]:
    """The beginnings of days, weeks or months, depending on how many there are."""
    days = (last - first).days + 1
    if days <= _DAYS:
        yield from (first + timedelta(days=n) for n in range(days))
    elif days <= _WEEKS * 7:
        yield from (first + timedelta(weeks=n) for n in range(-(-days // 7)))
    else:
        yield from _months(first, last)


def _months(first: date, last: date) -> Iterator[date]:
    start = first.replace(day=1)
    while start <= last:
        yield start
        start = (start + timedelta(days=32)).replace(day=1)


def _rects(bar: Bar, series: Sequence[str], place: tuple[int, float, int]) -> Iterator[Rect]:
    number, step, top = place
    below = 0
    for index, name in enumerate(series):
        amount = bar.amounts.get(name, 0)
        if amount:
            y = _height_at(below + amount, top)
            x, width = _LEFT + step * number + step * 0.1, step * 0.8
            height = _height_at(below, top) - y
            yield Rect(x=x, y=y, width=width, height=height, series=index, title=f"{bar.label}: {amount:,}")
            below += amount


def _height_at(amount: float, top: int) -> float:
    room = HEIGHT - _TOP - _BOTTOM
    return HEIGHT - _BOTTOM - room * amount / max(top, 1)


def _round_up(amount: int) -> int:
    """The next even number of one digit and zeros, so that half of it is whole."""
    unit = 10 ** max(len(str(amount)) - 1, 0)
    top = max(-(-amount // unit) * unit, 2)
    return top + top % 2
