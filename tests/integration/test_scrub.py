"""What was erased is in no file of the data folder any more, beside people who go on talking."""

import asyncio
import os
import re
import signal
import subprocess
import sys
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from brain.local_postgres.server import EmbeddedPostgres
from evolution.erasure.catalogue import SCRUBBED
from memory.errors import BrainError
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses, addresses
from memory.postgres.scrubbing.filler import make_filler, prepare_noise
from memory.postgres.scrubbing.scrub import ScrubReport, scrub

TENANT, ANN, BOB = UUID(int=1), UUID(int=2), UUID(int=3)
MOST_SCRUBS = 5
"""Somebody writes all the time: a scrub says what it has not reached, and is called again."""
CANARY = "the xylophone sleeps under quixotic lanterns"
TABLES = (
    "brain.conversation_events",
    "brain.memory_items",
    "brain.memory_versions",
    "brain.recall_index",
    "brain.operations",
    "checkpoint.checkpoint_blobs",
    "checkpoint.threads",
)
SAMPLED = frozenset(
    re.findall(
        r"\w+",
        """
        action ai_type category change channel checkpoint checkpoint_id checkpoint_ns embedding_model
        epistemic_type item_type kind lane language lock media_type model opened_by parent_checkpoint
        parent_checkpoint_id periodic_id provenance purpose queue_name queueing_lock receipt_type role run_id scope
        scopes session_sha256 settled_by sha256 status task_id task_name task_path thread_id time_zone trace_id type use
        user_feedback_signal utilization_signal version visibility
        alerted certificate commitment day_type erased failure hash person_hash profile public_key requested_by
        signature state thread_sha256
        brand entry_id lesson org_tier platform relation source topic
        ended_by format guard
        act cell figure severity table_name
        """,
    )
)
"""Columns of letters that hold kinds, identifiers and settings: the planner may sample them."""
LETTERS = ("text", "varchar", "json", "jsonb", "bytea", "_text", "_int4", "halfvec")
SCRUB = (
    "import asyncio, sys; from memory.postgres.scrubbing.scrub import scrub;"
    "print('began', flush=True); asyncio.run(scrub(sys.argv[1], sys.argv[2:]))"
)


@pytest.fixture(scope="module")
def server(reachable_folder: Path) -> Generator[EmbeddedPostgres]:
    """A server whose files hold nobody else's words."""
    embedded = EmbeddedPostgres(reachable_folder / "scrubbed")
    embedded.start()
    yield embedded
    embedded.stop()


@pytest.fixture
async def owner(server: EmbeddedPostgres) -> str:
    url = server.start()
    await migrate(addresses(url))
    return url


async def write_rows(connection: AsyncConnection, user: UUID, text: str, count: int) -> None:
    """Rows of every kind that say this."""
    for number in range(count):
        key, said = uuid4(), f"{text} {number}"
        await connection.execute(
            "insert into brain.conversation_events (tenant_id, event_id, scope, user_id, session_id, position,"
            " operation_id, role, speaker, content, text, sha256, occurred_at, time_zone) values"
            " (%s, %s, 'main', %s, %s, 0, %s, 'user', 'ann', %s, %s, 'x', now(), 'UTC')",
            (TENANT, key, user, key, key, Jsonb([{"text": said}]), said),
        )
        await connection.execute(
            "insert into brain.memory_items (tenant_id, item_id, scope, user_id, item_type, subject, predicate,"
            " object, negated, content, category, slot, status, confidence, certainty, provenance, version,"
            " observed_at, valid_at, created_at, updated_at) values (%s, %s, 'main', %s, 'statement', 'ann', 'says',"
            " 'x', false, %s, 'life', %s, 'active', .5, .5, '{}', 1, now(), now(), now(), now())",
            (TENANT, key, user, said, said),
        )
        await connection.execute(
            "insert into brain.memory_versions (tenant_id, item_id, version, scope, user_id, change, snapshot,"
            " reason, operator, recorded_at) values (%s, %s, 1, 'main', %s, 'create', %s, 'r', 'o', now())",
            (TENANT, key, user, Jsonb({"content": said})),
        )
        await connection.execute(
            "insert into brain.recall_index (tenant_id, user_id, source_id, observed_at, valid_at, recorded_at,"
            " scope, lane, text) values (%s, %s, %s, now(), now(), now(), 'main', 'turn', %s)",
            (TENANT, user, key, said),
        )
        thread = f"{user} {said} {key}"
        await connection.execute(
            "insert into brain.operations (tenant_id, operation_id, scope, user_id, session_id, created_at, thread_id)"
            " values (%s, %s, 'main', %s, %s, now(), %s)",
            (TENANT, key, user, key, thread),
        )
        await connection.execute(
            "insert into checkpoint.threads (tenant_id, thread_id) values (%s, %s)", (TENANT, thread)
        )
        await connection.execute(
            "insert into checkpoint.checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob,"
            " tenant_id) values (%s, '', 'messages', %s, 'msgpack', %s, %s)",
            (thread, str(key), said.encode() * (number % 2 * 30) + os.urandom(3000) + said.encode(), TENANT),
        )


