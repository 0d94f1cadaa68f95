"""No node, job step or door holds the event loop up, however much somebody's memory holds."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver

from brain.context import Context
from brain.documents.profile_refresh import try_refresh_profile
from brain.job_context import JobContext
from brain.recall import RecallRequest, recall
from brain.resources import Resources
from evolution.upkeep.state import UpkeepState
from graphs.brain import builder
from graphs.correction import apply_corrections
from graphs.evolution import evolve
from graphs.upkeep import run_upkeep
from memory.postgres.database import Database
from memory.scope import Scope, Speaker, scope_of, session_id_of
from memory.turns import Capture, SessionRef
from tests.contract.builders import NOON, a_draft, by_ann, cited, said
from tests.effort import slowness
from tests.integration.evolving import resources_on
from tests.loop_time import longest_step

MEMORIES, TURNS = 2_000, 500
LONGEST_SECONDS = 0.1
"""Processor time of the loop's thread in one go, with ``MEMORIES`` memories and ``TURNS`` turns, on a machine of the
reference's speed."""
GROWTH = 2.5
"""How much more twice the memory may take."""
NOISE_SECONDS = 0.02
"""Steps as short as this tell nothing about growth."""
TRIES = 3
"""Who shares the processor's caches may slow any one of them."""
_SENTENCES = Path(__file__).parents[2] / "evals" / "data" / "sentences"
_STATED = ("fact", "preference", "constraint", "plan", "event", "change", "remember", "world", "passing")

Works = Mapping[str, Callable[[], Awaitable[object]]]


@dataclass(frozen=True)
class Rememberer:
    """Somebody of whom much is remembered."""

    resources: Resources
    tenant: str
    session: str = "talk"

    @property
    def scope(self) -> Scope:
        return scope_of(Speaker(tenant=self.tenant, user="ann"))

    async def fill(self, memories: int, turns: int) -> None:
        memory, sentences = self.resources.memory, _stated_sentences()
        assert len(sentences) >= memories
        for number, sentence in enumerate(sentences[:memories]):
            event = said(sentence, minutes=number - memories)
            if number < turns:
                name = f"session {number // 20}"
                session = SessionRef(
                    session_id=session_id_of(self.scope, name), name=name, user_name="ann", tenant_name=self.tenant
                )
                await memory.log.capture(
                    self.scope, Capture(operation_id=uuid4(), session=session, utterances=(event,))
                )
            draft = a_draft(
                sentence,
                item_type="fact",
                predicate="said",
                content=sentence,
                category="other",
                slot=f"user|said {number}",
                observed_at=event.occurred_at,
                citations=(cited(event, sentence),) if number < turns else (),
            )
            await memory.items.write(self.scope, draft, by_ann(f"fill {number}", minutes=number - memories))

    async def say(self, text: str) -> None:
        context = Context(tenant=self.tenant, user="ann", session=self.session, resources=self.resources)
        graph: Any = builder.compile(checkpointer=InMemorySaver())  # pyright: ignore[reportUnknownMemberType]
        await graph.ainvoke(
            {"messages": [HumanMessage(text, id=str(uuid4()))]},
            {"configurable": {"thread_id": str(uuid4())}},
            context=context,
        )

    async def grow(self) -> None:
        session = session_id_of(self.scope, self.session)
        await apply_corrections(self.resources, self.scope, session)
        await evolve(self.resources, self.scope, session)

    @property
    def works(self) -> Works:
        """What doors, nodes and jobs do for one person."""
        job = JobContext(scope=self.scope, resources=self.resources)
        question = RecallRequest(text="What do I drink in the evening?", at=NOON)
        return {
            "ask": lambda: self.say("What do I drink in the evening?"),
            "ask to forget": lambda: self.say("Please forget what I told you about my dentist."),
            "ask to correct": lambda: self.say("That's wrong, my dentist is Doctor Wu, not Doctor Ames."),
            "state": lambda: self.say(
                "I moved to Lyon last week. My sister lives in Ghent. I drink tea now, not coffee."
            ),
            "state much": lambda: self.say(" ".join(_stated_sentences()[-40:])),
            "learn": self.grow,
            "recall": lambda: recall(self.resources, self.scope, question),
            "render the profile": lambda: try_refresh_profile(self.resources, self.scope, "UTC"),
            "tidy": lambda: run_upkeep(job, UpkeepState(dry_run=True)),
        }


def _stated_sentences() -> list[str]:
    lines = [line for path in sorted(_SENTENCES.glob("en-*.tsv")) for line in path.read_text("utf-8").splitlines()]
    rows = (line.split("\t") for line in lines)
    return list(dict.fromkeys(row[4] for row in rows if row[0] in _STATED))


@pytest.mark.timeout(900)  # what is measured is processor time; a busy machine takes long
async def test_nothing_holds_the_loop_up_however_much_is_remembered(database: Database):
    resources = resources_on(database)
    few, many = Rememberer(resources, str(uuid4())), Rememberer(resources, str(uuid4()))
    await few.fill(MEMORIES // 2, TURNS // 2)
    await many.fill(MEMORIES, TURNS)
    slow = [told for name in many.works if (told := await _tell_if_slow(name, few, many))]
    assert slow == []


async def _tell_if_slow(name: str, few: Rememberer, many: Rememberer) -> str:
    """What was too long in each of the tries, empty where one of them was short enough."""
    told = ""
    for _ in range(TRIES):
        before = await longest_step(few.works[name]())
        longest = await longest_step(many.works[name]())
        print(f"{name:20} {before.seconds * 1000:7.1f} {longest.seconds * 1000:7.1f} ms  {longest.name[:150]}")
        most = min(LONGEST_SECONDS * slowness(), GROWTH * max(before.seconds, NOISE_SECONDS))
        if longest.seconds <= most:
            return ""
        told = f"{name}: {before.seconds:.3f} s, then {longest.seconds:.3f} s in {longest.name}"
    return told
