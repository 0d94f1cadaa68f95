"""What the stages of a turn compute and wait for on each rung of the ladder, measured one turn at a time.

``python -m evals.stage_times --json evals/data/stage_times.json``

The default encoder computes every question's vector; a model that answers at once rewrites it twice. Computing is
the process's own; a wait is the shortest of the rest, which other work on the machine only lengthens.
"""

import argparse
import asyncio
import copy
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

from langchain_core.runnables import Runnable, RunnableConfig
from rich.progress import Progress

from apps.calibration.measurement import a_database
from apps.threads.checkpointer import Saver
from brain.embeddings.factory import build_embedder
from brain.models.roles import Models
from brain.resources import Resources
from brain.settings import Settings
from brain.stage_budgets import LADDER, StageBudgets, StageController
from evals.contenders import MODEL, KnownVectors, brain_database, queries, resources
from evals.evaluation.scratch import a_server
from evals.filling import Person, fill, population
from evals.turns import REPLY, InstantModel, Turn, brain_turns
from graphs.brain import builder
from memory.embedding import Embedder, Vector
from memory.postgres.pools import checkpoint_pool

SEGMENTS = ("open", "retrieval", "context", "rest")
"""A turn in a row: its opening, all that runs beside retrieval, up to the model, and what comes after it."""
LAST_STEPS = {"open_session": "open", "check_guard": "context"}
MEMORIES, OTHERS, DIMENSIONS, WARM = 1_000, 2_000, 512, 3
_NEVER = 1e9


@dataclass(frozen=True)
class SegmentTimes:
    """Milliseconds: of computing, turn by turn, and the wait that is always there."""

    computing: list[float]
    wait: float


@dataclass
class Marks:
    """When segments of the turn at hand ended, by the clock and by the process's own computing."""

    at: dict[str, tuple[float, float]] = field(default_factory=dict[str, tuple[float, float]])

    def set(self, segment: str) -> None:
        self.at[segment] = perf_counter(), process_time()


@dataclass(frozen=True)
class MarkedNode(Runnable[Any, Any]):
    """A node whose beginning or end ends a segment."""

    node: Runnable[Any, Any]
    marks: Marks
    begins_after: str = ""
    ends: str = ""

    def invoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """The turn is asynchronous; a node never runs this way."""
        raise NotImplementedError

    async def ainvoke(self, input: Any, config: RunnableConfig | None = None, **kwargs: Any) -> Any:
        """The node's own answer."""
        if self.begins_after:
            self.marks.set(self.begins_after)
        answer = await self.node.ainvoke(input, config, **kwargs)
        if self.ends:
            self.marks.set(self.ends)
        return answer


@dataclass(frozen=True)
class ComputedVectors:
    """Known vectors, at the price of computing them."""

    known: KnownVectors
    embedder: Embedder
    name: str = MODEL

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Of each text, in order."""
        await self.embedder.embed(list(texts))
        return await self.known.embed(list(texts))


async def measure(turns: int, url: str | None) -> list[dict[str, SegmentTimes]]:
    """The times of each rung, the lowest first."""
    person = Person("asked", "somebody", MEMORIES)
    people = population([person], OTHERS, DIMENSIONS)
    asked = queries(people, 400)
    known = KnownVectors({REPLY: asked[0].vector or (), **{each.text: each.vector or () for each in asked}})
    encoder = build_embedder(Settings(_env_file=None, embeddings="encoder"))  # pyright: ignore[reportCallIssue]
    assert encoder is not None
    models = Models(chat=InstantModel(), fast=InstantModel(rewrites=tuple(each.text for each in asked[1:3])))
    with a_server(url) as server, Progress(transient=True) as progress:
        async with a_database(server) as where:
            await asyncio.to_thread(fill, where.owner, people, progress)
            async with checkpoint_pool(where.app) as pool, brain_database(where) as database:
                marks = Marks()
                graph: Any = _marked(marks).compile(checkpointer=Saver(pool))
                held = resources(database, ComputedVectors(known, encoder), models)
                takes = [brain_turns(graph, _on_rung(held, level), "exit", person) for level in range(len(LADDER) + 1)]
                return await _time(takes, marks, [each.text for each in asked], turns)


def _on_rung(held: Resources, level: int) -> Resources:
    return replace(held, stages=StageController(StageBudgets(window=_NEVER), level=level))


def _marked(marks: Marks) -> Any:
    graph = copy.copy(builder)
    nodes: dict[str, Any] = {name: spec.runnable for name, spec in graph.nodes.items()}
    ends = {name: MarkedNode(nodes[name], marks, ends=its) for name, its in LAST_STEPS.items()}
    ends["rerank"] = MarkedNode(nodes["rerank"], marks, begins_after="retrieval")
    graph.nodes = {
        name: replace(spec, runnable=ends[name]) if name in ends else spec for name, spec in graph.nodes.items()
    }
    return graph


async def _time(takes: Sequence[Turn], marks: Marks, texts: Sequence[str], turns: int) -> list[dict[str, SegmentTimes]]:
    """The rungs take turns, so that what else the machine does falls on all of them alike; each asks something new."""
    rungs = [{each: (list[float](), list[float]()) for each in SEGMENTS} for _ in takes]
    for number in range(turns + WARM):
        for rung, (take, spent) in enumerate(zip(takes, rungs, strict=True)):
            marks.set("begin")
            await take(number, texts[(number * len(takes) + rung) % len(texts)])
            marks.set("rest")
            before = marks.at["begin"]
            for segment in SEGMENTS if number >= WARM else ():
                wall, computed = (later - earlier for earlier, later in zip(before, marks.at[segment], strict=True))
                spent[segment][0].append(round(computed * 1000, 3))
                spent[segment][1].append(max(0.0, wall - computed) * 1000)
                before = marks.at[segment]
    return [
        {each: SegmentTimes(computing, round(min(waits), 3)) for each, (computing, waits) in rung.items()}
        for rung in rungs
    ]


def read_times(path: Path) -> list[dict[str, SegmentTimes]]:
    """What was measured, from its file."""
    told: list[Mapping[str, Any]] = json.loads(path.read_text("utf-8"))
    return [{name: SegmentTimes(**its) for name, its in level.items()} for level in told]


def main() -> None:
    """Measure and write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.stage_times", description=__doc__)
    parser.add_argument("--turns", type=int, default=60, help="of each rung")
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    parser.add_argument("--json", type=Path, required=True)
    told = parser.parse_args()
    levels = asyncio.run(measure(told.turns, told.url))
    plain = [{name: vars(its) for name, its in level.items()} for level in levels]
    told.json.write_text(json.dumps(plain) + "\n")


if __name__ == "__main__":
    main()
