"""Let belief follow people's reactions to what was said from memory (S0 sections 2.3.2.4 and 2.3.2.5)."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.apply import judge_each
from evolution.upkeep.state import UpkeepState
from evolution.upkeep.verdict import LASTING, UpkeepVerdict, days_between, is_user_confirmed, last_confirmation
from memory.memory_item import MemoryItem
from memory.provenance import CAPS, living_type, provenance_level
from memory.upkeep import ActiveMemory, Feedback, UpkeepChange

RAISE, LOWER_CORRECTED, LOWER_UNWELCOME = 0.1, 0.15, 0.2
"""Steps of calibration (S0 section 2.3.2.5)."""
MANY_USES, SOME_USES = 10, 5
WELCOME_SHARE, UNWELCOME_SHARE = 0.8, 0.3
CORRECTIONS = 2
MIN_CONFIDENCE = 0.1
VALIDATED_AGAIN_DAYS = 7
"""A welcome use renews the validation when that is at least so much newer: its first step of decay is 30 days."""


async def calibrate(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Corrections lower a confidence, welcome uses raise it, and a welcome use counts as a validation."""
    return await judge_each(state, runtime, "calibrate", lambda each: judge_confidence(each) or judge_validation(each))


def judge_confidence(living: ActiveMemory) -> UpkeepVerdict | None:
    """Move the confidence by how its uses were taken since the last time it was moved (S0 section 2.3.2.5).

    Silence alone lowers only what was inferred about leanings: few people say yes to a plain truth about themselves.
    """
    item, fresh = living.item, _new_feedback(living)
    change, reasons = _confidence_change(living, fresh)
    lowest, highest = min(MIN_CONFIDENCE, item.confidence), max(CAPS[provenance_level(item)], item.confidence)
    confidence = round(min(max(item.confidence + change, lowest), highest), 4)
    if not reasons or confidence == round(item.confidence, 4):
        return None
    mark = {"calibrated": _counts(living.feedback)}
    tending = UpkeepChange(
        memory_id=item.memory_id,
        version=item.version,
        change="calibrate",
        confidence=confidence,
        provenance=mark,
        **_validation_fields(living),
    )
    return UpkeepVerdict(tending, "; ".join(reasons))


def judge_validation(living: ActiveMemory) -> UpkeepVerdict | None:
    """A use that was drawn on and welcomed counts as a validation (S0 section 2.3.2.4); the outdated lives again."""
    renewed = _validation_fields(living)
    if not renewed:
        return None
    item = living.item
    tending = UpkeepChange(memory_id=item.memory_id, version=item.version, change="validate", **renewed)
    return UpkeepVerdict(tending, f"used and welcomed on {renewed['last_validated_at']:%Y-%m-%d}")


def _confidence_change(living: ActiveMemory, fresh: Feedback) -> tuple[float, list[str]]:
    """How far to move, with one reason per rule that holds."""
    change, reasons = 0.0, list[str]()
    share = fresh.welcome / fresh.uses if fresh.uses else 0.0
    if fresh.uses >= MANY_USES and share > WELCOME_SHARE:
        change += RAISE
        reasons.append(f"welcome in {fresh.welcome} of {fresh.uses} uses")
    if fresh.uses >= SOME_USES and fresh.corrected >= CORRECTIONS:
        change -= LOWER_CORRECTED
        reasons.append(f"corrected in {fresh.corrected} of {fresh.uses} uses")
    if fresh.uses >= SOME_USES and share < UNWELCOME_SHARE and (fresh.corrected or _is_guess(living.item)):
        change -= LOWER_UNWELCOME
        reasons.append(f"welcome in only {fresh.welcome} of {fresh.uses} uses")
    return change, reasons


def _is_guess(item: MemoryItem) -> bool:
    return not is_user_confirmed(item) and item.memory_type not in LASTING and item.epistemic_type != "fact"


def _new_feedback(living: ActiveMemory) -> Feedback:
    """What came in since the last calibration of these words."""
    now = living.feedback
    mark = cast("Mapping[str, Any]", living.item.provenance.get("calibrated", {}))
    if mark.get("since") != now.since.isoformat():
        return now
    seen = {name: int(mark[name]) for name in ("uses", "welcome", "corrected")}
    return replace(
        now,
        uses=max(now.uses - seen["uses"], 0),
        welcome=max(now.welcome - seen["welcome"], 0),
        corrected=max(now.corrected - seen["corrected"], 0),
    )


def _counts(feedback: Feedback) -> dict[str, object]:
    return {
        "since": feedback.since.isoformat(),
        "uses": feedback.uses,
        "welcome": feedback.welcome,
        "corrected": feedback.corrected,
    }


def _validation_fields(living: ActiveMemory) -> dict[str, Any]:
    item, welcome_at = living.item, living.feedback.welcome_at
    if welcome_at is None or days_between(last_confirmation(living), welcome_at) < VALIDATED_AGAIN_DAYS:
        return {}
    revived = {"epistemic_type": living_type(item)} if item.epistemic_type == "outdated" else {}
    return {"last_validated_at": welcome_at, **revived}
