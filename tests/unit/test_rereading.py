"""A turn that is read again leaves what it left before, in whatever words the second reading puts it."""

from typing import Any

import pytest

from evolution.prior_candidates import reuse_prior
from evolution.state import ExtractionCandidate, PriorCandidate
from language.predicates import is_single_valued, slot_of
from tests.unit.analysis_builders import a_candidate


def placed(**values: Any) -> ExtractionCandidate:
    """A candidate in its slot; unless told otherwise that the user lives in Lyon."""
    made = a_candidate(**values)
    return {
        **made,
        "slot": slot_of(made["subject"], made["predicate"]),
        "single_valued": is_single_valued(made["predicate"]),
    }


def before(**values: Any) -> list[PriorCandidate]:
    """What such a candidate became when its turn was read the first time."""
    became = placed(**values)
    return [
        PriorCandidate(
            memory_id="",
            item_type=became["item_type"],
            content=became["content"],
            subject=became["subject"],
            predicate=became["predicate"],
            object=became["object"],
            negated=became["negated"],
            category=became["category"],
            epistemic_type=became["epistemic_type"],
            slot=became["slot"],
            event_id=became["event_id"],
            start=became["start"],
            end=became["end"],
        )
    ]


TEA = {"predicate": "likes", "object": "green tea"}
BARE = {"object": "It's Lyon, not Paris.", "content": "It's Lyon, not Paris.", "source": "rules"}


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ({}, {"object": "Lyon, France"}),
        ({}, {"object": "the old town"}),
        ({}, {"predicate": "home_city"}),
        ({}, {"predicate": "home_city", "object": "Lyon, France"}),
        ({}, {"negated": True, "object": "Paris", "replaces": "Paris", "replaces_memory": "m"}),
        ({}, {"negated": True}),
        (TEA, {**TEA, "object": "a cup of green tea"}),
        (TEA, {**TEA, "predicate": "is_into"}),
        ({**TEA, "object": "绿茶"}, {**TEA, "object": "热绿茶"}),
        ({}, {"predicate": "origin", **BARE}),
    ],
)
def test_the_same_words_in_another_wording_are_what_they_were(first: dict[str, Any], again: dict[str, Any]):
    (drawn,) = before(**first)
    found = reuse_prior(placed(**again), [drawn])
    assert found is not None
    assert {name: found[name] for name in ("subject", "predicate", "object", "negated", "slot")} == {
        name: drawn[name] for name in ("subject", "predicate", "object", "negated", "slot")
    }
    assert (found["replaces"], found["replaces_memory"]) == ("", "")


@pytest.mark.parametrize("again", [{}, {"object": "lyon."}, {"start": 40, "end": 60}])
def test_what_is_equal_passes_as_it_is(again: dict[str, Any]):
    candidate = placed(replaces="Paris", **again)
    assert reuse_prior(candidate, before()) == candidate


@pytest.mark.parametrize(
    ("first", "again"),
    [
        ({}, {"event_id": "event-2", "object": "Lyon, France"}),
        ({}, {"start": 14, "end": 30, "object": "Lyon, France"}),
        ({}, {"subject": "Emma"}),
        ({}, {"predicate": "works_in"}),
        (TEA, {**TEA, "object": "coffee"}),
        (TEA, {"predicate": "is_into", "object": "coffee"}),
    ],
    ids=["another turn", "other words of it", "somebody else", "another matter", "another taste", "another value"],
)
def test_what_is_said_besides_is_new(first: dict[str, Any], again: dict[str, Any]):
    assert reuse_prior(placed(**again), before(**first)) is None
