"""The gate over what is injected: both directions are caught, and the policy in force passes it."""

import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from brain.context import Context
from brain.wiring import build_resources
from evals.evaluation.baseline import read_baseline
from evals.evaluation.injection import BRAIN, Injected, Tally, WorldTallies, judge, measure_injection, sum_groups
from evals.evaluation.injection_data import WORLDS, Message, World, read_worlds
from evals.evaluation.injection_gate import InjectionBaseline, baseline_of, falls
from evals.evaluation.own_data import own_data
from memory.errors import BrainError
from memory.recall.policies.registry import DEFAULT_POLICY, POLICIES, find_policy
from memory.recall.policy import Cut, RankedCandidate, keep_all
from memory.recall.query import RecallPass
from tests.fakes import a_settings

BASELINE = own_data(WORLDS)[0].with_name("baseline.json")
ALWAYS, FEW = 7, 13
"""Every seventh world is measured in every run, every thirteenth under what is worse; both take odd and even ones."""
A_WORLD: dict[str, Any] = {
    "world": "en-001",
    "asked_at": "2025-06-01",
    "memories": [
        {"id": "m1", "at": "2025-01-01", "text": "Lives in Leeds."},
        {"id": "m2", "at": "2025-03-01", "text": "Moved to York."},
    ],
    "messages": [{"id": "q1", "kind": "conflict", "text": "Where do I live?", "must": ["m2"], "must_not": ["m1"]}],
}


async def measured(every: int, **options: Any) -> list[WorldTallies]:
    resources = build_resources(a_settings(embeddings="encoder"))
    await resources.load()
    worlds = read_worlds(own_data(WORLDS))[::every]
    return (await measure_injection(Context(resources=resources, **options), worlds, [BRAIN]))[BRAIN]


def without_cut(cut: Cut) -> Cut:
    """Everything that was ranked."""
    del cut
    return keep_all


