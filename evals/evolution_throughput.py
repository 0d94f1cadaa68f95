"""How fast do conversations become memories, and what does a turn pay for it?

``python -m evals.evolution_throughput --people 1 4 16 --sessions 12 --turns 8 --json out.json``

The worker is the one that ``brain worker`` runs, on a database of its own, once by rules and once with a model that
answers at once. Captures of turns are timed side by side in three databases: one whose turns enqueue nothing, one with
an idle queue, one with ``--waiting`` jobs.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from random import Random
from time import perf_counter
from uuid import uuid4

from psycopg import AsyncConnection
from rich.console import Console
from rich.progress import Progress

from apps.calibration.measurement import a_database
from apps.jobs.worker import run_worker
from brain.models.roles import Models
from brain.recall import RecallRequest, RecallResult, recall
from brain.resources import Resources, utc_now
from brain.settings import Settings
from evals.contenders import brain_database, resources
from evals.evaluation.scratch import a_server, as_url
from evals.evolution_tables import WIDTH, Figures, Pace, tables
from evals.measure import Call, Rounds, Timing, measure_interleaved, timing
from evals.stated_talk import InstantNotes, a_session, a_turn, correction, statement, turns
from evals.turn_captures import NOBODY_ENQUEUES, Captures, enqueue_nothing, fill_queue
from memory.postgres.roles import Addresses
from memory.recall.query import Filters
from memory.scope import Scope
from memory.turns import Capture

LOOK = 0.01
"""Seconds between two looks at what the worker has done."""
PATIENCE = 600.0
ANALYSES: Mapping[str, Models] = {"rules": Models(), "instant model": Models(chat=InstantNotes(), fast=InstantNotes())}
URGENT, NORMAL = "a correction", "any turn"
THINKS = 4.0
"""Seconds that a slow model takes for a batch of turns."""
BEHIND = f"a correction while a model reads the turn before for {THINKS:.0f} s"


@dataclass(frozen=True, kw_only=True)
class Options:
    """What to measure: ``people`` at once with so many ``sessions`` of so many ``turns`` each."""

    people: tuple[int, ...]
    sessions: int
    turns: int
    asked: int
    waiting: int
    rounds: Rounds


async def measure(options: Options, url: str | None, progress: Progress) -> Figures:
    """All of it on one server, one thing after another."""
    with a_server(url) as server:
        paces = [
            await _pace(server, analysis, people, options)
            for people in progress.track(options.people, description="working queues off")
            for analysis in ANALYSES
        ]
        findable: dict[str, Timing] = {}
        for analysis in progress.track(ANALYSES, description="until it can be found"):
            findable |= await _findable(server, analysis, options.asked)
        findable[BEHIND] = await _findable_behind(server, min(options.asked, 10))
        return Figures(paces=paces, findable=findable, captures=await _captures(server, options, progress))


async def _pace(server: str, analysis: str, people: int, options: Options) -> Pace:
    """Everything waits before the worker comes."""
    async with a_database(server) as where, brain_database(where) as database:
        brain = resources(database, None, ANALYSES[analysis])
        for number in range(people):
            scope = Scope(tenant_id=uuid4(), user_id=uuid4())
            for capture in _conversations(options, seed=number):
                await brain.memory.log.capture(scope, capture)
        operations = people * options.sessions * options.turns
        async with await AsyncConnection.connect(where.owner, autocommit=True) as owner:
            async with _a_worker(where, brain):
                await _until(owner, "select 1 from queue.procrastinate_jobs where status = 'doing'")
                begun = perf_counter()
                await _until(owner, _ALL_LOOKED_AT)
                seconds = perf_counter() - begun
            memories = await _count(owner, "select count(*) from brain.memory_items")
    return Pace(
        analysis=analysis,
        people=people,
        jobs=people * options.sessions,
        operations=operations,
        memories=memories,
        seconds=seconds,
    )


_ALL_LOOKED_AT = """
select 1 where not exists (select from brain.operations where status = 'queued')
           and not exists (select from queue.procrastinate_jobs where task_name = 'evolve')"""


async def _findable(server: str, analysis: str, asked: int) -> dict[str, Timing]:
    """One person talks to an idle worker and waits each time until recall brings what was said."""
    seconds: dict[str, list[float]] = {NORMAL: [], URGENT: []}
    async with a_database(server) as where, brain_database(where) as database:
        brain = resources(database, None, ANALYSES[analysis])
        scope, chance = Scope(tenant_id=uuid4(), user_id=uuid4()), Random(1)
        session = a_session("one")
        async with _a_worker(where, brain), await AsyncConnection.connect(where.owner, autocommit=True) as owner:
            await _seconds_until_recalled(brain, scope, a_turn(statement(chance), session))
            for _ in range(asked):
                for kind, times in seconds.items():
                    urgent = kind == URGENT
                    pause = 0.0 if urgent else brain.settings.evolution_pause
                    text = correction(chance) if urgent else statement(chance)
                    capture = replace(a_turn(text, session), urgent=urgent, pause=pause)
                    await _until(owner, _ALL_LOOKED_AT)
                    times.append(await _seconds_until_recalled(brain, scope, capture))
    return {f"{analysis}, {kind}": timing([times]) for kind, times in seconds.items()}


async def _findable_behind(server: str, asked: int) -> Timing:
    """One person, whose turn before is being read by a slow model each time that a correction comes."""
    seconds: list[float] = []
    async with a_database(server) as where, brain_database(where) as database:
        brain = resources(database, None, Models(chat=InstantNotes(THINKS), fast=InstantNotes(THINKS)))
        scope, chance, session = Scope(tenant_id=uuid4(), user_id=uuid4()), Random(1), a_session("one")
        async with _a_worker(where, brain), await AsyncConnection.connect(where.owner, autocommit=True) as owner:
            for _ in range(asked):
                await brain.memory.log.capture(scope, a_turn(statement(chance), session))
                await _until(owner, _BEING_READ)
                capture = replace(a_turn(correction(chance), session), urgent=True)
                seconds.append(await _seconds_until_recalled(brain, scope, capture))
                await _until(owner, _ALL_LOOKED_AT)
    return timing([seconds])


_BEING_READ = "select 1 from queue.procrastinate_jobs where task_name = 'evolve' and status = 'doing'"


async def _seconds_until_recalled(brain: Resources, scope: Scope, capture: Capture) -> float:
    """Seconds from the turn until a question about it is answered by a fact."""
    thing = capture.utterances[0].text.rstrip(".").rpartition(" ")[2]
    asked = RecallRequest(text=thing, at=utc_now(), filters=Filters(lanes=("fact",)), limit=5)
    begun = perf_counter()
    await brain.memory.log.capture(scope, capture)
    async with asyncio.timeout(PATIENCE):
        while not _tells(await recall(brain, scope, asked), thing):  # noqa: ASYNC110 - a worker learns it, elsewhere
            await asyncio.sleep(LOOK)
    return perf_counter() - begun


def _tells(found: RecallResult, thing: str) -> bool:
    return any(thing in each.candidate.text for each in found.ranked)


async def _captures(server: str, options: Options, progress: Progress) -> dict[str, Timing]:
    """The same turns into three databases, call by call."""
    names = (NOBODY_ENQUEUES, "idle queue", f"{options.waiting:,} jobs wait")
    async with AsyncExitStack() as stack:
        places = [await stack.enter_async_context(a_database(server)) for _ in names]
        enqueue_nothing(places[0].owner)
        await asyncio.to_thread(fill_queue, places[2].owner, options.waiting)
        calls: dict[str, Call] = {}
        for name, where in zip(names, places, strict=True):
            database = await stack.enter_async_context(brain_database(where))
            captures = Captures(resources(database, None))
            calls |= {f"{name}: capture": captures.capture, f"{name}: whole turn": captures.turn}
        task = progress.add_task("turns side by side", total=None)
        seconds = await measure_interleaved(calls, options.rounds)
        progress.remove_task(task)
    return {name: timing(each) for name, each in seconds.items()}


@asynccontextmanager
async def _a_worker(where: Addresses, brain: Resources) -> AsyncGenerator[None]:
    """As ``brain worker`` runs it, with the analysis that is measured."""
    settings = Settings(
        _env_file=None,  # pyright: ignore[reportCallIssue]
        database_url=as_url(where.owner),
        app_database_url=where.app,
        upkeep_hours=0,
    )
    async with brain_database(where) as database:
        leaning = replace(resources(database, None, brain.models), settings=settings)
        worker = asyncio.create_task(run_worker(settings, leaning, signals=False))
        try:
            yield
        finally:
            worker.cancel()
            with suppress(asyncio.CancelledError):
                await worker


def _conversations(options: Options, seed: int) -> Sequence[Capture]:
    said = iter(turns(options.sessions * options.turns, seed))
    sessions = [a_session(str(number)) for number in range(options.sessions)]
    return [a_turn(next(said), session) for session in sessions for _ in range(options.turns)]


async def _until(owner: AsyncConnection, true: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while await (await owner.execute(true.encode())).fetchone() is None:  # noqa: ASYNC110 - nothing tells when
            await asyncio.sleep(LOOK)


async def _count(owner: AsyncConnection, query: str) -> int:
    row = await (await owner.execute(query.encode())).fetchone()
    assert row is not None
    return int(row[0])


def _options() -> tuple[Options, argparse.Namespace]:
    parser = argparse.ArgumentParser(prog="python -m evals.evolution_throughput", description=__doc__)
    parser.add_argument("--people", type=int, nargs="+", default=[1, 4, 16], help="whose sessions wait at once")
    parser.add_argument("--sessions", type=int, default=12, help="of each person")
    parser.add_argument("--turns", type=int, default=8, help="of each session")
    parser.add_argument("--asked", type=int, default=30, help="turns that are waited for until they can be found")
    parser.add_argument("--waiting", type=int, default=10_000, help="jobs in the full queue")
    parser.add_argument("--captures", type=int, default=30, help="turns side by side, per repetition")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    told = parser.parse_args()
    options = Options(
        people=tuple(told.people),
        sessions=told.sessions,
        turns=told.turns,
        asked=told.asked,
        waiting=told.waiting,
        rounds=Rounds(calls=told.captures, repetitions=told.repetitions),
    )
    return options, told


async def _all(options: Options, url: str | None) -> Figures:
    with Progress(console=Console(stderr=True), transient=True) as progress:
        return await measure(options, url, progress)


def main() -> None:
    """Measure, print tables, write JSON."""
    options, told = _options()
    figures = asyncio.run(_all(options, told.url))
    console = Console(width=max(WIDTH, Console().width))
    for table in tables(figures):
        console.print(table)
    if told.json:
        written = {"options": asdict(options), "figures": asdict(figures)}
        told.json.write_text(json.dumps(written, indent=2, default=str))


if __name__ == "__main__":
    main()
