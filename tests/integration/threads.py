"""A conversation in a thread on the real graph and our own saver, with its checkpoints in hand."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID, uuid4

from langchain_core.messages import AIMessage, HumanMessage
from langgraph.types import StateSnapshot

from apps.threads.checkpointer import Saver
from brain.context import Context
from brain.resources import Resources, utc_now
from graphs.brain import builder
from graphs.evolution import evolve
from memory.documents.document import PROFILE_NAME, document_id, profile_kind
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.pools import checkpoint_pool
from memory.postgres.roles import Addresses
from memory.receipts import Receipt
from memory.scope import Scope, name_id, session_id_of
from tests.fakes import FakeModel, Leanings, resources_of

TENANT = "time travel"
Content = str | list[Any]


@dataclass(frozen=True)
class Thread:
    """One person in one thread; ``app`` is the compiled graph."""

    app: Any
    resources: Resources
    user: str
    thread_id: str
    durability: str = "sync"

    @property
    def scope(self) -> Scope:
        return Scope(tenant_id=name_id("tenant", TENANT), user_id=name_id("user", TENANT, self.user))

    @property
    def config(self) -> dict[str, Any]:
        return {"configurable": {"thread_id": self.thread_id}}

    def context(self, **more: Any) -> Context:
        return Context(resources=self.resources, tenant=TENANT, user=self.user, **more)

    async def say(self, text: Content, at: StateSnapshot | None = None, *, id: str | None = None, **more: Any) -> str:
        """Say something at the thread's head or from a checkpoint; the reply."""
        words = {"messages": [HumanMessage(text, id=id or str(uuid4()))]}
        return await self._run(words, at.config if at else self.config, **more)

    async def after(self, text: str) -> StateSnapshot:
        """Say something; the checkpoint behind it."""
        await self.say(text)
        return (await self.states())[0]

    def another(self) -> "Thread":
        """A new thread of the same person."""
        return replace(self, thread_id=str(uuid4()))

    async def elsewhere(self, *texts: str) -> str:
        """Say things in another thread of the same person; the last reply."""
        other, reply = self.another(), ""
        for text in texts:
            reply = await other.say(text)
        return reply

    async def evolve(self) -> None:
        """Let memory look at what was said in the thread."""
        await evolve(self.resources, self.scope, session_id_of(self.scope, self.thread_id))

    async def beliefs(self) -> set[str]:
        """What is remembered now."""
        return {item.content for item in await self.resources.memory.items.list_newest(self.scope)}

    async def profile(self) -> str:
        """What stands in the person's profile."""
        ids = (document_id(self.scope, profile_kind(self.scope), PROFILE_NAME),)
        return "".join(each.body for each in await self.resources.memory.documents.find(self.scope, ids))

    async def copied(self) -> "Thread":
        """A copy of the thread with its history."""
        other = self.another()
        await self.app.checkpointer.acopy_thread(self.thread_id, other.thread_id)
        return other

    async def replay(self, at: StateSnapshot, **more: Any) -> str:
        """Run again from a checkpoint, with nothing new."""
        return await self._run(None, at.config, **more)

    async def edit(self, text: str, at: StateSnapshot, message_id: str) -> str:
        """Put a message of the person otherwise, and run from there."""
        change = {"messages": [HumanMessage(text, id=message_id)]}
        forked = await self.app.aupdate_state(at.config, change, as_node="__start__")
        return await self._run(None, forked)

    async def states(self) -> list[StateSnapshot]:
        """Every checkpoint, newest first."""
        return [state async for state in self.app.aget_state_history(self.config)]

    async def receipts(self, operation_id: str) -> list[Receipt]:
        return await self.resources.memory.log.receipts(self.scope, UUID(operation_id))

    async def _run(self, given: Any, config: Any, **more: Any) -> str:
        out = await self.app.ainvoke(given, config, context=self.context(**more), durability=self.durability)
        return str(out["messages"][-1].text)


@asynccontextmanager
async def open_thread(
    where: Addresses, database: Database, chat: FakeModel | None = None, durability: str = "sync"
) -> AsyncGenerator[Thread]:
    """A thread of somebody new. Without a model Brain answers from memory."""
    built = resources_of(Leanings(memory=postgres_memory(database), chat=chat))
    resources = replace(built, new_id=Resources.__dataclass_fields__["new_id"].default, clock=utc_now)
    async with checkpoint_pool(where.app) as pool:
        saver = Saver(pool, resources.memory.log.take_back)
        yield Thread(builder.compile(checkpointer=saver), resources, f"ann {uuid4()}", str(uuid4()), durability)


def tool_call(name: str, **args: Any) -> AIMessage:
    """A reply that calls one tool."""
    return AIMessage("", tool_calls=[{"name": name, "args": args, "id": f"c{uuid4().hex[:8]}", "type": "tool_call"}])
