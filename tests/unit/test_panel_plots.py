"""Plots as geometry: periods, heights, labels."""

from datetime import UTC, date, datetime, timedelta

import pytest

from apps.panel.plots import HEIGHT, WIDTH, Bar, count_by_period, draw_bars

TODAY = date(2026, 3, 31)


def days_ago(*days: int) -> list[datetime]:
    return [datetime(2026, 3, 31, 12, tzinfo=UTC) - timedelta(days=each) for each in days]


@pytest.mark.parametrize(
    ("oldest", "bars", "first"),
    [(0, 14, "2026-03-18"), (20, 21, "2026-03-11"), (100, 15, "2025-12-21"), (400, 14, "2025-02-01")],
)
def test_periods_are_days_then_weeks_then_months(oldest: int, bars: int, first: str):
    found = count_by_period(days_ago(0, 0, oldest), TODAY, "UTC")
    assert (len(found), found[0].label) == (bars, first)
    assert sum(each.total for each in found) == 3


def test_a_moment_counts_for_the_day_that_it_is_where_the_person_lives():
    late = datetime(2026, 3, 30, 20, tzinfo=UTC)
    assert count_by_period([late], TODAY, "Asia/Shanghai")[-1].total == 1
    assert count_by_period([late], TODAY, "UTC")[-1].total == 0


def test_nothing_is_drawn_as_empty_days():
    plot = draw_bars(count_by_period([], TODAY, "UTC"), ["memories"])
    assert (plot.total, plot.rects, len(plot.bars)) == (0, (), 14)


def test_series_stand_on_top_of_each_other_inside_the_plot():
    plot = draw_bars([Bar(label="a", amounts={"x": 30, "y": 12}), Bar(label="b", amounts={"y": 7})], ["x", "y"])
    lower, upper, other = plot.rects
    assert [each.series for each in plot.rects] == [0, 1, 1]
    assert upper.y + upper.height == pytest.approx(lower.y)
    assert lower.y + lower.height == pytest.approx(plot.bottom)
    assert other.x > lower.x + lower.width
    assert all(each.x >= 0 and each.x + each.width <= WIDTH and 0 <= each.y < HEIGHT for each in plot.rects)
    assert [each.text for each in plot.lines] == ["0", "25", "50"]
