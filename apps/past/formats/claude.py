"""Claude's data export: ``conversations.json``, ``projects.json`` (or a file each) and ``memories.json``."""

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

NAME = "claude"
ASSISTANT = "Claude"
_SPOKEN = frozenset({"text"})


def recognises(value: object) -> bool:
    """A conversation, a project, or what Claude remembers."""
    told = mapping(value)
    return (
        isinstance(told.get("chat_messages"), list)
        or ("prompt_template" in told and isinstance(told.get("docs"), list))
        or "conversations_memory" in told
        or "project_memories" in told
    )


def read(value: object, frame: Frame) -> Iterator[RawTalk]:
    """One element of any of the three files."""
    told = mapping(value)
    if isinstance(told.get("chat_messages"), list):
        yield RawTalk(key=told.get("uuid"), title=told.get("name"), messages=_messages(told))
    elif "docs" in told:
        yield RawTalk(key=told.get("uuid"), title=told.get("name"), messages=_project(told), is_memory=True)
    else:
        yield RawTalk(key="memories", title="Saved memories", messages=_memories(told, frame), is_memory=True)


def _messages(told: Mapping[str, object]) -> list[RawMessage | Reason]:
    return [_message(mapping(each), told.get("created_at")) for each in items(told["chat_messages"])]


def _message(message: Mapping[str, object], begun: object) -> RawMessage | Reason:
    text = text_of_parts(message.get("content"), _SPOKEN) or message.get("text")
    id_, at = message.get("uuid"), message.get("created_at") or begun
    match message.get("sender"):
        case "human":
            return by_person(id_, text, at)
        case "assistant":
            return by_assistant(id_, text, at, ASSISTANT)
        case _:
            return "not_said"


def _project(told: Mapping[str, object]) -> list[RawMessage | Reason]:
    """What a project is about and its documents. How Claude was to answer in it is an instruction."""
    about = by_memory(f"{told.get('uuid')} description", told.get("description"), told.get("created_at"), ASSISTANT)
    documents: list[RawMessage | Reason] = [
        by_memory(each.get("uuid"), each.get("content"), each.get("created_at") or told.get("created_at"), ASSISTANT)
        for each in map(mapping, items(told.get("docs")))
    ]
    ordered: list[RawMessage | Reason] = ["instruction"] if told.get("prompt_template") else []
    return [*([about] if told.get("description") else []), *documents, *ordered]


def _memories(told: Mapping[str, object], frame: Frame) -> list[RawMessage | Reason]:
    """What Claude remembers has no date of its own: it stood so when the file was written."""
    whole = told.get("conversations_memory")
    found = [by_memory("conversations_memory", whole, frame.written_at, ASSISTANT)] if whole else []
    projects = mapping(told.get("project_memories"))
    return [*found, *(by_memory(f"project {key}", text, frame.written_at, ASSISTANT) for key, text in projects.items())]
