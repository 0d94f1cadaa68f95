"""Letta's agent file (``.af``): an agent's messages and memory blocks, in the form of before and in today's."""

import json
from collections.abc import Iterator, Mapping

from apps.past.talk import (
    Frame,
    RawMessage,
    RawTalk,
    Reason,
    by_assistant,
    by_memory,
    by_person,
    items,
    mapping,
    text_of_parts,
)

NAME = "letta"
SYSTEM = "Letta"
_SPOKEN = frozenset({"text"})
_ABOUT_ITSELF = frozenset({"persona"})
"""Blocks that tell the agent who it is and how to answer: instructions."""


def recognises(value: object) -> bool:
    """An agent file of either form."""
    told = mapping(value)
    today = isinstance(told.get("agents"), list) and isinstance(told.get("blocks"), list)
    return today or (isinstance(told.get("core_memory"), list) and isinstance(told.get("messages"), list))


def read(value: object, frame: Frame) -> Iterator[RawTalk]:
    """Each agent's talk, and the blocks in which it kept what it knew."""
    told = mapping(value)
    agents = [mapping(each) for each in items(told.get("agents"))] or [told]
    for agent in agents:
        name = agent.get("name") if isinstance(agent.get("name"), str) else SYSTEM
        said: list[RawMessage | Reason] = [_message(mapping(each), str(name)) for each in items(agent.get("messages"))]
        yield RawTalk(key=agent.get("id") or name, title=name, messages=said)
    blocks = [mapping(each) for each in (*items(told.get("blocks")), *items(told.get("core_memory")))]
    kept: list[RawMessage | Reason] = [_block(each, frame, told.get("created_at")) for each in blocks]
    yield RawTalk(key=f"{frame.member} blocks", title="Memory blocks", messages=kept, is_memory=True)


def _message(message: Mapping[str, object], name: str) -> RawMessage | Reason:
    content = message.get("content")
    text = text_of_parts(content, _SPOKEN) or message.get("text")
    id_, at = message.get("id"), message.get("created_at")
    match message.get("role"):
        case "user" if not _is_event(text):
            return by_person(id_, text, at)
        case "assistant":
            sent = _sent(message)
            return by_assistant(id_, sent or text, at, name) if sent or text else "not_said"
        case _:
            return "not_said"


def _is_event(text: object) -> bool:
    """What Letta itself tells its agents, such as that somebody signed in, has the role of a user."""
    if not isinstance(text, str) or not text.startswith("{"):
        return False
    try:
        return "type" in mapping(json.loads(text))
    except (ValueError, RecursionError):
        return False


def _sent(message: Mapping[str, object]) -> str:
    """Agents of before spoke by a tool; what stands beside the call they only thought."""
    said: list[str] = []
    for call in items(message.get("tool_calls")):
        function = mapping(mapping(call).get("function"))
        if function.get("name") != "send_message":
            continue
        try:
            words = mapping(json.loads(str(function.get("arguments")))).get("message")
        except (ValueError, RecursionError):
            continue
        said += [words] if isinstance(words, str) else []
    return "\n\n".join(said)


def _block(block: Mapping[str, object], frame: Frame, begun: object) -> RawMessage | Reason:
    if block.get("label") in _ABOUT_ITSELF:
        return "instruction"
    at = block.get("updated_at") or block.get("created_at") or begun or frame.written_at
    return by_memory(block.get("id") or block.get("label"), block.get("value"), at, SYSTEM)
