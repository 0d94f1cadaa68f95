"""What the application's role may do: given after migrating, and again wherever some of it is missing."""

from collections.abc import Set
from typing import Any

from psycopg import AsyncConnection, Rollback
from psycopg.sql import SQL, Composable, Identifier

from memory.postgres.roles import Addresses
from memory.postgres.server import SCHEMAS

PRIVILEGES = "privileges on"
"""Begins the name of what was granted anew."""
_PRIVILEGES = """
with granted as (
    select 'database ' || datname as object, coalesce(datacl, acldefault('d', datdba)) as acl
    from pg_database where datname = current_database()
    union all
    select 'schema ' || nspname, nspacl from pg_namespace where nspname = any(%(schemas)s)
    union all
    select n.nspname || '.' || c.relname, c.relacl
    from pg_class c join pg_namespace n on n.oid = c.relnamespace where n.nspname = any(%(schemas)s)
    union all
    select n.nspname || '.' || c.relname || '.' || a.attname, a.attacl
    from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = any(%(schemas)s) and a.attacl is not null
    union all
    select n.nspname || '.' || p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')',
        coalesce(p.proacl, acldefault('f', p.proowner))
    from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = any(%(schemas)s)
)
select g.object, coalesce(r.rolname, 'public'), a.privilege_type
from granted g cross join lateral aclexplode(g.acl) a left join pg_roles r on r.oid = a.grantee
where a.grantee = 0 or r.rolname = any(%(roles)s)"""

_PARTS = (
    "grant select, insert, update, delete on all tables in schema queue, checkpoint to {}",
    "revoke insert, update, delete on checkpoint.checkpoint_migrations from {}",
    "grant usage, select on all sequences in schema queue, checkpoint to {}",
    "grant execute on all functions in schema queue, checkpoint to {}",
)

Privileges = Set[tuple[str, str, str]]
"""Object, role (or ``public``) and privilege."""


async def restore_grants(connection: AsyncConnection[Any], where: Addresses, own: str) -> list[str]:
    """Give the application its privileges, and name the objects where something was missing or the public had too much.

    ``own``: the statements about Brain's own tables. Where nothing changes, everything is rolled back: catalogs that
    other sessions have cached stay as they are.
    """
    async with connection.transaction() as transaction:
        before = await privileges(connection, where)
        await _grant(connection, where)
        await connection.execute(own.encode())
        changed = before ^ await privileges(connection, where)
        if not changed:
            raise Rollback(transaction)
    return [f"{PRIVILEGES} {name}" for name in sorted({name for name, _, _ in changed})]


async def privileges(connection: AsyncConnection[Any], where: Addresses) -> Privileges:
    """What the application, and everybody, may do in this database."""
    roles = [where.app_role, where.knowledge_role]
    cursor = await connection.execute(_PRIVILEGES, {"schemas": list(SCHEMAS), "roles": roles})
    return {(str(name), str(role), str(privilege)) for name, role, privilege in await cursor.fetchall()}


async def _grant(connection: AsyncConnection[Any], where: Addresses) -> None:
    """Where the application may look, and what it may do with the tables that libraries made."""
    role = Identifier(where.app_role)
    database: Composable = SQL("grant connect on database {} to {}").format(Identifier(connection.info.dbname), role)
    schemas = SQL(", ").join(map(Identifier, SCHEMAS))
    usage = SQL("grant usage on schema {} to {}").format(schemas, role)
    await connection.execute(SQL("; ").join([database, usage, *(SQL(part).format(role) for part in _PARTS)]))
