"""Does memory fill up with junk? A month of ordinary chat, with Brain's own memories flowing back through it.

``python -m evals.junk_over_time`` runs people through the whole graph of the turn, around a model that repeats whatever
memories it is given, and through the evolution after every message. Users quote those memories back. What is stored is
held against the few true things that each of them has said.
"""

import argparse
import asyncio
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime, timedelta
from itertools import count
from pathlib import Path
from random import Random
from uuid import UUID
from zoneinfo import ZoneInfo

from langchain_core.messages import HumanMessage
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from brain.context import Context
from brain.identity import Identity
from brain.models.roles import Models
from brain.resources import Resources
from brain.settings import Settings
from evals.evaluation.memory_judge import says
from evals.evaluation.memory_replay import Calendar
from evals.evaluation.scratch import scratch_resources
from evals.ordinary_talk import Chatter, Remark, chatters
from evals.parrot import Parrot
from graphs.brain import graph
from graphs.evolution import evolve
from memory.memory_item import Evidence, MemoryItem
from memory.scope import Speaker, scope_of
from nodes.open_session import session_of

TENANT = "month"
BEGINS = datetime(2026, 3, 2, 8)
"""The first morning, in each person's own zone."""
SHOWN = (1, 2, 3, 5, 7, 10, 15, 20, 25, 30)
"""Days that the table shows, and every thirtieth after them."""
_MOST = 10_000
_PAUSE = timedelta(minutes=47)


@dataclass(frozen=True, kw_only=True)
class Evening:
    """What is stored of one person at the end of a day.

    ``unasked``: no label asks for it. ``repeated``: living, and said by another one too. ``echoes`` count a quotation
    of Brain itself as evidence. ``known`` of the ``truths`` said so far are stored.
    """

    day: int
    messages: int
    stored: int
    living: int
    unasked: int
    living_unasked: int
    repeated: int
    echoes: int
    truths: int
    known: int


@dataclass(frozen=True)
class Month:
    """One person's days, lived through."""

    resources: Resources
    calendar: Calendar
    chatter: Chatter
    parrot: Parrot
    chance: Random
    quotations: set[str] = field(default_factory=set[str])

    async def evenings(self, done: Callable[[], None]) -> list[Evening]:
        """Day by day; ``done`` is told after each."""
        evenings: list[Evening] = []
        messages = 0
        for day, remarks in enumerate(self.chatter.days):
            for number, remark in enumerate(remarks):
                await self._say(day, number, remark)
            messages += len(remarks)
            evenings.append(await self._spend_evening(day + 1, messages))
            done()
        return evenings

    async def _say(self, day: int, number: int, remark: Remark) -> None:
        """One message through the turn, and through the evolution that follows it."""
        morning = BEGINS.replace(tzinfo=ZoneInfo(self.chatter.zone))
        self.calendar.at = morning + timedelta(days=day) + number * _PAUSE
        text = self._complete_remark(remark)
        session = f"day {day}"
        context = Context(
            resources=self.resources,
            tenant=TENANT,
            user=self.chatter.name,
            session=session,
            time_zone=self.chatter.zone,
        )
        await graph.ainvoke({"messages": [HumanMessage(text)]}, context=context)  # pyright: ignore
        await evolve(self.resources, self._identity.scope, session_of(self._identity, session))

    def _complete_remark(self, remark: Remark) -> str:
        """A quoting remark repeats one of the memories that Brain told last; with none it is a greeting."""
        if remark.kind != "quoting":
            return remark.text
        text = remark.text.replace("{memory}", self.chance.choice(self.parrot.told)) if self.parrot.told else "Hi!"
        self.quotations.add(text)
        return text

    async def _spend_evening(self, day: int, messages: int) -> Evening:
        scope, items = self._identity.scope, self.resources.memory.items
        stored = await items.list_newest(scope, include_inactive=True, limit=_MOST)
        living = [each for each in stored if each.status == "active"]
        evidence = [await self._rests_on(each) for each in stored]
        return Evening(
            day=day,
            messages=messages,
            stored=len(stored),
            living=len(living),
            unasked=sum(not self._is_asked_for(each) for each in stored),
            living_unasked=sum(not self._is_asked_for(each) for each in living),
            repeated=len(living) - len({(each.slot, each.object.casefold(), each.negated) for each in living}),
            echoes=sum(bool(each & self.quotations) for each in evidence),
            truths=sum(self._was_said_by(label.object[0], day) for label in self.chatter.truths),
            known=sum(any(says(each, label) for each in stored) for label in self.chatter.truths),
        )

    async def _rests_on(self, item: MemoryItem) -> set[str]:
        """The whole turns that a memory cites."""
        cited: list[Evidence] = await self.resources.memory.items.evidence(self._identity.scope, item.memory_id)
        ids = [each.event_id for each in cited]
        return {event.text for event in await self.resources.memory.log.events(self._identity.scope, ids)}

    def _is_asked_for(self, item: MemoryItem) -> bool:
        return any(says(item, label, self.chatter.name) for label in self.chatter.truths)

    def _was_said_by(self, value: str, day: int) -> bool:
        return any(value in remark.text for remarks in self.chatter.days[:day] for remark in remarks)

    @property
    def _identity(self) -> Identity:
        whose = Speaker(tenant=TENANT, user=self.chatter.name)
        scope = scope_of(whose, self.resources.settings.dm_scope)
        return Identity(scope=scope, tenant=TENANT, user=self.chatter.name)


