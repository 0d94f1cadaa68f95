"""A drill: the database is killed while people talk, and its standby takes over: ``python -m evals.switchover``.

``--synchronous`` waits for the standby with every write; without it the standby follows as it can. ``--json FILE``
keeps the result: ``rto_seconds``, in which somebody was not served, and ``rpo_seconds`` of talk before the kill, of
which something acknowledged is lost.
"""

import argparse
import asyncio
import json
import logging
import shutil
import tempfile
import time
import uuid
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import psycopg
from psycopg import OperationalError, conninfo
from rich.console import Console

from brain.local_postgres.server import EmbeddedPostgres
from evals.standby import Standby, a_standby, cluster_of, kill
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.pools import PoolLimits
from memory.postgres.roles import addresses
from memory.scope import Scope, Speaker, scope_of
from memory.turns import Capture, SessionRef, Utterance

NAME = "standby"
LOOK = 0.5
"""Seconds between two looks of whoever watches over the primary."""
MISSES = 3
"""Looks in vain after which it is given up."""
BREATH = 0.02
CONNECTIONS = 8
_LOGGED = "select text from brain.conversation_events where tenant_id = %s and role = 'user'"


@dataclass(frozen=True, kw_only=True)
class DrillResult:
    """What the drill has shown. ``lost`` and ``doubled`` count turns."""

    held_at: str
    synchronous: bool
    people: int
    acknowledged: int
    lost: int
    doubled: int
    rto_seconds: float
    rpo_seconds: float
    promoted_seconds: float


@dataclass
class Talker:
    """One person whose client repeats a turn until it is acknowledged."""

    scope: Scope
    acknowledged: list[tuple[str, float]] = field(default_factory=list[tuple[str, float]])

    async def talk(self, memory: MemoryCore, stop: asyncio.Event) -> None:
        """Until told to stop."""
        session, number = SessionRef(session_id=uuid.uuid4(), name="drill", user_name="drill", tenant_name="drill"), 0
        while not stop.is_set():
            number += 1
            turn = _a_turn(session, f"{self.scope.user_id} said {number}")
            while not (await self._is_told(memory, turn) or stop.is_set()):  # noqa: ASYNC110 - the database is away
                await asyncio.sleep(BREATH)
            await asyncio.sleep(BREATH)

    async def _is_told(self, memory: MemoryCore, turn: Capture) -> bool:
        try:
            await memory.log.capture(self.scope, turn)
        except BrainError as error:
            if not error.is_retryable:
                raise
            return False
        self.acknowledged.append((turn.utterances[0].text, time.monotonic()))
        return True


async def hold_drill(folder: Path, *, synchronous: bool, people: int, seconds: float) -> DrillResult:
    """Talk for so many seconds, kill the primary, go on for as long on the standby, and look for what is lost."""
    with _two_servers(folder, synchronous) as (primary, url, standby):
        where = addresses(_either(url, standby.url))
        await migrate(where)
        talkers = [Talker(scope_of(Speaker(tenant="drill", user=f"person {number}"))) for number in range(people)]
        async with Database(where.app, PoolLimits(connections=CONNECTIONS)) as database:
            memory, stop = postgres_memory(database), asyncio.Event()
            talking = [asyncio.create_task(each.talk(memory, stop)) for each in talkers]
            await asyncio.sleep(seconds)
            kill(cluster_of(primary))
            killed = time.monotonic()
            await asyncio.to_thread(_watch_and_promote, url, standby)
            promoted = time.monotonic()
            await asyncio.sleep(seconds)
            await _until_all_are_served(talkers, talking, promoted)
            stop.set()
            await asyncio.gather(*talking)
        found = await asyncio.to_thread(_read_log, standby.url, talkers[0].scope)
    return _judge(talkers, found, killed, promoted, synchronous)


