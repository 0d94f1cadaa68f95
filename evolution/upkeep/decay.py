"""Mark what is probably over by now as outdated."""

from datetime import datetime

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.apply import judge_each
from evolution.upkeep.state import UpkeepState
from evolution.upkeep.verdict import (
    DOUBTFUL,
    LASTING,
    UpkeepVerdict,
    days_between,
    effective_confidence,
    last_confirmation,
)
from memory.recall.signals import decay_factor
from memory.upkeep import ActiveMemory, UpkeepChange

LEANING_DAYS = 365
"""A leaning of which nothing was heard for a year is outdated, however sure it was."""
DATED_PLAN_DAYS, OPEN_PLAN_DAYS = 30, 180
"""A plan is outdated this long after its date, or after it was last heard of when it has none."""


async def decay(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Plans whose date passed and leanings of which nothing was heard: raised no more, still there for the past."""
    at = datetime.fromisoformat(state.at)
    return await judge_each(state, runtime, "decay", lambda each: judge_decay(each, at))


def judge_decay(living: ActiveMemory, at: datetime) -> UpkeepVerdict | None:
    """Mark what is probably over as outdated: it is raised no more, and answers questions about the past."""
    why = outdated_reason(living, at)
    if why is None:
        return None
    item = living.item
    tending = UpkeepChange(
        memory_id=item.memory_id,
        version=item.version,
        change="outdate",
        epistemic_type="outdated",
        provenance={"epistemic_before": item.epistemic_type or "preference"},
    )
    return UpkeepVerdict(tending, why)


def outdated_reason(living: ActiveMemory, at: datetime) -> str | None:
    """Why this memory should count as outdated by now; None while it need not, or does already."""
    item = living.item
    if item.epistemic_type == "outdated" or item.memory_type in LASTING:
        return None
    if item.memory_type == "plan":
        return _plan_over_reason(living, at)
    return None if item.epistemic_type == "fact" else _leaning_over_reason(living, at)


def _plan_over_reason(living: ActiveMemory, at: datetime) -> str | None:
    item = living.item
    heard = last_confirmation(living)
    if item.valid_at > item.observed_at:
        over = max(heard, item.valid_at)
        return f"its date passed on {item.valid_at:%Y-%m-%d}" if days_between(over, at) > DATED_PLAN_DAYS else None
    return f"not heard of since {heard:%Y-%m-%d}" if days_between(heard, at) > OPEN_PLAN_DAYS else None


def _leaning_over_reason(living: ActiveMemory, at: datetime) -> str | None:
    days = days_between(last_confirmation(living), at)
    effective = effective_confidence(living, at)
    if effective < DOUBTFUL and decay_factor(days) < 1.0:
        return f"effective confidence {effective:.2f} after {days:.0f} days without a sign"
    return f"no sign of it for {days:.0f} days" if days > LEANING_DAYS else None
