"""What the figures call for."""

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path

import pytest

from brain.levels.bounds import apply_thresholds
from evolution.upkeep.govern import as_figures, count_due, find_alarms, govern, steps_for
from evolution.upkeep.report import report
from evolution.upkeep.state import STEPS, UpkeepState
from graphs.upkeep import builder, graph, run_upkeep
from memory.levels import MemoryCounts, Threshold
from memory.ports import MemoryCore
from memory.upkeep import ActiveMemory
from tests.contract.builders import by_ann
from tests.fakes import NOW
from tests.this_test import me
from tests.unit.upkeep_builders import a_job_context, a_living, a_run, a_state, ago, an_item, an_old_draft, figures

SNAPSHOT = Path(__file__).parents[1] / "snapshots" / "upkeep.mmd"


def drawn() -> str:
    return graph.get_graph().draw_mermaid()  # pyright: ignore[reportUnknownMemberType]


BOUNDS = apply_thresholds()


def test_the_figures_are_those_of_service_levels():
    counts = MemoryCounts(living=10, outdated=2, ended=1, doubted=1, over=3, lasting=8, contested=2, unsettled=2)
    assert as_figures(counts, 0) == figures(
        10, outdated=2, ended=1, doubted=1, contested=2, staleness=counts.staleness, conflict=counts.conflict
    )
    assert (counts.staleness, counts.conflict) == (0.3, 0.25)
    assert as_figures(MemoryCounts(), 0) == figures(0)


async def test_what_the_run_is_about_to_mark_as_outdated_counts_already_and_once():
    over = replace(an_item(400), stale=True)
    ended = replace(an_item(400), invalid_at=ago(3))
    marked = replace(an_item(400), epistemic_type="outdated")

    async def living() -> AsyncIterator[ActiveMemory]:
        for each in (over, ended, marked, an_item(400), an_item()):
            yield a_living(each)

    assert await count_due(living(), NOW) == 1
    counts = MemoryCounts(living=5, outdated=1, ended=1, doubted=1, over=3, lasting=4)
    assert as_figures(counts, 1) == figures(5, outdated=2, ended=1, doubted=1, staleness=0.8)


def test_sound_memories_call_for_neither_compression_nor_settling():
    calm = figures(staleness=0.2, conflict=0.1)
    assert steps_for(calm, BOUNDS, []) == [step for step in STEPS if step not in ("compress", "resolve")]
    assert steps_for(figures(staleness=0.21, conflict=0.11), BOUNDS, []) == list(STEPS)
    assert "consolidate" not in steps_for(figures(2), BOUNDS, [])


def test_a_tenant_can_have_its_memories_cleaned_earlier_or_later():
    early = apply_thresholds([Threshold(figure="cleaning_staleness", pass_at=0.05, fail_at=0.05)])
    assert "compress" in steps_for(figures(staleness=0.06), early, [])
    assert find_alarms(figures(staleness=0.06), early) == ["staleness 6% is over 5%"]


def test_what_is_asked_for_runs_whatever_the_figures_say():
    assert steps_for(figures(0), BOUNDS, ["compress", "fuse"]) == ["fuse", "compress"]


def test_what_is_out_of_bounds_is_said():
    assert find_alarms(figures(staleness=0.2, conflict=0.1), BOUNDS) == []
    assert find_alarms(figures(staleness=0.25, conflict=0.11), BOUNDS) == [
        "staleness 25% is over 20%",
        "conflict 11% is over 10%",
    ]


async def test_the_governor_reads_one_persons_figures(memory: MemoryCore):
    await memory.items.write(me(), an_old_draft(), by_ann("k1"))
    update = await govern(UpkeepState(only=["decay"]), a_run(memory))
    assert update == {
        "at": NOW.isoformat(),
        "figures": figures(1),
        "steps": ["decay"],
        "alarms": [],
        "without_model": "",
    }


async def test_the_report_counts_by_step_and_outcome(memory: MemoryCore):
    done = await run_upkeep(a_job_context(memory), UpkeepState(only=["decay"]))
    state = a_state(actions=done.actions, alarms=["too much"], steps=["decay"])
    update = await report(state, a_run(memory))
    assert update["report"] == {"figures": figures(), "steps": {"decay": {}}, "alarms": ["too much"]}


@pytest.mark.parametrize("dry_run", [True, False])
async def test_a_run_tells_its_progress_and_a_second_one_finds_nothing(dry_run: bool, memory: MemoryCore):
    heard: list[tuple[str, int, int]] = []

    def hear(step: str, done: int, of: int) -> None:
        heard.append((step, done, of))

    for name in ("tea", "jazz", "bees"):
        await memory.items.write(me(), an_old_draft(400, name), by_ann(name))
    asked = UpkeepState(dry_run=dry_run)
    first = await run_upkeep(a_job_context(memory), asked, hear)
    again = await run_upkeep(a_job_context(memory), asked)
    assert first.report["steps"]["decay"] == ({"planned": 3} if dry_run else {"done": 3})
    assert heard == ([] if dry_run else [("decay", 1, 3), ("decay", 2, 3), ("decay", 3, 3)])
    assert again.actions == (first.actions if dry_run else [])


def test_upkeep_is_wired_as_the_snapshot_shows():
    assert drawn() == SNAPSHOT.read_text("utf-8"), "Redraw it with: python -m tests.unit.test_upkeep_govern"


def test_the_steps_of_the_graph_are_those_that_can_be_asked_for():
    assert set(builder.nodes) == {"govern", *STEPS, "merge_profiles", "report"}


if __name__ == "__main__":
    SNAPSHOT.write_text(drawn(), "utf-8")
