"""Reads a tenant's audit chain as the schema's owner, who alone sees all rows of the tenant, in one snapshot."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from typing import Any, LiteralString, TypeVar, cast
from uuid import UUID

from psycopg import AsyncConnection, IsolationLevel
from psycopg.rows import class_row

from memory.postgres.failures import MovedError, translate_errors
from memory.postgres.sql import statement
from verifier.verify_bundle import commitment

PAGE = 1_000
"""Links read at a time."""
Row = TypeVar("Row")
_LIVES_ELSEWHERE = """
select coalesce((select c.state in ('arriving', 'gone') from brain.tenant_cells c
                 where c.tenant_id in (%(tenant_id)s, '00000000-0000-0000-0000-000000000000')
                 order by c.tenant_id desc limit 1), false)"""


@dataclass(frozen=True)
class ChainLink:
    """A link, what is left of its row, and the checkpoint of its position; ``attested`` is None of an erased row."""

    position: int
    kind: str
    row_id: UUID
    commitment: bytes
    hash: bytes
    sealed_at: str
    salt: UUID | None
    attested: str | None
    signed_hash: bytes | None
    signed_at: str | None
    signature: bytes | None
    public_key: bytes | None

    @property
    def is_as_sealed(self) -> bool:
        """Whether the row is the one that the link commits to."""
        if self.salt is None or self.attested is None:
            return False
        return commitment(str(self.salt), self.attested) == self.commitment


@dataclass(frozen=True)
class RowCounts:
    """Rows of a tenant that are or will be sealed, and rows from before there was a chain."""

    salted: int
    unattested: int


@dataclass(frozen=True)
class SignedHead:
    """The newest checkpoint of a tenant."""

    position: int
    hash: bytes
    signed_at: str
    signature: bytes
    public_key: bytes


@dataclass(frozen=True)
class _Anew:
    anew: bool


@dataclass(frozen=True)
class ChainReader:
    """One tenant's chain as it stood when the reader was opened."""

    connection: AsyncConnection[Any]
    tenant_id: UUID
    page: int = PAGE

    async def links(self) -> AsyncGenerator[ChainLink]:
        """Every link by position; without its row where another came in its place and was sealed anew."""
        after = 0
        while True:
            found = await self._fetch("page_of_chain", ChainLink, after=after, page=self.page)
            for link in found:
                yield link if link.attested is None or link.is_as_sealed else await self._without_successor(link)
            if len(found) < self.page:
                return
            after = found[-1].position

    async def counts(self) -> RowCounts:
        """How many rows there are that could be attested."""
        return (await self._fetch("attestable_rows", RowCounts))[0]

    async def head(self) -> SignedHead | None:
        """The newest checkpoint; None before the first."""
        found = await self._fetch("chain_head", SignedHead)
        return found[0] if found else None

    async def _without_successor(self, link: ChainLink) -> ChainLink:
        asked = {"position": link.position, "row_id": link.row_id, "kind": link.kind}
        found = await self._fetch("sealed_anew", _Anew, **asked)
        return replace(link, salt=None, attested=None) if found[0].anew else link

    async def _fetch(self, name: str, row_type: type[Row], **params: object) -> list[Row]:
        text = cast("LiteralString", statement(name).text)
        with translate_errors():
            async with self.connection.cursor(row_factory=class_row(row_type)) as cursor:
                await cursor.execute(text, {"tenant_id": self.tenant_id, **params})
                return await cursor.fetchall()


@asynccontextmanager
async def open_chain(owner_url: str, tenant_id: UUID, page: int = PAGE) -> AsyncGenerator[ChainReader]:
    """Read in one snapshot, changing nothing. Raises ``E_DEP_*`` when the database is away or not the tenant's."""
    with translate_errors():
        connection = await AsyncConnection.connect(owner_url, connect_timeout=10, application_name="brain verify")
    async with connection:
        await connection.set_isolation_level(IsolationLevel.REPEATABLE_READ)
        await connection.set_read_only(True)
        with translate_errors():
            if (await (await connection.execute(_LIVES_ELSEWHERE, {"tenant_id": tenant_id})).fetchone()) == (True,):
                raise MovedError
        yield ChainReader(connection, tenant_id, page)
