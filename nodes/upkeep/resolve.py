"""Settle contradictions when there are many."""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.models.errors import ModelError
from brain.state import Update
from evolution.upkeep.applying import carry_out
from evolution.upkeep.governing import MOST_CONFLICTS
from evolution.upkeep.resolving import Contested, by_model, by_rules
from evolution.upkeep.state import UpkeepState
from evolution.upkeep.verdict import Planned
from memory.conflicts import Conflict

MOST_ASKED = 20
"""Contradictions about which a model is asked in one run."""


async def resolve(state: UpkeepState, runtime: Runtime[Errand]) -> Update:
    """Rules first, then the model for what they cannot tell; what nobody can tell stays open for the person."""
    if "resolve" not in state.steps:
        return {}
    errand = runtime.context
    conflicts = await errand.resources.memory.conflicts.listed(errand.scope, limit=MOST_CONFLICTS)
    contested = [each for conflict in conflicts if not (each := await _sides(errand, conflict)).touches_constraint]
    told = {each.conflict.conflict_id: by_rules(each) for each in contested}
    unclear = [each for each in contested if told[each.conflict.conflict_id] is None]
    asked, alarms = await _ask(errand, unclear[:MOST_ASKED])
    planned = [each for each in (*told.values(), *asked) if each is not None]
    update = await carry_out(state, runtime, "resolve", planned)
    return {**update, "alarms": [*alarms, *update.get("alarms", [])]}


async def _sides(errand: Errand, conflict: Conflict) -> Contested:
    items = errand.resources.memory.items
    held, new = [await items.get(errand.scope, each) for each in (conflict.held_id, conflict.new_id)]
    return Contested(conflict, held, new)


async def _ask(errand: Errand, unclear: list[Contested]) -> tuple[list[Planned | None], list[str]]:
    """The first failure ends the asking: what is left waits for the next run."""
    model = errand.resources.models.fast
    if model is None:
        return [], []
    answered: list[Planned | None] = []
    for each in unclear:
        try:
            answered.append(await by_model(model, each))
        except ModelError:
            return answered, [f"{len(unclear) - len(answered)} contradictions wait: the model failed"]
    return answered, []
