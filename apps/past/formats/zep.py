"""Zep's answers as JSON: sessions or threads with ``messages`` and ``facts``, or facts and edges alone."""

from collections.abc import Iterator, Mapping

from apps.past.talk import Frame, RawMessage, RawTalk, Reason, by_assistant, by_memory, by_person, items, mapping

NAME = "zep"
SYSTEM = "Zep"
_LISTS = ("sessions", "threads")
_FACTS = ("facts", "relevant_facts", "edges")


def recognises(value: object) -> bool:
    """A session, a fact, or an answer that holds some."""
    told = mapping(value)
    if any(isinstance(told.get(name), list) for name in _LISTS):
        return any(_holds_talk(mapping(each)) for name in _LISTS for each in items(told.get(name)))
    return _holds_talk(told) or _is_fact(told)


def read(value: object, frame: Frame) -> Iterator[RawTalk]:
    """Each session with its messages, and what Zep took for facts by the date since which they held."""
    told = mapping(value)
    if _is_fact(told):
        yield _facts([told], "facts", frame)
        return
    sessions = [mapping(each) for name in _LISTS for each in items(told.get(name))]
    for session in sessions or [told]:
        key = session.get("session_id") or session.get("thread_id") or session.get("uuid") or frame.member
        said: list[RawMessage | Reason] = [_message(mapping(each)) for each in items(session.get("messages"))]
        if said:
            yield RawTalk(key=key, title="", messages=said)
        if found := [each for name in _FACTS for each in items(session.get(name))]:
            yield _facts(found, f"{key} facts", frame)


def _holds_talk(told: Mapping[str, object]) -> bool:
    message = mapping(next(items(told.get("messages")), None))
    if "content" in message and ("role_type" in message or ("role" in message and "uuid" in message)):
        return True
    return any(
        _is_fact(mapping(each)) or _is_old(told, name, each) for name in _FACTS for each in items(told.get(name))
    )


def _is_old(told: Mapping[str, object], name: str, fact: object) -> bool:
    """Facts of a session were plain strings once."""
    return name == "facts" and isinstance(fact, str) and ("session_id" in told or "thread_id" in told)


def _is_fact(told: Mapping[str, object]) -> bool:
    return isinstance(told.get("fact"), str) and ("uuid" in told or "valid_at" in told or "created_at" in told)


def _message(message: Mapping[str, object]) -> RawMessage | Reason:
    kind, name = message.get("role_type") or message.get("role"), message.get("name") or message.get("role")
    id_, text, at = message.get("uuid"), message.get("content"), message.get("created_at")
    match kind:
        case "user" | "human":
            return by_person(id_, text, at)
        case "assistant" | "ai":
            own = name if isinstance(name, str) and name not in ("assistant", "ai") else f"{SYSTEM}'s assistant"
            return by_assistant(id_, text, at, own)
        case _:
            return "not_said"


def _facts(found: list[object] | list[Mapping[str, object]], key: str, frame: Frame) -> RawTalk:
    said: list[RawMessage | Reason] = [_fact(each, frame) for each in found]
    return RawTalk(key=key, title="Facts", messages=said, is_memory=True)


def _fact(fact: object, frame: Frame) -> RawMessage:
    if isinstance(fact, str):
        return by_memory(None, fact, frame.written_at, SYSTEM)
    told = mapping(fact)
    return by_memory(told.get("uuid"), told.get("fact"), told.get("valid_at") or told.get("created_at"), SYSTEM)
