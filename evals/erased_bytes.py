"""What stays of erased rows in PostgreSQL's files, and what each way to be rid of it costs.

``python -m evals.erased_bytes`` makes an embedded database in a folder of its own, fills it, plants sentences, deletes
them, and searches every file of the data folder for their bytes after each way.
"""

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID, uuid4

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from brain.local_postgres.server import EmbeddedPostgres
from memory.postgres.migrate import migrate
from memory.postgres.roles import addresses
from memory.postgres.scrubbing.scrub import scrub

OTHERS = 10_000
CANARIES = 300
MARK = "zanzibarcanary"
TABLES = (
    "brain.conversation_events",
    "brain.memory_items",
    "brain.memory_versions",
    "brain.recall_index",
    "checkpoint.checkpoint_blobs",
)
_ERASE = {
    "brain.conversation_events": "text like '%zanzibarcanary%'",
    "brain.memory_items": "content like '%zanzibarcanary%'",
    "brain.memory_versions": "snapshot::text like '%zanzibarcanary%'",
    "brain.recall_index": "text like '%zanzibarcanary%'",
    "checkpoint.checkpoint_blobs": "thread_id like 'erased%'",
}
_WORDS = ("the", "of", "and", "walk", "river", "garden", "letter", "morning", "train", "paper", "winter", "kitchen")
_PROBE_SECONDS = 0.005
_OTHER = UUID(int=1)


@dataclass
class Probe:
    """How long a turn's statements take while something else goes on, in milliseconds."""

    url: str
    slowest: float = 0.0
    count: int = 0

    async def run(self) -> None:
        async with await AsyncConnection.connect(self.url, autocommit=True) as connection:
            await connection.execute("set session_replication_role = replica; set lock_timeout = '100ms'")
            while True:
                began = time.perf_counter()
                await _event(connection, "a live turn says something", uuid4())
                await connection.execute(
                    "update brain.memory_items set confidence = random() where item_id = (select item_id"
                    " from brain.memory_items offset %s limit 1)",
                    (self.count % 500,),
                )
                await connection.execute("select count(*) from brain.recall_index where tenant_id = %s", (_OTHER,))
                self.slowest = max(self.slowest, (time.perf_counter() - began) * 1000)
                self.count += 1
                await asyncio.sleep(_PROBE_SECONDS)


