"""Brain's memory as LangGraph's store, which any compiled graph takes: ``builder.compile(store=…)``.

LangGraph's own rule that no label of a namespace contains a dot is left out: an e-mail address is a usual label, and
tools put things under ``("memories", "{langgraph_user_id}")``.
"""
# pyright: reportIncompatibleMethodOverride=false
# The options of each call are those of its operation, which refuses others.

import asyncio
import threading
from abc import ABC
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Any

import structlog
from langgraph.store.base import (
    NOT_PROVIDED,
    BaseStore,
    GetOp,
    Item,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
)

from brain.embeddings.serving import with_serving_embedder
from brain.resources import Resources
from brain.store_operations import put_request_of, read_request_of, result_of
from memory.embedding import as_memory, as_question
from memory.errors import BrainError, bad_request
from memory.scope import Scope
from memory.store_items import StorePut, StoreRead, StoreSearch

Labels = tuple[str, ...]
log = structlog.get_logger(__name__)
ScopeSource = Callable[[], Scope]
"""Says whose store it is, for the run or request that asks."""


class DottedStore(BaseStore, ABC):
    """Turns every call into an operation of a batch, with the store's own rules about time to live."""

    supports_ttl = True
    ttl_config: TTLConfig | None = None

    def get(self, namespace: Labels, key: str, *, refresh_ttl: bool | None = None) -> Item | None:
        """The value of a key, or None."""
        return self.batch([GetOp(tuple(namespace), str(key), self._refreshes(refresh_ttl))])[0]  # pyright: ignore[reportReturnType]

    async def aget(self, namespace: Labels, key: str, *, refresh_ttl: bool | None = None) -> Item | None:
        """The value of a key, or None."""
        return (await self.abatch([GetOp(tuple(namespace), str(key), self._refreshes(refresh_ttl))]))[0]  # pyright: ignore[reportReturnType]

    def search(self, namespace_prefix: Labels, /, **options: Any) -> list[SearchItem]:
        """Values under a prefix; options: ``query``, ``filter``, ``limit``, ``offset``, ``refresh_ttl``."""
        return self.batch([self._search_op(namespace_prefix, options)])[0]  # pyright: ignore[reportReturnType]

    async def asearch(self, namespace_prefix: Labels, /, **options: Any) -> list[SearchItem]:
        """Values under a prefix; options: ``query``, ``filter``, ``limit``, ``offset``, ``refresh_ttl``."""
        return (await self.abatch([self._search_op(namespace_prefix, options)]))[0]  # pyright: ignore[reportReturnType]

    def put(self, namespace: Labels, key: str, value: dict[str, Any], index: Any = None, *, ttl: Any = NOT_PROVIDED):
        """Write a value; ``index``: False, or the paths of the texts that it is found by; ``ttl`` in minutes."""
        self.batch([PutOp(tuple(namespace), str(key), value, index, self._minutes(ttl))])

    async def aput(
        self, namespace: Labels, key: str, value: dict[str, Any], index: Any = None, *, ttl: Any = NOT_PROVIDED
    ) -> None:
        """Write a value; ``index``: False, or the paths of the texts that it is found by; ``ttl`` in minutes."""
        await self.abatch([PutOp(tuple(namespace), str(key), value, index, self._minutes(ttl))])

    def delete(self, namespace: Labels, key: str) -> None:
        """Take a value away."""
        self.batch([PutOp(tuple(namespace), str(key), None)])

    async def adelete(self, namespace: Labels, key: str) -> None:
        """Take a value away."""
        await self.abatch([PutOp(tuple(namespace), str(key), None)])

    def list_namespaces(self, **options: Any) -> list[Labels]:
        """Namespaces that hold anything; options: ``prefix``, ``suffix``, ``max_depth``, ``limit``, ``offset``."""
        return self.batch([_list_op(options)])[0]  # pyright: ignore[reportReturnType]

    async def alist_namespaces(self, **options: Any) -> list[Labels]:
        """Namespaces that hold anything; options: ``prefix``, ``suffix``, ``max_depth``, ``limit``, ``offset``."""
        return (await self.abatch([_list_op(options)]))[0]  # pyright: ignore[reportReturnType]

    def _search_op(self, prefix: Labels, options: dict[str, Any]) -> SearchOp:
        refresh = self._refreshes(options.pop("refresh_ttl", None))
        return SearchOp(tuple(prefix), **options, refresh_ttl=refresh)

    def _refreshes(self, asked: bool | None) -> bool:
        if asked is not None:
            return asked
        return self.ttl_config.get("refresh_on_read", True) if self.ttl_config else True

    def _minutes(self, ttl: Any) -> float | None:
        if ttl is not NOT_PROVIDED:
            return ttl
        return self.ttl_config.get("default_ttl") if self.ttl_config else None


