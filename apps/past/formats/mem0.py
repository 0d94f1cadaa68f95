"""mem0's memories, as ``get_all`` answers them: a list, or an object with ``results``."""

from collections.abc import Iterator

from apps.past.talk import Frame, RawMessage, RawTalk, Reason, by_memory, items, mapping

NAME = "mem0"
SYSTEM = "mem0"


def recognises(value: object) -> bool:
    """A memory, or an answer that begins with one."""
    told = mapping(value)
    first = mapping(next(items(told.get("results")), None)) if "results" in told else told
    return "memory" in first and "id" in first


def read(value: object, frame: Frame) -> Iterator[RawTalk]:
    """The memories by their own dates. Graph relations repeat them and are passed over."""
    told = mapping(value)
    found = map(mapping, items(told["results"]) if "results" in told else iter((value,)))
    said: list[RawMessage | Reason] = [
        by_memory(each.get("id"), each.get("memory"), each.get("updated_at") or each.get("created_at"), SYSTEM)
        for each in found
    ]
    yield RawTalk(key="memories", title="Saved memories", messages=said, is_memory=True)
