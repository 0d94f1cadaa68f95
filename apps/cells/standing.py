"""What each database says about a tenant: whether it serves it, and home, where it lives."""

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.rows import class_row

from memory.errors import BrainError, config_error
from memory.postgres.cells import HOME
from memory.postgres.failures import translate_errors

State = Literal["here", "leaving", "arriving", "gone"]
NOBODY = UUID(int=0)
_MAY_MOVE = (
    "select (rolsuper or rolbypassrls) and (rolsuper or has_parameter_privilege('session_replication_role', 'set'))"
    " from pg_roles where rolname = current_user"
)

_HOLDS_OTHERS = """
select to_regclass('brain.schema_migrations') is null and exists (
    select from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname <> 'information_schema' and n.nspname not like 'pg\\_%'
      and not exists (select from pg_depend d
                      where d.classid = 'pg_class'::regclass and d.objid = c.oid and d.deptype = 'e'))"""


@dataclass(frozen=True)
class CellConnection:
    """The owner's connection to a cell."""

    name: str
    connection: AsyncConnection[Any]


@dataclass(frozen=True)
class Standing:
    """What a database says about a tenant."""

    tenant_id: UUID
    state: State
    cell: str | None


@asynccontextmanager
async def open_cell(name: str, owner_url: str) -> AsyncGenerator[CellConnection]:
    """A connection for moves. Raises ``E_DEP_UNAVAILABLE``, and ``E_CONFIG`` for an owner who may not move rows."""
    try:
        with translate_errors():
            connection = await AsyncConnection.connect(
                owner_url, autocommit=True, connect_timeout=5, application_name="brain cells"
            )
    except BrainError as error:
        raise BrainError(error.code, f"{name}: {error.message}", error.hint) from error
    async with connection:
        if (await (await connection.execute(_MAY_MOVE)).fetchone()) != (True,):
            raise config_error(
                f"The owner of {name} may not move tenants: it must see past row-level security and copy without"
                " triggers.",
                "As an administrator: ALTER ROLE … BYPASSRLS; GRANT SET ON PARAMETER session_replication_role TO …;",
            )
        await connection.execute(
            "set timezone = 'UTC'; set search_path = pg_catalog, queue;"
            " set tcp_keepalives_idle = 10; set tcp_keepalives_interval = 5; set tcp_keepalives_count = 3"
        )  # the locks of a mover whose machine is gone go as well
        yield CellConnection(name, connection)


async def fetch_standing(cell: CellConnection, tenant_id: UUID) -> Standing | None:
    """What the database says about a tenant; None when nothing."""
    async with cell.connection.cursor(row_factory=class_row(Standing)) as cursor:
        await cursor.execute("select tenant_id, state, cell from brain.tenant_cells where tenant_id = %s", (tenant_id,))
        return await cursor.fetchone()


async def list_standings(cell: CellConnection, but: State | None = None) -> list[Standing]:
    """All that the database says about tenants, or what it says of those that are in another state."""
    async with cell.connection.cursor(row_factory=class_row(Standing)) as cursor:
        await cursor.execute(
            "select tenant_id, state, cell from brain.tenant_cells"
            " where tenant_id <> %s and state is distinct from %s::text",
            (NOBODY, but),
        )
        return await cursor.fetchall()


async def put_standing(cell: CellConnection, tenant_id: UUID, state: State, lives_in: str | None = None) -> None:
    """Say it, durably; ``lives_in``: the cell of the tenant, where home is told of one that lives elsewhere."""
    await cell.connection.execute(
        "insert into brain.tenant_cells (tenant_id, state, cell) values (%s, %s, %s)"
        " on conflict (tenant_id) do update set state = excluded.state, cell = excluded.cell,"
        " arrived_by = excluded.arrived_by, changed_at = excluded.changed_at",
        (tenant_id, state, lives_in),
    )