def _list_op(options: dict[str, Any]) -> ListNamespacesOp:
    conditions = tuple(
        MatchCondition(match_type=name, path=tuple(path))
        for name in ("prefix", "suffix")
        if (path := options.pop(name, None))
    )
    return ListNamespacesOp(match_conditions=conditions or None, **options)


class BrainStore(DottedStore):
    """The caller's own store: namespaces are relative to a person, or a group, that the caller cannot choose.

    Reads of a batch see what was there before its writes. Labels may contain dots. Work happens on one event loop, the
    first that used the store; synchronous calls come from other threads, or start a loop of their own.
    """

    def __init__(self, resources: Resources, scope_source: ScopeSource, ttl: TTLConfig | None = None) -> None:
        self._resources = resources
        self._scope_source = scope_source
        self.ttl_config = ttl
        self._loop: asyncio.AbstractEventLoop | None = None
        self._guard = threading.Lock()

    def batch(self, ops: Iterable[Op]) -> list[Result]:
        """Synchronously, from a thread that runs no event loop of the store's."""
        work = self._run(list(ops), self._scope_source())
        loop = self._home_loop()
        if loop is _running_loop():
            work.close()
            raise bad_request("The store was called synchronously from its own event loop.", "Use its async methods.")
        return asyncio.run_coroutine_threadsafe(work, loop).result()

    async def abatch(self, ops: Iterable[Op]) -> list[Result]:
        """Reads first, then writes, in one round trip to the database; vectors are made before, in one call."""
        work = self._run(list(ops), self._scope_source())
        loop = self._home_loop()
        if loop is asyncio.get_running_loop():
            return await work
        return await asyncio.wrap_future(asyncio.run_coroutine_threadsafe(work, loop))

    def _home_loop(self) -> asyncio.AbstractEventLoop:
        with self._guard:
            if self._loop is None or self._loop.is_closed():
                self._loop = _running_loop() or _start_loop()
            return self._loop

    async def _run(self, ops: Sequence[Op], scope: Scope) -> list[Result]:
        reads = {place: read_request_of(op) for place, op in enumerate(ops) if not isinstance(op, PutOp)}
        last = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        serving = await with_serving_embedder(self._resources, scope)
        asked, written = await _with_vectors(
            serving, list(reads.values()), [put_request_of(op) for op in last.values()]
        )
        found = await self._resources.memory.store.run(scope, asked, written, self._resources.clock())
        answers = dict(zip(reads, map(result_of, found), strict=True))
        return [answers.get(place) for place in range(len(ops))]


def _running_loop() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None


def _start_loop() -> asyncio.AbstractEventLoop:
    loop = asyncio.new_event_loop()
    threading.Thread(target=loop.run_forever, name="brain-store", daemon=True).start()
    return loop


async def _with_vectors(
    resources: Resources, reads: Sequence[StoreRead], puts: Sequence[StorePut]
) -> tuple[list[StoreRead], list[StorePut]]:
    """The same with vectors, all made in one call; without an embedding model, or when it fails, words have to do."""
    embedder = resources.embedder
    questions = [read.query for read in reads if isinstance(read, StoreSearch) and read.query]
    texts = [text.text for put in puts for text in put.texts]
    if embedder is None or not (questions or texts):
        return list(reads), list(puts)
    asked = [as_question(embedder.name, text) for text in questions] + [
        as_memory(embedder.name, text) for text in texts
    ]
    try:
        vectors = iter(await embedder.embed(asked))
    except BrainError as error:
        log.warning("store_without_vectors", why=str(error))
        return list(reads), list(puts)
    found = [
        replace(read, model=embedder.name, embedding=next(vectors))
        if isinstance(read, StoreSearch) and read.query
        else read
        for read in reads
    ]
    return found, [
        replace(put, texts=tuple(replace(text, model=embedder.name, embedding=next(vectors)) for text in put.texts))
        for put in puts
    ]
