"""The conversation so far, as a model reads it."""

from collections.abc import Iterator, Sequence
from hashlib import sha256

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage

from brain.prompting.memory_tags import speaker_name
from brain.prompting.tokens import MESSAGE_OVERHEAD, clip, count_tokens
from brain.safety.sanitizer import sanitize_text
from language.secrets import mask_secrets
from memory.contracts import Event
from memory.session_state import SessionState

BROKEN_OFF = "[broken off here]"
"""What stands behind a reply of which the user saw no more."""


def history_of(messages: Sequence[AnyMessage], opened: SessionState | None) -> list[BaseMessage]:
    """The thread's own past where it has one, so that a fork sees its own; the log's where the thread is new.

    What a summary block stands for is left out: the prompt carries the block. What is excluded from use is left out
    too; it stays in the thread.
    """
    spoken_at = max((n for n, message in enumerate(messages) if isinstance(message, HumanMessage)), default=0)
    said = [words for message in messages[:spoken_at] if (words := _plain_message(message))]
    if not said:
        return list(_logged_messages(opened.window if opened else ()))
    return _drop_withheld(_drop_summarized(said, opened), opened)


def _drop_summarized(said: list[BaseMessage], opened: SessionState | None) -> list[BaseMessage]:
    """A fork has said at most as much as its session since the last block: what is cut off here is in a block."""
    if opened is None or opened.unsummarised == opened.turns:
        return said
    return said[max(0, len(said) - opened.unsummarised) :]


def _drop_withheld(said: list[BaseMessage], opened: SessionState | None) -> list[BaseMessage]:
    if opened is None or not opened.withheld:
        return said
    return [message for message in said if message_digest(message) not in opened.withheld]


def message_digest(message: BaseMessage) -> str:
    """The SHA-256 by which the log knows the words of a message."""
    return sha256(message.text.replace("\x00", "").encode()).hexdigest()


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
    """Tool traffic of past turns stays out: its answers were data of that moment. So does what was attached."""
    if isinstance(message, HumanMessage) and message.text:
        return HumanMessage(message.text)
    return AIMessage(message.text) if isinstance(message, AIMessage) and message.text else None


def _logged_messages(window: Sequence[Event]) -> Iterator[BaseMessage]:
    """What the log has of this session; only the two of us speak, and of others no plain attack is read."""
    for event in window:
        text = mask_secrets(event.text)
        if event.role == "assistant":
            yield AIMessage(f"{text} {BROKEN_OFF}" if event.broken_off else text)
        elif event.role == "user" and event.speaker == "user":
            yield HumanMessage(text)
        elif event.role == "user" and sanitize_text(event.text).verdict != "blocked":
            yield HumanMessage(f"{speaker_name(event.speaker)}: {text}")


def _replace_text(message: BaseMessage, text: str) -> BaseMessage:
    return AIMessage(text) if isinstance(message, AIMessage) else HumanMessage(text)
