"""From a reply that drew on a memory, over the user's reaction, to what is believed (C15): with the real graphs."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from dataclasses import replace
from datetime import timedelta
from itertools import count

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from brain.context import Context
from brain.job_context import JobContext
from brain.resources import Resources
from evolution.upkeep.state import UpkeepState
from graphs.brain import graph
from graphs.upkeep import run_upkeep
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.scope import Scope, name_id
from tests.contract.builders import by_ann
from tests.fakes import NOW, FakeModel, Leanings, resources_of
from tests.unit.upkeep_builders import an_old_draft

ANSWER, NEXT = "As you told me, you like green tea.", "I see."


async def converses(resources: Resources, scope: Scope, reaction: str, times: int) -> None:
    """So many conversations: a question that memory answers, and how the person took the answer."""
    for number in range(times):
        who = Context(resources=resources, tenant=str(scope.tenant_id), user="ann", session=f"{reaction} {number}")
        for text in ("Which tea do I like to drink?", reaction):
            await graph.ainvoke({"messages": [HumanMessage(text)]}, context=who)


def resources_on(database: Database, conversations: int) -> Resources:
    replies = [AIMessage(text) for _ in range(conversations) for text in (ANSWER, NEXT)]
    minutes = count()
    built = resources_of(Leanings(memory=postgres_memory(database), chat=FakeModel(replies=list(replies))))
    fresh = Resources.__dataclass_fields__["new_id"].default
    return replace(built, new_id=fresh, clock=lambda: NOW + timedelta(minutes=next(minutes)))


@pytest.mark.parametrize(
    ("reaction", "times", "believed"),
    [
        ("Yes, exactly!", 10, (0.6, "active")),
        ("Yes, exactly!", 9, (0.5, "active")),
        ("No, that's wrong.", 1, (0.5, "active")),
        ("No, that's wrong.", 2, (0.5, "retracted")),
        ("I went to the station.", 4, (0.5, "active")),
    ],
)
async def test_reactions_to_what_was_said_from_memory_move_belief(
    database: Database, scope: Scope, reaction: str, times: int, believed: tuple[float, str]
):
    resources = resources_on(database, times)
    tenant = str(scope.tenant_id)
    ann = Scope(tenant_id=name_id("tenant", tenant), user_id=name_id("user", tenant, "ann"))
    receipt = await resources.memory.items.write(ann, an_old_draft(), by_ann("k1"))
    await converses(resources, scope, reaction, times)
    await run_upkeep(JobContext(scope=ann, resources=resources), UpkeepState(only=["calibrate", "fuse"]))
    item = await resources.memory.items.get(ann, receipt.memory_id)
    assert (round(item.confidence, 4), item.status) == believed
