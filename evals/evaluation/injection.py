"""What Brain puts before the model for labelled messages, held against what should and what should not stand there.

The memories of a world are rows of recall as the person's own statements. Each message goes through the turn's own
steps: recall over those rows, ``rerank``, ``sanitize``, ``assemble`` with its budget. No database, no reply.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, time
from itertools import product
from typing import Protocol
from uuid import UUID

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from apps.calibration.dataset import LabelledQuestion
from brain.context import Context
from brain.intent_rules import classify
from brain.prompting.memory_choice import is_shown
from brain.resources import Resources
from brain.state import OpenTurn, TurnInfo
from evals.evaluation.injection_data import Kind, Message, World
from evals.offline_recall import Remembered, embedded_texts, give_vectors
from evals.plain_bm25 import PlainBM25
from evals.retrieval_cases import remember_statements
from memory.embedding import as_question
from memory.recall.query import RecallPass
from memory.session_state import SessionState
from nodes.assemble import assemble
from nodes.rerank import rerank
from nodes.sanitize import sanitize

PLAIN = 3
"""Memories that plain BM25 injects."""
_PLACE = TurnInfo(
    operation_id=str(UUID(int=1)),
    session_id=str(UUID(int=2)),
    text="",
    at="",
    time_zone="UTC",
    turns_before=0,
    own=[],
)
ALL = "all"


@dataclass(frozen=True)
class Injected:
    """One memory that stands before the model; it is marked where the prompt says that it is over or overtaken."""

    name: str
    is_marked: bool = False


@dataclass(frozen=True)
class Tally:
    """Counts of one group of messages, wrong ones first.

    ``wrong`` of the injected memories must not be there, ``unmarked`` of them without a mark that they are over;
    ``wrong_messages`` have one at least. ``found`` of the ``needed`` are there; ``right`` messages have all that they
    need and nothing that they must not have. ``injected`` counts every memory, those without a label too.
    """

    messages: int = 0
    wrong: int = 0
    unmarked: int = 0
    wrong_messages: int = 0
    found: int = 0
    needed: int = 0
    right: int = 0
    injected: int = 0

    @property
    def precision(self) -> float | None:
        """Of the injected memories with a label, the share that is needed; None where there is none."""
        return self.found / self.labelled if self.labelled else None

    @property
    def labelled(self) -> int:
        """Injected memories with a label."""
        return self.found + self.wrong

    @property
    def recall(self) -> float | None:
        """Of the needed memories the share that is injected; None where none is needed."""
        return self.found / self.needed if self.needed else None

    def __add__(self, other: "Tally") -> "Tally":
        return Tally(*(mine + theirs for mine, theirs in zip(_values(self), _values(other), strict=True)))


def _values(tally: Tally) -> list[int]:
    return [int(value) for value in vars(tally).values()]


def judge(message: Message, injected: Sequence[Injected]) -> Tally:
    """One message."""
    names = {each.name for each in injected}
    wrong = [each for each in injected if each.name in message.must_not]
    found = len(names & set(message.must))
    return Tally(
        messages=1,
        wrong=len(wrong),
        unmarked=sum(not each.is_marked for each in wrong),
        wrong_messages=bool(wrong),
        found=found,
        needed=len(message.must),
        right=not wrong and found == len(message.must),
        injected=len(injected),
    )


@dataclass(frozen=True)
class Lived:
    """A world as rows, its messages as questions, each with what recall finds."""

    world: World
    memory: Remembered
    passes: Mapping[str, RecallPass]


async def remember_world(resources: Resources, world: World) -> Lived:
    """The rows with the vectors of the configured model, where there is one, and every message's pass over them."""
    by_day = sorted(world.memories, key=lambda each: each.at)
    questions = tuple(_question(world, each) for each in world.messages)
    memory = remember_statements((world.world, world.language), [each.as_case_memory() for each in by_day], questions)
    queries = [memory.query(each) for each in questions]
    embedder = resources.embedder
    if embedder is not None:
        made = await embedder.embed(embedded_texts(memory.rows, embedder.name))
        memory = replace(memory, rows=give_vectors(memory.rows, made, embedder.name))
        asked = await embedder.embed([as_question(embedder.name, each.text) for each in queries])
        queries = [
            replace(query, embedding=vector, embedding_model=embedder.name)
            for query, vector in zip(queries, asked, strict=True)
        ]
    found = [memory.corpus.candidates(query) for query in queries]
    return Lived(world, memory, {each.id: one for each, one in zip(world.messages, found, strict=True)})


