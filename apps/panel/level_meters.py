"""Figures of service levels as plain geometry: a scale with its good, its middling and its bad stretch, and a mark."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, get_args

from apps.memory_api.levels import LevelFigure, LevelRelease, LevelsView
from apps.panel.plots import Bar, Plot, draw_bars
from memory.levels import LevelState

WIDTH, HEIGHT = 160, 14
_ROOM = 1.25
"""How much longer the scale is than the largest of what stands on it."""
_SHORTEST = 0.01
"""Where everything that stands on it is 0."""
STATES: tuple[LevelState, ...] = get_args(LevelState)


@dataclass(frozen=True)
class Stretch:
    """A part of the scale in its own units."""

    state: LevelState
    x: float
    width: float


@dataclass(frozen=True)
class Meter:
    """A figure with its scale. ``at``: where its value stands, None where there is none."""

    figure: LevelFigure
    stretches: tuple[Stretch, ...]
    at: float | None

    width = WIDTH
    height = HEIGHT


def draw_meter(figure: LevelFigure) -> Meter:
    """The scale of a figure from 0 on."""
    top = max(figure.pass_at, figure.fail_at, figure.value or 0.0, _SHORTEST) * _ROOM
    low, high = sorted((figure.pass_at, figure.fail_at))
    left, right = ("FAIL", "PASS") if figure.higher else ("PASS", "FAIL")
    edges = [0.0, low, high, top]
    stretches = (
        Stretch(state, WIDTH * start / top, WIDTH * (end - start) / top)
        for state, start, end in zip((left, "OBSERVE", right), edges[:-1], edges[1:], strict=True)
        if end > start
    )
    at = None if figure.value is None else WIDTH * min(figure.value, top) / top
    return Meter(figure, tuple(stretches), at)  # type: ignore[arg-type]


def draw_releases(releases: Sequence[LevelRelease]) -> Plot:
    """How many figures of each release passed, were observed and failed, the oldest first."""
    bars = [
        Bar(label=each.release, amounts={state: list(each.states.values()).count(state) for state in STATES})
        for each in reversed(releases)
    ]
    return draw_bars(bars, STATES)


def draw_levels(found: LevelsView) -> dict[str, Any]:
    """What the page of a report is made of."""
    meters = [draw_meter(each) for each in found.figures]
    plot = draw_releases(found.releases) if found.releases else None
    return {"levels": found, "meters": meters, "plot": plot}
