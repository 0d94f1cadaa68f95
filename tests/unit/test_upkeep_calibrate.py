"""How belief follows what people made of a memory."""

from dataclasses import replace
from typing import Any
from uuid import UUID

import pytest

from evolution.upkeep.calibrate import calibrate, judge_confidence, judge_validation
from memory.ports import MemoryCore
from memory.upkeep import UpkeepChange
from tests.contract.builders import at, by_ann
from tests.contract.upkeep_builders import used
from tests.fakes import NOW
from tests.this_test import me
from tests.unit.upkeep_builders import a_living, a_run, a_state, ago, an_item, an_old_draft


def confidence_after(days: float = 0, more: dict[str, Any] | None = None, **feedback: Any) -> float | None:
    verdict = judge_confidence(a_living(an_item(days, **(more or {})), **feedback))
    return verdict.measure.confidence if verdict and isinstance(verdict.measure, UpkeepChange) else None


@pytest.mark.parametrize(
    ("feedback", "confidence"),
    [
        ({"uses": 10, "welcome": 9}, 0.6),
        ({"uses": 10, "welcome": 8}, None),
        ({"uses": 9, "welcome": 9}, None),
        ({"uses": 5, "welcome": 3, "corrected": 2}, 0.35),
        ({"uses": 4, "welcome": 2, "corrected": 2}, None),
        ({"uses": 5, "welcome": 4, "corrected": 1}, None),
        ({"uses": 5, "welcome": 1}, 0.3),
        ({"uses": 5, "welcome": 2}, None),
        ({"uses": 6, "welcome": 1, "corrected": 3}, 0.15),
    ],
)
def test_confidence_moves_by_the_documented_steps(feedback: dict[str, Any], confidence: float | None):
    assert confidence_after(**feedback) == (pytest.approx(confidence) if confidence is not None else None)


def test_belief_stays_between_a_tenth_and_what_its_provenance_allows():
    assert confidence_after(more={"confidence": 0.58}, uses=10, welcome=10) == pytest.approx(0.6)
    assert confidence_after(more={"confidence": 0.6}, uses=10, welcome=10) is None
    assert confidence_after(more={"confidence": 0.15}, uses=5, corrected=5) == pytest.approx(0.1)
    assert confidence_after(more={"confidence": 0.05}, uses=5, corrected=5) is None


@pytest.mark.parametrize(
    "more",
    [
        {"provenance": "confirmed_by_user", "confidence": 0.9},
        {"item_type": "fact", "epistemic_type": "fact"},
        {"item_type": "constraint"},
    ],
)
def test_silence_alone_lowers_no_plain_truth(more: dict[str, Any]):
    assert confidence_after(more=more, uses=20) is None
    assert confidence_after(more=more, uses=20, corrected=1) is not None


def test_the_same_reactions_are_not_counted_twice():
    living = a_living(an_item(), uses=10, welcome=10)
    verdict = judge_confidence(living)
    assert verdict is not None
    assert isinstance(verdict.measure, UpkeepChange)
    marked = replace(living.item, provenance={**living.item.provenance, **verdict.measure.provenance})
    assert judge_confidence(replace(living, item=marked)) is None
    later = replace(living.feedback, uses=15, welcome=10, corrected=2)
    again = judge_confidence(replace(living, item=marked, feedback=later))
    assert again is not None
    assert again.why == "corrected in 2 of 5 uses; welcome in only 0 of 5 uses"


def test_new_words_are_judged_from_the_beginning():
    mark = {"calibrated": {"since": ago(90).isoformat(), "uses": 10, "welcome": 10, "corrected": 0}}
    item = an_item()
    living = a_living(replace(item, provenance={**item.provenance, **mark}), uses=10, welcome=10)
    assert judge_confidence(living) is not None


def test_a_welcome_use_validates_and_revives():
    item = an_item(200)
    outdated = replace(
        item, epistemic_type="outdated", provenance={"level": "observation", "epistemic_before": "opinion"}
    )
    verdict = judge_validation(a_living(outdated, uses=1, welcome=1, welcome_at=ago(2)))
    assert verdict is not None
    assert isinstance(verdict.measure, UpkeepChange)
    assert (verdict.measure.last_validated_at, verdict.measure.epistemic_type) == (ago(2), "opinion")
    assert judge_validation(a_living(replace(item, last_validated_at=ago(8.9)), welcome_at=ago(2))) is None
    assert judge_validation(a_living(item)) is None


async def test_reactions_in_the_log_move_the_belief_once(memory: MemoryCore):
    """The whole loop: injected, drawn on, taken by the user, counted, calibrated (C15)."""
    ids: dict[str, UUID] = {}
    for name, signal, uses in (("green tea", "affirm", 10), ("oat milk", "correct", 5), ("jazz", "silence", 4)):
        receipt = await memory.items.write(me(), an_old_draft(object_=name), by_ann(name))
        ids[name] = receipt.memory_id
        await used(memory, me(), receipt.memory_id, *[signal] * uses)
    update = await calibrate(a_state(at=at(600).isoformat()), a_run(memory))
    found = {each["before"]: (each["after"], each["why"], each["outcome"]) for each in update["actions"]}
    assert found == {
        "The user likes green tea [confidence 0.50]": ("confidence 0.60", "welcome in 10 of 10 uses", "done"),
        "The user likes oat milk [confidence 0.50]": (
            "confidence 0.15",
            "corrected in 5 of 5 uses; welcome in only 0 of 5 uses",
            "done",
        ),
    }
    believed = {name: (await memory.items.get(me(), memory_id)).confidence for name, memory_id in ids.items()}
    assert believed == pytest.approx({"green tea": 0.6, "oat milk": 0.15, "jazz": 0.5})
    changes = [each.change for each in await memory.items.history(me(), ids["oat milk"])]
    assert changes == ["create", "calibrate"]
    assert await calibrate(a_state(at=NOW.isoformat()), a_run(memory)) == {"actions": []}
