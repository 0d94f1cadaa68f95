"""What the database and the system say of a soak, beside what Brain says of itself."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import UUID

from psycopg import Connection
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL, Identifier

from evals.soak.house import House
from evals.soak.ledger import Fault, Logged
from memory.scope import Scope

MIGHTY = 24.0
"""Megabytes above which temporary files are no longer those of a single sort."""
_LOG = """
select e.role, e.text, e.operation_id::text from brain.conversation_events e
where e.tenant_id = %(tenant)s and e.user_id = %(user)s and not exists (
    select from brain.replaced_replies r where r.tenant_id = e.tenant_id and r.event_id = e.event_id)
"""
_STUCK = """
select o.status, e.text from brain.operations o
left join brain.conversation_events e
    on e.tenant_id = o.tenant_id and e.operation_id = o.operation_id and e.role = 'user'
where o.tenant_id = %(tenant)s and o.user_id = %(user)s and o.status in ('accepted', 'queued', 'dead_letter')
"""
_UNTOLD = """
select count(*) as n from brain.conversation_events e
where e.tenant_id = %(tenant)s and e.user_id = %(user)s and e.role = 'assistant' and not exists (
    select from brain.memory_receipts r where r.tenant_id = e.tenant_id and r.operation_id = e.operation_id
        and r.receipt_type = 'retrieval')
"""
_QUEUE = """
select count(*) filter (where status = 'doing' or (status = 'todo' and coalesce(scheduled_at, now())
           < now() + interval '60 seconds')) as waiting,
       count(*) filter (where status = 'failed') as dead
from queue.procrastinate_jobs
where task_name <> 'erase'  -- it waits until no run of before can go on: the person who erased looks at that
"""
_HELD = """
select count(*) filter (where backend_type = 'client backend') as connections,
       count(*) filter (where xact_start < now() - interval '60 seconds' and backend_type = 'client backend') as old,
       (select count(*) from pg_locks where not granted) as ungranted,
       coalesce((select sum(size) from pg_ls_tmpdir()), 0)::float8 / 1e6 as temporary_mb
from pg_stat_activity
"""
_TABLES = """
select n.nspname as place, c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p') and n.nspname in ('brain', 'queue', 'checkpoint', 'knowledge')
"""


@dataclass(frozen=True)
class Held:
    """What the database holds open when nobody talks."""

    connections: int
    old: int
    ungranted: int
    temporary_mb: float


def connect(house: House) -> Connection[DictRow]:
    """The owner's connection, whose database is started if it is gone."""
    return Connection[DictRow].connect(house.postgres.start(), autocommit=True, row_factory=dict_row)


def read_log(connection: Connection[DictRow], scope: Scope) -> list[Logged]:
    """All turns of a person that count."""
    return [Logged(**row) for row in connection.execute(_LOG, _whose(scope))]


def find_stuck(connection: Connection[DictRow], scope: Scope, who: str) -> Iterator[Fault]:
    """Turns of which memory took nothing in the end, and replies without receipts."""
    for row in connection.execute(_STUCK, _whose(scope)):
        yield Fault("stuck", who, f"{row['text']!r} is {row['status']}")
    for row in connection.execute(_UNTOLD, _whose(scope)):
        if row["n"]:
            yield Fault("stuck", who, f"{row['n']} replies without a receipt")


def read_queue(connection: Connection[DictRow]) -> tuple[int, int]:
    """How many jobs wait or run, and how many were given up."""
    row = connection.execute(_QUEUE).fetchone()
    return (row["waiting"], row["dead"]) if row else (0, 0)


def read_held(connection: Connection[DictRow]) -> Held:
    """Connections, old transactions, waits for locks, temporary files."""
    row = connection.execute(_HELD).fetchone()
    assert row is not None
    return Held(**row)


def find_written(connection: Connection[DictRow], names: Sequence[str]) -> Iterator[str]:
    """The tables of Brain that hold one of the names in any column."""
    pattern = "|".join(names)
    for row in connection.execute(_TABLES).fetchall() if names else []:
        table = SQL("{}.{}").format(Identifier(row["place"]), Identifier(row["name"]))
        query = SQL("select count(*) as n from {} t where t::text ~* %s").format(table)
        found = connection.execute(query, (pattern,)).fetchone()
        if found is not None and found["n"]:
            yield f"{row['place']}.{row['name']}: {found['n']} rows"


def resident_mb(pid: int) -> float | None:
    """Megabytes of memory that a process holds; None when it is gone."""
    with suppress(OSError):
        for line in Path(f"/proc/{pid}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    return None


def open_files(pid: int) -> int | None:
    """How many file descriptors a process holds; None when it is gone."""
    with suppress(OSError):
        return len(list(Path(f"/proc/{pid}/fd").iterdir()))
    return None


def shared_segments(pids: Sequence[int]) -> set[str]:
    """The files of shared memory that processes have mapped."""
    found = set[str]()
    for pid in pids:
        with suppress(OSError):
            lines = Path(f"/proc/{pid}/maps").read_text().splitlines()
            found |= {line.split()[-1] for line in lines if "/dev/shm/PostgreSQL." in line}
    return found


def _whose(scope: Scope) -> dict[str, Any]:
    tenant: UUID = scope.tenant_id
    return {"tenant": tenant, "user": scope.user_id}
