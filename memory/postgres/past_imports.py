"""Imports of a past on PostgreSQL."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from psycopg.types.json import Jsonb

from memory.past_imports import PastImport
from memory.postgres.database import Database, scope_params
from memory.scope import Scope


@dataclass(frozen=True)
class _Key:
    idempotency_key: str


@dataclass(frozen=True)
class _Turn:
    event_id: UUID


@dataclass(frozen=True)
class _Import:
    import_id: UUID


@dataclass(frozen=True)
class _Removed:
    removed: int


@dataclass(frozen=True)
class PostgresPastImports:
    """The promises are those of the port."""

    database: Database

    async def begin(self, scope: Scope, new: PastImport) -> PastImport:
        entered = {
            "import_id": new.import_id,
            "file_name": new.file_name,
            "sha256": new.sha256,
            "format": new.format,
            "at": new.started_at,
        }
        async with self.database.scope_session(scope) as session:
            session.execute("begin_past_import", scope_params(scope) | entered)
            found = await session.fetch("past_import_of_file", scope_params(scope) | {"sha256": new.sha256}, PastImport)
        return found[0]

    async def list_newest(self, scope: Scope, limit: int = 100) -> list[PastImport]:
        async with self.database.scope_session(scope) as session:
            return await session.fetch("newest_past_imports", scope_params(scope) | {"limit": limit}, PastImport)

    async def find_known(self, scope: Scope, keys: Sequence[str]) -> frozenset[str]:
        async with self.database.scope_session(scope) as session:
            rows = await session.fetch("known_messages", scope_params(scope) | {"keys": list(keys)}, _Key)
        return frozenset(row.idempotency_key for row in rows)

    async def find_brought(self, scope: Scope, event_ids: Sequence[UUID]) -> frozenset[UUID]:
        async with self.database.scope_session(scope) as session:
            rows = await session.fetch("brought_along", scope_params(scope) | {"event_ids": list(event_ids)}, _Turn)
        return frozenset(row.event_id for row in rows)

    async def finish(self, scope: Scope, import_id: UUID, counts: Mapping[str, int], at: datetime) -> None:
        ended = {"import_id": import_id, "counts": Jsonb(dict(counts)), "at": at}
        async with self.database.scope_session(scope) as session:
            session.execute("finish_past_import", scope_params(scope) | ended)
            session.execute("hide_repeated_past", scope_params(scope) | {"import_id": import_id, "operation_id": None})

    async def begin_removal(self, scope: Scope, import_id: UUID, operator: str, at: datetime) -> bool:
        told = {"import_id": import_id, "operator": operator, "at": at}
        async with self.database.scope_session(scope) as session:
            return bool(await session.fetch("begin_past_removal", scope_params(scope) | told, _Import))

    async def remove_part(self, scope: Scope, import_id: UUID, most: int) -> int:
        async with self.database.scope_session(scope) as session:
            rows = await session.fetch("remove_past", {"import_id": import_id, "most": most}, _Removed)
        return rows[0].removed
