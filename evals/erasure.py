"""What erasing a person costs: how soon they are invisible, how soon gone, what others notice, whether kills matter.

``python -m evals.erasure`` fills a database of its own with two people of 10,000 turns and 2,000 memories each, erases
one of them while the other asks, and tells the other's 95th percentile before and meanwhile. ``--kills 50`` erases
another one with a process that is killed at a random moment, as often, until it is done.
"""

import argparse
import asyncio
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from statistics import median, quantiles
from uuid import UUID

import psycopg
import uuid_utils.compat as uuids

from brain.local_postgres.server import EmbeddedPostgres
from brain.recall import RecallRequest, query_of
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources
from evolution.erasure.job import run_erasure
from evolution.erasure.request import ErasureWish, request_erasure
from memory.postgres.migrate import migrate
from memory.postgres.roles import addresses
from memory.scope import Scope, Speaker, scope_of

TURNS, MEMORIES = 10_000, 2_000
TENANT = "erasing"
QUESTIONS = 300
WORDS = "secret canary words of somebody that nobody may find again"
_FILL = """
insert into brain.names values (%(tenant)s, %(user)s, 'user', %(name)s::text) on conflict do nothing;
insert into brain.sessions (tenant_id, session_id, scope, user_id, name, started_at, last_at, expires_at)
select %(tenant)s, md5(%(name)s::text || 's' || n)::uuid, 'main', %(user)s, 's' || n, now(), now(), now() +
    interval '30 days'
from generate_series(0, 99) n;
insert into brain.operations (tenant_id, operation_id, scope, user_id, session_id, status, created_at)
select %(tenant)s, md5(%(name)s::text || 'o' || n)::uuid, 'main', %(user)s, md5(%(name)s::text || 's' || n %%
    100)::uuid, 'stored', now()
from generate_series(1, %(turns)s) n;
insert into brain.conversation_events (tenant_id, event_id, scope, user_id, session_id, position, operation_id, role,
                                       speaker, content, text, sha256, occurred_at, time_zone)
select %(tenant)s, md5(%(name)s::text || 'e' || n || role)::uuid, 'main', %(user)s, md5(%(name)s::text || 's' || n
    %% 100)::uuid,
       n * 2 + (role = 'assistant')::int, md5(%(name)s::text || 'o' || n)::uuid, role, role,
       jsonb_build_array(jsonb_build_object('type', 'text', 'text', said)), said,
       encode(sha256(convert_to(said, 'UTF8')), 'hex'), now(), 'UTC'
from generate_series(1, %(turns)s) n cross join (values ('user'), ('assistant')) r (role)
cross join lateral (select %(words)s::text || ' ' || n || ' ' || role as said) s;
insert into brain.memory_receipts (tenant_id, receipt_id, scope, user_id, session_id, operation_id, receipt_type,
    details,
                                   details_schema_version, created_at)
select %(tenant)s, md5(%(name)s::text || 'r' || n || kind)::uuid, 'main', %(user)s, md5(%(name)s::text || 's' || n
    %% 100)::uuid,
       md5(%(name)s::text || 'o' || n)::uuid, kind, jsonb_build_object('text', %(words)s::text, 'candidate_score',
    0.5), 1, now()
from generate_series(1, %(turns)s) n cross join (values ('retrieval'), ('injection')) k (kind);
insert into brain.memory_items (tenant_id, item_id, scope, user_id, item_type, subject, predicate, object, negated,
    content,
                                category, slot, status, confidence, certainty, provenance, version, observed_at,
    valid_at,
                                created_at, updated_at)
select %(tenant)s, md5(%(name)s::text || 'm' || n)::uuid, 'main', %(user)s, 'fact', 'user', 'says', %(words)s::text
    || n, false,
       %(words)s::text || n, 'fact', 'slot' || n, 'active', 0.9, 0.9, '{}', 1, now(), now(), now(), now()
from generate_series(1, %(memories)s) n;
insert into brain.memory_versions (tenant_id, item_id, version, scope, user_id, change, snapshot, reason, operator,
    recorded_at)
select tenant_id, item_id, 1, scope, user_id, 'create', jsonb_build_object('object', object), 'said', 'rules', now()
from brain.memory_items where tenant_id = %(tenant)s and user_id = %(user)s;
insert into brain.memory_citations (tenant_id, item_id, event_id, span_start, span_end, sha256, scope, user_id)
select %(tenant)s, md5(%(name)s::text || 'm' || n)::uuid, md5(%(name)s::text || 'e' || n || 'user')::uuid, 0, 5,
    'x', 'main', %(user)s
from generate_series(1, %(memories)s) n;
insert into brain.audit_log (tenant_id, scope, user_id, action, target_id, reason, operator)
select tenant_id, scope, user_id, 'create', item_id, 'said', 'rules' from brain.memory_items
where tenant_id = %(tenant)s and user_id = %(user)s;
insert into brain.recall_index (tenant_id, user_id, source_id, observed_at, valid_at, recorded_at, scope, lane,
    text, words,
                                grams, length, role)
select tenant_id, user_id, event_id, now(), now(), now(), scope, 'turn', text, array[n %% 97, 97 + n %% 89],
    array[n %% 31],
       9, role
from (select e.*, (row_number() over ())::int as n from brain.conversation_events e
      where tenant_id = %(tenant)s and user_id = %(user)s and role = 'user') e
"""


