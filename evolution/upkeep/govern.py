"""Read a person's figures and decide what upkeep has to do (S0 sections 2.3.2 and 2.3.2.3).

Staleness is the share of the living memories that are over: outdated or due to be, past their validity, or without
sound evidence. What was replaced is history here and stays; counted in, the share could only ever grow.
"""

from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.model_quota import reason_without_model
from brain.state import Update
from evolution.upkeep.decay import outdated_reason
from evolution.upkeep.state import STEPS, Step, UpkeepFigures, UpkeepState, require_share, select_steps
from memory.upkeep import ActiveMemory, iterate_living

STALE_SHARE = 0.20
"""Above this what is over is put away."""
CONFLICT_SHARE = 0.10
"""Above this share of memories that are contested, or were replaced again and again, contradictions are settled."""
MAX_CONFLICTS = 1_000
"""Open contradictions that one run looks at."""
CLUSTER = 3
"""So few memories cannot say the same three times."""


@dataclass
class _FigureCounts:
    living: int = 0
    outdated: int = 0
    ended: int = 0
    doubted: int = 0
    over: int = 0


@dataclass(frozen=True)
class InstabilityCounts:
    """How many living memories were replaced again and again, and how many contradict another living one."""

    replaced_often: int = 0
    contested: int = 0


async def govern(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """The figures, the steps that they call for, and what is out of bounds; the run's one moment is taken here."""
    context = runtime.context
    require_share(state.most_lost)
    upkeep, scope, at = context.resources.memory.upkeep, context.scope, context.resources.clock()
    open_conflicts = await context.resources.memory.conflicts.list_conflicts(scope, limit=MAX_CONFLICTS)
    contested = {memory_id for each in open_conflicts for memory_id in (each.held_id, each.new_id)}
    unrest = InstabilityCounts(replaced_often=await upkeep.count_often_replaced(scope), contested=len(contested))
    figures = await count_figures(iterate_living(upkeep, scope), unrest, at)
    return {
        "at": at.isoformat(),
        "figures": figures,
        "steps": steps_for(figures, state.only),
        "alarms": find_alarms(figures),
        "without_model": await reason_without_model(context.resources, scope),
    }


async def count_figures(living: AsyncIterator[ActiveMemory], unrest: InstabilityCounts, at: datetime) -> UpkeepFigures:
    """Count the living; a memory that is over in two ways counts once in the share."""
    counts = _FigureCounts()
    async for each in living:
        _count_memory(counts, each, at)
    return UpkeepFigures(
        living=counts.living,
        outdated=counts.outdated,
        ended=counts.ended,
        doubted=counts.doubted,
        replaced_often=unrest.replaced_often,
        contested=unrest.contested,
        staleness=_share(counts.over, counts.living),
        conflict=min(1.0, _share(unrest.replaced_often + unrest.contested, counts.living)),
    )


def steps_for(figures: UpkeepFigures, only: Sequence[Step]) -> list[Step]:
    """The steps that the figures call for, in their order; exactly the ones asked for when some are."""
    if only:
        return select_steps(only)
    called = {
        "consolidate": figures["living"] >= CLUSTER,
        "compress": figures["staleness"] > STALE_SHARE,
        "resolve": figures["conflict"] > CONFLICT_SHARE,
    }
    return [step for step in STEPS if called.get(step, True)]


def find_alarms(figures: UpkeepFigures) -> list[str]:
    """What somebody should know, in words."""
    told: list[str] = []
    if figures["staleness"] > STALE_SHARE:
        told.append(f"staleness {figures['staleness']:.0%} is over {STALE_SHARE:.0%}")
    if figures["conflict"] > CONFLICT_SHARE:
        told.append(f"conflict {figures['conflict']:.0%} is over {CONFLICT_SHARE:.0%}")
    return told


def _count_memory(counts: _FigureCounts, living: ActiveMemory, at: datetime) -> None:
    item = living.item
    outdated = item.epistemic_type == "outdated" or outdated_reason(living, at) is not None
    ended = item.has_ended(at)
    counts.living += 1
    counts.outdated += outdated
    counts.ended += ended
    counts.doubted += item.stale
    counts.over += outdated or ended or item.stale


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 0.0
