"""Is what a person asks of memory done, and is nothing done that nobody asked for? Requests through the real graph.

    python -m evals.requests --data FILE [--database] [--embeddings none] [--show]

A case is one line of JSON: ``language``, ``memory`` (what the person said earlier, one turn each), ``request``,
``kind`` (forget, correct, remember, dont_note, none), ``target`` (places in ``memory`` that the request means) and
``new`` (what a correction states). No model is asked.

The ``memory`` is said in one session, memories grow from it, and the request follows in the same session. Judged is
what is there afterwards. A turn is *gone* when no living memory rests on it, recall does not find it and the session's
window does not show it; it is *over* when it is gone, or what rests on it was put right or ended. A case is carried out
when all that should go is gone (or over, with ``new`` in a living memory) and nothing else has changed; what was asked
back counts apart, and as not carried out. It is done wrongly when a turn went, or was put right, that nobody meant, or
when a turn that asks nothing is not remembered like any other; one that is only answered as a request is missed.

What stands in ``evals/data/near_misses`` as ``none`` may be a request whose frame fits a memory and whose value does
not, or a question that only reads: nothing may have gone or been put right by it, nor *ended* by what was concluded
behind the turn. Saying that nothing like that is remembered is right there, asking back counts apart.
"""

import argparse
import asyncio
import json
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Literal, cast, get_args
from uuid import UUID, uuid4

from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel, TypeAdapter

from brain.context import Context
from brain.embeddings.backfill import embed_pending
from brain.identity import Identity
from brain.models.roles import Models
from brain.resources import Resources
from brain.settings import Settings
from evals.evaluation.scratch import scratch_resources
from graphs.brain import builder
from graphs.evolution import evolve
from language.encoder import sentence_encoder
from language.tables import languages, text
from language.terms import terms_of
from memory.memory_item import MemoryItem
from memory.provenance import events_of
from memory.scope import Speaker, scope_of
from memory.turns import Event
from nodes.open_session import session_of

Kind = Literal["forget", "correct", "remember", "dont_note", "none"]
Verdict = Literal["wrong", "ended", "done", "asked", "missed"]
SESSION = "talk"
TENANT = "requests"
NEAR_MISSES = "near_misses"
VERDICTS: tuple[Verdict, ...] = get_args(Verdict)
"""Wrong acts first."""
_NOTHING_TO_FORGET = {text("changes.forget.unknown", each) for each in languages()}
_BEGINNING = datetime(2026, 3, 2, 9, tzinfo=UTC)


class Case(BaseModel):
    """One request with what was said before it."""

    language: Literal["en", "zh"]
    memory: list[str]
    request: str
    kind: Kind
    target: list[int] = []
    new: str | None = None
    is_near_miss: bool = False


@dataclass(frozen=True)
class Standing:
    """What memory holds of one person's turns: which are found, shown and rested on, and which are put right."""

    turns: Sequence[Event]
    living: Sequence[MemoryItem]
    found: frozenset[UUID]
    shown: frozenset[UUID]
    ended: frozenset[str]
    put_right: frozenset[str]

    def is_gone(self, place: int) -> bool:
        """Nothing of the turn is left where anybody could read it."""
        event = self.turns[place]
        rests = any(str(event.event_id) in events_of(each) for each in self.living)
        return not rests and event.event_id not in self.found | self.shown

    def is_over(self, place: int) -> bool:
        """Something that rests on the turn was put right or ended."""
        return self.is_gone(place) or str(self.turns[place].event_id) in self.ended | self.put_right

    def is_put_right(self, place: int) -> bool:
        """The person corrected what the turn says."""
        return str(self.turns[place].event_id) in self.put_right


@dataclass(frozen=True)
class Judged:
    """A case, what became of it, and the reply."""

    case: Case
    verdict: Verdict
    reply: str


@dataclass
class Clock:
    """Moves on by a minute whenever somebody looks."""

    at: datetime = _BEGINNING

    def __call__(self) -> datetime:
        self.at += timedelta(minutes=1)
        return self.at


async def judge(resources: Resources, case: Case) -> Judged:
    """Live through one case as a person of its own."""
    resources = replace(resources, clock=Clock())
    user = str(uuid4())
    owner = Identity(scope=scope_of(Speaker(tenant=TENANT, user=user)), tenant=TENANT, user=user)
    context = Context(resources=resources, tenant=TENANT, user=user, session=SESSION)
    graph: Any = builder.compile(checkpointer=InMemorySaver())  # pyright: ignore[reportUnknownMemberType]
    for said in case.memory:
        await _say(graph, context, said)
    session_id = session_of(owner, SESSION)
    await evolve(resources, owner.scope, session_id)
    await embed_pending(resources, owner.scope)
    before = await _read_standing(resources, owner, len(case.memory))
    told = await _say(graph, context, case.request)
    await evolve(resources, owner.scope, session_id)
    after = await _read_standing(resources, owner, len(case.memory) + 1)
    reply: str = told["messages"][-1].text
    return Judged(case, _verdict(case, before, after, reply), reply)


async def _say(graph: Any, context: Context, text: str) -> dict[str, Any]:
    config = {"configurable": {"thread_id": context.user}}
    return cast("dict[str, Any]", await graph.ainvoke({"messages": [HumanMessage(text)]}, config, context=context))


