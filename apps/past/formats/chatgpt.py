"""ChatGPT's data export: ``conversations.json`` and its shards, a tree of messages per conversation.

What stands in a conversation is the line from ``current_node`` to the root: answers that were given again and edited
questions beside it were left behind. What ChatGPT saved as a memory is a message to its tool ``bio`` on that line.
"""

from collections.abc import Iterator, Mapping

from apps.past.talk import (
    PERSON,
    Frame,
    RawMessage,
    RawTalk,
    Reason,
    by_assistant,
    by_memory,
    by_person,
    mapping,
    text_of_parts,
)

NAME = "chatgpt"
ASSISTANT = "ChatGPT"
_SPOKEN = frozenset({"text", "multimodal_text", "code", "audio_transcription"})
_PARTS = frozenset({"audio_transcription"})
_MEMORY_TOOL = "bio"


def recognises(value: object) -> bool:
    """A conversation with its tree."""
    told = mapping(value)
    return isinstance(told.get("mapping"), dict) and ("current_node" in told or "conversation_id" in told)


def read(value: object, frame: Frame) -> Iterator[RawTalk]:
    """The conversation as it was read last, and what ChatGPT remembered of it."""
    told = mapping(value)
    key = told.get("conversation_id") or told.get("id")
    line = _line(mapping(told.get("mapping")), told.get("current_node"))
    said: list[RawMessage | Reason] = [_message(each, told.get("create_time")) for each in line if each]
    talk: list[RawMessage | Reason] = [each for each in said if not _is_memory(each)]
    memories: list[RawMessage | Reason] = [each for each in said if _is_memory(each)]
    yield RawTalk(key=key, title=told.get("title"), messages=talk)
    if memories:
        yield RawTalk(key=f"{key} memories", title="Saved memories", messages=memories, is_memory=True)


def _is_memory(said: RawMessage | Reason) -> bool:
    return isinstance(said, RawMessage) and said.role == "user" and said.speaker != PERSON


def _line(nodes: Mapping[str, object], current: object) -> list[Mapping[str, object]]:
    """The messages from the root to the current node, or to the newest leaf where none is named; no node twice."""
    here = current if isinstance(current, str) and current in nodes else _newest_leaf(nodes)
    line: list[Mapping[str, object]] = []
    seen: set[str] = set()
    while isinstance(here, str) and here in nodes and here not in seen:
        seen.add(here)
        node = mapping(nodes[here])
        line.append(mapping(node.get("message")))
        here = node.get("parent")
    return line[::-1]


def _newest_leaf(nodes: Mapping[str, object]) -> str | None:
    leaves = [name for name, node in nodes.items() if not mapping(node).get("children")]
    return max(leaves, key=lambda name: _written(nodes[name]), default=None)


def _written(node: object) -> float:
    at = mapping(mapping(node).get("message")).get("create_time")
    return float(at) if isinstance(at, int | float) else 0.0


def _message(message: Mapping[str, object], begun: object) -> RawMessage | Reason:
    role, content = mapping(message.get("author")).get("role"), mapping(message.get("content"))
    kind, id_ = content.get("content_type"), message.get("id")
    at = begun if message.get("create_time") is None else message.get("create_time")
    if kind == "user_editable_context":
        return (
            by_memory(id_, content.get("user_profile"), at, ASSISTANT) if content.get("user_profile") else "instruction"
        )
    text = text_of_parts(content.get("parts"), _PARTS) if "parts" in content else content.get("text")
    match role, message.get("recipient") or "all":
        case "user", _ if kind in _SPOKEN:
            return by_person(id_, text, at)
        case "assistant", "all" if kind in _SPOKEN:
            return by_assistant(id_, text, at, ASSISTANT)
        case "assistant", recipient if recipient == _MEMORY_TOOL and kind in _SPOKEN:
            return by_memory(id_, text, at, ASSISTANT)
        case _:
            return "not_said"
