"""One retrieval pass over the person's memory."""

from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import identity_of
from brain.recall import Ask, search
from brain.state import State, Update


async def retrieve(state: State, runtime: Runtime[Context]) -> Update:
    """Candidates for one query: the user's own words, or one rewriting of them."""
    assert state.turn is not None
    query = state.queries[0] if state.queries else state.turn["text"]
    ask = Ask.of_turn(query, state.turn)
    found = await search(runtime.context.resources, identity_of(runtime).scope, ask)
    return {"passes": [found.candidates], "degraded": list(found.degraded)}