def _talk(seed: int, words: int) -> str:
    return " ".join(
        _WORDS[(seed * 7 + i * i * 3 + seed // 5) % len(_WORDS)] + str((seed * i) % 97) for i in range(words)
    )


async def _event(connection: AsyncConnection, text: str, number: UUID) -> None:
    await connection.execute(
        "insert into brain.conversation_events (tenant_id, event_id, scope, user_id, session_id, position,"
        " operation_id, role, speaker, content, text, sha256, occurred_at, time_zone) values"
        " (%s, %s, 'main', %s, %s, 0, %s, 'user', 'ann', %s, %s, 'x', now(), 'UTC')",
        (_OTHER, number, _OTHER, number, number, Jsonb([{"text": text}]), text),
    )


async def _rows_of(connection: AsyncConnection, key: UUID, text: str, thread: str, long: bytes | None) -> None:
    await _event(connection, text, key)
    await connection.execute(
        "insert into brain.memory_items (tenant_id, item_id, scope, user_id, item_type, subject, predicate, object,"
        " negated, content, category, slot, status, confidence, certainty, provenance, version, observed_at, valid_at,"
        " created_at, updated_at) values (%s, %s, 'main', %s, 'statement', %s, 'says', 'x', false, %s, 'life', %s,"
        " 'active', .5, .5, '{}', 1, now(), now(), now(), now())",
        (_OTHER, key, _OTHER, text[:40], text, text[:60]),
    )
    await connection.execute(
        "insert into brain.memory_versions (tenant_id, item_id, version, scope, user_id, change, snapshot, reason,"
        " operator, recorded_at) values (%s, %s, 1, 'main', %s, 'create', %s, 'r', 'o', now())",
        (_OTHER, key, _OTHER, Jsonb({"content": text, "object": text[:50]})),
    )
    await connection.execute(
        "insert into brain.recall_index (tenant_id, user_id, source_id, observed_at, valid_at, recorded_at, scope,"
        " lane, text, words, grams) values (%s, %s, %s, now(), now(), now(), 'main', 'turn', %s, %s, %s)",
        (_OTHER, _OTHER, key, text, [hash(w) % 2**31 for w in text.split()], list(range(40))),
    )
    if long is not None:
        await connection.execute(
            "insert into checkpoint.checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob,"
            " tenant_id) values (%s, '', 'messages', %s, 'msgpack', %s, %s)",
            (thread, str(key), long, _OTHER),
        )


async def fill(url: str) -> None:
    """Other people's rows with canaries among them, then updated here and there as life does."""
    async with await AsyncConnection.connect(url) as connection:
        await connection.execute("set session_replication_role = replica")
        every = OTHERS // CANARIES
        async with connection.pipeline():
            for i in range(OTHERS):
                text = _talk(i, 8 + i % 40)
                long = (text * 40).encode() + os.urandom(3000 * (i % 3)) if i % 10 == 0 else None
                await _rows_of(connection, uuid4(), text, f"thread-{i % 200}", long)
                if i % every == 0:
                    c = f"{MARK}-{i} was said in the {_talk(i, 3)} {MARK}-{i}"
                    long = (c * 300 if i % 2 else c + os.urandom(9000).hex()).encode() + os.urandom(5000)
                    await _rows_of(connection, uuid4(), c, f"erased-{i}", long)
        await connection.commit()
        await connection.execute("update brain.recall_index set injected_count = 1 where random() < .3")
        await connection.execute("update brain.memory_items set certainty = .6 where random() < .3")
        await connection.commit()
    async with await AsyncConnection.connect(url, autocommit=True) as connection:
        await connection.execute("vacuum analyze")


async def erase(url: str) -> None:
    """Delete the canaries' rows."""
    async with await AsyncConnection.connect(url) as connection:
        await connection.execute("set session_replication_role = replica")
        for table, where in _ERASE.items():
            done = await connection.execute(f"delete from {table} where {where}".encode())
            assert done.rowcount > 0, table


def hits(folder: Path, names: dict[str, str], mark: bytes = MARK.encode()) -> Counter[str]:
    """How often the bytes stand in each kind of file."""
    found: Counter[str] = Counter()
    for path in folder.rglob("*"):
        if path.is_file():
            try:
                count = path.read_bytes().count(mark)
            except FileNotFoundError:
                continue
            if count:
                kind = str(path.relative_to(folder).parent)
                base = path.name.split("_")[0].split(".")[0]
                found["pg_wal" if "pg_wal" in kind else names.get(base, str(path.relative_to(folder)))] += count
    return found


async def names_of_files(url: str) -> dict[str, str]:
    """Which relation a file belongs to."""
    async with await AsyncConnection.connect(url) as connection:
        rows = await connection.execute(
            "select pg_relation_filenode(c.oid)::text,"
            " case when t.oid is null then c.relname else 'toast of ' || t.relname end"
            " from pg_class c left join pg_class t on t.reltoastrelid = c.oid"
            " where pg_relation_filenode(c.oid) is not null"
        )
        return {str(k): str(v) for k, v in await rows.fetchall()}


async def vacuum(url: str, full: bool = False) -> None:
    """Plain VACUUM, or VACUUM FULL."""
    async with await AsyncConnection.connect(url, autocommit=True) as connection:
        for table in TABLES:
            await connection.execute(f"vacuum {'(full)' if full else ''} {table}".encode())
        await connection.execute("checkpoint")


async def measure(name: str, url: str, folder: Path, act: Callable[[], Awaitable[object]]) -> None:
    """Do it beside live turns and tell what it cost and what stayed."""
    probe = Probe(url)
    task = asyncio.create_task(probe.run())
    await asyncio.sleep(0.5)
    quiet, probe.slowest = probe.slowest, 0.0
    began = time.perf_counter()
    result = await act()
    took = time.perf_counter() - began
    refused = task.exception() if task.done() else None
    task.cancel()
    async with await AsyncConnection.connect(url, autocommit=True) as connection:
        await connection.execute("checkpoint")
        row = await (await connection.execute("select pg_database_size(current_database()) >> 20")).fetchone()
        size = row[0] if row else 0
    found = hits(folder, await names_of_files(url))
    print(f"{name}: {took:.1f} s, slowest turn {probe.slowest:.0f} ms (before {quiet:.0f}), {size} MB")
    print(f"    left {dict(found)}")
    if refused is not None:
        print("    a live turn was refused a lock for 100 ms:", refused)
    if result is not None:
        print("   ", result)


async def prepare(folder: Path) -> None:
    """A filled database at rest, of which each way gets a copy."""
    embedded = EmbeddedPostgres(folder)
    url = embedded.start()
    try:
        await migrate(addresses(url))
        await fill(url)
    finally:
        embedded.stop()


def copy_folder(filled: Path, home: Path) -> None:
    """A copy that keeps its owner, who must be able to enter the folder around it."""
    subprocess.run(["cp", "-a", str(filled), str(home)], check=True)
    home.parent.chmod(0o755)


async def try_way(way: str, filled: Path, times: int = 3) -> None:
    """One way on a copy of the database."""
    with tempfile.TemporaryDirectory(dir=filled.parent) as parent:
        home = Path(parent) / "home"
        copy_folder(filled, home)
        embedded = EmbeddedPostgres(home)
        url = embedded.start()
        folder = home / "postgres" / "cluster"
        try:
            await erase(url)
            await measure("delete", url, folder, lambda: asyncio.sleep(1))
            acts: dict[str, Callable[[], Awaitable[object]]] = {
                "vacuum": lambda: vacuum(url),
                "full": lambda: vacuum(url, full=True),
                "scrub": lambda: scrub(url, TABLES),
            }
            for _ in range(times if way == "scrub" else 1):
                await measure(way, url, folder, acts[way])
        finally:
            embedded.stop()


def main(ways: Iterable[str]) -> None:
    """Each way on a database of its own."""
    with tempfile.TemporaryDirectory() as parent:
        Path(parent).chmod(0o755)
        filled = Path(parent) / "filled"
        asyncio.run(prepare(filled))
        for way in ways:
            asyncio.run(try_way(way, filled))


if __name__ == "__main__":
    main(sys.argv[1:] or ("vacuum", "full", "scrub"))
