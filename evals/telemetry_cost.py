"""What does telemetry cost a turn? Switched off, on with a collector that answers, and on with one that hangs.

``python -m evals.telemetry_cost --memories 1000 --turns 40 --json out.json``

All four take the same turns side by side around a model that answers at once: ``bare`` has no observing step in its
graph at all. Time until the reply, and processor time of the process meanwhile. The sending thread works for many turns
at once, so medians do not show it: its processor time is told apart, per turn.
"""

import argparse
import asyncio
import copy
import json
import os
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import chain
from pathlib import Path
from time import process_time, thread_time
from typing import Any

from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from apps.calibration.measurement import a_database
from apps.threads.checkpointer import Saver
from brain.models.roles import Models
from brain.telemetry.otlp import OtlpExporter, connect_exporter
from brain.telemetry.spans import SpanRecord
from brain.telemetry.telemetry import Telemetry
from evals.contenders import KnownVectors, Query, brain_database, queries, resources
from evals.evaluation.metrics import percentile
from evals.evaluation.scratch import a_server
from evals.filling import Person, fill, population
from evals.measure import Call, Rounds, Timing, measure_interleaved, timing
from evals.turns import REPLY, InstantModel, Turn, brain_turns
from graphs.brain import builder
from memory.postgres.pools import PoolLimits, checkpoint_pool
from memory.postgres.roles import Addresses

BARE, OFF, ON, HANGING = "bare", "off", "on", "on, the collector hangs"
ASKED, DIMENSIONS, OTHERS, ROOM = 200, 384, 2_000, 4_096
PATIENCE_SECONDS = 3_600.0


@dataclass(frozen=True, kw_only=True)
class Cost:
    """Milliseconds of a turn, and the median of its ratio to the bare one that was asked the same beside it."""

    until_reply: Timing
    ratio: float
    computing: Timing
    computing_ratio: float


@contextmanager
def a_collector(*, hangs: bool) -> Generator[str]:
    """The address of a server that takes whatever comes, or never answers."""
    released = threading.Event()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            self.rfile.read(int(self.headers["Content-Length"]))
            if hangs:
                released.wait(PATIENCE_SECONDS)
            self.send_response(200)
            self.send_header("Content-Length", "0")
            self.end_headers()

        def log_message(self, format: str, *args: Any) -> None:
            """Nothing is printed."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        released.set()
        server.shutdown()


def without_observation() -> Any:
    """Brain's graph with the steps themselves in place of the observed ones."""
    plain = copy.copy(builder)
    plain.nodes = {name: replace(spec, runnable=_unwrap(spec.runnable)) for name, spec in builder.nodes.items()}
    return plain


def _unwrap(runnable: Any) -> Any:
    bare = copy.copy(runnable)
    bare.afunc = runnable.afunc.__wrapped__
    return bare


@dataclass
class SendingClock:
    """Processor seconds of sending threads, and the turns that they sent."""

    seconds: float = 0.0
    turns: int = 0

    def watch(self, exporter: OtlpExporter) -> OtlpExporter:
        """The same exporter, clocked."""
        add, send = exporter.add, exporter.send_waiting

        def count(span: SpanRecord) -> None:
            self.turns += span.parent_id is None
            add(span)

        def clocked() -> None:
            begun = thread_time()
            send()
            self.seconds += thread_time() - begun

        exporter.add, exporter.send_waiting = count, clocked
        return exporter

    @property
    def milliseconds(self) -> float:
        """Per turn."""
        return self.seconds * 1_000 / max(1, self.turns)


def _telemetry(url: str, clock: SendingClock) -> Telemetry:
    os.environ["OTEL_EXPORTER_OTLP_ENDPOINT"] = url
    return Telemetry(exporter=clock.watch(connect_exporter(ROOM)))


@asynccontextmanager
async def _contenders(
    where: Addresses, texts: list[Query], person: Person, clock: SendingClock
) -> AsyncGenerator[dict[str, Call]]:
    known = {query.text: query.vector or () for query in texts}
    embedder, models = KnownVectors({**known, REPLY: texts[0].vector or ()}), Models(chat=InstantModel())
    with a_collector(hangs=False) as answers, a_collector(hangs=True) as hangs:
        telemetry = {BARE: None, OFF: None, ON: _telemetry(answers, clock), HANGING: _telemetry(hangs, SendingClock())}
        async with brain_database(where) as database, checkpoint_pool(where.app, PoolLimits(connections=8)) as pool:
            saver = Saver(pool)
            observed: Any = builder.compile(checkpointer=saver)  # pyright: ignore[reportUnknownMemberType] - open there
            bare: Any = without_observation().compile(checkpointer=saver)
            plain = resources(database, embedder, models)
            turns = {
                name: brain_turns(bare if name == BARE else observed, replace(plain, telemetry=each), "exit", person)
                for name, each in telemetry.items()
            }
            yield {name: partial(_say, turn, texts) for name, turn in turns.items()}
            for each in telemetry.values():
                if each is not None:
                    await each.aclose()


async def _say(turn: Turn, texts: list[Query], number: int) -> object:
    return await turn(number, texts[number % len(texts)].text)


async def measure(memories: int, rounds: Rounds, url: str | None) -> tuple[dict[str, Cost], SendingClock]:
    """Every contender on one database, and what sending took beside them."""
    clock = SendingClock()
    person = Person("asked", "somebody", memories)
    people = population([person], OTHERS, DIMENSIONS)
    texts = queries(people, ASKED)
    with a_server(url) as server, Progress(console=Console(stderr=True), transient=True) as progress:
        async with a_database(server) as where:
            await asyncio.to_thread(fill, where.owner, people, progress)
            async with _contenders(where, texts, person, clock) as calls:
                seconds = await measure_interleaved(calls, rounds)
                computing = await measure_interleaved(calls, rounds, process_time)
    found = {
        name: Cost(
            until_reply=timing(seconds[name]),
            ratio=_ratio(seconds[name], seconds[BARE]),
            computing=timing(computing[name]),
            computing_ratio=_ratio(computing[name], computing[BARE]),
        )
        for name in seconds
    }
    return found, clock


def _ratio(own: list[list[float]], bare: list[list[float]]) -> float:
    """The median over pairs of turns that were asked the same one after the other."""
    pairs = zip(chain.from_iterable(own), chain.from_iterable(bare), strict=True)
    return percentile([mine / theirs for mine, theirs in pairs], 0.5)


def main() -> None:
    """Measure, print a table, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.telemetry_cost", description=__doc__)
    parser.add_argument("--memories", type=int, default=1_000)
    parser.add_argument("--turns", type=int, default=40, help="per repetition")
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    parser.add_argument("--json", type=Path)
    told = parser.parse_args()
    rounds = Rounds(calls=told.turns, repetitions=told.repetitions)
    found, clock = asyncio.run(measure(told.memories, rounds, told.url))
    table = Table("telemetry", "ms, p50 / p95", "times bare", "ms of processor", "times bare")
    for name, cost in found.items():
        table.add_row(
            name, str(cost.until_reply), f"{cost.ratio:.3f}", str(cost.computing), f"{cost.computing_ratio:.3f}"
        )
    Console(width=110).print(table)
    Console().print(f"The sending thread takes {clock.milliseconds:.2f} ms of processor per turn.")
    if told.json:
        told.json.write_text(
            json.dumps({name: asdict(cost) for name, cost in found.items()} | {"sending": clock.milliseconds}, indent=2)
        )


if __name__ == "__main__":
    main()