async def _read_standing(resources: Resources, owner: Identity, count: int) -> Standing:
    memory, session_id = resources.memory, session_of(owner, SESSION)
    opened = await memory.log.open(owner.scope, session_id, 200)
    items = await memory.items.list_newest(owner.scope, include_inactive=True, limit=500)
    turns = await _turns(resources, owner)
    rows = await memory.index.rows_without_staged_vector(owner.scope, "none staged", 1_000)
    gone = [each for each in items if each.status != "active"]
    overruled = [cast("list[str]", each.provenance.get("overruled", [])) for each in items]
    return Standing(
        turns=turns[:count],
        living=[each for each in items if each.status == "active"],
        found=frozenset(each.source_id for each in rows if each.lane == "turn"),
        shown=frozenset(each.event_id for each in opened.window),
        ended=frozenset(event for each in gone for event in events_of(each)),
        put_right=frozenset(event for events in overruled for event in events),
    )


async def _turns(resources: Resources, owner: Identity) -> list[Event]:
    """The person's own turns in order, also those that no reading shows any more."""
    tail = await resources.memory.sessions.tail(owner.scope, session_of(owner, SESSION), 500)
    return [each for each in tail.events if each.role == "user"] if tail else []


def _verdict(case: Case, before: Standing, after: Standing, reply: str) -> Verdict:
    targets = set(case.target) if case.kind in ("forget", "correct") else set[int]()
    others = [place for place in range(len(case.memory)) if place not in targets]
    lost = [place for place in others if after.is_gone(place) and not before.is_gone(place)]
    harmed = [place for place in others if after.is_put_right(place) and not before.is_put_right(place)]
    asked = "\n1. " in reply
    if case.kind == "none" and case.is_near_miss:
        ended = [place for place in others if after.is_over(place) and not before.is_over(place)]
        return "wrong" if lost or harmed else "ended" if ended else "asked" if asked else "done"
    if lost or harmed:
        return "wrong"
    if _is_carried_out(case, after):
        talked_past = case.kind == "none" and (asked or reply in _NOTHING_TO_FORGET)
        return "done" if not talked_past else "asked" if asked else "missed"
    if case.kind == "none":
        return "wrong"
    return "asked" if asked else "missed"


def _is_carried_out(case: Case, after: Standing) -> bool:
    last = len(case.memory)
    match case.kind:
        case "forget":
            return all(after.is_gone(place) for place in case.target)
        case "correct":
            return all(after.is_over(place) for place in case.target) and _holds(after.living, case.new or "")
        case "remember":
            turn = str(after.turns[last].event_id)
            return any(turn in events_of(each) for each in after.living)
        case "dont_note":
            turn = after.turns[last].event_id
            return turn not in after.found and not any(str(turn) in events_of(each) for each in after.living)
        case "none":
            return after.turns[last].event_id in after.found


def _holds(items: Sequence[MemoryItem], new: str) -> bool:
    """Whether a living memory says the new value: half of its terms at least."""
    asked = terms_of(new)
    return any(2 * len(asked & terms_of(each.content, alone=True)) >= len(asked) for each in items) if asked else True


async def measure(cases: Sequence[Case], embeddings: str) -> list[Judged]:
    """All cases, one after the other."""
    settings = Settings(_env_file=None, embeddings=embeddings)  # type: ignore[call-arg]
    if embeddings == "encoder":
        sentence_encoder().load()
    async with scratch_resources(settings) as resources:
        return [await judge(replace(resources, models=Models()), each) for each in cases]


def read(path: Path) -> list[Case]:
    """The cases of a file; near misses are told by their folder."""
    lines = [line for line in path.read_text("utf-8").splitlines() if line.strip()]
    cases = [TypeAdapter(Case).validate_json(line) for line in lines]
    return [case.model_copy(update={"is_near_miss": path.parent.name == NEAR_MISSES}) for case in cases]


def table(judged: Sequence[Judged]) -> Iterator[str]:
    """Sums by kind and language, wrong acts first."""
    yield f"{'':16}{'cases':>7}" + "".join(f"{verdict:>7}" for verdict in VERDICTS)
    groups: dict[str, list[Judged]] = {}
    for each in judged:
        asks = "requests" if each.case.kind != "none" else "near misses" if each.case.is_near_miss else "look-alikes"
        for name in (each.case.kind, f"{asks} {each.case.language}", asks):
            groups.setdefault(name, []).append(each)
    for name, found in sorted(groups.items()):
        seen = Counter(each.verdict for each in found)
        figures = "".join(f"{seen[verdict]:>7}" for verdict in VERDICTS)
        yield f"{name:16}{len(found):>7}{figures}   {seen['done'] / len(found):6.1%}"


def main() -> None:
    """Measure a file, and print the sums."""
    parser = argparse.ArgumentParser(
        prog="python -m evals.requests", description=__doc__.splitlines()[0] if __doc__ else ""
    )
    parser.add_argument("--data", type=Path, nargs="+", required=True)
    parser.add_argument("--embeddings", choices=("encoder", "none"), default="encoder")
    parser.add_argument("--show", action="store_true", help="every case that was not done")
    options = parser.parse_args()
    cases = [case for path in options.data for case in read(path)]
    judged = asyncio.run(measure(cases, options.embeddings))
    for each in judged if options.show else ():
        if each.verdict != "done":
            print(
                json.dumps(
                    {"verdict": each.verdict, **each.case.model_dump(exclude={"is_near_miss"}), "reply": each.reply},
                    ensure_ascii=False,
                )
            )
    print("\n".join(table(judged)))


if __name__ == "__main__":
    main()
