"""Brain's recall and other memories' searches behind one call, over the same rows on the same server."""

import asyncio
import os
from collections.abc import AsyncGenerator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from importlib import import_module
from typing import Any, Protocol

import numpy as np
import psycopg
from langchain_core.embeddings import Embeddings
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.store.postgres import AsyncPostgresStore
from psycopg import AsyncConnection, conninfo
from psycopg.rows import DictRow, dict_row
from psycopg.sql import SQL, Identifier
from psycopg_pool import AsyncConnectionPool

from brain.models.roles import Models
from brain.recall import RecallRequest, recall
from brain.resources import Resources
from brain.settings import Settings
from evals.filling import BEGINNING, MODEL, PERIOD, Person, Population, vectors
from knowledge.port import NoKnowledge
from memory.embedding import Embedder
from memory.errors import config_error
from memory.postgres import postgres_memory
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database, PoolLimits
from memory.postgres.roles import Addresses

CONNECTIONS = 8
"""Of every contender's pool."""
PATIENCE = 120.0
"""Seconds that a caller waits for a connection: under load the queue is part of what is measured."""
FOUND = 20
"""Memories asked for."""


@dataclass(frozen=True)
class Query:
    """What is asked, with the vector that an embedding model would have made of it."""

    text: str
    vector: tuple[float, ...] | None


class Contender(Protocol):
    """Something that finds memories again."""

    async def find(self, person: Person, query: Query) -> int:
        """Search one person's memories; the number of those found."""
        ...


