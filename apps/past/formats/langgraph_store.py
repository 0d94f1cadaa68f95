"""Items of LangGraph's store as JSON: ``namespace``, ``key``, ``value``, times; a list, or under ``items``."""

import json
from collections.abc import Iterator, Mapping

from apps.past.talk import Frame, RawMessage, RawTalk, Reason, by_memory, items, mapping

NAME = "langgraph_store"
SYSTEM = "LangGraph's store"
_WORDS = ("text", "memory", "content", "data", "fact")
"""Under which names a value commonly keeps its words; of any other value all stands as JSON."""


def recognises(value: object) -> bool:
    """An item, or an answer that begins with one."""
    told = mapping(value)
    first = mapping(next(items(told.get("items")), None)) if "items" in told else told
    return isinstance(first.get("namespace"), list) and "key" in first and isinstance(first.get("value"), dict)


def read(value: object, frame: Frame) -> Iterator[RawTalk]:
    """The items by their own dates."""
    told = mapping(value)
    found = map(mapping, items(told["items"]) if "items" in told else iter((value,)))
    said: list[RawMessage | Reason] = [_item(each, frame) for each in found]
    yield RawTalk(key="items", title="Items of the store", messages=said, is_memory=True)


def _item(item: Mapping[str, object], frame: Frame) -> RawMessage:
    place = json.dumps([item.get("namespace"), item.get("key")], ensure_ascii=False)
    at = item.get("updated_at") or item.get("created_at") or frame.written_at
    return by_memory(place, _words(item.get("value")), at, SYSTEM)


def _words(value: object) -> object:
    told = mapping(value)
    if not told:
        return None
    found = next((told[name] for name in _WORDS if isinstance(told.get(name), str)), None)
    return found or json.dumps(told, ensure_ascii=False)
