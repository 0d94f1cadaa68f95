"""What a tenant has in a database: which tables move row by row, by which key, and what the server numbers."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.sql import SQL, Composed, Identifier, Literal

from apps.backups.database import list_tables
from apps.backups.row_owners import TableShape, tenant_of
from memory.errors import BrainError

_KEYS = """
select n.nspname || '.' || c.relname, array_agg(a.attname::text order by array_position(i.indkey::int[], a.attnum::int))
from pg_index i join pg_class c on c.oid = i.indrelid join pg_namespace n on n.oid = c.relnamespace
join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
where i.indisprimary and n.nspname in ('brain', 'queue', 'checkpoint') group by 1"""

QUEUED = frozenset({"queue.procrastinate_jobs", "queue.procrastinate_events", "queue.job_failures"})
"""The queue numbers its jobs by itself: they are queued anew."""
LATE = frozenset({"queue.accepted_turns"})
"""Rows by which workers find a turn and act for its tenant: they arrive when the tenant does."""
DERIVED = "brain.recall_removals"
"""What tells a process of this server which rows went; who comes to another one reads all anew."""
STAYS = frozenset({"brain.tenant_cells", "brain.moved_rows", DERIVED})
"""What is about this database alone."""
NUMBERED: Mapping[str, str] = {
    "brain.audit_log": "written_by",
    "brain.memory_receipts": "written_by",
    "brain.recall_index": "written_by",
    "brain.knowledge_state": "written_by",
}
"""Columns with the number of a transaction, which counts on one server only: on another, rows count as long written."""
_LONG_WRITTEN = SQL("'3'::xid8")
_STEPS_OF_JOBS = SQL(" and t.thread_id not like 'evolution:%'")
"""Steps of a job are under its number; without them it begins again, which writes nothing twice."""


@dataclass(frozen=True)
class TenantTable:
    """A table with rows of tenants: the columns that are written, and those that name a row."""

    name: str
    columns: Sequence[str]
    key: Sequence[str]

    @property
    def identifier(self) -> Identifier:
        """As SQL names it."""
        return Identifier(*self.name.split("."))

    @property
    def column_list(self) -> Composed:
        """The columns, for COPY."""
        return SQL(", ").join(map(Identifier, self.columns))

    @property
    def values(self) -> Composed:
        """The columns of a row ``t`` as they are on another server."""
        return SQL(", ").join(self._value(each) for each in self.columns)

    def key_of(self, row: str) -> Composed:
        """The key of a row of that name."""
        return SQL("({})").format(SQL(", ").join(Identifier(row, each) for each in self.key))

    def where(self, tenant_id: UUID) -> Composed:
        """Which rows ``t`` are the tenant's and move."""
        mine = SQL("t.tenant_id = {}").format(Literal(tenant_id))
        return SQL("{}{}").format(mine, _STEPS_OF_JOBS if self.name.startswith("checkpoint.") else SQL(""))

    def _value(self, column: str) -> Composed | SQL:
        return _LONG_WRITTEN if NUMBERED.get(self.name) == column else SQL("t.{}").format(Identifier(column))


async def list_tenant_tables(connection: AsyncConnection[Any]) -> list[TenantTable]:
    """Every table whose rows are a tenant's and move one by one, the largest first; all but the queue's jobs."""
    keys = dict(await (await connection.execute(_KEYS)).fetchall())
    found = [each for each in await list_tables(connection) if tenant_of(each) and each.name not in STAYS | QUEUED]
    return [_tenant_table(each, keys) for each in found]


def _tenant_table(shape: TableShape, keys: Mapping[str, Sequence[str]]) -> TenantTable:
    if "tenant_id" not in shape.columns:
        raise BrainError("E_INTERNAL", f"{shape.name} has rows of tenants that no move knows how to find.")
    return TenantTable(shape.name, shape.columns, keys[shape.name])
