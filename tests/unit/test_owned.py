"""For whom a graph behind the conversation works: the worker's context, or whoever the server authenticated."""

from dataclasses import replace
from typing import Any

import pytest
from langgraph.runtime import Runtime, ServerInfo

from brain.context import Claim
from brain.job_context import JobContext, job_context_of
from brain.state import Update
from graphs import upkeep
from graphs.background_step import with_job_context
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.scope import Scope, Speaker, scope_of
from tests.contract.builders import a_draft, by_ann
from tests.fakes import Leanings, a_settings, resources_of
from tests.this_test import me, own_tenant

ANN = {"tenant": "acme", "user": "ann", "channels": ["kitchen"], "roles": [], "org_tier": "", "role": ""}
graph: Any = upkeep.graph
"""LangGraph leaves its input types partly open."""
SIGNED = a_settings(auth_jwt_secret="a secret of the tests, longer than thirty-two characters")


def served(signed_in: Any = None, leanings: Leanings | None = None, **claimed: str) -> Runtime[Claim]:
    info = ServerInfo(assistant_id="a", graph_id="upkeep", user=signed_in)
    return Runtime(context=Claim(resources=resources_of(leanings or Leanings()), **claimed), server_info=info)  # pyright: ignore[reportArgumentType]


def whose(user: str, **place: str) -> Scope:
    return scope_of(Speaker(tenant="acme", user=user, **place))


def test_whoever_was_authenticated_is_served_whatever_the_form_says():
    assert job_context_of(served(ANN, tenant="acme", user="bob")).scope == whose("ann")
    assert job_context_of(served(ANN, tenant="other")).scope == whose("ann")


def test_a_group_is_served_to_its_members_only():
    assert job_context_of(served(ANN, channel="kitchen")).scope == whose("ann", channel="kitchen")
    with pytest.raises(BrainError, match="E_TENANT_FORBIDDEN"):
        job_context_of(served(ANN, channel="garden"))


def test_a_caller_who_had_to_sign_in_and_was_not_verified_is_refused():
    with pytest.raises(BrainError, match="E_TENANT_FORBIDDEN"):
        job_context_of(served({"identity": "x"}, Leanings(settings=SIGNED), tenant="acme", user="ann"))


def test_on_an_open_server_the_form_says_who_it_is():
    assert job_context_of(served({"identity": "local"}, tenant="acme", user="bob")).scope == whose("bob")
    assert job_context_of(replace(served(tenant="acme", user="bob"), server_info=None)).scope == whose("bob")


async def test_a_step_gets_the_workers_context_as_it_is():
    context = JobContext(scope=whose("ann"), resources=resources_of(Leanings()))

    async def step(state: str, runtime: Runtime[JobContext]) -> Update:
        return {"state": state, "context": runtime.context}

    run: Any = Runtime(context=context)
    assert await with_job_context(step)("s", runtime=run) == {"state": "s", "context": context}


async def test_upkeep_asked_for_with_a_form_tidies_the_memories_of_the_one_in_the_form(memory: MemoryCore):
    await memory.items.write(me("ann"), a_draft("green tea"), by_ann("k"))
    resources = resources_of(Leanings(memory=memory))

    async def living(user: str) -> int:
        asked: Any = {"dry_run": True}
        context: Any = Claim(tenant=own_tenant(), user=user, resources=resources)
        done: Any = await graph.ainvoke(asked, context=context)
        return done["report"]["figures"]["living"]

    assert (await living("ann"), await living("bob")) == (1, 0)


@pytest.mark.parametrize("asked", [{"most_lost": 2}, {"most_lost": "all"}, {"only": ["bake"]}])
@pytest.mark.usefixtures("memory")
async def test_upkeep_refuses_what_its_form_does_not_allow(asked: Any):
    context: Any = Claim(resources=resources_of(Leanings()))
    with pytest.raises(BrainError, match="E_BAD_REQUEST"):
        await graph.ainvoke(asked, context=context)
