"""The way to the database, as it is handed in: sessions of a role that may touch knowledge's own tables alone."""

from collections.abc import Mapping
from contextlib import AbstractAsyncContextManager
from typing import Protocol, TypeVar
from uuid import UUID

Row = TypeVar("Row")


class KnowledgeSession(Protocol):
    """Statements of ``knowledge/queries`` by their names; what is queued travels with the next read or at the end."""

    def execute(self, name: str, params: Mapping[str, object]) -> None:
        """Queue a statement whose rows nobody needs."""
        ...

    async def fetch(self, name: str, params: Mapping[str, object], row_type: type[Row]) -> list[Row]:
        """Rows of a statement, as ``row_type``, whose fields are its columns."""
        ...


class KnowledgeDatabase(Protocol):
    """Sessions of one tenant, and of no person."""

    def session(self, tenant_id: UUID) -> AbstractAsyncContextManager[KnowledgeSession]:
        """Each read is a transaction by itself."""
        ...

    def transaction(self, tenant_id: UUID) -> AbstractAsyncContextManager[KnowledgeSession]:
        """All of it happens or nothing."""
        ...
