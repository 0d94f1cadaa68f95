"""Experiments: who gets which variant, what a turn adds, how variants are compared, and when one ends by itself."""
# pyright: reportUnknownMemberType=false, reportUnknownArgumentType=false
# SciPy leaves its types partly open.

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

import pytest
from scipy.stats import t as students_t

from apps.memory_api import experiments as table
from brain.experiments.comparison import Tally, newcombe, wilson
from brain.experiments.counting import count_turn
from brain.experiments.dimensions import check_dimensions
from brain.experiments.guard import compare, find_harm
from brain.experiments.joining import join_experiment, variant_at
from brain.identity import identity_of
from brain.state import ExperimentContext
from memory.errors import BrainError
from memory.experiments import Experiment, RunningExperiment, Variant, VariantCounts
from memory.receipts import Receipt
from memory.session_state import SessionState
from memory.turns import Event, Role
from tests.fakes import NOW, a_run, a_state, a_turn_info

EXPERIMENT = Experiment(
    experiment_id=UUID(int=1),
    name="shorter",
    variants=(
        Variant(name="control", share=30),
        Variant(name="short", share=20, dimensions={"prompt_variant": "terse"}),
    ),
    guard="negative",
    started_at=NOW - timedelta(hours=1),
)
JOINED = ExperimentContext(id=str(UUID(int=1)), name="shorter", variant="control", dimensions={}, assigned=True)
ANN = {
    "tenant": "acme",
    "user": "ann",
    "roles": (),
    "channels": (),
    "org_tier": "",
    "role": "",
    "identity": "ann",
    "is_authenticated": True,
}


def running(place: int = 0, counts: Sequence[VariantCounts] = ()) -> SessionState:
    return SessionState(experiment=RunningExperiment(experiment=EXPERIMENT, place=place, counts=tuple(counts)))


def counts_of(variant: str, rates: Sequence[tuple[int, int]]) -> list[VariantCounts]:
    return [
        VariantCounts(variant=variant, part=part, judged=judged, negative=negative)
        for part, (negative, judged) in enumerate(rates)
    ]


def an_event(text: str, role: Role = "assistant", minutes: int = 0) -> Event:
    return Event(
        event_id=UUID(int=5),
        session_id=UUID(int=8),
        position=0,
        role=role,
        speaker=role,
        text=text,
        sha256="",
        occurred_at=NOW - timedelta(minutes=minutes),
        time_zone="UTC",
    )


def test_shares_are_percent_of_the_places_and_whoever_is_left_is_not_in_it():
    found = [variant_at(EXPERIMENT, place) for place in range(10_000)]
    names = [each.name if each else "" for each in found]
    assert (names.count("control"), names.count("short"), names.count("")) == (3_000, 2_000, 5_000)


@pytest.mark.parametrize(("place", "variant"), [(0, "control"), (2_999, "control"), (3_000, "short"), (5_000, "")])
async def test_a_person_gets_the_variant_of_their_place(place: int, variant: str):
    run = a_run()
    joined = await join_experiment(running(place), run, identity_of(run))
    assert (joined["variant"] if joined else "") == variant
    assert joined is None or joined["assigned"]


async def test_only_who_is_not_verified_may_pick_a_variant():
    run = a_run(experiment_variant="short")
    picked = await join_experiment(running(0), run, identity_of(run))
    assert picked is not None
    assert (picked["variant"], picked["assigned"]) == ("short", False)
    signed_in = a_run(experiment_variant="short", verified=ANN)
    assigned = await join_experiment(running(0), signed_in, identity_of(signed_in))
    assert assigned is not None
    assert (assigned["variant"], assigned["assigned"]) == ("control", True)


async def test_who_chose_by_themself_is_in_no_variant_unless_their_word_does_not_count():
    run, signed_in = (a_run(prompt_variant="terse", verified=each) for each in (None, ANN))
    assert await join_experiment(running(0), run, identity_of(run)) is None
    assert await join_experiment(running(0), signed_in, identity_of(signed_in)) is not None


async def test_a_variant_that_this_release_does_not_have_refuses_nobody():
    gone = replace(EXPERIMENT, variants=(Variant(name="old", share=100, dimensions={"prompt_variant": "gone"}),))
    run = a_run()
    opened = SessionState(experiment=RunningExperiment(experiment=gone, place=0))
    assert await join_experiment(opened, run, identity_of(run)) is None


async def test_what_is_read_again_from_the_past_is_in_no_experiment():
    run = a_run()
    assert await join_experiment(replace(running(0), as_of=NOW), run, identity_of(run)) is None


@pytest.mark.parametrize(
    ("said", "negative", "corrected"),
    [("Correction: I live in Bonn, not in Ulm.", True, True), ("Thanks!", False, False)],
)
def test_a_turn_counts_how_the_reply_before_it_was_taken(said: str, negative: bool, corrected: bool):
    opened = replace(running(0), window=(an_event("Hm?", "user"), an_event("You like tea.")))
    usage: Any = [
        {"role": "routed", "model": "m", "calls": 1, "estimated_calls": 0, "input_tokens": 7, "output_tokens": 5}
    ]
    state = a_state(said, opened=opened, experiment=JOINED, usage=usage)
    receipts = [
        Receipt(receipt_id=UUID(int=number), receipt_type="injection", details={}, utilized=used)
        for number, used in enumerate((True, False, None))
    ]
    counted = count_turn(state, receipts, "user")
    assert counted is not None
    assert (counted.judged, counted.negative, counted.corrected) == (True, negative, corrected)
    assert (counted.injected, counted.utilized, counted.routed) == (2, 1, True)
    assert (counted.input_tokens, counted.output_tokens) == (7, 5)


