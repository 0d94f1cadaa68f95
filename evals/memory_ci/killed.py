"""Killed workers: one dies at each step of evolution, another goes on, and nobody can tell afterwards."""

import asyncio
import signal
from dataclasses import dataclass, field
from itertools import product
from uuid import uuid4

from brain.resources import Resources
from evals.dying_worker import MODULES
from evals.killed_workers import (
    Kill,
    capture_talk,
    dying_workers,
    read_remembered,
    work,
)
from evals.memory_ci.bench import Bench, told_of_time
from evals.memory_ci.report import Figure, Findings
from evals.rule_worker import rule_resources
from language.encoder import sentence_encoder
from memory.postgres.database import Database
from memory.postgres.roles import Addresses, addresses
from memory.scope import Scope
from memory.turns import Capture

QUICK = 2


async def find_killed(bench: Bench) -> Findings:
    """Before and after every node; by rules, whatever model is configured."""
    steps = bench.sample([*product(MODULES, ("before", "after"))], QUICK)
    different, died, done = list[str](), 0, 0
    await asyncio.to_thread(sentence_encoder().load)  # the dying workers have it: sentences are told apart by it
    async with bench.open() as opened:
        where = addresses(str(opened.settings.database_url))
        async with Database(where.app) as database, dying_workers(where.app) as kill:
            undisturbed = await _remember(where, database)
            for node, moment in bench.in_time(steps):
                story = Story(where, database)
                done += 1
                died += await story.is_killed(kill, node, moment)
                if await story.take_over() != undisturbed:
                    different.append(f"{moment} {node}")
    return Findings(
        figures=[
            Figure(name="kills that leave something else", part=len(different), whole=done, most=0.0, is_wrong=True),
            Figure(name="workers that died where they should", part=died, whole=done, least=1.0),
        ],
        faults=[f"something else is left when a worker dies {each}" for each in different],
        notes=told_of_time("kills", done, len(steps)),
    )


@dataclass
class Story:
    """One conversation, in which a worker dies."""

    where: Addresses
    database: Database
    scope: Scope = field(default_factory=lambda: Scope(tenant_id=uuid4(), user_id=uuid4()))
    turns: list[Capture] = field(default_factory=list[Capture])

    @property
    def resources(self) -> Resources:
        """By rules."""
        return rule_resources(self.database)

    async def is_killed(self, kill: Kill, node: str, moment: str) -> bool:
        """Say everything, and have a worker die over it."""
        self.turns = await capture_talk(self.resources, self.scope)
        return await kill(node, moment) == signal.SIGKILL

    async def take_over(self, *, inherits: bool = True) -> object:
        """What is remembered when another worker has gone on."""
        await work(self.where, self.resources, inherits=inherits)
        return await read_remembered(self.resources, self.scope, self.turns)


async def _remember(where: Addresses, database: Database) -> object:
    """What the conversation leaves when nobody dies."""
    story = Story(where, database)
    story.turns = await capture_talk(story.resources, story.scope)
    return await story.take_over(inherits=False)
