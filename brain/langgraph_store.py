"""Brain's memory as LangGraph's store, which any compiled graph takes: ``builder.compile(store=…)``."""

import asyncio
import threading
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

import structlog
from langgraph.store.base import Op, PutOp, Result, TTLConfig

from brain.embeddings.serving import with_serving_embedder
from brain.resources import Resources
from brain.store_calls import DottedStore
from brain.store_operations import put_request_of, read_request_of, result_of
from memory.embedding import as_memory, as_question
from memory.errors import BrainError, bad_request
from memory.scope import Scope
from memory.store_items import StorePut, StoreRead, StoreSearch

log = structlog.get_logger(__name__)

ScopeSource = Callable[[], Scope]
"""Says whose store it is, for the run or request that asks."""


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
