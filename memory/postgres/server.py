"""What Brain asks of a PostgreSQL server and of the role it logs in with."""

from typing import Any

from psycopg import AsyncConnection
from psycopg.errors import Error, InsufficientPrivilege
from psycopg.sql import SQL, Identifier

from memory.errors import BrainError, config_error

MIN_SERVER = 150_000
MIN_VECTOR = (0, 7)
EXTENSIONS = ("vector", "intarray", "pg_trgm")
SCHEMAS = ("brain", "queue", "checkpoint")
_REACHABLE = frozenset({"public", "extensions", "brain"})

_POWERS = """
select r.rolsuper, r.rolbypassrls,
       exists (select from pg_class c join pg_namespace n on n.oid = c.relnamespace
               where n.nspname = any(%s) and pg_has_role(r.oid, c.relowner, 'member'))
from pg_roles r where r.rolname = current_user"""

_UNFORCED = """
select c.relname from pg_class c
join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attname = 'tenant_id' and not a.attisdropped
where n.nspname in ('brain', 'checkpoint', 'queue') and c.relkind in ('r', 'p')
  and not (c.relrowsecurity and c.relforcerowsecurity)
order by 1"""


async def require_server(connection: AsyncConnection[Any]) -> None:
    """Refuse a server that is too old. Raises ``E_CONFIG``."""
    if connection.info.server_version < MIN_SERVER:
        raise config_error(
            f"PostgreSQL {connection.info.server_version // 10_000} is too old; Brain needs 15 or newer.",
            "Point BRAIN_DATABASE_URL at a newer server, or leave it out for the embedded one.",
        )


async def require_extensions(connection: AsyncConnection[Any]) -> None:
    """Have every extension present where the search path finds it. Raises ``E_CONFIG`` with the remedy."""
    for name in EXTENSIONS:
        if await _fetch_extension(connection, name) is None:
            await _create_extension(connection, name)
        found = await _fetch_extension(connection, name)
        if found is not None and found[0] not in _REACHABLE:
            raise config_error(
                f"The extension {name} is in schema {found[0]}, where Brain does not look.",
                f"As an administrator: ALTER EXTENSION {name} SET SCHEMA public;",
            )
    await _require_vector_version(connection)


async def require_least_privilege(connection: AsyncConnection[Any]) -> None:
    """Refuse to serve as a role that could see past row-level security. Raises ``E_CONFIG``."""
    cursor = await connection.execute(_POWERS, (list(SCHEMAS),))
    powers = await cursor.fetchone()
    assert powers is not None
    for has, what in zip(
        powers, ("is a superuser", "can bypass row-level security", "owns Brain's tables"), strict=True
    ):
        if has:
            raise config_error(
                f"The application's database role {connection.info.user} {what}, so tenants would not be isolated.",
                "Leave BRAIN_APP_DATABASE_URL out, or give it a login role without such rights.",
            )


async def require_row_security(connection: AsyncConnection[Any]) -> None:
    """Refuse a schema in which a table with tenants forgot its row-level security. Raises ``E_CONFIG``."""
    names = [str(row[0]) for row in await (await connection.execute(_UNFORCED)).fetchall()]
    if names:
        raise config_error(
            f"Row-level security is not forced on {', '.join(names)}.", "Call brain.secure on it in a migration."
        )


async def _fetch_extension(connection: AsyncConnection[Any], name: str) -> tuple[str, str] | None:
    cursor = await connection.execute(
        "select n.nspname, e.extversion from pg_extension e join pg_namespace n on n.oid = e.extnamespace"
        " where e.extname = %s",
        (name,),
    )
    return await cursor.fetchone()


async def _create_extension(connection: AsyncConnection[Any], name: str) -> None:
    try:
        await connection.execute(SQL("create extension if not exists {} with schema public").format(Identifier(name)))
    except InsufficientPrivilege:
        raise config_error(
            f"The database lacks the extension {name} and this role may not create it.",
            f"As an administrator: CREATE EXTENSION {name};",
        ) from None
    except Error as error:
        if error.sqlstate is None:
            raise  # the connection broke
        raise config_error(
            f"The extension {name} cannot be created: {error.diag.message_primary or error}.",
            "Install pgvector and PostgreSQL's contrib modules on the server.",
        ) from error


async def _require_vector_version(connection: AsyncConnection[Any]) -> None:
    installed = await _fetch_extension(connection, "vector")
    version = installed[1] if installed else "0"
    if tuple(int(part) for part in version.split(".")[:2]) < MIN_VECTOR:
        raise BrainError(
            "E_CONFIG",
            f"pgvector {version} is too old; Brain needs 0.7 or newer.",
            "Install a newer pgvector, then: ALTER EXTENSION vector UPDATE;",
        )