@pytest.mark.parametrize(
    "change",
    [{"assigned": False}, {"variant": "short"}, {"id": str(UUID(int=2))}],
    ids=["picked", "another variant", "another experiment"],
)
def test_what_a_client_wrote_into_its_state_does_not_count(change: dict[str, Any]):
    assert count_turn(a_state("Hi", opened=running(0), experiment=JOINED), [], "user") is not None
    assert count_turn(a_state("Hi", opened=running(0), experiment={**JOINED, **change}), [], "user") is None


def test_a_reply_from_before_the_experiment_is_not_judged():
    opened = replace(running(0), window=(an_event("Hm?", "user", minutes=90), an_event("You like tea.", minutes=90)))
    counted = count_turn(
        a_state("No, that's wrong.", opened=opened, experiment=JOINED, turn=a_turn_info("No")), [], "user"
    )
    assert counted is not None
    assert (counted.judged, counted.negative) == (False, False)


def test_nobody_judges_what_was_replied_to_somebody_else_of_the_group():
    opened = replace(running(0), window=(an_event("Hm?", "user"), an_event("You like tea.")))
    state = a_state("No, that's wrong.", opened=opened, experiment=JOINED)
    own, another = count_turn(state, [], "user"), count_turn(state, [], "bob")
    assert own is not None
    assert another is not None
    assert (own.judged, own.negative) == (True, True)
    assert (another.judged, another.negative, another.corrected) == (False, False, False)


@pytest.mark.parametrize("parts", [5, 8, 16])
@pytest.mark.parametrize("confidence", [0.95, 0.99])
def test_intervals_are_those_of_student_and_wilson(parts: int, confidence: float):
    found = Tally(((20, 100),) * parts)
    z, n, p = float(students_t.ppf((1 + confidence) / 2, parts - 1)), parts * 100, 0.2
    centre, half = (p + z**2 / (2 * n)) / (1 + z**2 / n), z * (p * 0.8 / n + z**2 / (4 * n**2)) ** 0.5 / (1 + z**2 / n)
    assert found.inflation == 1.0
    told = wilson(found, confidence)
    assert (told.low, told.high) == pytest.approx((centre - half, centre + half), rel=0.02)


def test_people_who_differ_make_an_interval_wide():
    alike, apart = Tally(((2, 10),) * 10), Tally(((10, 10),) * 2 + ((0, 10),) * 8)
    assert alike.rate == apart.rate == 0.2
    assert apart.inflation > 5
    assert wilson(apart).high - wilson(apart).low > 2 * (wilson(alike).high - wilson(alike).low)


def test_a_difference_turns_round_with_its_sides():
    one, other = Tally(((3, 10),) * 8), Tally(((1, 10),) * 8)
    there, back = newcombe(one, other), newcombe(other, one)
    assert there.low < 0.2 < there.high
    assert (there.low, there.high) == pytest.approx((-back.high, -back.low))


@pytest.mark.parametrize(
    ("tried", "ends"),
    [
        ([(6, 20)] * 16, True),
        ([(2, 20)] * 16, False),
        ([(3, 20)] * 5, False),
        ([(15, 20)] * 4, False),
        ([(20, 20)] * 2 + [(0, 20)] * 14, False),
        ([(1, 2)] * 10, False),
    ],
    ids=["three times as often", "the same", "within chance", "too few people", "two people alone", "too few turns"],
)
def test_the_guard_ends_what_is_worse_beyond_doubt_and_nothing_else(tried: list[tuple[int, int]], ends: bool):
    counts = [*counts_of("control", [(2, 20)] * 16), *counts_of("short", tried)]
    found = find_harm(EXPERIMENT, counts)
    assert (found is not None) == ends
    if found:
        assert (found["variant"], found["measure"], found["rate"], found["control"]) == ("short", "negative", 0.3, 0.1)
        assert 0 < found["low"] < 0.2 < found["high"]


def test_a_variant_that_is_better_is_left_alone_and_less_use_is_worse():
    often = [VariantCounts(variant="", part=part, injected=20, utilized=12) for part in range(16)]
    seldom = [VariantCounts(variant="", part=part, injected=20, utilized=4) for part in range(16)]
    assert compare("utilization", seldom, often) is not None
    assert compare("utilization", often, seldom) is None
    many, few = counts_of("", [(6, 20)] * 16), counts_of("", [(2, 20)] * 16)
    assert compare("negative", few, many) is None


@pytest.mark.parametrize(
    ("variants", "complaint"),
    [
        (("control=60", "short=60,prompt_variant=terse"), "more than 100"),
        (("control=50", "control=50,prompt_variant=terse"), "same name"),
        (("control=50", "other=50"), "do not differ"),
        (("control=50", "short=0,prompt_variant=terse"), "no share"),
        (("control=50", "short"), "no share"),
        (("control=50", "=50,prompt_variant=terse"), "name of a variant"),
        (("control=50", "short=50,prompt_variant=nowhere"), "nowhere"),
        (("control=50", "short=50,mood=sunny"), "mood"),
        (("control=50", "short=50,routing=off,routing=by_intent"), "twice"),
    ],
)
def test_variants_that_cannot_be_are_refused(variants: tuple[str, ...], complaint: str):
    with pytest.raises(BrainError, match=complaint) as refused:
        table._read_variants(variants)  # pyright: ignore[reportPrivateUsage]
    assert refused.value.code == "E_BAD_REQUEST"


def test_every_dimension_has_its_values():
    check_dimensions({"prompt_variant": "terse", "ranking_policy": "default", "truncation": "fixed_priority"})
    check_dimensions({"routing": "by_intent"})
    for name in ("prompt_variant", "ranking_policy", "truncation", "routing"):
        with pytest.raises(BrainError):
            check_dimensions({name: "nowhere"})
