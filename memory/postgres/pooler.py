"""Whether a pooler stands between, such as PgBouncer, and whether it lends its connections by the transaction."""

from typing import Any

from psycopg import AsyncConnection
from psycopg.rows import tuple_row

from memory.errors import BrainError, config_error

_BACKEND = "select pg_backend_pid()"
_PAST_IT = "Set BRAIN_DIRECT_DATABASE_URL to the owner's address of PostgreSQL itself."


async def is_pooled(connection: AsyncConnection[Any]) -> bool:
    """A pooler makes up the process that it names at the login: it would be another one with each transaction."""
    return await _backend(connection) != connection.info.backend_pid


async def require_session(connection: AsyncConnection[Any], url: str) -> None:
    """Refuse a way to the database on which no lock and no setting lasts. Raises ``E_CONFIG``."""
    if await is_pooled(connection) and not await _keeps_sessions(connection, url):
        raise shared_connection_error()


def shared_connection_error() -> BrainError:
    """What is wrong with an address that leads to a pooler where the server itself is needed."""
    return config_error(
        "A pooler that lends connections by the transaction stands before the database: migrations, the worker and"
        " backups hold locks, settings and notifications for longer.",
        _PAST_IT,
    )


async def _keeps_sessions(connection: AsyncConnection[Any], url: str) -> bool:
    """Whether nobody else is lent the server's connection that answers this one, although nothing runs on it."""
    mine = await _backend(connection)
    async with await AsyncConnection.connect(url, connect_timeout=5, prepare_threshold=None) as other:
        return await _backend(other) != mine and await _backend(connection) == mine


async def _backend(connection: AsyncConnection[Any]) -> int:
    async with connection.cursor(row_factory=tuple_row) as cursor:
        row = await (await cursor.execute(_BACKEND)).fetchone()
    assert row is not None
    return int(row[0])
