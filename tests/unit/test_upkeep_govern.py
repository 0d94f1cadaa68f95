"""What the figures call for."""

from dataclasses import replace
from pathlib import Path

import pytest

from evolution.upkeep.govern import InstabilityCounts, count_figures, find_alarms, govern, steps_for
from evolution.upkeep.report import report
from evolution.upkeep.state import STEPS, UpkeepFigures, UpkeepState
from graphs.upkeep import builder, graph, run_upkeep
from memory.ports import MemoryCore
from memory.upkeep import ActiveMemory
from tests.contract.builders import by_ann
from tests.fakes import NOW
from tests.this_test import me
from tests.unit.upkeep_builders import a_job_context, a_living, a_run, a_state, ago, an_item, an_old_draft, figures

SNAPSHOT = Path(__file__).parents[1] / "snapshots" / "upkeep.mmd"


def drawn() -> str:
    return graph.get_graph().draw_mermaid()  # pyright: ignore[reportUnknownMemberType]


async def counted(*living: ActiveMemory, unrest: InstabilityCounts = InstabilityCounts()) -> UpkeepFigures:  # noqa: B008 - frozen
    async def pages():
        for each in living:
            yield each

    return await count_figures(pages(), unrest, NOW)


async def test_what_is_over_in_two_ways_counts_once():
    over = replace(an_item(400), invalid_at=ago(3), stale=True)
    found = await counted(a_living(over), a_living(an_item()), a_living(replace(an_item(), epistemic_type="outdated")))
    assert found == figures(3, outdated=2, ended=1, doubted=1, staleness=0.6667)


async def test_what_was_over_when_it_was_said_has_not_ended():
    found = await counted(a_living(replace(an_item(400, item_type="fact"), valid_at=ago(900), invalid_at=ago(500))))
    assert found == figures(1)


async def test_nobody_has_no_shares():
    assert await counted() == figures(0)


async def test_what_is_contested_and_what_changes_all_the_time_are_both_conflict():
    found = await counted(
        *(a_living(an_item()) for _ in range(10)), unrest=InstabilityCounts(replaced_often=1, contested=2)
    )
    assert (found["replaced_often"], found["contested"], found["conflict"]) == (1, 2, 0.3)
    assert (await counted(a_living(an_item()), unrest=InstabilityCounts(contested=2)))["conflict"] == 1.0


def test_sound_memories_call_for_neither_compression_nor_settling():
    calm = figures(staleness=0.2, conflict=0.1)
    assert steps_for(calm, []) == [step for step in STEPS if step not in ("compress", "resolve")]
    assert steps_for(figures(staleness=0.21, conflict=0.11), []) == list(STEPS)
    assert "consolidate" not in steps_for(figures(2), [])


def test_what_is_asked_for_runs_whatever_the_figures_say():
    assert steps_for(figures(0), ["compress", "fuse"]) == ["fuse", "compress"]


def test_what_is_out_of_bounds_is_said():
    assert find_alarms(figures(staleness=0.2, conflict=0.1)) == []
    assert find_alarms(figures(staleness=0.25, conflict=0.11)) == [
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