@dataclass
class KnownVectors(Embeddings):
    """An embedding model that has been asked before: a look-up, so that no model's time is measured."""

    known: Mapping[str, tuple[float, ...]]
    name: str = MODEL

    async def embed(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """As Brain asks."""
        return [self.known[text] for text in texts]

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """As LangChain asks."""
        return [list(self.known[text]) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """As LangChain asks."""
        return list(self.known[text])

    async def aembed_query(self, text: str) -> list[float]:
        """Without the thread that LangChain would start for it."""
        return self.embed_query(text)

    async def aembed_documents(self, texts: list[str]) -> list[list[float]]:
        """Likewise."""
        return self.embed_documents(texts)


def queries(people: Population, count: int) -> list[Query]:
    """Questions about what was said, each with a random vector."""
    chance = np.random.default_rng(people.seed + 1)
    texts = list(dict.fromkeys(saying.question for saying in people.talk))[:count]
    made = vectors(len(texts), people.dimensions, chance) if people.dimensions else [None] * len(texts)
    return [Query(text, None if each is None else tuple(each.tolist())) for text, each in zip(texts, made, strict=True)]


@dataclass(frozen=True)
class BrainRecall:
    """Analysis of the question, the person's rows, and the default ranking; with or without vectors."""

    resources: Resources

    async def find(self, person: Person, query: Query) -> int:
        """As a turn and ``brain recall`` do it."""
        asked = RecallRequest(text=query.text, at=BEGINNING + PERIOD, limit=FOUND)
        return len((await recall(self.resources, person.scope, asked)).ranked)


def resources(
    database: Database, embedder: Embedder | None, models: Models | None = None, corpora: CorpusCache | None = None
) -> Resources:
    """Brain over this database, without any provider."""
    return Resources(
        settings=Settings(_env_file=None),  # pyright: ignore[reportCallIssue]
        memory=postgres_memory(database, corpora),
        models=models or Models(),
        knowledge=NoKnowledge(),
        embedder=embedder,
    )


def brain_database(where: Addresses, connections: int = CONNECTIONS) -> Database:
    """Brain's own pool, as large as the others' and as patient."""
    return Database(where.app, PoolLimits(connections=connections, wait=PATIENCE, statement=PATIENCE))


@dataclass(frozen=True)
class StoreSearch:
    """LangGraph's own PostgreSQL store."""

    store: AsyncPostgresStore

    async def find(self, person: Person, query: Query) -> int:
        """One semantic search in the person's namespace."""
        return len(await self.store.asearch(namespace(person), query=query.text, limit=FOUND))


def namespace(person: Person) -> tuple[str, ...]:
    """Where a person's memories are in LangGraph's store."""
    return ("memories", str(person.scope.user_id))


@asynccontextmanager
async def a_store(
    where: Addresses, embeddings: KnownVectors, dimensions: int, connections: int = CONNECTIONS
) -> AsyncGenerator[AsyncPostgresStore]:
    """The store in a schema of its own, set up, empty."""
    async with _pool_of_schema(where, "store", connections) as pool:
        store = AsyncPostgresStore(pool, index={"dims": dimensions, "embed": embeddings, "fields": ["text"]})
        await store.setup()
        yield store


@asynccontextmanager
async def a_saver(where: Addresses, connections: int = CONNECTIONS) -> AsyncGenerator[AsyncPostgresSaver]:
    """LangGraph's own saver in a schema of its own, without row-level security, as anybody has it who uses it alone."""
    async with _pool_of_schema(where, "bare_checkpoint", connections) as pool:
        saver = AsyncPostgresSaver(pool, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
        await saver.setup()
        yield saver


@asynccontextmanager
async def _pool_of_schema(
    where: Addresses, schema: str, connections: int
) -> AsyncGenerator[AsyncConnectionPool[AsyncConnection[DictRow]]]:
    with psycopg.connect(where.owner, autocommit=True) as connection:
        connection.execute(SQL("create schema if not exists {}").format(Identifier(schema)))
    pool: AsyncConnectionPool[AsyncConnection[DictRow]] = AsyncConnectionPool(
        conninfo.make_conninfo(where.owner, options=f"-c search_path={schema},public"),
        connection_class=AsyncConnection[DictRow],
        kwargs={"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row},
        min_size=1,
        max_size=connections,
        timeout=PATIENCE,
        open=False,
    )
    async with pool:
        yield pool


_STORE_ROWS = """
insert into store.store (prefix, key, value)
select 'memories.' || user_id, source_id::text, jsonb_build_object('text', text, 'role', role, 'at', observed_at)
from brain.recall_index"""
_STORE_VECTORS = """
insert into store.store_vectors (prefix, key, field_name, embedding)
select 'memories.' || user_id, source_id::text, 'text', embedding::vector from brain.recall_index"""
_DROP_STORE_ANN = "drop index if exists store.store_vectors_embedding_idx"
_STORE_ANN = "create index store_vectors_embedding_idx on store.store_vectors using hnsw (embedding vector_cosine_ops)"


def fill_store(owner_url: str, *, ann: bool) -> None:
    """Brain's rows, copied; ``ann``: with the HNSW index that the store makes by default, which takes long to build."""
    with _roomy(owner_url) as connection:
        connection.execute("truncate store.store, store.store_vectors")
        connection.execute(_DROP_STORE_ANN)
        connection.execute(_STORE_ROWS)
        connection.execute(_STORE_VECTORS)
        if ann:
            connection.execute(_STORE_ANN)
        connection.execute("vacuum (analyze, freeze) store.store, store.store_vectors")


@dataclass(frozen=True)
class Mem0Search:
    """mem0's search over pgvector: the vector half of its ``Memory.search``, in a thread, as its async client does."""

    table: Any
    name: str = field(default="mem0")

    async def find(self, person: Person, query: Query) -> int:
        """One search among a user's memories."""
        filters = {"user_id": str(person.scope.user_id)}
        found = await asyncio.to_thread(
            self.table.search, query.text, list(query.vector or ()), top_k=FOUND, filters=filters
        )
        return len(found)


_MEM0_TABLE = "create table mem0 (id uuid primary key, vector vector({}), payload jsonb)"
_MEM0_ROWS = """
insert into mem0 (id, vector, payload)
select source_id, embedding::vector,
       jsonb_build_object('data', text, 'user_id', user_id, 'created_at', observed_at, 'text_lemmatized', lower(text))
from brain.recall_index"""


def mem0_search(where: Addresses, dimensions: int, *, ann: bool) -> Mem0Search:
    """mem0's table with Brain's rows, its indexes made by mem0 itself. Raises ``E_CONFIG`` when it is not installed."""
    os.environ["MEM0_TELEMETRY"] = "False"  # read at import; no measurement of ours calls anybody
    try:
        pgvector = import_module("mem0.vector_stores.pgvector")
    except ImportError as missing:
        raise config_error(f"mem0 cannot be imported ({missing.name}).", "pip install 'brain[bench]'") from missing
    with _roomy(where.owner) as connection:
        connection.execute(_MEM0_TABLE.format(int(dimensions)).encode())
        connection.execute(_MEM0_ROWS)
    table: Any = pgvector.PGVector(
        dbname="",
        collection_name="mem0",
        embedding_model_dims=dimensions,
        user=None,
        password=None,
        host=None,
        port=None,
        diskann=False,
        hnsw=ann,
        maxconn=CONNECTIONS,
        connection_string=where.owner,
    )
    table.create_col()
    with _roomy(where.owner) as connection:
        connection.execute("vacuum (analyze, freeze) mem0")
    return Mem0Search(table)


@contextmanager
def _roomy(owner_url: str) -> Any:
    """A connection for bulk work."""
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("set maintenance_work_mem = '6GB'")
        yield connection
