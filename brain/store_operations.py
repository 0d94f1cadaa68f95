"""LangGraph's store operations as requests of Brain's store, checked on the way, and its answers as results."""
# pyright: reportUnknownMemberType=false, reportUnknownVariableType=false, reportUnknownArgumentType=false
# LangGraph leaves its value types partly open.

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from langgraph.store.base import (
    GetOp,
    Item,
    ListNamespacesOp,
    Op,
    PutOp,
    Result,
    SearchItem,
    SearchOp,
    get_text_at_path,
    tokenize_path,
)

from memory.errors import bad_request
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


def read_request_of(op: Op) -> StoreRead:
    """An operation that changes nothing. Raises ``E_BAD_REQUEST`` for what cannot be asked."""
    match op:
        case GetOp():
            return StoreGet(namespace=_check_namespace(op.namespace), key=_check_label(op.key), refresh=op.refresh_ttl)
        case SearchOp():
            require_filter(op.filter or {})
            return StoreSearch(
                prefix=_check_namespace(op.namespace_prefix),
                filter=_check_value(op.filter or {}),
                limit=_check_page(op.limit),
                offset=_check_page(op.offset, None),
                query=require_storable_text(op.query) if op.query else None,
                refresh=op.refresh_ttl,
            )
        case ListNamespacesOp():
            conditions = tuple(
                PathCondition(match_type=each.match_type, path=_check_namespace(each.path))
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


def put_request_of(op: PutOp) -> StorePut:
    """A value to be stored, or removed. Raises ``E_BAD_REQUEST`` for what cannot be stored."""
    namespace, key = _check_namespace(op.namespace), _check_label(op.key)
    if not namespace:
        raise bad_request("A value needs a namespace of at least one label.")
    if op.value is None:
        return StorePut(namespace=namespace, key=key, value=None)
    if op.ttl is not None and not 0 < op.ttl <= MAX_TTL:
        raise bad_request(f"The time to live must be more than 0 and at most {MAX_TTL} minutes.")
    value = _check_value(op.value)
    texts = tuple(StoreText(text=text) for text in _indexed_texts(value, cast("bool | list[str] | None", op.index)))
    return StorePut(namespace=namespace, key=key, value=value, texts=texts, ttl_minutes=op.ttl)


def _indexed_texts(value: Mapping[str, Any], index: bool | Sequence[str] | None) -> list[str]:
    """The texts that the ``index`` argument names; the whole value when it names none."""
    if index is False:
        return []
    paths = ["$"] if index is None or index is True else list(index)
    texts = [text for path in paths for text in get_text_at_path(value, path if path == "$" else tokenize_path(path))]
    return [text for text in texts if text.strip()][:MAX_TEXTS]


def result_of(answer: StoreAnswer) -> Result:
    """An answer as LangGraph's callers know it."""
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
            return cast("Result", [_search_item_of(each) if isinstance(each, StoredItem) else each for each in answer])


def _search_item_of(found: StoredItem) -> SearchItem:
    return SearchItem(
        namespace=found.namespace,
        key=found.key,
        value=dict(found.value),
        created_at=found.created_at,
        updated_at=found.updated_at,
        score=found.score,
    )


def _check_namespace(namespace: Sequence[str]) -> Namespace:
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


def _check_value(value: Mapping[str, Any]) -> dict[str, Any]:
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
