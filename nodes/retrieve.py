"""Retrieval passes: the user's own words first, then the same question in other words."""

import asyncio
from dataclasses import replace

from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import identity_of
from brain.recall import RecallRequest, search
from brain.state import OpenTurn, Update
from nodes.thread_position import as_of


async def retrieve(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """What bears on what the user just said. It waits for no rewriting."""
    resources, scope = runtime.context.resources, identity_of(runtime).scope
    if resources.models.chat is not None:
        await resources.experiences.refresh(resources.memory.experiences, scope.tenant_id, resources.clock())
    ask = RecallRequest.of_turn(state.turn["text"], state.turn, as_of(state))
    found = await search(resources, scope, replace(ask, limit=resources.recall_limit))
    return {"passes": [found.candidates], "degraded": list(found.degraded)}


async def retrieve_rewritten(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """One pass per rewritten query, all at once, after the pass with the user's own words."""
    scope, resources, turn = identity_of(runtime).scope, runtime.context.resources, state.turn
    asked = [RecallRequest.of_turn(query, turn, as_of(state)) for query in state.queries]
    found = await asyncio.gather(
        *(search(resources, scope, replace(each, limit=resources.recall_limit)) for each in asked)
    )
    return {
        "passes": [each.candidates for each in found],
        "degraded": [reason for each in found for reason in each.degraded],
    }
