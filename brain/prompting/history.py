"""The conversation so far, as a model reads it."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage

from brain.attachments import block_kind
from brain.media.intake import attached_blocks, attached_sha256s, media_of
from brain.prompting.memory_tags import speaker_name
from brain.prompting.tokens import MESSAGE_OVERHEAD, clip, count_tokens
from brain.safety.sanitizer import sanitize_text
from language.secrets import mask_secrets
from memory.media import content_sha256
from memory.session_state import SessionState
from memory.turns import Event

MAX_NOTE_CHARACTERS = 200
BROKEN_OFF = "[broken off here]"
"""What stands behind a reply of which the user saw no more."""


def history_of(messages: Sequence[AnyMessage], opened: SessionState | None) -> list[BaseMessage]:
    """The thread's own past where it has one, so that a fork sees its own; the log's where the thread is new.

    What a summary block stands for is left out: the prompt carries the block. What is excluded from use is left out
    too; it stays in the thread.
    """
    spoken_at = max((n for n, message in enumerate(messages) if isinstance(message, HumanMessage)), default=0)
    said = [message for message in messages[:spoken_at] if _plain_message(message)]
    if not said:
        return list(_logged_messages(opened.window if opened else ()))
    return [plain for each in _readable(said, opened) if (plain := _plain_message(each))]


def _readable(said: list[AnyMessage], opened: SessionState | None) -> list[AnyMessage]:
    """What no block stands for and nothing withholds.

    A fork has said at most as much as its session since the last block: what is cut off here is in a block.
    """
    if opened is None:
        return said
    recent = said if opened.unsummarised == opened.turns else said[max(0, len(said) - opened.unsummarised) :]
    return [message for message in recent if message_digest(message) not in opened.withheld]


def message_digest(message: BaseMessage) -> str:
    """The SHA-256 by which the log knows the words of a message."""
    return content_sha256(message.text.replace("\x00", ""), attached_sha256s(message))


def fit_messages(messages: Sequence[BaseMessage], room: int) -> list[BaseMessage]:
    """The newest messages that fit into ``room`` tokens, in order; none takes more than half of it."""
    kept: list[BaseMessage] = []
    longest = max(room // 2 - MESSAGE_OVERHEAD, 0)
    for message in reversed(messages):
        text = clip(message.text, longest)
        room -= count_tokens(text) + MESSAGE_OVERHEAD
        if room < 0:
            break
        kept.append(message if text == message.text else _replace_text(message, text))
    return kept[::-1]


def _plain_message(message: AnyMessage) -> BaseMessage | None:
    """Tool traffic of past turns stays out: its answers were data of that moment. Of what was attached a note stays."""
    if isinstance(message, HumanMessage) and (said := _with_notes(message.text, attached_blocks(message))):
        return HumanMessage(said)
    return AIMessage(message.text) if isinstance(message, AIMessage) and message.text else None


def _logged_messages(window: Sequence[Event]) -> Iterator[BaseMessage]:
    """What the log has of this session; only the two of us speak, and of others no plain attack is read."""
    for event in window:
        text = _with_notes(mask_secrets(event.text), event.blocks or ())
        if event.role == "assistant":
            yield AIMessage(f"{text} {BROKEN_OFF}" if event.broken_off else text)
        elif event.role == "user" and event.speaker == "user":
            yield HumanMessage(text)
        elif event.role == "user" and sanitize_text(event.text).verdict != "blocked":
            yield HumanMessage(f"{speaker_name(event.speaker)}: {text}")


def _with_notes(text: str, blocks: Sequence[Mapping[str, Any]]) -> str:
    """The words with a line for each thing that was attached: what it was, and what its sender said of it."""
    return "\n".join(part for part in (text, *map(_note, blocks)) if part)


def _note(block: Mapping[str, Any]) -> str:
    known = media_of(block)
    told = [part for part in (known.name, known.fallback[:MAX_NOTE_CHARACTERS]) if part] if known else []
    safe = told if sanitize_text(" ".join(told)).verdict == "pass" else []
    return f"[attached earlier: {', '.join((block_kind(block), *safe)).replace(']', ')')}]"


def _replace_text(message: BaseMessage, text: str) -> BaseMessage:
    return AIMessage(text) if isinstance(message, AIMessage) else HumanMessage(text)
