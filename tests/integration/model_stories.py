"""Stories with a model in them: what one person says, the worker that looks at it, and a provider with a script."""

import asyncio
from dataclasses import dataclass, field
from typing import Any

from apps.jobs.worker import run_worker
from brain.settings import Settings
from memory.log import Outcome
from memory.memory_item import MemoryItem
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from memory.turns import Capture, Operation, SessionRef, Utterance
from tests.contract.builders import NOON, a_session, a_turn, said
from tests.fakes import a_settings
from tests.integration.brain_process import as_url
from tests.openai_script import Step, When
from tests.openai_wire import Json
from tests.scripted_openai import ScriptedOpenAI
from tests.unit.analysis_builders import a_note

PATIENCE = 180.0
"""Seconds after which a worker counts as hanging."""


@dataclass
class Story:
    """One person's conversation. Every turn is an operation of its own; minutes pass between them."""

    where: Addresses
    database: Database
    scope: Scope
    session: SessionRef = field(default_factory=a_session)
    turns: list[Capture] = field(default_factory=list[Capture])

    @property
    def memory(self) -> MemoryCore:
        """The memory that the worker writes to."""
        return postgres_memory(self.database)

    async def says(self, *texts: str, **more: Any) -> list[Capture]:
        """Each text is a turn, of the user unless told otherwise."""
        return [await self.captured(said(text, minutes=len(self.turns), **more)) for text in texts]

    async def captured(self, *utterances: Utterance, **more: Any) -> Capture:
        """One turn, as it is."""
        turn = a_turn(*utterances, session=self.session, **more)
        await self.memory.log.capture(self.scope, turn)
        self.turns.append(turn)
        return turn

    async def said_again(self) -> None:
        """All turns wait as if nobody had looked at them."""
        log = self.memory.log
        await log.finish(self.scope, {turn.operation_id: Outcome(status="dead_letter") for turn in self.turns}, NOON)
        await log.reopen(self.scope, self.session.session_id)
        await self.captured(said("Hello again!", minutes=len(self.turns)))

    async def works(self, *steps: Step, **settings: Any) -> ScriptedOpenAI:
        """The worker looks at everything that waits, with a model that follows these steps."""
        with ScriptedOpenAI(steps) as provider:
            await self.works_with(provider, **settings)
        return provider

    async def works_with(self, provider: ScriptedOpenAI, **settings: Any) -> None:
        """The same with a provider that runs already."""
        async with asyncio.timeout(PATIENCE):
            chosen = settings_for(self.where.owner, provider.base_url, **settings)
            await run_worker(chosen, until_idle=True, signals=False)

    async def remembered(self, *, ever: bool = False) -> list[MemoryItem]:
        """What is remembered now, or was ever; oldest first."""
        items = await self.memory.items.list_newest(self.scope, include_inactive=ever)
        return sorted(items, key=lambda item: (item.observed_at, item.content))

    async def contents(self) -> list[str]:
        """What is remembered now, in words."""
        return [item.content for item in await self.remembered()]

    async def quotes(self, item: MemoryItem) -> list[str]:
        """The words that a memory rests on; a citation that does not hold is told apart."""
        found = await self.memory.items.evidence(self.scope, item.memory_id)
        return [each.quote if each.verified else f"unverified: {each.quote}" for each in found]

    async def ended(self) -> list[Operation]:
        """How each turn ended."""
        found = [await self.memory.log.operation(self.scope, turn.operation_id) for turn in self.turns]
        return [each for each in found if each is not None]


def work_alone(database: str, model: str) -> None:
    """The worker as a process of its own."""
    asyncio.run(run_worker(settings_for(database, model, fast_timeout=PATIENCE), signals=False))


def settings_for(database: str, model: str | None, **values: Any) -> Settings:
    """Settings of a process that has this database, a model at this address if any, and patience."""
    told = {
        "database_url": as_url(database),
        "base_url": model,
        "openai_api_key": "sk-test" if model else None,
        "embeddings": "none",
        "upkeep_hours": 0,
        "evolution_debounce": 0.5,
        "fast_timeout": PATIENCE,
        "model_timeout": PATIENCE,
    }
    return a_settings(**(told | values))


def noting(*memories: Json, **step: Any) -> Step:
    """A model that notes these down, once."""
    return Step(when=When(form="Notes"), form={"memories": list(memories)}, **step)


def note(quote: str, content: str, **values: Any) -> Json:
    """A note about the speaker's home unless told otherwise."""
    return a_note(quote, content=content, **values).model_dump()


def rewording(*contents: tuple[str, str], **step: Any) -> Step:
    """A model that words unclear memories anew, in their order: content and object."""
    told = [
        {"reasoning": "The turn before says so.", "number": number, "content": content, "object": thing}
        for number, (content, thing) in enumerate(contents, start=1)
    ]
    return Step(when=When(form="Rewordings"), form={"memories": told}, **step)
