"""Bring a database to what this Brain needs: roles, numbered migrations, the queue's and the saver's own tables."""

import asyncio
import re
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from procrastinate.schema import SchemaManager
from psycopg import AsyncConnection
from psycopg.errors import Error
from psycopg.rows import dict_row, tuple_row
from psycopg.sql import SQL, Identifier

from memory.errors import BrainError, timeout_error
from memory.postgres.failures import translate_errors
from memory.postgres.grants import restore_grants
from memory.postgres.migrations import Migration, brain_migrations, grants_sql, queue_migrations, require_compatible
from memory.postgres.pooler import require_session
from memory.postgres.roles import Addresses, ensure_app_role, ensure_knowledge_role, require_app_login
from memory.postgres.server import SCHEMAS, require_extensions, require_row_security, require_server

_LOCK = 0x427261696E  # "Brain": one number that all migrating processes of a database agree on
_LOCK_POLL = 0.1
_AWAY = "57"
_PASSING = frozenset({"40", "53", "55", _AWAY})
"""Classes of SQLSTATE for which no migration is to blame: serialisation, resources, locks, operator intervention."""
_ROLE = re.compile(r"(?<![:\w]):(app_role|knowledge_role)\b")

_BROKEN_OFF = """
select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
where c.relnamespace = 'checkpoint'::regnamespace and not i.indisvalid and c.relname !~ '_cc(new|old)\\d*$'"""
_OWN_PATH = "select set_config('search_path', 'brain, public, extensions', false)"

_BOOTSTRAP = """
create table if not exists brain.schema_migrations (
    name text primary key,
    sha256 text not null,
    applied_at timestamptz not null default now()
)"""


@dataclass(frozen=True)
class MigrationResult:
    """What a run has done, by name: migrations that were applied, and what was missing beside them."""

    applied: Sequence[str]
    restored: Sequence[str] = ()


async def migrate(
    where: Addresses, migrations: Sequence[Migration] | None = None, wait: float = 60.0
) -> MigrationResult:
    """Apply what is missing, and restore the application's role and grants and the numbers of a restored dump.

    Running again changes nothing. One process at a time, others wait. Raises ``E_CONFIG`` when the server, the role, an
    edited migration or one of a newer Brain is in the way, ``E_DEP_TIMEOUT`` when another process migrates for longer
    than ``wait`` seconds, ``E_DEP_UNAVAILABLE`` when the database cannot be reached.
    """
    wanted = brain_migrations() if migrations is None else migrations
    own_grants = grants_sql() if migrations is None else ""
    with translate_errors():
        async with hold_migrations(where, wait) as connection:
            await require_server(connection)
            created = await ensure_app_role(connection, where)
            await ensure_knowledge_role(connection, where)
            await _bootstrap(connection)
            done = await applied_migrations(connection)
            require_compatible(done, wanted)
            queue = await _install_queue(connection)
            await _install_checkpoints(connection)
            applied = [*queue, *await _apply_all(connection, wanted, where)]
            granted = await restore_grants(connection, where, _insert_roles(connection, own_grants, where))
            renumbered = [*await _adopt_recall_index(connection), *await _adopt_chain(connection)]
            await require_row_security(connection)
            await require_app_login(connection, where)
    role = [f"the role {where.app_role}"] if created else []
    return MigrationResult(applied, [*role, *([] if applied else granted), *renumbered] if done else [])


async def pending_migrations(connection: AsyncConnection[Any]) -> list[str]:
    """Migrations that this Brain ships and this database lacks; for the doctor and for readiness.

    Raises ``E_CONFIG`` when the database is a newer Brain's.
    """
    done, wanted = await applied_migrations(connection), brain_migrations()
    require_compatible(done, wanted)
    return [migration.name for migration in wanted if migration.name not in done]


@asynccontextmanager
async def hold_migrations(where: Addresses, wait: float = 60.0) -> AsyncGenerator[AsyncConnection]:
    """A connection of the owner's, for as long as which nobody else migrates. Raises ``E_DEP_TIMEOUT``."""
    async with _connect_as_owner(where) as connection, _migration_lock(connection, wait):
        yield connection


@asynccontextmanager
async def _connect_as_owner(where: Addresses) -> AsyncGenerator[AsyncConnection]:
    connection = await AsyncConnection.connect(
        where.owner, autocommit=True, connect_timeout=10, application_name="brain migrate", prepare_threshold=None
    )
    async with connection:
        await require_session(connection, where.owner)
        await connection.execute("select set_config('lock_timeout', '20s', false)")
        yield connection


@asynccontextmanager
async def _migration_lock(connection: AsyncConnection[Any], wait: float) -> AsyncGenerator[None]:
    """Ask again and again instead of blocking: a blocked statement would stop CREATE INDEX CONCURRENTLY for ever."""
    try:
        async with asyncio.timeout(wait):
            while not await _try_lock(connection):  # noqa: ASYNC110 - the lock is in another process
                await asyncio.sleep(_LOCK_POLL)
    except TimeoutError:
        raise timeout_error(
            f"Another process has been migrating this database for over {wait:.0f} seconds.",
            "Wait for it, or end it if it hangs, and try again.",
        ) from None
    yield


