"""Gauges of service levels: sums over tenants, counted once a minute and never for whoever waits."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any, cast
from uuid import UUID

import pytest

from apps.http.level_gauges import MAX_TENANTS, LevelGauges, events
from apps.http.metrics import render_metrics
from brain.resources import Resources
from memory.errors import BrainError
from memory.levels import LevelEvents, ServiceLevels, Window
from tests.fakes import NOW, Leanings, resources_of
from tests.this_test import own_memory


@dataclass
class Levels:
    """So many tenants with two slow searches of ten each."""

    many: int = 3
    asked: list[Window] = field(default_factory=list[Window])
    broken: bool = False

    async def tenants(self, since: datetime) -> Sequence[UUID]:
        if self.broken:
            raise BrainError("E_DEP_UNAVAILABLE", "Away.")
        return [UUID(int=number) for number in range(self.many)]

    async def events(self, tenant_id: UUID, window: Window, *, slow_ms: float) -> Sequence[LevelEvents]:
        self.asked.append(window)
        return [LevelEvents(indicator="retrieval_latency_p95", good=8, bad=2)] if slow_ms == 200.0 else []


@pytest.fixture(autouse=True)
def no_counts() -> Iterator[None]:
    events.clear()
    yield
    events.clear()


def on(levels: Levels, at: datetime = NOW) -> Resources:
    memory = replace(own_memory(), levels=cast("ServiceLevels", levels))
    return resources_of(Leanings(memory=memory, clock=lambda: at))


async def counted(gauges: LevelGauges, resources: Resources) -> dict[tuple[Any, ...], float]:
    gauges.refresh(resources)
    if gauges.counting:
        await gauges.counting
    return {tuple(sample.labels.values()): sample.value for each in events.collect() for sample in each.samples}


async def test_events_of_all_tenants_are_added_up_once_a_minute():
    gauges, levels = LevelGauges(), Levels()
    expected = {("home", "retrieval_latency_p95", "good"): 24.0, ("home", "retrieval_latency_p95", "bad"): 6.0}
    assert await counted(gauges, on(levels)) == expected
    assert await counted(gauges, on(levels, NOW + timedelta(seconds=59))) == expected
    assert levels.asked == [Window(since=NOW - timedelta(hours=1), until=NOW)] * 3
    await counted(gauges, on(levels, NOW + timedelta(seconds=60)))
    assert len(levels.asked) == 6
    text = bytes(render_metrics().body).decode()
    assert 'brain_level_events{cell="home",indicator="retrieval_latency_p95",kind="bad"} 6.0' in text
    assert str(UUID(int=1)) not in text


async def test_a_database_that_is_away_leaves_the_gauges_as_they_are():
    gauges, levels = LevelGauges(), Levels()
    before = await counted(gauges, on(levels))
    levels.broken = True
    assert await counted(gauges, on(levels, NOW + timedelta(minutes=2))) == before


async def test_each_database_is_counted_by_itself_and_one_that_is_away_is_left_as_it_is():
    gauges, home, east = LevelGauges(), Levels(), Levels(many=1)
    cells = {"east": replace(own_memory(), levels=cast("ServiceLevels", east))}
    expected = {("home", "good"): 24.0, ("home", "bad"): 6.0, ("east", "good"): 8.0, ("east", "bad"): 2.0}
    for minutes, is_away in ((0, False), (2, True)):
        east.broken = is_away
        found = await counted(gauges, replace(on(home, NOW + timedelta(minutes=minutes)), other_cells=cells))
        assert {(cell, kind): count for (cell, _, kind), count in found.items()} == expected


async def test_beyond_many_tenants_nothing_is_counted():
    levels = Levels(many=MAX_TENANTS + 1)
    assert await counted(LevelGauges(), on(levels)) == {}
    assert levels.asked == []