async def plant_and_erase(owner: str) -> None:
    """Ann's rows among Bob's, some of them changed since; then Ann's are deleted."""
    async with await AsyncConnection.connect(owner) as connection:
        await connection.execute("set session_replication_role = replica")
        for _ in range(10):
            await write_rows(connection, BOB, "bob walks by the river", 20)
            await write_rows(connection, ANN, CANARY, 5)
        await connection.commit()
        await connection.execute("update brain.recall_index set injected_count = 1 where text like '%7'")
        # As in a database from before words were kept from being sampled.
        await connection.execute("alter table brain.memory_items alter content set statistics 100")
        await connection.execute("analyze brain.memory_items")
        await connection.execute("alter table brain.memory_items alter content set statistics 0")
        await connection.commit()
        for table in TABLES:
            column, whose = ("thread_id", f"{ANN}%") if table.startswith("checkpoint.") else ("user_id::text", str(ANN))
            await connection.execute(f"delete from {table} where {column} like %s".encode(), (whose,))


def files_with(server: EmbeddedPostgres, words: str) -> list[str]:
    """Every file under the embedded server's folder in which the words stand."""
    folder = server.home / "postgres"
    files = [path for part in ("cluster", "server.log") for path in [folder / part, *(folder / part).rglob("*")]]
    return [str(path.relative_to(folder)) for path in files if path.is_file() and words.encode() in path.read_bytes()]


async def rows_of_bob(owner: str) -> list[int]:
    async with await AsyncConnection.connect(owner) as connection:
        counts = [
            await (await connection.execute(f"select count(*) from {table}".encode())).fetchone() for table in TABLES
        ]
    return [row[0] for row in counts if row]


@asynccontextmanager
async def bob_talking(owner: str) -> AsyncGenerator[None]:
    async def talk() -> None:
        async with await AsyncConnection.connect(owner, autocommit=True) as connection:
            await connection.execute("set session_replication_role = replica; set lock_timeout = '100ms'")
            while True:
                await write_rows(connection, BOB, "bob goes on talking", 1)
                await connection.execute("update brain.recall_index set injected_count = injected_count + 1")
                await asyncio.sleep(0.05)

    task = asyncio.create_task(talk())
    yield
    assert not task.done(), task.exception()
    task.cancel()


async def scrub_until_complete(owner: str) -> ScrubReport:
    """As an erasure does it: again while something is left, a few times at most."""
    report = await scrub(owner, TABLES)
    for _ in range(MOST_SCRUBS - 1):
        if not report.is_complete:
            report = await scrub(owner, TABLES)
    return report


async def test_erased_words_are_in_no_file(server: EmbeddedPostgres, owner: str):
    await plant_and_erase(owner)
    before = await rows_of_bob(owner)
    assert files_with(server, CANARY) != []

    report = await scrub_until_complete(owner)

    assert report.is_complete, [each for each in report.tables if each.pages_left] or report
    assert files_with(server, CANARY) == []
    assert await rows_of_bob(owner) == before
    assert files_with(server, "bob walks by the river") != []


