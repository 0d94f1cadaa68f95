"""Erasure canaries: the words of who asks to be erased are in no table and no file then, and nobody else loses any."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import psycopg
from langchain_core.messages import HumanMessage

from apps.threads.checkpointer import Saver
from brain.context import Context
from brain.embeddings.backfill import embed_pending
from brain.models.roles import Models
from brain.resources import Resources
from evals.erased_bytes import hits, names_of_files
from evals.memory_ci.bench import Bench
from evals.memory_ci.report import Figure, Findings
from evals.memory_ci.spelled_words import find_tables
from evolution.erasure.job import run_erasure
from evolution.erasure.request import ErasureWish, request_erasure
from graphs.brain import builder
from graphs.evolution import evolve
from memory.documents.port import NoteEntry
from memory.memory_item import Author
from memory.postgres.pools import checkpoint_pool
from memory.postgres.roles import addresses
from memory.scope import Scope, Speaker, scope_of, session_id_of

TENANT = "erased"
NAMES = ("ann", "ben")
"""Who asks to be erased, and who stays."""
Erase = Callable[[Resources, UUID, UUID], Awaitable[None]]


@dataclass(frozen=True)
class Talker:
    """Somebody who told a word that nobody else has."""

    resources: Resources
    user: str
    canary: str
    thread: str = field(default_factory=lambda: str(uuid4()))

    @property
    def scope(self) -> Scope:
        """Whose rows these are."""
        return scope_of(Speaker(tenant=TENANT, user=self.user), self.resources.settings.dm_scope)

    async def talk(self, graph: Any) -> None:
        """In a thread with checkpoints, until memories, vectors, a note and receipts stand there."""
        context = Context(resources=self.resources, tenant=TENANT, user=self.user)
        config = {"configurable": {"thread_id": self.thread}}
        for text in (f"My sister is called {self.canary}.", "What is my sister called?", f"我妹妹叫{self.canary}。"):
            await graph.ainvoke({"messages": [HumanMessage(text)]}, config, context=context)
        await evolve(self.resources, self.scope, session_id_of(self.scope, self.thread))
        await embed_pending(self.resources, self.scope)
        at = self.resources.clock()
        by = Author(operator=self.user, reason="told", idempotency_key=f"note of {self.user}", at=at)
        note = NoteEntry(key="n1", text=f"{self.canary} called", at=at, cites=())
        await self.resources.memory.documents.append_note(self.scope, [note], by)


async def find_erased(bench: Bench, erase: Erase = run_erasure) -> Findings:
    """Two people talk, one is erased; every table is read, and the server's files where they are ours."""
    mark = uuid4().hex[:10].translate(str.maketrans("0123456789", "ghijklmnop"))
    async with bench.open(embedding_timeout=30.0) as opened:
        resources = replace(opened, models=Models())
        owner = str(resources.settings.database_url)
        gone, stays = (Talker(resources, name, f"Zephyr{name}{mark}") for name in NAMES)
        async with checkpoint_pool(addresses(owner).app) as pool:
            graph = builder.compile(checkpointer=Saver(pool))  # pyright: ignore[reportUnknownMemberType]
            for talker in (gone, stays):
                await talker.talk(graph)
        before, kept = find_tables(owner, gone.canary), find_tables(owner, stays.canary)
        wish = ErasureWish(scope=gone.scope, user=gone.user)
        asked = await request_erasure(resources, wish, wish.sentence)
        await erase(resources, asked.tenant_id, asked.tombstone_id)
        ended = await resources.memory.erasures.find(asked.tenant_id, asked.tombstone_id)
        left = find_tables(owner, gone.canary)
        lost = set(kept) - set(find_tables(owner, stays.canary))
        figures = [
            Figure(
                name="tables that still spell the erased words",
                part=len(left),
                whole=len(before),
                most=0.0,
                is_wrong=True,
            ),
            Figure(
                name="tables in which another person lost theirs",
                part=len(lost),
                whole=len(kept),
                most=0.0,
                is_wrong=True,
            ),
            Figure(
                name="erasures completed",
                part=int(ended is not None and ended.state == "completed"),
                whole=1,
                least=1.0,
            ),
        ]
        spelling = await _files_left(owner, gone.canary) if bench.is_own else []
    return Findings(
        figures=figures,
        faults=[f"{place} still spells what was erased" for place in (*left, *spelling)],
        notes=() if bench.is_own else ("The files of a server that is not ours are not searched.",),
    )


async def _files_left(owner: str, canary: str) -> list[str]:
    """What the server's files that still have the word hold."""
    with psycopg.connect(owner, autocommit=True) as connection:
        connection.execute("checkpoint")
        row = connection.execute("show data_directory").fetchone()
    assert row is not None
    return sorted(hits(Path(str(row[0])), await names_of_files(owner), canary.encode()))
