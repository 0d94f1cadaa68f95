"""The rows of a tenant on their way: all of them at first, then those that were written since, each compared."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.sql import SQL, Composed, Identifier, Literal

from apps.cells.tenant_tables import DERIVED, LATE, TenantTable
from memory.errors import BrainError

_KEYS = 2_000
"""Rows that are fetched by their keys at once."""
_SNAPSHOT = "set transaction isolation level repeatable read"
_NO_TRIGGERS = "set local session_replication_role = replica"
_CHANGED = "select table_name, row_key from brain.moved_rows where tenant_id = %s group by 1, 2"
_UNSEALED = """
update {table} t set written_by = {number}
where t.tenant_id = {tenant} and t.salt is not null and not exists (
    select from brain.chain_links l where l.tenant_id = t.tenant_id and l.kind = {kind} and l.row_id = t.{row})"""
_SEALED_TABLES = (("audit_log", "audit", "audit_id"), ("memory_receipts", "receipt", "receipt_id"))


@dataclass(frozen=True)
class TenantCopy:
    """Brings a tenant's rows from one database to another; the receiving one serves the tenant to nobody meanwhile."""

    source: AsyncConnection[Any]
    target: AsyncConnection[Any]
    tables: Sequence[TenantTable]
    tenant_id: UUID

    async def copy_all(self) -> int:
        """Every row as one snapshot sees it; how many. Raises ``E_INTERNAL`` where a copy is not like its original."""
        total = 0
        async with self.source.transaction():
            await self.source.execute(_SNAPSHOT)
            for table in self.tables:
                if table.name not in LATE:
                    async with self.target.transaction():
                        await self.target.execute(_NO_TRIGGERS)
                        total += await self._copy_rows(table, table.where(self.tenant_id))
        return total

    @property
    def late(self) -> list[TenantTable]:
        """The tables whose rows arrive with the tenant."""
        return [each for each in self.tables if each.name in LATE]

    async def copy_again(self, table: TenantTable) -> None:
        """The rows of one table as they are now, instead of those of an earlier attempt."""
        mine = table.where(self.tenant_id)
        await self.target.execute(SQL("delete from {} t where {}").format(table.identifier, mine))
        await self._copy_rows(table, mine)

    async def catch_up(self) -> int:
        """Every row that was written since it was copied, as it is now; how many."""
        async with self.source.transaction():
            await self.source.execute(_SNAPSHOT)
            changed = await self._fetch_changed()
            async with self.target.transaction():
                await self.target.execute(_NO_TRIGGERS)
                for table in self.tables:
                    keys = changed.get(table.name, [])
                    for first in range(0, len(keys), _KEYS):
                        await self._renew(table, keys[first : first + _KEYS])
            await self.source.execute("delete from brain.moved_rows where tenant_id = %s", (self.tenant_id,))
        return sum(map(len, changed.values()))

    async def remove(self) -> None:
        """Delete all rows of the tenant from the receiving database, without what would follow from that."""
        for name in (*(each.name for each in self.tables), DERIVED):
            async with self.target.transaction():
                await self.target.execute(_NO_TRIGGERS)
                table = Identifier(*name.split("."))
                await self.target.execute(
                    SQL("delete from {} where tenant_id = {}").format(table, Literal(self.tenant_id))
                )

    async def _fetch_changed(self) -> Mapping[str, list[dict[str, Any]]]:
        changed: dict[str, list[dict[str, Any]]] = {}
        for name, key in await (await self.source.execute(_CHANGED, (self.tenant_id,))).fetchall():
            changed.setdefault(name, []).append(key)
        return changed

    async def _renew(self, table: TenantTable, keys: Sequence[Mapping[str, Any]]) -> None:
        """Rows that are gone go, the others come anew."""
        given = SQL("(select {} from jsonb_populate_recordset(null::{}, {}) k)").format(
            SQL(", ").join(SQL("k.{}").format(Identifier(each)) for each in table.key),
            table.identifier,
            Literal(json.dumps(list(keys))),
        )
        where = SQL("{} and {} in {}").format(table.where(self.tenant_id), table.key_of("t"), given)
        await self.target.execute(SQL("delete from {} t where {}").format(table.identifier, where))
        await self._copy_rows(table, where)

    async def _copy_rows(self, table: TenantTable, where: Composed) -> int:
        out = SQL("copy (select {} from {} t where {}) to stdout (format binary)").format(
            table.values, table.identifier, where
        )
        into = SQL("copy {} ({}) from stdin (format binary)").format(table.identifier, table.column_list)
        async with (
            self.source.cursor() as reads,
            self.target.cursor() as writes,
            reads.copy(out) as rows,
            writes.copy(into) as copied,
        ):
            async for block in rows:
                await copied.write(block)
        return await require_alike(table, where, self.source, self.target)


async def require_alike(
    table: TenantTable, where: Composed, source: AsyncConnection[Any], target: AsyncConnection[Any]
) -> int:
    """How many rows fit, in both. Raises ``E_INTERNAL`` where they are not as many or not the same."""
    query = SQL(
        "select count(*), coalesce(sum(hashtextextended(row({})::text, 0)::numeric), 0) from {} t where {}"
    ).format(table.values, table.identifier, where)
    there = await (await source.execute(query)).fetchone()
    here = await (await target.execute(query)).fetchone()
    if there is None or there != here:
        raise BrainError(
            "E_INTERNAL", f"The copy of {table.name} is not like its original.", "Nothing was lost; repeat the move."
        )
    return int(there[0])


async def number_unsealed(connection: AsyncConnection[Any], tenant_id: UUID, *, waiting: bool) -> None:
    """Let the sealer of this server find the rows of the audit that no link has, or pass them by."""
    for table, kind, row in _SEALED_TABLES:
        update = SQL(_UNSEALED).format(
            table=Identifier("brain", table),
            number=SQL("pg_current_xact_id()" if waiting else "'3'::xid8"),
            tenant=Literal(tenant_id),
            kind=Literal(kind),
            row=Identifier(row),
        )
        await connection.execute(update)
