"""This process among those that serve the same database: it says that it lives, and knows how many others do."""

import asyncio
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from uuid import UUID, uuid4

import structlog

from memory.errors import BrainError
from memory.serving import ServingProcesses

log = structlog.get_logger(__name__)

BEAT = 2.0
"""Seconds between two signs of life; the database forgets a process after five of them."""


async def _nobody_joined() -> None:
    """Nobody needs to know."""


@dataclass
class ServingProcess:
    """One process. ``others`` is what it heard last: a database that is away changes nothing.

    ``on_company`` is called when it is no longer alone.
    """

    serving: ServingProcesses
    process_id: UUID = field(default_factory=uuid4)
    others: int = 0
    is_joining: bool = True
    """Whether those who lived before may not know of it yet."""
    is_leaving: bool = False
    on_company: Callable[[], Awaitable[None]] = _nobody_joined

    @property
    def why_not_ready(self) -> str:
        """Why no request should be sent here; empty when they may."""
        return "leaving" if self.is_leaving else "joining" if self.is_joining else ""

    @asynccontextmanager
    async def live(self) -> AsyncGenerator[None]:
        """Be known as long as this lasts. Raises ``BrainError`` when the database is away at the start."""
        await self.beat()
        self.is_joining = self.others > 0
        beating = asyncio.create_task(self._keep_beating())
        try:
            yield
        finally:
            beating.cancel()
            with suppress(asyncio.CancelledError):
                await beating
            with suppress(BrainError):
                await self.serving.stop(self.process_id)

    async def beat(self) -> None:
        """Say that it lives. Raises ``BrainError``."""
        was_alone, self.others = not self.others, await self.serving.keep(self.process_id)
        if was_alone and self.others:
            await self.on_company()

    async def _keep_beating(self) -> None:
        while True:
            await asyncio.sleep(BEAT)
            try:
                await self.beat()
            except BrainError as error:
                log.warning("sign_of_life_not_given", code=error.code)
            self.is_joining = False
