"""Long conversations on the real graph and a real PostgreSQL: folded behind the turns, in budget, nothing lost."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from apps.views.proof import Source, fetch_proofs
from brain.context import Context
from brain.job_context import JobContext
from brain.models.port import ToolSpec
from brain.models.roles import Models
from brain.prompting.budget import baseline, safety_margin
from brain.prompting.tokens import count_tokens
from brain.recall import RecallRequest, recall
from brain.resources import Resources, utc_now
from evolution.summaries.fold_session import archive_expired, fold_session_turns
from evolution.summaries.rules import summarize_by_rules
from graphs.brain import builder
from graphs.evolution import evolve
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.scope import Scope, name_id
from memory.turns import SessionRef
from tests.contract.builders import a_session, a_turn, at, said
from tests.effort import assert_takes_less_than
from tests.fakes import FakeModel, Leanings, a_settings, resources_of
from tests.unit.summary_builders import KITCHEN, a_talk
from tests.unit.test_fold_session import Dying, Killed

WINDOW = 8_000
"""Tokens: small, so that a long conversation presses."""


@dataclass
class Talker(FakeModel):
    """Answers everything, and never runs out of words."""

    async def stream(self, messages: Sequence[BaseMessage], tools: Sequence[ToolSpec] = ()) -> AIMessage:
        self.asked.append(messages)
        return AIMessage(f"That is point {len(self.asked)}. " + "One could say a good deal about it. " * 3)


def resources_on(database: Database, **changes: Any) -> Resources:
    built = resources_of(Leanings(memory=postgres_memory(database), settings=a_settings(context_window=WINDOW)))
    return replace(built, new_id=uuid4, clock=utc_now, **changes)


def tokens(messages: Sequence[BaseMessage]) -> int:
    return sum(count_tokens(message.text) for message in messages)


@pytest.mark.parametrize(
    "saver",
    [pytest.param(None, id="log"), pytest.param(InMemorySaver(), id="thread", marks=pytest.mark.exhaustive)],
)
async def test_three_hundred_turns_stay_in_budget_and_the_first_is_not_forgotten(
    database: Database, scope: Scope, saver: InMemorySaver | None
):
    talker = Talker()
    resources = resources_on(database, models=Models(chat=talker))
    mine = replace(
        scope, user_id=name_id("user", str(scope.tenant_id), "ann"), tenant_id=name_id("tenant", str(scope.tenant_id))
    )
    context = Context(resources=resources, tenant=str(scope.tenant_id), user="ann", session="long")
    graph = builder.compile(checkpointer=saver)
    config: Any = {"configurable": {"thread_id": str(scope.tenant_id)}}
    job = JobContext(scope=mine, resources=replace(resources, models=Models()))
    session_id = name_id("session", str(mine.tenant_id), mine.key, str(mine.user_id), "long")
    for number in range(150):
        text = "My cat is called Schnurri." if number == 0 else f"Let us talk about topic {number}: {'words and ' * 10}"
        await graph.ainvoke({"messages": [HumanMessage(text)]}, config, context=context)
        await fold_session_turns(job, session_id)
    longest = max(tokens(asked) for asked in talker.asked)
    assert longest <= WINDOW - safety_margin(WINDOW) - baseline(WINDOW)["generation_buffer"] // 2
    await graph.ainvoke({"messages": [HumanMessage("What is my cat called?")]}, config, context=context)
    prompt = "".join(message.text for message in talker.asked[-1])
    assert "Schnurri" in prompt
    kept = await resources.memory.sessions.summaries(mine, session_id)
    opened = await resources.memory.log.open(mine, session_id, resources.settings.window_events)
    stood_for = [n for each in kept for n in range(each.first_position, each.last_position + 1)]
    assert stood_for + [event.position for event in opened.window] == list(range(302))
    assert all(event.text in prompt for event in opened.window[:-1])
    assert "Schnurri" in kept[0].text


async def spoken(resources: Resources, scope: Scope, session: SessionRef, lines: Sequence[str]) -> None:
    for minutes, line in enumerate(lines):
        role = "assistant" if line.startswith(">") else "user"
        heard = said(line.removeprefix(">").strip(), minutes=minutes, role=role, speaker=role)
        await resources.memory.log.capture(scope, a_turn(heard, session=session))


LINES = tuple(f"{line} Point {number}." for number in range(6) for line in KITCHEN)


@pytest.mark.parametrize("after", [False, True])
async def test_a_killed_worker_leaves_what_an_undisturbed_one_leaves(database: Database, make_scope: Any, after: bool):
    left = list[list[str]]()
    for disturbed in (False, True):
        resources, scope, session = resources_on(database), make_scope(user_id=uuid4()), a_session()
        await spoken(resources, scope, session, LINES)
        if disturbed:
            dying: Any = Dying(resources.memory.sessions, "save_summary", after=after)
            doomed = replace(resources, memory=replace(resources.memory, sessions=dying))
            with pytest.raises(Killed):
                await fold_session_turns(JobContext(scope=scope, resources=doomed), session.session_id)
        await fold_session_turns(JobContext(scope=scope, resources=resources), session.session_id)
        left.append([each.text for each in await resources.memory.sessions.summaries(scope, session.session_id)])
    assert left[0] == left[1]
    assert len(left[0]) > 1


async def test_a_session_of_long_ago_is_found_by_its_summary_with_the_turns_behind_it(database: Database, scope: Scope):
    resources, session = resources_on(database), a_session()
    await spoken(resources, scope, session, KITCHEN)
    later = replace(resources, clock=lambda: at() + timedelta(days=200))
    assert await archive_expired(JobContext(scope=scope, resources=later)) == 1
    question = RecallRequest(
        text="What were the plans and the budget for the kitchen tiles and Marco?", at=later.clock()
    )
    found = await recall(resources, scope, question)
    summary = next(each.candidate for each in found.ranked if each.candidate.lane == "summary")
    behind = await resources.memory.log.events(scope, summary.derived_from)
    assert "4,000 euros" in summary.text
    assert KITCHEN[2] in [event.text for event in behind]
    proofs = await fetch_proofs(resources.memory, scope, [Source(summary.source_id, "summary")])
    assert [proof.verified for proof in proofs[summary.source_id]] == [True] * len(behind)
    rows = await resources.memory.index.rebuild(scope)
    again = await recall(resources, scope, question)
    assert rows >= len(KITCHEN) + 1
    assert summary.source_id in [each.candidate.source_id for each in again.ranked]


async def test_the_evolution_of_a_conversation_that_ended_folds_it_to_its_last_turn(database: Database, scope: Scope):
    resources, session = resources_on(database), a_session()
    await spoken(resources, scope, session, KITCHEN)
    await evolve(resources, scope, session.session_id)
    assert await resources.memory.sessions.summaries(scope, session.session_id) == []
    await resources.memory.log.capture(scope, a_turn(said("Bye now.", minutes=20), session=session, ends=True))
    await evolve(resources, scope, session.session_id)
    (block,) = await resources.memory.sessions.summaries(scope, session.session_id)
    (known,) = await resources.memory.sessions.list_newest(scope)
    assert (block.first_position, block.last_position, known.status) == (0, len(KITCHEN), "archived")
    assert "4,000 euros" in block.text


def test_a_hundred_turns_are_summed_up_by_rules_within_a_second():
    turns = a_talk(*LINES, *LINES)[:100]
    assert_takes_less_than(1.0, lambda: summarize_by_rules(turns))
