"""What keeps others away from a tenant that moves: other movers all the time, its people for a moment."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager, suppress
from time import monotonic
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection, Error, errors

from apps.cells.standing import CellConnection
from memory.errors import BrainError
from memory.postgres.failures import translate_errors

HOLD_MS = 1_500
"""Milliseconds that a statement may take while the tenant is held; a hold that takes longer is given up."""
_LOCK = "select pg_try_advisory_lock(hashtextextended(%s, 0))"
_UNLOCK = "select pg_advisory_unlock(hashtextextended(%s, 0))"


class MoverAliveError(BrainError):
    """Another process is at work on the tenant."""

    def __init__(self) -> None:
        super().__init__("E_CONFLICT", "Another process moves this tenant.", "Wait for it.")


@asynccontextmanager
async def alone(cells: Iterable[CellConnection], tenant_id: UUID) -> AsyncGenerator[None]:
    """Nobody else moves the tenant meanwhile. Raises ``E_CONFLICT`` beside another mover.

    Each connection holds the lock in its own database: of a mover that died, none is left that could still commit.
    """
    key, held = f"brain move {tenant_id}", list[CellConnection]()
    try:
        for cell in cells:
            if (await (await cell.connection.execute(_LOCK, (key,))).fetchone()) != (True,):
                raise MoverAliveError
            held.append(cell)
        yield
    finally:
        for cell in held:
            with suppress(Error):  # a connection that broke off holds nothing
                await cell.connection.execute(_UNLOCK, (key,))


@asynccontextmanager
async def leased(cells: Iterable[CellConnection]) -> AsyncGenerator[None]:
    """While no cell serves the tenant, a mover that stands still loses its connections, and with them its locks."""
    for cell in cells:
        await cell.connection.execute("set idle_session_timeout = '5s'")
    yield
    for cell in cells:
        await cell.connection.execute("set idle_session_timeout = 0")


@asynccontextmanager
async def handing_over(home: CellConnection) -> AsyncGenerator[None]:
    """A tenant is about to change its cell, which waits for those who want all of them in place."""
    await home.connection.execute("select pg_advisory_lock(hashtextextended('brain cells', 0))")
    try:
        yield
    finally:
        with suppress(Error):
            await home.connection.execute("select pg_advisory_unlock(hashtextextended('brain cells', 0))")


@asynccontextmanager
async def all_in_place(home: CellConnection) -> AsyncGenerator[None]:
    """No tenant changes its cell meanwhile: backups of several databases, made one after the other, fit together.

    Raises ``E_DEP_UNAVAILABLE`` where that did not hold to the end.
    """
    with translate_errors():
        await home.connection.execute("select pg_advisory_lock_shared(hashtextextended('brain cells', 0))")
    yield
    with translate_errors():
        await home.connection.execute("select pg_advisory_unlock_shared(hashtextextended('brain cells', 0))")


@asynccontextmanager
async def hold(source: AsyncConnection[Any], tenant_id: UUID) -> AsyncGenerator[float | None]:
    """Hold whoever acts for the tenant; since when, or None where somebody was in the way.

    A lock that is waited for holds newcomers as well, so it is waited for briefly: no deadlock is looked for so soon.
    A mover whose machine is gone lets go after some seconds.
    """
    lock = "select pg_advisory_lock(brain.move_lock(%s))"
    begun = monotonic()
    try:
        await source.execute("set lock_timeout = 800; set idle_session_timeout = '5s'")
        await source.execute(lock, (tenant_id,))
    except errors.LockNotAvailable:
        begun = None
    try:
        yield begun
    finally:
        if not source.closed:
            await source.execute("set lock_timeout = 0; set idle_session_timeout = 0")
            if begun is not None:
                await source.execute("select pg_advisory_unlock(brain.move_lock(%s))", (tenant_id,))


@asynccontextmanager
async def bounded(connection: AsyncConnection[Any]) -> AsyncGenerator[None]:
    """No statement takes longer than a tenant may be held."""
    await connection.execute("select set_config('statement_timeout', %s, false)", (str(HOLD_MS),))
    try:
        yield
    finally:
        if not connection.closed:
            await connection.execute("set statement_timeout = 0")
