"""The owner's own way to the database, for counts across people that the application may not make."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from uuid import UUID

from psycopg import AsyncConnection

from memory.postgres.database import acting_as, tenant_scope
from memory.postgres.database_session import Begun, SessionConnection, Transaction, run_transaction
from memory.postgres.failures import translate_errors

STATEMENT_SECONDS = 60.0


@asynccontextmanager
async def owner_connection(owner_url: str) -> AsyncGenerator[AsyncConnection]:
    """A connection of its own. Raises ``E_DEP_UNAVAILABLE``."""
    with translate_errors():
        connection = await AsyncConnection.connect(
            owner_url, autocommit=True, connect_timeout=10, application_name="brain count"
        )
    async with connection:
        yield connection


@asynccontextmanager
async def owner_transaction(connection: AsyncConnection, tenant_id: UUID) -> AsyncGenerator[Transaction]:
    """One transaction of the owner on a tenant's rows."""
    line = SessionConnection(connection=connection, timeout=STATEMENT_SECONDS, on_round_trip=lambda: None)
    async with run_transaction(Begun(line, acting_as(tenant_scope(tenant_id)))) as session:
        yield session
