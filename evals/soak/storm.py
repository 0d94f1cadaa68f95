"""Kills at random moments, and the hands that start again what was killed."""

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from random import Random
from time import monotonic

import httpx

from evals.soak.house import House

BEGUN = 150.0
"""Seconds within which a started server must be ready, and a database that was killed must be there again."""
_LOOK = 0.5


@dataclass
class Storm:
    """Who is killed, how often that was, and who ended without being killed."""

    house: House
    chance: Random
    kills: Counter[str] = field(default_factory=Counter[str])
    ended: Counter[str] = field(default_factory=Counter[str])
    hurried: set[str] = field(default_factory=set[str])
    """Those that may have ended by themselves because the database was killed while they started."""

    async def rage(self, seconds: float, pause: float, spared: str) -> None:
        """Kill one after another, but never the one that is spared: in a long life memory that grows is seen."""
        until = monotonic() + seconds
        targets = [each for each in ("serve-1", "serve-2", "worker", "postmaster", "backend") if each != spared]
        while True:
            wait = self.chance.uniform(0.2, 1.8) * pause
            if monotonic() + wait > until:
                await asyncio.sleep(max(0.0, until - monotonic()))
                return
            await asyncio.sleep(wait)
            await self.kill(self.chance.choice(targets))

    async def kill(self, target: str) -> None:
        """One kill; a process is started again after a moment, a database by Brain itself."""
        self.kills[target] += 1
        if target == "postmaster":
            self.house.kill_postmaster()
        elif target == "backend":
            self.house.kill_backend(self.chance)
        else:
            await asyncio.to_thread(self.house.kill, target)
            await asyncio.sleep(self.chance.uniform(0.0, 1.5))
            self.house.start(target)

    async def tend(self) -> None:
        """Start again what ended by itself, as a supervisor would, and count it."""
        while True:
            for name, process in self.house.processes.items():
                if process.child is not None and process.child.poll() is not None and process.child.returncode != -9:
                    self.ended[name] += 1
                    self.house.start(name)
            await asyncio.sleep(_LOOK)

    async def wait_until_ready(self) -> list[str]:
        """The servers that do not become ready in time."""
        until, waiting = monotonic() + BEGUN, list(self.house.urls)
        async with httpx.AsyncClient(timeout=30) as http:
            while waiting and monotonic() < until:
                waiting = [url for url in waiting if not await _is_ready(http, url)]
                await asyncio.sleep(_LOOK)
        return waiting


async def _is_ready(http: httpx.AsyncClient, url: str) -> bool:
    try:
        return (await http.get(f"{url}/readyz")).is_success
    except httpx.HTTPError:
        return False
