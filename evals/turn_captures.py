"""Turns as they are captured, alone and at the end of Brain's whole graph, into queues of different length."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from dataclasses import dataclass, field
from uuid import uuid4

import psycopg
from langchain_core.messages import HumanMessage

from brain.context import Context
from brain.resources import Resources
from evals.stated_talk import a_session, a_turn, turns
from graphs.brain import graph
from memory.scope import Scope

NOBODY_ENQUEUES = "no job at all"
TEXTS = tuple(turns(200, seed=3))

_NO_JOB = """
create or replace function brain.enqueue_evolution(
    of_tenant uuid, of_scope text, of_user uuid, of_session uuid, urgency integer, pause double precision
) returns void language sql as ''"""
_JOBS = """
select brain.enqueue_evolution(gen_random_uuid(), 'main', gen_random_uuid(), gen_random_uuid(), 0, 0)
from generate_series(1, %s)"""


@dataclass(frozen=True)
class Captures:
    """Turns of somebody, each in a session of its own, so that each of them brings a job of its own."""

    brain: Resources
    scope: Scope = field(default_factory=lambda: Scope(tenant_id=uuid4(), user_id=uuid4()))

    async def capture(self, number: int) -> None:
        """The transaction at the end of a turn: both sides of the conversation, their index rows, the job."""
        await self.brain.memory.log.capture(self.scope, a_turn(_text(number), a_session(str(number))))

    async def turn(self, number: int) -> None:
        """The whole graph without a model, which ends with that transaction."""
        context = Context(resources=self.brain, tenant="made up", user="somebody", session=str(number))
        await graph.ainvoke({"messages": [HumanMessage(_text(number))]}, context=context)


def enqueue_nothing(owner_url: str) -> None:
    """From now on turns of this database are captured without a job."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute(_NO_JOB)


def fill_queue(owner_url: str, jobs: int) -> None:
    """So many sessions of other people wait to be looked at."""
    with psycopg.connect(owner_url, autocommit=True, options="-c search_path=brain,queue") as connection:
        connection.execute(_JOBS, (jobs,))
        connection.execute("vacuum (analyze) queue.procrastinate_jobs, queue.procrastinate_events")


def _text(number: int) -> str:
    return TEXTS[number % len(TEXTS)]