def _judge(
    talkers: Sequence[Talker], found: Counter[str], killed: float, promoted: float, synchronous: bool
) -> DrillResult:
    told = [each for talker in talkers for each in talker.acknowledged]
    lost = [at for text, at in told if not found[text]]
    first = [min(at for _, at in talker.acknowledged if at > promoted) for talker in talkers]
    return DrillResult(
        held_at=datetime.now(UTC).isoformat(),
        synchronous=synchronous,
        people=len(talkers),
        acknowledged=len(told),
        lost=len(lost),
        doubled=sum(count > 1 for count in found.values()),
        rto_seconds=round(max(first) - killed, 3),
        rpo_seconds=round(max(0.0, killed - min(lost, default=killed)), 3),
        promoted_seconds=round(promoted - killed, 3),
    )


async def _until_all_are_served(talkers: Sequence[Talker], talking: Sequence[asyncio.Task[None]], since: float) -> None:
    async with asyncio.timeout(120):
        while not all(each.acknowledged and each.acknowledged[-1][1] > since for each in talkers):
            done, _ = await asyncio.wait(talking, timeout=BREATH, return_when=asyncio.FIRST_COMPLETED)
            for each in done:
                each.result()


def _watch_and_promote(url: str, standby: Standby) -> None:
    """What a failover manager does: it looks again and again, and then lets the standby take over."""
    misses, stop = 0, time.monotonic() + 60
    while misses < MISSES and time.monotonic() < stop:
        begun = time.monotonic()
        try:
            psycopg.connect(url, connect_timeout=2).close()
            misses = 0
        except OperationalError:
            misses += 1
        if misses < MISSES:
            time.sleep(max(0.0, begun + LOOK - time.monotonic()))
    standby.promote()


def _a_turn(session: SessionRef, text: str) -> Capture:
    now = datetime.now(UTC)
    said = Utterance(
        event_id=uuid.uuid4(), role="user", speaker="user", text=text, occurred_at=now, idempotency_key=text
    )
    return Capture(operation_id=uuid.uuid4(), session=session, utterances=(said,))


def _read_log(url: str, scope: Scope) -> Counter[str]:
    with psycopg.connect(url) as connection:
        return Counter(str(row[0]) for row in connection.execute(_LOGGED, (scope.tenant_id,)))


def _either(url: str, other: str) -> str:
    """Both servers in one address, of which the one that takes writes is meant."""
    one, two = (conninfo.conninfo_to_dict(each) for each in (url, other))
    ports = f"{one['port']},{two['port']}"
    return conninfo.make_conninfo(
        url, host=f"{one['host']},{two['host']}", port=ports, target_session_attrs="read-write"
    )


@contextmanager
def _two_servers(folder: Path, synchronous: bool) -> Generator[tuple[EmbeddedPostgres, str, Standby]]:
    primary = EmbeddedPostgres(folder / "primary")
    try:
        url = primary.start()
        with a_standby(primary, url, folder / "standby", name=NAME) as standby:
            if synchronous:
                with psycopg.connect(url, autocommit=True) as owner:
                    owner.execute(f"alter system set synchronous_standby_names = '{NAME}'".encode())
                    owner.execute("select pg_reload_conf()")
            yield primary, url, standby
    finally:
        primary.stop()


def show(result: DrillResult, console: Console) -> None:
    """The result in three lines."""
    kind = "synchronous" if result.synchronous else "asynchronous"
    console.print(f"{result.people} people, {result.acknowledged:,} turns acknowledged, {kind} standby")
    console.print(
        f"served again after {result.rto_seconds:.1f} s (promoted after {result.promoted_seconds:.1f} s),"
        f" lost {result.rpo_seconds:.3f} s"
    )
    console.print(f"{result.lost} turns lost, {result.doubled} doubled")


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(prog="evals.switchover", description=__doc__)
    parser.add_argument("--synchronous", action="store_true")
    parser.add_argument("--people", type=int, default=8)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--json", type=Path)
    told: Any = parser.parse_args(arguments)
    logging.getLogger("psycopg.pool").setLevel(logging.ERROR)  # that servers are away is the point
    folder = Path(tempfile.mkdtemp(prefix="brain-drill-"))
    folder.chmod(0o711)
    try:
        result = asyncio.run(hold_drill(folder, synchronous=told.synchronous, people=told.people, seconds=told.seconds))
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    show(result, Console())
    if told.json:
        told.json.write_text(f"{json.dumps(asdict(result), indent=1)}\n", "utf-8")


if __name__ == "__main__":
    main()
