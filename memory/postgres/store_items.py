"""The store on PostgreSQL: every batch is one round trip under the person's own row-level security."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import uuid_utils.compat as uuids
from psycopg.types.json import Jsonb

from language.secrets import mask_secrets
from language.terms import analyse
from memory.index_rows import DERIVED_CONFIDENCE
from memory.postgres.database import Database, scope_params
from memory.postgres.database_session import DatabaseSession, QueuedStatement
from memory.postgres.failures import translate_length_mismatch
from memory.receipts import RECEIPT_SCHEMA_VERSION
from memory.scope import Scope
from memory.store_items import (
    MEMORIES,
    Namespace,
    NamespaceSearch,
    StoreAnswer,
    StoredItem,
    StoreGet,
    StorePut,
    StoreRead,
    StoreSearch,
    StoreText,
    StoreVersion,
    Value,
    memory_text,
    store_item_id,
)
from retrieval.wire import int_array, vector_text

_LOWEST_ID = UUID(int=0)


@dataclass(frozen=True)
class _NamespaceRow:
    namespace: list[str]


@dataclass(frozen=True)
class _SweptRow:
    swept: int


@dataclass(frozen=True)
class _MemoryRow:
    item_id: UUID
    value: Value


@dataclass(frozen=True)
class PostgresStoreItems:
    """The promises are those of the port."""

    database: Database

    async def run(
        self, scope: Scope, reads: Sequence[StoreRead], puts: Sequence[StorePut], at: datetime
    ) -> list[StoreAnswer]:
        with translate_length_mismatch():
            async with self.database.scope_session(scope) as session:
                asked = [_ask(session, scope, read, at) for read in reads]
                _write_all(session, scope, puts, at)
                await session.flush()
        return [_answer(read, found.rows) for read, found in zip(reads, asked, strict=True)]

    async def history(self, scope: Scope, namespace: Namespace, key: str, limit: int = 100) -> list[StoreVersion]:
        params = scope_params(scope) | {"item_id": store_item_id(scope, namespace, key), "limit": limit}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("store_history", params, StoreVersion)

    async def sweep(self, before: datetime, most: int) -> int:
        async with self.database.anonymous_session() as session:
            row = await session.fetch_one("sweep_store", {"before": before, "most": most}, _SweptRow)
        return row.swept if row else 0


async def reindex_stored_memories(session: DatabaseSession, scope: Scope, page_size: int) -> int:
    """Derive the rows that recall reads of stored memories again; how many there are."""
    written, after = 0, _LOWEST_ID
    params = scope_params(scope) | {"root": MEMORIES, "limit": page_size}
    while page := await session.fetch("stored_memories_page", params | {"after": after}, _MemoryRow):
        for row in page:
            if text := memory_text(row.value):
                _index_memory(session, scope, row.item_id, text)
                written += 1
        after = page[-1].item_id
    return written


def _ask(session: DatabaseSession, scope: Scope, read: StoreRead, at: datetime) -> QueuedStatement[Any]:
    params = scope_params(scope) | {"at": at}
    match read:
        case StoreGet():
            item_id = store_item_id(scope, read.namespace, read.key)
            return session.ask("get_store_item", params | {"item_id": item_id, "refresh": read.refresh}, StoredItem)
        case StoreSearch():
            return session.ask("search_store", params | _search_params(read), StoredItem)
        case NamespaceSearch():
            return session.ask("list_store_namespaces", params | _namespace_params(read), _NamespaceRow)


def _answer(read: StoreRead, rows: list[Any]) -> StoreAnswer:
    match read:
        case StoreGet():
            return rows[0] if rows else None
        case StoreSearch():
            return rows
        case NamespaceSearch():
            return [tuple(row.namespace) for row in rows]


def _search_params(search: StoreSearch) -> dict[str, object]:
    terms = search.terms
    return {
        "prefix": list(search.prefix),
        "filter": Jsonb(dict(search.filter)),
        "asks": bool(search.query),
        "words": int_array(terms.words),
        "grams": int_array(terms.grams),
        "model": search.model,
        "embedding": vector_text(search.embedding) if search.embedding else None,
        "limit": search.limit,
        "offset": search.offset,
        "refresh": search.refresh,
    }


def _namespace_params(search: NamespaceSearch) -> dict[str, object]:
    conditions = [asdict(condition) for condition in search.conditions]
    return {
        "conditions": Jsonb(conditions),
        "max_depth": search.max_depth,
        "limit": search.limit,
        "offset": search.offset,
    }


def _write_all(session: DatabaseSession, scope: Scope, puts: Sequence[StorePut], at: datetime) -> None:
    if puts:
        item_ids = [store_item_id(scope, put.namespace, put.key) for put in puts]
        session.execute("lock_store_items", scope_params(scope) | {"item_ids": item_ids})
    for put in puts:
        _write(session, scope, put, at)


def _write(session: DatabaseSession, scope: Scope, put: StorePut, at: datetime) -> None:
    item_id = store_item_id(scope, put.namespace, put.key)
    common = scope_params(scope) | {"item_id": item_id, "at": at, "schema_version": RECEIPT_SCHEMA_VERSION}
    receipt = {"receipt_id": uuids.uuid7()}
    if put.value is None:
        session.execute("delete_store_item", common | receipt)
    else:
        new = {"namespace": list(put.namespace), "key": put.key, "value": Jsonb(dict(put.value))}
        session.execute("put_store_item", common | receipt | new | {"ttl_minutes": put.ttl_minutes})
    # The item first, as the sweep takes it: only the holder of the item's lock touches its texts.
    session.execute("drop_store_texts", common)
    for part, text in enumerate(put.texts):
        session.execute("index_store_text", common | {"part": part} | _text_params(text))
    if put.recalled_text:
        _index_memory(session, scope, item_id, put.recalled_text)


def _text_params(text: StoreText) -> dict[str, object]:
    terms = text.terms
    return {
        "words": int_array(terms.words),
        "grams": int_array(terms.grams),
        "model": text.model,
        "embedding": vector_text(text.embedding) if text.embedding else None,
    }


def _index_memory(session: DatabaseSession, scope: Scope, item_id: UUID, text: str) -> None:
    shown = mask_secrets(text)
    terms = analyse(shown)
    params = {"item_id": item_id, "text": shown, "length": terms.length, "confidence": DERIVED_CONFIDENCE}
    words = {"words": int_array(terms.words), "grams": int_array(terms.grams)}
    session.execute("index_store_memory", scope_params(scope) | params | words)
