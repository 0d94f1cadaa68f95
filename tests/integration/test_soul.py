"""How SOUL changes, from a proposal to the prompt and back: whatever the door, somebody else decides."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from dataclasses import replace
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from apps.access.tokens import Claims
from apps.memory_api import soul as table
from apps.memory_api.endpoint import ApiCall
from brain.context import Claim, Context
from brain.identity import Identity
from brain.intent_rules import IntentForm
from brain.resources import Resources
from brain.soul_document import SoulChange, packaged_soul
from evolution.soul import acts
from evolution.soul.acts import SoulCaller, SoulProposal
from evolution.soul.conduct import conversation_cases
from evolution.soul.judge import CaseVerdict, SoulVerdict
from evolution.soul.watch import watch_soul, watch_souls
from graphs.brain import graph as turn
from graphs.soul import builder
from memory.erasure import Tombstone
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Speaker, scope_of
from memory.soul import SoulVersion
from nodes.rewrite_query import Rewriting
from skills.context import ToolContext
from skills.soul import Propose, Rollback, SoulStatus, soul_propose, soul_rollback, soul_status
from tests.contract.builders import an_erasure_request
from tests.fakes import NOW, FakeModel, Leanings, a_settings, resources_of
from tests.integration import own_database
from tests.this_test import own_tenant

NEW = "I put a short summary in front of a long answer."
CHANGE = SoulChange(op="add", section="Habits", new=NEW)
PROPOSAL = SoulProposal(intent="Be easy to read.", evidence="Three long answers were skipped.", changes=(CHANGE,))
KEPT = SoulVerdict(conversations=[CaseVerdict(id=each.id, kept=True) for each in conversation_cases()], harmless=True)
test_addresses, database = own_database.test_addresses, own_database.database


@pytest.fixture
def memory(database: Database) -> MemoryCore:
    return postgres_memory(database)


def resources_with(memory: MemoryCore, *, approval: str = "person", **leanings: Any) -> Resources:
    return resources_of(Leanings(memory=memory, settings=a_settings(soul_approval=approval), **leanings))


def caller(resources: Resources, user: str = "ann", *, may_decide: bool = True, key: str = "") -> SoulCaller:
    scope = scope_of(Speaker(tenant=own_tenant(), user=user))
    identity = Identity(scope=scope, tenant=own_tenant(), user=user)
    return SoulCaller(resources=resources, identity=identity, may_decide=may_decide, key=key)


async def proposed(resources: Resources, proposal: SoulProposal = PROPOSAL) -> SoulVersion:
    return await acts.propose_and_evaluate(caller(resources), proposal)


async def applied(resources: Resources) -> SoulVersion:
    return await acts.decide(caller(resources, "boss"), (await proposed(resources)).version, "approve")


async def test_somebody_else_approves_and_whoever_proposed_or_has_no_right_is_refused(memory: MemoryCore):
    resources = resources_with(memory)
    made = await proposed(resources)
    assert (made.status, made.evaluation and made.evaluation["verdict"]) == ("proposed", "ask")
    for who in (caller(resources), caller(resources, "eve", may_decide=False)):
        with pytest.raises(BrainError, match="E_TENANT_FORBIDDEN"):
            await acts.decide(who, made.version, "approve")
    done = await acts.decide(caller(resources, "boss"), made.version, "approve")
    assert (done.status, NEW in done.text, done.evidence) == ("active", True, None)


async def test_a_proposal_of_ones_own_can_be_withdrawn_and_nobody_elses_without_the_right(memory: MemoryCore):
    resources = resources_with(memory)
    made = await proposed(resources)
    with pytest.raises(BrainError, match="E_TENANT_FORBIDDEN"):
        await acts.decide(caller(resources, "eve", may_decide=False), made.version, "veto")
    own = await acts.decide(caller(resources, may_decide=False), made.version, "veto")
    assert (own.status, own.reason) == ("vetoed", "person")


@pytest.mark.parametrize(
    ("form", "status"),
    [
        (KEPT, "active"),
        (KEPT.model_copy(update={"harmless": False}), "proposed"),
        (KEPT.model_copy(update={"conversations": []}), "proposed"),
        (TimeoutError(), "proposed"),
        (None, "proposed"),
    ],
)
async def test_without_approval_only_what_rules_and_a_model_have_nothing_against_applies_unasked(
    memory: MemoryCore, form: Any, status: str
):
    model = FakeModel(forms=[form]) if form else None
    made = await proposed(resources_with(memory, approval="none", chat=model))
    assert made.status == status


async def test_what_rules_refuse_no_model_is_asked_about(memory: MemoryCore):
    model = FakeModel(forms=[KEPT])
    poisoned = replace(PROPOSAL, changes=(replace_new("I grew up by the sea."),))
    made = await proposed(resources_with(memory, approval="none", chat=model), poisoned)
    assert (made.status, made.reason, model.asked) == ("vetoed", "evaluation", [])


def replace_new(new: str) -> SoulChange:
    return CHANGE.model_copy(update={"new": new})


async def test_a_secret_in_a_proposal_is_not_kept_and_one_in_its_evidence_not_taken(memory: MemoryCore):
    resources = resources_with(memory)
    made = await proposed(resources, replace(PROPOSAL, changes=(replace_new("I use the password Tr0ut-Lagoon."),)))
    assert (made.status, made.text) == ("vetoed", "")
    with pytest.raises(BrainError, match="may hold no password"):
        await proposed(resources, replace(PROPOSAL, evidence="My password is Tr0ut-Lagoon-58."))
    with pytest.raises(BrainError, match="needs evidence"):
        await proposed(resources, replace(PROPOSAL, evidence="Yes."))


async def test_a_name_of_somebody_of_the_tenant_cannot_stand_in_it(memory: MemoryCore):
    resources = resources_with(memory)
    await turn.ainvoke({"messages": [HumanMessage("Hi")]}, context=context_of(resources, user="Zephyrine"))
    made = await proposed(resources, replace(PROPOSAL, changes=(replace_new("I greet zephyrine first."),)))
    assert (made.status, made.text) == ("vetoed", "")
    for told in ({"intent": "Zephyrine wants it shorter."}, {"evidence": "It was ZEPHYRINE who skipped all of them."}):
        with pytest.raises(BrainError, match="may name nobody"):
            await proposed(resources, replace(PROPOSAL, **told))


async def test_a_group_proposes_nothing(memory: MemoryCore):
    one = caller(resources_with(memory))
    group = replace(one, identity=replace(one.identity, scope=replace(one.scope, key="group:kitchen")))
    with pytest.raises(BrainError, match="A group proposes nothing"):
        await acts.propose(group, PROPOSAL)


async def test_a_proposal_whose_evaluation_was_cut_off_is_evaluated_when_it_is_decided(memory: MemoryCore):
    resources = resources_with(memory)
    made = await acts.propose(caller(resources), PROPOSAL)
    assert made.evaluation is None
    assert (await acts.decide(caller(resources, "boss"), made.version, "approve")).status == "active"


def context_of(resources: Resources, user: str = "ann") -> Context:
    return Context(resources=resources, tenant=own_tenant(), user=user)


def claim_of(resources: Resources, user: str = "ann") -> Claim:
    return Claim(resources=resources, tenant=own_tenant(), user=user)


def a_model(*replies: str) -> FakeModel:
    forms = {IntentForm: IntentForm(intent_type="chat"), Rewriting: Rewriting(queries=[])}
    return FakeModel(replies=[AIMessage(each) for each in replies], forms_by=forms)


async def test_a_turn_speaks_by_the_version_in_force_and_its_receipt_says_which(memory: MemoryCore):
    chat = a_model("Hello.", "Hello again.")
    resources = resources_with(memory, chat=chat)
    before = await turn.ainvoke({"messages": [HumanMessage("Hi")]}, context=context_of(resources))
    done = await applied(replace(resources, models=resources_with(memory).models))
    after = await turn.ainvoke({"messages": [HumanMessage("No, that's wrong.")]}, context=context_of(resources))
    prompts = [str(asked[0].content) for asked in chat.asked]
    assert [NEW in prompt for prompt in prompts] == [False, True]
    assert (before["retrieval"]["soul"], after["retrieval"]["soul"]) == (0, done.version)


async def test_a_reply_that_is_corrected_counts_for_its_version_once(memory: MemoryCore):
    chat = a_model("Ghent.", "Sorry.", "Good.")
    resources = resources_with(memory, chat=chat)
    for text in ("Where is it?", "No, that's wrong.", "Thanks, that helps."):
        await turn.ainvoke({"messages": [HumanMessage(text)]}, context=context_of(resources))
    (found,) = await memory.souls.figures(caller(resources).scope.tenant_id)
    assert (found.version, found.replies, found.negative) == (0, 2, 1)


async def start(resources: Resources, user: str = "ann") -> tuple[Any, RunnableConfig, dict[str, Any]]:
    running: Any = builder.compile(checkpointer=InMemorySaver())
    config: RunnableConfig = {"configurable": {"thread_id": str(uuid4())}}
    text = packaged_soul().replace("- I match the tone", f"- {NEW}\n- I match the tone")
    asked = {"text": text, "intent": PROPOSAL.intent, "evidence": PROPOSAL.evidence}
    return running, config, await running.ainvoke(asked, config, context=claim_of(resources, user))


async def test_the_graph_waits_for_somebody_else_and_applies_by_their_word(memory: MemoryCore):
    resources = resources_with(memory)
    running, config, waiting = await start(resources)
    (interrupt,) = waiting["__interrupt__"]
    assert f"+- {NEW}" in interrupt.value["action_requests"][0]["description"]
    assert (waiting["text"], waiting["evidence"]) == ("", "")
    odd = await running.ainvoke(Command(resume="perhaps"), config, context=claim_of(resources, "boss"))
    assert "E_BAD_REQUEST" in odd["__interrupt__"][0].value["error"]
    own = await running.ainvoke(Command(resume="approve"), config, context=claim_of(resources))
    assert "Somebody else has to approve" in own["__interrupt__"][0].value["error"]
    assert (await memory.souls.standing(caller(resources).scope.tenant_id)).pending
    done = await running.ainvoke(Command(resume="approve"), config, context=claim_of(resources, "boss"))
    assert (done["outcome"], done["active"], done["version"]) == ("applied", 1, 1)


async def test_what_was_decided_elsewhere_meanwhile_is_what_the_graph_finds(memory: MemoryCore):
    resources = resources_with(memory)
    running, config, waiting = await start(resources)
    await acts.decide(caller(resources, "boss"), waiting["version"], "veto")
    done = await running.ainvoke(Command(resume="approve"), config, context=claim_of(resources, "boss"))
    assert (done["outcome"], done.get("active")) == ("vetoed", None)


async def test_the_graph_ends_at_once_with_what_is_refused_or_needs_nobody(memory: MemoryCore):
    clean = resources_with(memory, approval="none", chat=FakeModel(forms=[KEPT]))
    _, _, done = await start(clean)
    assert (done["outcome"], done["verdict"]) == ("applied", "clean")
    running: Any = builder.compile()
    text = packaged_soul().replace("- Never flatter instead of answering.\n", "- Never shout.\n")
    asked = {"text": text, "intent": "Tidy up.", "evidence": "It was never needed."}
    refused = await running.ainvoke(asked, context=claim_of(resources_with(memory)))
    assert (refused["outcome"], "lost" in refused["found"]) == ("refused", True)


def a_tool_context(resources: Resources, said: str, user: str = "ann", **identity: Any) -> ToolContext:
    who = replace(caller(resources, user).identity, **identity)
    return ToolContext(
        identity=who, resources=resources, session_id=uuid4(), call_id="c1", at=NOW, time_zone="UTC", user_text=said
    )


async def test_the_agent_proposes_only_when_asked_and_tells_what_became_of_it(memory: MemoryCore):
    resources = resources_with(memory)
    told = Propose(changes=[CHANGE], intent=PROPOSAL.intent, evidence=PROPOSAL.evidence)
    unasked = await soul_propose(told, a_tool_context(resources, "What is the weather?"))
    assert "has not asked" in unasked.text
    asked = a_tool_context(resources, "You should put a summary first, for everybody.")
    assert "Proposed as version 1" in (await soul_propose(told, asked)).text
    assert "Proposed as version 1" in (await soul_propose(told, asked)).text
    shown = await soul_status(SoulStatus(), asked)
    assert "Version 0 is active" in shown.text
    assert "[1]" in shown.text


async def test_a_change_is_taken_back_in_a_conversation_by_an_administrator_alone(memory: MemoryCore):
    resources = resources_with(memory)
    await applied(resources)
    back, said = Rollback(action="rollback"), "Please roll back the last change."
    with pytest.raises(BrainError, match="E_TENANT_FORBIDDEN"):
        await soul_rollback(back, a_tool_context(resources, said, verified=True))
    assert "has not asked" in (await soul_rollback(back, a_tool_context(resources, "Hello."))).text
    admin = a_tool_context(resources, said, verified=True, roles=frozenset({"tenant_admin"}))
    assert "brings back version 0" in (await soul_rollback(back, admin)).text


def a_call(resources: Resources, user: str, scopes: frozenset[Any], **more: Any) -> ApiCall:
    who = caller(resources, user).identity
    claims = Claims(tenant=own_tenant(), user=more.pop("claimed", user), scopes=scopes)
    return ApiCall(identity=who, resources=resources, trace_id="t", claims=claims, **more)


async def test_the_api_proposes_shows_compares_decides_pauses_and_imports(memory: MemoryCore):
    resources = resources_with(memory)
    ann, boss = a_call(resources, "ann", frozenset({"memory:write"})), a_call(resources, "boss", frozenset({"admin"}))
    first = await table.import_soul(table.import_soul.read({"text": packaged_soul()}), boss)
    assert (first.data.version, first.data.origin) == (1, "import")
    values = {"intent": PROPOSAL.intent, "evidence": PROPOSAL.evidence, "changes": [CHANGE.model_dump()]}
    keyed = replace(ann, idempotency_key="k")
    made = (await table.propose_soul(table.propose_soul.read(values), keyed)).data
    assert (await table.propose_soul(table.propose_soul.read(values), keyed)).data.version == made.version
    status = (await table.get_soul(table.get_soul.read({}), ann)).data
    assert (status.version, status.pending, status.approval) == (1, [2], "person")
    compared = await table.compare_soul_versions(table.compare_soul_versions.read({"before": 1, "after": 2}), boss)
    assert f"+- {NEW}" in compared.data.diff
    decision = table.decide_soul.read({"version": 2, "decision": "approve"})
    borrowed = a_call(resources, "eve", frozenset({"admin", "on_behalf"}), claimed="ann")
    with pytest.raises(BrainError, match="somebody else's name"):
        await table.decide_soul(decision, borrowed)
    assert (await table.decide_soul(decision, boss)).data.status == "active"
    assert (await table.pause_soul(table.pause_soul.read({}), boss)).data.paused_at == NOW
    assert (await table.resume_soul(table.resume_soul.read({}), boss)).data.paused_at is None
    back = (await table.roll_soul_back(table.roll_soul_back.read({}), replace(boss, idempotency_key="b"))).data
    assert (back.version, back.restores) == (3, 1)
    listed = (await table.list_soul_versions(table.list_soul_versions.read({}), boss)).data.versions
    assert [(each.version, each.status) for each in listed] == [
        (3, "active"), (2, "rolled_back"), (1, "superseded"), (0, "superseded")
    ]  # fmt: skip


def count_reactions(where: Addresses, resources: Resources, version: int, counted: tuple[int, int]) -> None:
    with psycopg.connect(where.owner) as connection:
        connection.execute(
            "insert into brain.soul_reactions values (%s, %s, 0, %s, %s)"
            " on conflict (tenant_id, version, part)"
            " do update set replies = excluded.replies, negative = excluded.negative",
            (caller(resources).scope.tenant_id, version, *counted),
        )


async def test_a_change_goes_back_by_itself_when_replies_are_taken_worse_and_only_then(
    memory: MemoryCore, test_addresses: Addresses
):
    resources = resources_with(memory)
    made = await applied(resources)
    tenant_id = caller(resources).scope.tenant_id
    count_reactions(test_addresses, resources, 0, (60, 3))
    for counted in ((29, 29), (30, 2)):
        count_reactions(test_addresses, resources, made.version, counted)
        assert not await watch_soul(resources, tenant_id)
    count_reactions(test_addresses, resources, made.version, (59, 40))
    assert not await watch_soul(resources, tenant_id)  # there are not twice as many replies yet
    count_reactions(test_addresses, resources, made.version, (60, 40))
    assert await watch_souls(resources) >= 1
    active = await memory.souls.active(tenant_id)
    gone = await memory.souls.get(tenant_id, made.version)
    assert active is not None
    assert (active.restores, gone.status, gone.reason, NEW in active.text) == (0, "rolled_back", "watch", False)
    assert not await watch_soul(resources, tenant_id)


async def test_nothing_of_an_erased_person_is_left_and_the_organisation_keeps_its_document(
    memory: MemoryCore, test_addresses: Addresses
):
    resources = resources_with(memory)
    done = await applied(resources)
    waiting = await proposed(resources, replace(PROPOSAL, changes=(replace_new("I keep tables small."),)))
    assert waiting.status == "proposed"
    for user in ("ann", "boss"):
        await erase_traces(memory, resources, user)
    tenant_id = caller(resources).scope.tenant_id
    kept, gone = await memory.souls.get(tenant_id, done.version), await memory.souls.get(tenant_id, waiting.version)
    assert (kept.status, NEW in kept.text, kept.intent) == ("active", True, "")
    assert (gone.status, gone.reason, gone.text, gone.intent, gone.evidence) == ("vetoed", "erased", "", "", None)
    with psycopg.connect(test_addresses.owner) as connection:
        people = connection.execute(
            "select count(*) from brain.soul_acts where tenant_id = %s and user_id = any(%s)",
            (caller(resources).scope.tenant_id, [caller(resources, user).scope.user_id for user in ("ann", "boss")]),
        ).fetchone()
    assert people == (0,)


async def erase_traces(memory: MemoryCore, resources: Resources, user: str) -> None:
    scope, erasures = caller(resources, user).scope, memory.erasures
    asked = an_erasure_request(scope.tenant_id, scope.user_id, user_name=user, requested_at=NOW)
    tombstone: Tombstone = await erasures.request(asked)
    await erasures.advance(tombstone, "processing")
    assert await erasures.erase_soul_traces(tombstone) >= 1
    await erasures.erase_name(tombstone)
    residue = [each.kind for each in await erasures.find_residue(tombstone)]
    assert "brain.soul_acts" not in residue
