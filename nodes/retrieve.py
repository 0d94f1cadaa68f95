"""The first retrieval pass: the user's own words."""

from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import identity_of
from brain.recall import RecallRequest, search
from brain.state import State, Update
from nodes.reopen_turn import as_of


async def retrieve(state: State, runtime: Runtime[Context]) -> Update:
    """What bears on what the user just said. It waits for no rewriting."""
    assert state.turn is not None
    ask = RecallRequest.of_turn(state.turn["text"], state.turn, as_of(state))
    found = await search(runtime.context.resources, identity_of(runtime).scope, ask)
    return {"passes": [found.candidates], "degraded": list(found.degraded)}