async def _try_lock(connection: AsyncConnection[Any]) -> bool:
    row = await (await connection.execute("select pg_try_advisory_lock(%s)", (_LOCK,))).fetchone()
    return bool(row and row[0])


async def _bootstrap(connection: AsyncConnection[Any]) -> None:
    for schema in SCHEMAS:
        await _create_schema(connection, schema)
    await connection.execute(_OWN_PATH)
    await require_extensions(connection)
    await connection.execute(_BOOTSTRAP)


async def _create_schema(connection: AsyncConnection[Any], schema: str) -> None:
    """Asked first, because IF NOT EXISTS demands the right to create even when there is nothing to do."""
    cursor = await connection.execute("select 1 from pg_namespace where nspname = %s", (schema,))
    if await cursor.fetchone() is None:
        await connection.execute(SQL("create schema {}").format(Identifier(schema)))


async def applied_migrations(connection: AsyncConnection[Any]) -> dict[str, str]:
    """The SHA-256 of every migration that this database has, by name."""
    cursor = await connection.execute("select name, sha256 from brain.schema_migrations")
    return {str(name): str(digest) for name, digest in await cursor.fetchall()}


async def _apply_all(connection: AsyncConnection[Any], wanted: Sequence[Migration], where: Addresses) -> list[str]:
    done = await applied_migrations(connection)
    missing = [migration for migration in wanted if migration.name not in done]
    for migration in missing:
        await _apply(connection, migration, where)
    return [migration.name for migration in missing]


async def _apply(connection: AsyncConnection[Any], migration: Migration, where: Addresses) -> None:
    try:
        async with connection.transaction():
            await connection.execute(_insert_roles(connection, migration.text, where).encode())
            await _record(connection, migration)
    except Error as error:
        if (error.sqlstate or _AWAY)[:2] in _PASSING:
            raise
        raise BrainError(
            "E_CONFIG",
            f"The migration {migration.name} failed and was undone: {error.diag.message_primary or error}.",
            "Nothing else was changed; correct the cause and migrate again.",
        ) from error


def _insert_roles(connection: AsyncConnection[Any], text: str, where: Addresses) -> str:
    return _ROLE.sub(lambda found: Identifier(getattr(where, found[1])).as_string(connection), text)


async def _record(connection: AsyncConnection[Any], migration: Migration) -> None:
    await connection.execute(
        "insert into brain.schema_migrations (name, sha256) values (%s, %s) on conflict do nothing",
        (migration.name, migration.sha256),
    )


async def _install_queue(connection: AsyncConnection[Any]) -> list[str]:
    """Procrastinate's schema is whole in one file; its own migrations only bring an older one up to date."""
    steps = queue_migrations()
    done = await applied_migrations(connection)
    missing = [step for step in steps if step.name not in done]
    async with connection.transaction():
        await connection.execute("select set_config('search_path', 'queue', true)")
        if not done.keys() & {step.name for step in steps}:
            await connection.execute(SchemaManager.get_schema())
        else:
            for step in missing:
                await connection.execute(step.text.encode())
        for step in missing:
            await _record(connection, step)
    return [step.name for step in missing]


async def _install_checkpoints(connection: AsyncConnection[Any]) -> None:
    """The saver builds indexes concurrently, which no transaction may surround; it resumes by its own version table.

    An index whose building broke off is there and read by nobody, and the saver takes it for whole: it is built again.
    """
    await connection.execute("select set_config('search_path', 'checkpoint', false)")
    connection.row_factory = dict_row
    await AsyncPostgresSaver(connection).setup()
    connection.row_factory = tuple_row
    for (name,) in await (await connection.execute(_BROKEN_OFF)).fetchall():
        await connection.execute(SQL("reindex index concurrently {}").format(Identifier(name)))
    await connection.execute(_OWN_PATH)


async def _adopt_recall_index(connection: AsyncConnection[Any]) -> list[str]:
    """Number the rows of a dump from another server anew, and say so if there were any."""
    cursor = await connection.execute("select to_regprocedure('brain.adopt_recall_index()') is not null")
    if await cursor.fetchone() != (True,):
        return []
    row = await (await connection.execute("select brain.adopt_recall_index()")).fetchone()
    return [f"{row[0]} rows of the recall index that another server had numbered"] if row and row[0] else []


async def _adopt_chain(connection: AsyncConnection[Any]) -> list[str]:
    """The same for what is sealed into the audit chain."""
    cursor = await connection.execute("select to_regprocedure('brain.adopt_chain()') is not null")
    if await cursor.fetchone() != (True,):
        return []
    row = await (await connection.execute("select brain.adopt_chain()")).fetchone()
    return [f"{row[0]} rows of the audit chain that another server had numbered"] if row and row[0] else []