@pytest.mark.parametrize("erased", [21, 24, 54])
async def test_a_row_that_just_fits_in_what_filler_leaves_of_its_page_moves_all_the_same(owner: str, erased: int):
    async with await AsyncConnection.connect(owner, autocommit=True) as connection:
        await connection.execute("truncate brain.recall_index; set session_replication_role = replica")
        for user in (*[ANN] * erased, BOB):
            await connection.execute(
                "insert into brain.recall_index (tenant_id, user_id, source_id, observed_at, valid_at, recorded_at,"
                " scope, lane, text) values (%s, %s, %s, now(), now(), now(), 'main', 'turn', 'bob by the river')",
                (TENANT, user, uuid4()),
            )
        await connection.execute("delete from brain.recall_index where user_id = %s", (ANN,))
    (report,) = (await scrub(owner, ["brain.recall_index"])).tables
    assert (report.pages_left, report.rows_rewritten) in {(0, 1), (0, 2)}


async def test_people_who_talk_meanwhile_wait_for_no_lock(server: EmbeddedPostgres, owner: str):
    await plant_and_erase(owner)

    async with bob_talking(owner):
        await scrub(owner, TABLES)

    report = await scrub_until_complete(owner)  # who rewrites a table all the time can keep single pages from it
    assert report.is_complete, [each for each in report.tables if each.pages_left] or report
    assert files_with(server, CANARY) == []


async def test_a_scrub_that_was_killed_is_done_by_the_next(server: EmbeddedPostgres, owner: str):
    await plant_and_erase(owner)
    before = await rows_of_bob(owner)
    for delay in (0.2, 0.6, 1.2):
        command = [sys.executable, "-c", SCRUB, owner, *TABLES]
        process = await asyncio.create_subprocess_exec(*command, stdout=subprocess.PIPE)
        assert process.stdout is not None
        await process.stdout.readline()
        await asyncio.sleep(delay)
        if process.returncode is None:
            process.send_signal(signal.SIGKILL)
        await process.wait()

    report = await scrub_until_complete(owner)

    assert report.is_complete, [each for each in report.tables if each.pages_left] or report
    assert files_with(server, CANARY) == []
    assert await rows_of_bob(owner) == before


async def test_a_transaction_that_may_still_see_the_rows_is_told_of(owner: str):
    async with await AsyncConnection.connect(owner) as reader:
        await reader.execute("set transaction isolation level repeatable read")
        await reader.execute("select count(*) from brain.conversation_events")

        with pytest.raises(BrainError, match="may still see") as refused:
            await scrub(owner, TABLES[:1], wait=0.5)

    assert refused.value.code == "E_DEP_TIMEOUT"


async def test_what_the_server_refuses_does_not_reach_its_log(server: EmbeddedPostgres, owner: str):
    async with await AsyncConnection.connect(owner) as connection:
        with pytest.raises(psycopg.errors.NotNullViolation):
            await connection.execute("insert into brain.names (name, kind) values ('a refused secret', 'user')")

    assert files_with(server, "a refused secret") == []


async def test_columns_with_words_are_not_sampled(test_addresses: Addresses):
    async with await AsyncConnection.connect(test_addresses.owner) as connection:
        rows = await connection.execute(
            "select c.oid::regclass::text || '.' || a.attname, a.attname from pg_attribute a"
            " join pg_class c on c.oid = a.attrelid join pg_type t on t.oid = a.atttypid"
            " where c.relnamespace::regnamespace::text in ('brain', 'queue', 'checkpoint') and c.relkind = 'r'"
            " and c.relname <> 'schema_migrations'"
            " and a.attnum > 0 and t.typname = any(%s) and a.attstattarget is distinct from 0",
            (list(LETTERS),),
        )
        sampled = [str(name) for name, column in await rows.fetchall() if column not in SAMPLED]
    assert sampled == [], "Set statistics 0 in a migration, or name the column in SAMPLED if nobody's words are in it."


@pytest.mark.parametrize("table", SCRUBBED)
async def test_filler_fits_a_table(owner: str, table: str):
    async with await AsyncConnection.connect(owner) as connection:
        await connection.execute("set session_replication_role = replica")
        await prepare_noise(connection)
        filler = await make_filler(connection, table)
        inserted = await connection.execute(filler.insert(3, [100, 1000]))
        assert inserted.rowcount == 3
        await connection.rollback()
