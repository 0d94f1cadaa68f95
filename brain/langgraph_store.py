"""Brain's memory as LangGraph's store, which any compiled graph takes: ``builder.compile(store=…)``."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# LangGraph leaves its value types partly open.

import asyncio
import json
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import structlog
from langgraph.store.base import (
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    TTLConfig,
    get_text_at_path,
    tokenize_path,
)

from brain.resources import Resources
from brain.store_calls import DottedStore
from memory.embedding import as_memory, as_question
from memory.errors import BrainError, bad_request
from memory.scope import Scope
from memory.storable_text import require_storable_text
from memory.store_filter import require_filter
from memory.store_items import (
    Namespace,
    NamespaceSearch,
    PathCondition,
    StoreAnswer,
    StoredItem,
    StoreGet,
    StorePut,
    StoreRead,
    StoreSearch,
    StoreText,
)

log = structlog.get_logger(__name__)

MAX_LABELS = 20
MAX_LABEL = 512
"""Labels of a namespace, and characters of a label or a key."""
MAX_VALUE = 1_000_000
"""Characters of a value as JSON."""
MAX_TEXTS = 64
"""Texts that one item is found by."""
MAX_PAGE = 1_000
MAX_TTL = 100 * 366 * 24 * 60
"""Minutes that an item may live: a century."""

ScopeSource = Callable[[], Scope]
"""Says whose store it is, for the run or request that asks."""


class BrainStore(DottedStore):
    """The store of whoever asks: namespaces are relative to a person, or a group, whom the caller cannot choose.

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
        reads = {place: _read_of(op) for place, op in enumerate(ops) if not isinstance(op, PutOp)}
        last = {(op.namespace, op.key): op for op in ops if isinstance(op, PutOp)}
        asked, written = await _with_vectors(
            self._resources, list(reads.values()), [_put_of(op) for op in last.values()]
        )
        found = await self._resources.memory.store.run(scope, asked, written, self._resources.clock())
        answers = dict(zip(reads, map(_result, found), strict=True))
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


def _read_of(op: Op) -> StoreRead:
    match op:
        case GetOp():
            return StoreGet(namespace=_checked(op.namespace), key=_check_label(op.key), refresh=op.refresh_ttl)
        case SearchOp():
            require_filter(op.filter or {})
            return StoreSearch(
                prefix=_checked(op.namespace_prefix),
                filter=_checked_value(op.filter or {}),
                limit=_check_page(op.limit),
                offset=_check_page(op.offset, None),
                query=require_storable_text(op.query) if op.query else None,
                refresh=op.refresh_ttl,
            )
        case ListNamespacesOp():
            conditions = tuple(
                PathCondition(match_type=each.match_type, path=_checked(each.path))
                for each in op.match_conditions or ()
            )
            return NamespaceSearch(
                conditions=conditions,
                max_depth=op.max_depth,
                limit=_check_page(op.limit),
                offset=_check_page(op.offset, None),
            )
        case _:
            raise bad_request(f"The store does not know the operation {type(op).__name__}.")


def _put_of(op: PutOp) -> StorePut:
    namespace, key = _checked(op.namespace), _check_label(op.key)
    if not namespace:
        raise bad_request("A value needs a namespace of at least one label.")
    if op.value is None:
        return StorePut(namespace=namespace, key=key, value=None)
    if op.ttl is not None and not 0 < op.ttl <= MAX_TTL:
        raise bad_request(f"The time to live must be more than 0 and at most {MAX_TTL} minutes.")
    value = _checked_value(op.value)
    texts = tuple(StoreText(text=text) for text in _indexed_texts(value, cast("bool | list[str] | None", op.index)))
    return StorePut(namespace=namespace, key=key, value=value, texts=texts, ttl_minutes=op.ttl)


def _indexed_texts(value: Mapping[str, Any], index: bool | Sequence[str] | None) -> list[str]:
    """The texts that the ``index`` argument names; the whole value when it names none."""
    if index is False:
        return []
    paths = ["$"] if index is None or index is True else list(index)
    texts = [text for path in paths for text in get_text_at_path(value, path if path == "$" else tokenize_path(path))]
    return [text for text in texts if text.strip()][:MAX_TEXTS]


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


def _result(answer: StoreAnswer) -> Result:
    match answer:
        case None:
            return None
        case StoredItem():
            return Item(
                value=dict(answer.value),
                key=answer.key,
                namespace=answer.namespace,
                created_at=answer.created_at,
                updated_at=answer.updated_at,
            )
        case list():
            return cast("Result", [_found_item(each) if isinstance(each, StoredItem) else each for each in answer])


def _found_item(found: StoredItem) -> SearchItem:
    return SearchItem(
        namespace=found.namespace,
        key=found.key,
        value=dict(found.value),
        created_at=found.created_at,
        updated_at=found.updated_at,
        score=found.score,
    )


def _checked(namespace: Sequence[str]) -> Namespace:
    if len(namespace) > MAX_LABELS:
        raise bad_request(f"A namespace has at most {MAX_LABELS} labels.")
    return tuple(_check_label(label) for label in namespace)


def _check_label(label: object) -> str:
    if not isinstance(label, str) or not 0 < len(label) <= MAX_LABEL:
        raise bad_request(f"A label of a namespace, or a key, is a text of 1 to {MAX_LABEL} characters.")
    return require_storable_text(label)


def _check_page(number: int, most: int | None = MAX_PAGE) -> int:
    if number < 0:
        raise bad_request("A limit or an offset cannot be negative.")
    return number if most is None else min(number, most)


def _checked_value(value: Mapping[str, Any]) -> dict[str, Any]:
    """The value as JSON has it: what JSON cannot say is refused."""
    try:
        text = json.dumps(value, allow_nan=False, ensure_ascii=False)
    except (TypeError, ValueError, RecursionError):
        raise bad_request(
            "A stored value must be JSON: texts, numbers, true, false, null, lists and objects."
        ) from None
    if len(text) > MAX_VALUE:
        raise bad_request(f"A stored value has at most {MAX_VALUE} characters as JSON.")
    return cast("dict[str, Any]", json.loads(text))
