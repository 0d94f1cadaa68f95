"""A soak from its first start to its last look: talk under storms, then calm, in which everything is checked."""

import asyncio
import subprocess
import sys
from collections import Counter
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

import httpx
import structlog
from psycopg import Connection
from psycopg.rows import DictRow

from evals.served import Person
from evals.soak import looks
from evals.soak.acts import is_closed, live
from evals.soak.client import Client
from evals.soak.house import House, a_house, wait_until_gone
from evals.soak.ledger import Fault, Ledger, Names, find_growth
from evals.soak.people import WORDS, Somebody
from evals.soak.storm import Storm

TENANT_SIZE = 3
SAMPLE = 5.0
"""Seconds between two looks at the processes."""
CONNECTIONS = 70
"""Of the embedded database's hundred, what two servers and a worker may hold."""
GROWTH = 0.2
FILES = 400
log = structlog.get_logger(__name__)


@dataclass(frozen=True, kw_only=True)
class Options:
    """How long, how many, how stormy. Times in seconds; ``pause`` lies between two acts of one person."""

    seconds: float
    people: int
    seed: int
    pause: float = 6.0
    storm: float = 120.0
    calm: float = 180.0
    between_kills: float = 12.0
    drain: float = 240.0
    embeddings: str = ""


@dataclass
class Observed:
    """What a soak met."""

    faults: Counter[Fault] = field(default_factory=Counter[Fault])
    """Each with how often it was seen: what is wrong in one calm mostly still is in the next."""
    drains: list[float] = field(default_factory=list[float])
    resident: dict[str, dict[int, list[float]]] = field(default_factory=dict[str, dict[int, list[float]]])
    files: dict[str, int] = field(default_factory=dict[str, int])
    held: list[looks.Held] = field(default_factory=list[looks.Held])
    segments: set[str] = field(default_factory=set[str])
    checks: int = 0
    links: int = 0

    def blame(self, kind: Any, what: str, who: str = "the house") -> None:
        """Note a fault that is no one person's."""
        self.faults[Fault(kind, who, what)] += 1
        log.warning("soak_fault", kind=kind, who=who, what=what)

    def blame_left(self, *places: Path) -> None:
        """Note files that are still there at the end."""
        if left := [str(each) for each in places if each.exists()]:
            self.blame("left", " ".join(left))


@dataclass
class Soak:
    """Everything of one run."""

    options: Options
    house: House
    storm: Storm
    people: list[Somebody]
    observed: Observed

    async def run(self) -> None:
        """Storms and calms until the time is over; the last calm is checked like each of them."""
        for name in self.house.processes:
            self.house.start(name)
        self._require_ready(await self.storm.wait_until_ready())
        until, number = monotonic() + self.options.seconds, 0
        async with self._watched():
            while monotonic() < until:
                number += 1
                await self._talk(until, spared="serve-2" if number % 6 else "")
                await self._settle(f"calm {number}")
        await self._verify_chains()

    async def _talk(self, until: float, spared: str) -> None:
        enough, left = asyncio.Event(), max(1.0, until - monotonic())
        talking = [asyncio.create_task(live(each, enough, self.options.pause)) for each in self.people]
        await self.storm.rage(min(self.options.storm, left / 2), self.options.between_kills, spared)
        self._require_ready(await self.storm.wait_until_ready())
        await asyncio.sleep(max(0.0, min(self.options.calm, until - monotonic())))
        enough.set()
        await asyncio.gather(*talking)

    async def _settle(self, when: str) -> None:
        """Everybody is at rest: the work is done in bounded time, and all that must hold does."""
        with await asyncio.to_thread(looks.connect, self.house) as connection:
            drained = await self._drain(connection)
            await asyncio.to_thread(self._look_at_database, connection)
            for each in self.people:
                await self._check(connection, each)
        self.observed.checks += 1
        log.info(
            "soak_checked",
            when=when,
            drained=drained,
            acts=sum(each.acts for each in self.people),
            kills=sum(self.storm.kills.values()),
            faults=len(self.observed.faults),
        )

    async def _drain(self, connection: Connection[DictRow]) -> float:
        begun = monotonic()
        while True:
            waiting, dead = await asyncio.to_thread(looks.read_queue, connection)
            took = monotonic() - begun
            if waiting == 0 or took > self.options.drain:
                break
            await asyncio.sleep(0.5)
        self.observed.drains.append(took)
        if waiting:
            self.observed.blame("stuck", f"{waiting} jobs wait after {took:.0f} seconds")
        if dead:
            self.observed.blame("stuck", f"{dead} dead letters")
        return took

    def _look_at_database(self, connection: Connection[DictRow]) -> None:
        held = looks.read_held(connection)
        self.observed.held.append(held)
        if held.connections > CONNECTIONS or held.old or held.ungranted or held.temporary_mb > looks.MIGHTY:
            self.observed.blame("left", f"{held}")
        erased = sorted({name for each in self.people if not each.closed_since for name in each.ledger.erased})
        for place in looks.find_written(connection, erased):
            self.observed.blame("reappeared", f"names of erased people in {place}")

    async def _check(self, connection: Connection[DictRow], one: Somebody) -> None:
        async with one.busy:
            if await is_closed(one):
                return
            scope, ledger = one.client.person.scope, one.ledger
            logged = await asyncio.to_thread(looks.read_log, connection, scope)
            faults = list(ledger.find_logged_faults(logged))
            faults += await asyncio.to_thread(lambda: list(looks.find_stuck(connection, scope, ledger.who)))
            active = list((await one.list_memories()).values())
            faults += ledger.find_remembered_faults(active, one.names, settled=True)
            for each in (*faults, *one.faults):
                self.observed.blame(each.kind, each.what, each.who)
            one.faults.clear()

    async def _verify_chains(self) -> None:
        for tenant in sorted({each.client.person.tenant for each in self.people}):
            done = await asyncio.to_thread(self._run_brain, "verify", "--tenant", tenant)
            told = done.stdout.decode()
            if done.returncode or "holds" not in told:
                self.observed.blame("lost", f"the audit chain of {tenant}: {told}{done.stderr.decode()}"[:600])
            self.observed.links += int(told.split("links")[0].split()[-1].replace(",", "")) if "links" in told else 0

    def _run_brain(self, *arguments: str) -> subprocess.CompletedProcess[bytes]:
        command = [str(Path(sys.executable).with_name("brain")), *arguments]
        return subprocess.run(
            command, env=self.house.environment, cwd=self.house.home, capture_output=True, timeout=300
        )

    def _require_ready(self, missing: list[str]) -> None:
        for url in missing:
            self.observed.blame("stuck", f"{url} does not become ready: {self.house.log_tail('serve-1', 800)}")

    @asynccontextmanager
    async def _watched(self) -> AsyncGenerator[None]:
        watching = [asyncio.create_task(self._sample()), asyncio.create_task(self.storm.tend())]
        try:
            yield
        finally:
            for each in watching:
                each.cancel()
            await asyncio.gather(*watching, return_exceptions=True)

    async def _sample(self) -> None:
        while True:
            for name, process in self.house.processes.items():
                if process.pid is None:
                    continue
                mb, files = looks.resident_mb(process.pid), looks.open_files(process.pid)
                if mb is not None:
                    self.observed.resident.setdefault(name, {}).setdefault(process.lives, []).append(mb)
                self.observed.files[name] = max(self.observed.files.get(name, 0), files or 0)
            self.observed.segments |= looks.shared_segments(self.house.server_pids())
            await asyncio.sleep(SAMPLE)