async def drop_standing(cell: CellConnection, tenant_id: UUID) -> None:
    """Say nothing any more: home serves the tenant again as ever, a cell refuses it."""
    await cell.connection.execute("delete from brain.tenant_cells where tenant_id = %s", (tenant_id,))


def lives_in(at_home: Standing | None) -> str:
    """The cell in which a tenant lives, by what home says."""
    return at_home.cell if at_home and at_home.state in ("arriving", "gone") and at_home.cell else HOME


async def require_tenant(cells: Iterable[CellConnection], tenant_id: UUID) -> None:
    """Raises ``E_NOT_FOUND`` for a tenant of whom no database has a name."""
    for each in cells:
        found = await each.connection.execute("select from brain.names where tenant_id = %s limit 1", (tenant_id,))
        if found.rowcount:
            return
    raise BrainError("E_NOT_FOUND", "Nobody ever spoke in this tenant.", "--tenant names it as its people do.")


async def require_receiver(home: CellConnection, cell: CellConnection) -> None:
    """Raises ``E_CONFIG`` for a database that is no cell yet, or not of home's schema."""
    if cell.name == HOME:
        return
    if await serves_anybody(cell):
        raise config_error(f"{cell.name} is no cell yet.", f"Run 'brain cells add {cell.name}'.")
    if await _migrations(home) != await _migrations(cell):
        raise config_error(f"{cell.name} has not the schema of home.", f"Run 'brain cells add {cell.name}'.")


async def prepare_cell(home: CellConnection, cell: CellConnection) -> None:
    """Make an empty, migrated database a cell: it serves who is moved to it, and shares home's list of erasures.

    Raises ``E_CONFLICT`` for a database in which somebody spoke already, home's own included, and for a cell of others.
    """
    connection = cell.connection
    installation = await _installation(home)
    if not await serves_anybody(cell):
        if await _installation(cell) != installation:
            raise BrainError("E_CONFLICT", f"{cell.name} is a cell of another Brain.", "A cell begins empty.")
        return
    if (await connection.execute("select from brain.names limit 1")).rowcount or await _identity(
        home
    ) == await _identity(cell):
        raise BrainError("E_CONFLICT", f"{cell.name} is a database that is in use.", "A cell begins empty.")
    async with connection.transaction():
        await connection.execute("update brain.installation set installation_id = %s", (installation,))
        await put_standing(cell, NOBODY, "gone")


async def require_free(cell: CellConnection) -> None:
    """Raises ``E_CONFLICT`` for a database that holds tables of others, before anything of Brain's is made in it."""
    if (await (await cell.connection.execute(_HOLDS_OTHERS)).fetchone()) == (True,):
        raise BrainError("E_CONFLICT", f"{cell.name} is a database that others use.", "A cell begins empty.")


async def require_apart(cells: Iterable[CellConnection]) -> None:
    """Raises ``E_CONFIG`` where two names lead to one database: a move would take its only copy for a second one."""
    known = dict[object, str]()
    for cell in cells:
        other = known.setdefault(await _identity(cell), cell.name)
        if other != cell.name:
            raise config_error(f"{other} and {cell.name} are the same database.", "Correct BRAIN_CELLS.")


async def serves_anybody(cell: CellConnection) -> bool:
    """Whether a database serves whoever asks, as home does, and not only who was moved there."""
    found = await cell.connection.execute("select from brain.tenant_cells where tenant_id = %s", (NOBODY,))
    return not found.rowcount


async def _migrations(cell: CellConnection) -> object:
    query = "select array_agg(name order by name) from brain.schema_migrations"
    return await (await cell.connection.execute(query)).fetchone()


async def _installation(cell: CellConnection) -> UUID | None:
    found = await (await cell.connection.execute("select installation_id from brain.installation")).fetchone()
    return found[0] if found else None


async def _identity(cell: CellConnection) -> object:
    query = "select system_identifier, current_database() from pg_control_system()"
    return await (await cell.connection.execute(query)).fetchone()
