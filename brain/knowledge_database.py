"""Knowledge's way to the database: the application's connections, in a role that may touch nothing else."""

from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import TypeVar
from uuid import UUID

from memory.postgres.database import Database, tenant_scope
from memory.postgres.database_session import DatabaseSession
from memory.postgres.roles import knowledge_role_of
from memory.postgres.sql import statement

Row = TypeVar("Row")
QUERIES = "knowledge.queries"


class NamedSession:
    """A session that knows the statements of knowledge, and no others."""

    def __init__(self, session: DatabaseSession) -> None:
        self._session = session

    def execute(self, name: str, params: Mapping[str, object]) -> None:
        """Queue a statement whose rows nobody needs."""
        self._session.execute(statement(name, QUERIES), params)

    async def fetch(self, name: str, params: Mapping[str, object], row_type: type[Row]) -> list[Row]:
        """Rows of a statement."""
        return await self._session.fetch(statement(name, QUERIES), params, row_type)


class KnowledgeSessions:
    """``KnowledgeDatabase`` over a process's connections: a question about memory is refused by the database itself."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @asynccontextmanager
    async def session(self, tenant_id: UUID) -> AsyncGenerator[NamedSession]:
        """Each read is a transaction by itself."""
        async with self._database.scope_session(tenant_scope(tenant_id), knowledge_role_of) as session:
            yield NamedSession(session)

    @asynccontextmanager
    async def transaction(self, tenant_id: UUID) -> AsyncGenerator[NamedSession]:
        """All of it happens or nothing."""
        async with self._database.transaction(tenant_scope(tenant_id), knowledge_role_of) as session:
            yield NamedSession(session)
