"""Settle contradictions when there are many."""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.models.errors import ModelError
from brain.state import Update
from evolution.upkeep.apply import apply_changes
from evolution.upkeep.conflict_resolution import ConflictSides, resolve_by_rules, resolve_with_model
from evolution.upkeep.governor import MOST_CONFLICTS
from evolution.upkeep.state import UpkeepState
from evolution.upkeep.verdict import PlannedChange
from memory.conflicts import Conflict

MOST_ASKED = 20
"""Contradictions about which a model is asked in one run."""


async def resolve(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Rules first, then the model for what they cannot tell; what nobody can tell stays open for the person."""
    if "resolve" not in state.steps:
        return {}
    errand = runtime.context
    conflicts = await errand.resources.memory.conflicts.list_conflicts(errand.scope, limit=MOST_CONFLICTS)
    contested = [each for conflict in conflicts if not (each := await _load_sides(errand, conflict)).has_constraint]
    told = {each.conflict.conflict_id: resolve_by_rules(each) for each in contested}
    unclear = [each for each in contested if told[each.conflict.conflict_id] is None]
    asked, alarms = await _ask_model(errand, unclear[:MOST_ASKED])
    planned = [each for each in (*told.values(), *asked) if each is not None]
    update = await apply_changes(state, runtime, "resolve", planned)
    return {**update, "alarms": [*alarms, *update.get("alarms", [])]}


async def _load_sides(errand: JobContext, conflict: Conflict) -> ConflictSides:
    items = errand.resources.memory.items
    held, new = [await items.get(errand.scope, each) for each in (conflict.held_id, conflict.new_id)]
    return ConflictSides(conflict, held, new)


async def _ask_model(errand: JobContext, unclear: list[ConflictSides]) -> tuple[list[PlannedChange | None], list[str]]:
    """The first failure ends the asking: what is left waits for the next run."""
    model = errand.resources.models.fast
    if model is None:
        return [], []
    answered: list[PlannedChange | None] = []
    for each in unclear:
        try:
            answered.append(await resolve_with_model(model, each))
        except ModelError:
            return answered, [f"{len(unclear) - len(answered)} contradictions wait: the model failed"]
    return answered, []
