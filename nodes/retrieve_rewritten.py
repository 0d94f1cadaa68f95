"""Further retrieval passes: the same question in other words."""

import asyncio

from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import identity_of
from brain.recall import RecallRequest, search
from brain.state import State, Update
from nodes.reopen_turn import as_of


async def retrieve_rewritten(state: State, runtime: Runtime[Context]) -> Update:
    """One pass per rewritten query, all at once, after the pass with the user's own words."""
    assert state.turn is not None
    scope, resources, turn = identity_of(runtime).scope, runtime.context.resources, state.turn
    found = await asyncio.gather(
        *(search(resources, scope, RecallRequest.of_turn(query, turn, as_of(state))) for query in state.queries)
    )
    return {
        "passes": [each.candidates for each in found],
        "degraded": [reason for each in found for reason in each.degraded],
    }