@dataclass(frozen=True)
class Options:
    """How many people for how long, and where."""

    people: int = 10
    days: int = 30
    seed: int = 1
    server: str | None = None


async def live_months(
    options: Options, done: Callable[[], None], settings: Settings | None = None
) -> list[list[Evening]]:
    """Everybody's evenings, without a model unless ``settings`` say otherwise."""
    everybody, numbers = chatters(options.people, options.days, options.seed), count(1)
    chosen = settings or Settings(openai_api_key=None)
    async with scratch_resources(chosen, options.server) as scratch:
        resources = replace(scratch, new_id=lambda: UUID(int=next(numbers)))
        return [await _month(resources, chatter, options).evenings(done) for chatter in everybody]


def _month(resources: Resources, chatter: Chatter, options: Options) -> Month:
    calendar, parrot = Calendar(BEGINS.replace(tzinfo=ZoneInfo(chatter.zone))), Parrot()
    mine = replace(resources, clock=calendar, models=Models(chat=parrot, fast=resources.models.fast))
    return Month(mine, calendar, chatter, parrot, Random(f"{options.seed}/{chatter.name}"))


def together(everybody: Sequence[Sequence[Evening]]) -> list[Evening]:
    """Each day's sums over all people."""
    return [_sum(day) for day in zip(*everybody, strict=True)]


def _sum(evenings: Sequence[Evening]) -> Evening:
    names = [name for name in asdict(evenings[0]) if name != "day"]
    return Evening(day=evenings[0].day, **{name: sum(getattr(each, name) for each in evenings) for name in names})


def table(days: Sequence[Evening], people: int) -> Table:
    """The growth, day by day."""
    columns = (
        "day",
        "messages",
        "stored",
        "junk",
        "living",
        "junk",
        "living each",
        "new each",
        "twice",
        "echoes",
        "known",
    )
    shown = Table(*columns, box=None, pad_edge=False, title=f"{people} people")
    for before, each in _with_the_one_before(days):
        if each.day in SHOWN or each.day % 30 == 0:
            shown.add_row(*_cells(before, each, people))
    return shown


def _with_the_one_before(days: Sequence[Evening]) -> Iterator[tuple[Evening | None, Evening]]:
    yield from zip([None, *days], days, strict=False)


def _cells(before: Evening | None, each: Evening, people: int) -> list[str]:
    grown = each.living - (before.living if before else 0)
    return [
        str(each.day),
        str(each.messages),
        str(each.stored),
        _share(each.unasked, each.stored),
        str(each.living),
        _share(each.living_unasked, each.living),
        f"{each.living / people:.1f}",
        f"{grown / people:+.2f}",
        str(each.repeated),
        str(each.echoes),
        f"{each.known} of {each.truths}",
    ]


def _share(part: int, whole: int) -> str:
    return f"{part / whole:.1%}" if whole else "–"


def main() -> None:
    """Run, print the table, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.junk_over_time", description=__doc__)
    parser.add_argument("--people", type=int, default=10)
    parser.add_argument("--days", type=int, default=30)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    parser.add_argument("--json", type=Path, help="where to write everybody's evenings")
    told = parser.parse_args()
    options = Options(told.people, told.days, told.seed, told.url)
    screen = Console(stderr=True)
    with Progress(console=screen, transient=True, disable=not screen.is_terminal) as progress:
        living = progress.add_task("living", total=options.people * options.days)
        everybody = asyncio.run(live_months(options, lambda: progress.advance(living)))
    Console(width=140).print(table(together(everybody), options.people))
    if told.json:
        figures = {"options": asdict(options), "people": [[asdict(each) for each in one] for one in everybody]}
        told.json.write_text(json.dumps(figures, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main()