def _question(world: World, message: Message) -> LabelledQuestion:
    return LabelledQuestion.model_validate(
        {
            "question_id": message.id,
            "question": message.text,
            "category": message.kind,
            "evidence": message.must,
            "asked_at": f"{world.asked_at}T12:00",
        }
    )


class Injector(Protocol):
    """A way to choose what stands before the model."""

    async def __call__(self, lived: Lived, message: Message) -> Sequence[Injected]:
        """The memories, in the order of the prompt."""
        ...


async def inject_nothing(lived: Lived, message: Message) -> Sequence[Injected]:
    """No memory at all."""
    del lived, message
    return ()


async def inject_plain_bm25(lived: Lived, message: Message) -> Sequence[Injected]:
    """The first of plain BM25 over the same rows."""
    ranked = PlainBM25(lived.memory.rows).rank(message.text)
    return [Injected(lived.memory.turn_of[row.source_id]) for row in ranked[:PLAIN]]


@dataclass(frozen=True)
class BrainInjector:
    """The turn's own steps, as ``context`` configures them."""

    context: Context

    async def __call__(self, lived: Lived, message: Message) -> Sequence[Injected]:
        """What of the assembled prompt is a memory."""
        state, runtime = _open_turn(lived, message), Runtime(context=self.context)
        for step in (rerank, sanitize, assemble):
            update = await step(state, runtime)
            state = replace(state, **update)
        return [
            Injected(lived.memory.turn_of[UUID(each["memory_id"])], bool(each.get("status")))
            for each in state.memories
            if is_shown(each)
        ]


def _open_turn(lived: Lived, message: Message) -> OpenTurn:
    at = datetime.combine(lived.world.asked_at, time(12), UTC).isoformat()
    return OpenTurn(
        messages=[HumanMessage(message.text)],
        turn={**_PLACE, "text": message.text, "at": at},
        intent=classify(message.text).model_dump(),
        passes=[lived.passes[message.id]],
        opened=SessionState(),
    )


BRAIN, NOTHING, BM25 = "brain", "nothing", f"BM25, first {PLAIN}"
WAYS: Mapping[str, Callable[[Context], Injector]] = {
    BRAIN: BrainInjector,
    NOTHING: lambda _: inject_nothing,
    BM25: lambda _: inject_plain_bm25,
}
"""Brain, and what it is compared with."""


@dataclass(frozen=True)
class WorldTallies:
    """What one world came to: tallies by kind of message."""

    world: World
    kinds: Mapping[Kind, Tally]


async def measure_injection(
    context: Context,
    worlds: Sequence[World],
    ways: Sequence[str] = tuple(WAYS),
    advance: Callable[[], None] = lambda: None,
) -> dict[str, list[WorldTallies]]:
    """Every world under every way; ``advance`` is told after each world."""
    injectors = {name: WAYS[name](context) for name in ways}
    measured = {name: list[WorldTallies]() for name in ways}
    for world in worlds:
        lived = await remember_world(context.resources, world)
        for name, inject in injectors.items():
            measured[name].append(await _measure_world(lived, inject))
        advance()
    return measured


async def _measure_world(lived: Lived, inject: Injector) -> WorldTallies:
    kinds = defaultdict[Kind, Tally](Tally)
    for message in lived.world.messages:
        kinds[message.kind] += judge(message, await inject(lived, message))
    return WorldTallies(lived.world, dict(kinds))


def sum_groups(measured: Iterable[WorldTallies]) -> dict[str, Tally]:
    """Sums by ``split language kind``, each of the three also over ``all``."""
    groups = defaultdict[str, Tally](Tally)
    for each in measured:
        for kind, tally in each.kinds.items():
            for names in product((each.world.split, ALL), (each.world.language, ALL), (kind, ALL)):
                groups[" ".join(names)] += tally
    return dict(sorted(groups.items()))