async def soak(options: Options) -> dict[str, Any]:
    """One soak; its figures. Nothing of it is left afterwards."""
    observed, chance = Observed(), Random(options.seed)
    limits = httpx.Limits(max_connections=None)
    with a_house(options.embeddings) as house:
        async with httpx.AsyncClient(timeout=60, limits=limits) as http:
            people = make_people(options, house, http, chance)
            run = Soak(options, house, Storm(house, Random(chance.random())), people, observed)
            begun = monotonic()
            await run.run()
            took = monotonic() - begun
        await asyncio.to_thread(_end, house, observed)
    observed.blame_left(house.home, *map(Path, observed.segments))
    for grown in find_growth({name: list(lives.values()) for name, lives in observed.resident.items()}, GROWTH):
        observed.blame("left", f"memory grows: {grown}")
    for name, files in observed.files.items():
        if files > FILES:
            observed.blame("left", f"{name} held {files} files")
    return figures_of(run, took)


def make_people(options: Options, house: House, http: httpx.AsyncClient, chance: Random) -> list[Somebody]:
    """So many, three to a tenant, every other one Chinese."""
    names, people = Names(Random(chance.random())), list[Somebody]()
    for number in range(options.people):
        person = Person(f"tenant {number // TENANT_SIZE}", f"person {number}")
        own = Random(chance.random())
        client = Client(person, house.urls, http, Random(own.random()))
        words = WORDS["zh" if number % 2 else "en"]
        people.append(Somebody(client, Ledger(f"{person.user} of {person.tenant}"), names, words, own))
    return people


def figures_of(run: Soak, took: float) -> dict[str, Any]:
    """What came of it, for the page at the end and for JSON."""
    observed, storm, people = run.observed, run.storm, run.people
    waits = sorted(wait for each in people for wait in each.client.waits)
    return {
        "seconds": round(took),
        "seed": run.options.seed,
        "people": len(people),
        "acts": sum(each.acts for each in people),
        "requests": len(waits),
        "repeated_requests": sum(each.client.repeats for each in people),
        "erasures": sum(each.erasures for each in people),
        "kills": dict(storm.kills),
        "ended_by_themselves": dict(storm.ended),
        "checks": observed.checks,
        "answer_p50_ms": round(1000 * waits[len(waits) // 2]) if waits else None,
        "longest_wait_s": round(waits[-1], 1) if waits else None,
        "drain_s": [round(each, 1) for each in observed.drains],
        "connections": [each.connections for each in observed.held],
        "temporary_mb": max((each.temporary_mb for each in observed.held), default=0.0),
        "files": observed.files,
        "resident_mb": {
            name: [[round(life[0]), round(max(life)), round(life[-1])] for life in lives.values()]
            for name, lives in observed.resident.items()
        },
        "audit_links": observed.links,
        "faults": [{**asdict(fault), "times": times} for fault, times in observed.faults.items()],
    }


def _end(house: House, observed: Observed) -> None:
    """Tell everything to end; what does not, and what stays, is a fault."""
    pids = [each.pid for each in house.processes.values() if each.pid] + house.server_pids()
    for name in house.stop():
        observed.blame("left", f"{name} did not end when it was told to")
    house.postgres.stop()
    if still := wait_until_gone(pids):
        observed.blame("left", f"processes {still}")