def half_of(cut: Cut) -> Cut:
    """The better half of what the cut leaves: it cuts twice as much."""

    def halve(passes: Sequence[RecallPass], ranked: Sequence[RankedCandidate]) -> list[RankedCandidate]:
        kept = cut(passes, ranked)
        return kept[: len(kept) // 2]

    return halve


async def test_the_policy_in_force_passes_the_gate():
    assert falls(await measured(ALWAYS), read_baseline(InjectionBaseline, BASELINE)) == []


@pytest.mark.exhaustive
async def test_the_policy_in_force_passes_the_gate_on_all_worlds():
    assert falls(await measured(1), read_baseline(InjectionBaseline, BASELINE)) == []


@pytest.mark.parametrize(("make_worse", "figure"), [(without_cut, "precision"), (half_of, "recall")])
async def test_a_worse_cut_does_not_pass(
    make_worse: Callable[[Cut], Cut], figure: str, monkeypatch: pytest.MonkeyPatch
):
    worse = replace(find_policy(), cut=make_worse(find_policy().cut))
    monkeypatch.setattr("memory.recall.policies.registry.POLICIES", {**POLICIES, DEFAULT_POLICY: worse})
    fallen = falls(await measured(FEW), read_baseline(InjectionBaseline, BASELINE))
    assert any(f"all all: {figure} fell" in each for each in fallen), fallen
    assert any(f"en all: {figure} fell" in each for each in fallen), fallen
    assert any(f"zh all: {figure} fell" in each for each in fallen), fallen


async def test_a_budget_that_holds_one_memory_does_not_pass():
    fallen = falls(await measured(FEW, max_memories=1), read_baseline(InjectionBaseline, BASELINE))
    assert any("recall fell" in each for each in fallen), fallen


def test_better_precision_does_not_pay_for_recall():
    world = World.model_validate_json(json.dumps(A_WORLD))
    before, now = (
        [WorldTallies(world, {"conflict": Tally(messages=100, wrong=wrong, found=found, needed=100, right=0)})]
        for wrong, found in ((50, 80), (0, 70))
    )
    fallen = falls(now, baseline_of(before, "p", "t", "e"))
    assert len(fallen) == 4
    assert fallen[0] == "injection, all all: recall fell from 80.0% to 70.0% (of 100)"


def test_two_memories_may_change_places():
    world = World.model_validate_json(json.dumps(A_WORLD))
    before, now = (
        [WorldTallies(world, {"fact": Tally(messages=20, wrong=10, found=found, needed=20, right=0)})]
        for found in (15, 13)
    )
    assert falls(now, baseline_of(before, "p", "t", "e")) == []


def test_another_world_of_the_same_name_is_not_compared():
    one = World.model_validate_json(json.dumps(A_WORLD))
    other = World.model_validate_json(json.dumps({**A_WORLD, "asked_at": "2025-07-01"}))
    kept = baseline_of([WorldTallies(one, {"conflict": Tally(messages=1)})], "p", "t", "e")
    with pytest.raises(BrainError, match="does not know the world en-001"):
        falls([WorldTallies(other, {"conflict": Tally(messages=1)})], kept)


def test_a_message_is_right_with_all_it_needs_and_nothing_that_misleads():
    message = Message(id="q", kind="fact", text="?", must=("a", "b"), must_not=("c",))
    right, wrong = judge(message, [Injected("b"), Injected("x"), Injected("a")]), judge(message, [Injected("c", True)])
    assert (right.right, right.found, right.injected, right.precision, right.recall) == (1, 2, 3, 1.0, 1.0)
    assert (wrong.right, wrong.wrong, wrong.unmarked, wrong.precision, wrong.recall) == (0, 1, 0, 0.0, 0.0)
    assert judge(message, []).precision is None


def test_sums_keep_what_is_held_apart():
    world = World.model_validate_json(json.dumps(A_WORLD))
    even = World.model_validate_json(json.dumps({**A_WORLD, "world": "zh-002"}))
    groups = sum_groups([WorldTallies(each, {"conflict": Tally(messages=1)}) for each in (world, even)])
    assert groups["all all all"].messages == 2
    assert groups["dev en conflict"].messages == groups["held zh all"].messages == 1
    assert "dev zh all" not in groups


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"world": "fr-001"}, "world: String should match"),
        ({"extra": 1}, "extra: Extra inputs"),
        ({"memories": [*A_WORLD["memories"], A_WORLD["memories"][0]]}, "memory m1 is there 2 times"),
        ({"asked_at": "2025-02-01"}, "memory m2 is noted after"),
        ({"messages": [{**A_WORLD["messages"][0], "must": ["m9"]}]}, "names m9, which is no memory"),
        ({"messages": [{**A_WORLD["messages"][0], "must_not": ["m2"]}]}, "both needs and excludes m2"),
        ({"messages": [{**A_WORLD["messages"][0], "kind": "none"}]}, "of the kind none and needs m2"),
    ],
)
def test_what_is_no_world_is_refused_with_its_line(change: dict[str, Any], told: str, tmp_path: Path):
    file = tmp_path / "worlds.jsonl"
    file.write_text(f"{json.dumps(A_WORLD)}\n\n{json.dumps({**A_WORLD, **change})}\n", "utf-8")
    with pytest.raises(BrainError) as refused:
        read_worlds([file])
    assert refused.value.code == "E_BAD_REQUEST"
    assert "line 3" in refused.value.message
    assert told in refused.value.message


def test_a_file_without_a_world_or_with_one_twice_is_refused(tmp_path: Path):
    file = tmp_path / "worlds.jsonl"
    for text in ("", f"{json.dumps(A_WORLD)}\n{json.dumps(A_WORLD)}\n"):
        file.write_text(text, "utf-8")
        with pytest.raises(BrainError, match="E_BAD_REQUEST"):
            read_worlds([file])


def test_our_own_worlds_are_as_many_as_a_gate_needs():
    kinds = Counter(message.kind for world in read_worlds(own_data(WORLDS)) for message in world.messages)
    needed = {"fact": 500, "preference": 300, "temporal": 300, "conflict": 200}
    assert {kind: kinds[kind] for kind, least in needed.items() if kinds[kind] < least} == {}
