"""What follows a tenant that is leaving: triggers that note which of its rows are written, and that hold its jobs."""

import asyncio
from collections.abc import Sequence
from time import monotonic
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection, errors
from psycopg.sql import SQL, Composed, Identifier, Literal

from apps.cells.tenant_tables import LATE, TenantTable
from memory.errors import timeout_error

_LOCK_TIMEOUT = "200ms"
"""How long others may be kept waiting behind a change of a table; too short for a deadlock to be looked for."""
_PATIENCE = 120.0
"""Seconds for a lock on a table that is written all the time."""
JOBS_SECONDS = 300.0
"""How long jobs at hand may take to end: a slow model is waited for."""
_LOOK_AGAIN = 0.05
_JOBS = "queue.procrastinate_jobs"
HELD = "moving:"
_FOLLOWED = "^zz_.*_move_([0-9a-f]{32})$"
_RUNNING = "select count(*) from queue.procrastinate_jobs where tenant_id = %s and status = 'doing'"


async def install(connection: AsyncConnection[Any], tables: Sequence[TenantTable], tenant_id: UUID) -> None:
    """Note every row of the tenant that is written from here on; hold the jobs that begin no more."""
    for table in tables:
        if table.name not in LATE:
            await change_table(connection, _follow(table, tenant_id))
    await change_table(connection, _hold(tenant_id))
    await connection.execute(
        "update queue.procrastinate_jobs set queue_name = queue_name where tenant_id = %s and status = 'todo'",
        (tenant_id,),
    )


async def remove(connection: AsyncConnection[Any], tenant_id: UUID) -> None:
    """Follow the tenant no more, and let its jobs begin again."""
    found = await connection.execute(
        "select n.nspname || '.' || c.relname, t.tgname from pg_trigger t join pg_class c on c.oid = t.tgrelid"
        " join pg_namespace n on n.oid = c.relnamespace where t.tgname like %s",
        (f"%{_mark(tenant_id)}",),
    )
    for table, trigger in await found.fetchall():
        dropped = SQL("drop trigger if exists {} on {}").format(Identifier(trigger), Identifier(*table.split(".")))
        await change_table(connection, dropped)
    await connection.execute(
        "update queue.procrastinate_jobs set queue_name = substr(queue_name, %s)"
        " where tenant_id = %s and queue_name like %s",
        (len(HELD) + 1, tenant_id, f"{HELD}%"),
    )
    await connection.execute("delete from brain.moved_rows where tenant_id = %s", (tenant_id,))


async def list_followed(connection: AsyncConnection[Any]) -> list[UUID]:
    """The tenants that are followed here: what a mover began, or an old copy that it did not remove."""
    found = await connection.execute("select distinct substring(tgname from %s) from pg_trigger", (_FOLLOWED,))
    return [UUID(hexed) for (hexed,) in await found.fetchall() if hexed]


async def await_jobs(connection: AsyncConnection[Any], tenant_id: UUID) -> None:
    """Wait for the jobs that began before. Raises ``E_DEP_TIMEOUT``."""
    until = monotonic() + JOBS_SECONDS
    while (await (await connection.execute(_RUNNING, (tenant_id,))).fetchone()) != (0,):
        if monotonic() > until:
            raise timeout_error(
                "A job of the tenant does not come to an end.", "'brain jobs list' shows it; repeat then."
            )
        await asyncio.sleep(_LOOK_AGAIN)


async def change_table(connection: AsyncConnection[Any], change: Composed) -> None:
    """A change that needs a table for itself, asked for again and again instead of waiting in everybody's way."""
    until = monotonic() + _PATIENCE
    while True:
        try:
            async with connection.transaction():
                await connection.execute(SQL("set local lock_timeout = {}").format(Literal(_LOCK_TIMEOUT)))
                await connection.execute(change)
                return
        except (errors.LockNotAvailable, errors.DeadlockDetected):
            if monotonic() > until:
                raise
            await asyncio.sleep(_LOOK_AGAIN)


def _mark(tenant_id: UUID) -> str:
    return f"move_{tenant_id.hex}"


def _follow(table: TenantTable, tenant_id: UUID) -> Composed:
    statement = """
        create trigger {put} before insert or update on {table} for each row when (new.tenant_id = {tenant})
            execute function brain.follow_move({arguments});
        create trigger {drop} before delete on {table} for each row when (old.tenant_id = {tenant})
            execute function brain.follow_move({arguments})"""
    return SQL(statement).format(
        put=Identifier(f"zz_put_{_mark(tenant_id)}"),
        drop=Identifier(f"zz_drop_{_mark(tenant_id)}"),
        table=table.identifier,
        tenant=Literal(str(tenant_id)),
        arguments=SQL(", ").join(Literal(each) for each in (str(tenant_id), *table.key)),
    )


def _hold(tenant_id: UUID) -> Composed:
    return SQL(
        "create trigger {name} before insert or update on {table} for each row"
        " when (new.args ->> 'tenant_id' = {tenant}) execute function brain.hold_jobs({tenant})"
    ).format(
        name=Identifier(f"zz_hold_{_mark(tenant_id)}"),
        table=Identifier(*_JOBS.split(".")),
        tenant=Literal(str(tenant_id)),
    )