def fill(owner_url: str, scope: Scope, name: str) -> None:
    """Give somebody a life of that many turns and memories, without vectors."""
    told = {
        "tenant": scope.tenant_id,
        "user": scope.user_id,
        "name": name,
        "turns": TURNS,
        "memories": MEMORIES,
        "words": WORDS,
    }
    with psycopg.connect(owner_url, autocommit=True) as connection:
        for each in _FILL.split(";\n"):
            connection.execute(each.encode(), told)
        connection.execute("analyze")


def person(name: str) -> Scope:
    """Somebody of the tenant."""
    return scope_of(Speaker(tenant=TENANT, user=name))


async def measure(settings: Settings) -> None:
    """Erase one of two people while the other asks."""
    resources = build_resources(settings)
    try:
        ben = person("ben")
        await _ask(resources, ben, 20)
        before = await _ask(resources, ben, QUESTIONS)
        begun = time.perf_counter()
        wish = ErasureWish(scope=person("ann"), user="ann")
        asked = await request_erasure(resources, wish, wish.sentence)
        invisible = time.perf_counter() - begun
        ended = asyncio.Event()
        meanwhile = asyncio.create_task(_ask_until(resources, ben, ended))
        await run_erasure(resources, asked.tenant_id, asked.tombstone_id)
        complete = time.perf_counter() - begun
        ended.set()
        during = await meanwhile
        done = await resources.memory.erasures.find(asked.tenant_id, asked.tombstone_id)
        rows = sum(done.erased.values()) if done else 0
        print(f"invisible after {invisible * 1e3:.0f} ms, complete after {complete:.1f} s: {rows:,} rows erased")
        print(
            f"somebody else's question, p50 / p95 ms: before {_told(before)}, meanwhile {_told(during)} ({len(during)})"
        )
    finally:
        await resources.close()


async def _ask(resources: Resources, scope: Scope, times: int) -> list[float]:
    taken: list[float] = []
    query = query_of(RecallRequest(text="which words may nobody find", at=datetime.now(UTC)))
    for _ in range(times):
        begun = time.perf_counter()
        await resources.memory.index.candidates(scope, query)
        taken.append((time.perf_counter() - begun) * 1e3)
    return taken


async def _ask_until(resources: Resources, scope: Scope, ended: asyncio.Event) -> list[float]:
    taken: list[float] = []
    while not ended.is_set():
        taken += await _ask(resources, scope, 1)
    return taken


def _told(taken: Sequence[float]) -> str:
    return f"{median(taken):.1f} / {quantiles(taken, n=20)[-1]:.1f}"


def survive(owner_url: str, home: Path, kills: int) -> None:
    """Erase with a process that is killed at random moments, then let one finish; tells how it ended."""
    wish = ErasureWish(scope=person("cai"), user="cai")
    asked = asyncio.run(_request(Settings(database_url=owner_url, data_dir=home), wish))
    command = [sys.executable, "-m", "evals.erasure", "--erase", str(asked), owner_url, str(home)]
    killed = 0
    for _ in range(kills):
        with subprocess.Popen(command) as working:
            try:
                working.wait(timeout=random.uniform(0.5, 3.0))
                break
            except subprocess.TimeoutExpired:
                working.send_signal(signal.SIGKILL)
                killed += 1
    subprocess.run(command, check=True)
    subprocess.run(command, check=True)
    with psycopg.connect(owner_url) as connection:
        state = connection.execute("select state from brain.tombstones where tombstone_id = %s", (asked,)).fetchone()
        consumed = connection.execute("select count(*) from brain.inbox where idempotency_key like %s", (f"%{asked}",))
        left = connection.execute("select count(*) from brain.memory_items where user_id = %s", (wish.scope.user_id,))
        print(f"killed {killed} times: {state}, consumed {consumed.fetchone()}, memories left {left.fetchone()}")


async def _request(settings: Settings, wish: ErasureWish) -> UUID:
    resources = build_resources(settings)
    try:
        return (await request_erasure(resources, wish, wish.sentence)).tombstone_id
    finally:
        await resources.close()


async def _erase(tombstone: str, owner_url: str, home: str) -> None:
    resources = build_resources(Settings(database_url=owner_url, data_dir=Path(home)))
    try:
        await run_erasure(resources, person("cai").tenant_id, UUID(tombstone))
    finally:
        await resources.close()


def main() -> None:
    """Measure, or be the process that is killed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=0)
    parser.add_argument("--erase", nargs=3, metavar=("TOMBSTONE", "URL", "HOME"))
    told = parser.parse_args()
    if told.erase:
        asyncio.run(_erase(*told.erase))
        return
    with tempfile.TemporaryDirectory(prefix=f"brain-{uuids.uuid4().hex[:6]}") as folder:
        home = Path(folder)
        home.chmod(0o711)
        server = EmbeddedPostgres(home)
        try:
            owner_url = server.start()
            asyncio.run(migrate(addresses(owner_url)))
            for name in ("ann", "ben", *(["cai"] if told.kills else [])):
                fill(owner_url, person(name), name)
            asyncio.run(measure(Settings(database_url=owner_url, data_dir=home)))
            if told.kills:
                survive(owner_url, home, told.kills)
        finally:
            server.stop()


if __name__ == "__main__":
    main()
