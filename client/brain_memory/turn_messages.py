"""The messages of a turn: what the person asked, what the agent replied, where recalled text stands."""

from collections.abc import Sequence

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage

_FRAMEWORK_MARKS = frozenset({"lc_source", "read_file_media_result", "deepagents_notification"})
"""In ``additional_kwargs`` of messages in the person's place that a framework wrote: summaries, files, notices."""


def find_question(messages: Sequence[AnyMessage]) -> HumanMessage | None:
    """The newest message of the person's that has words."""
    return next((each for each in reversed(messages) if isinstance(each, HumanMessage) and _is_said(each)), None)


def find_reply(messages: Sequence[AnyMessage], question: HumanMessage) -> AIMessage | None:
    """The agent's last words after a question."""
    for message in reversed(messages):
        if message is question:
            return None
        if isinstance(message, AIMessage) and message.text.strip():
            return message
    return None


def join_said(messages: Sequence[AnyMessage]) -> str:
    """What the person said in this conversation: the only words that can ask for an action."""
    return "\n".join(each.text for each in messages if isinstance(each, HumanMessage) and _is_said(each))


def insert_context(messages: Sequence[AnyMessage], text: str) -> list[AnyMessage]:
    """The messages with recalled text before the newest question.

    All before it is the same in the next turn, byte by byte, so that providers find it in their cache.
    """
    question = find_question(messages)
    place = len(messages) if question is None else _index_of(messages, question)
    return [*messages[:place], HumanMessage(text), *messages[place:]]


def _index_of(messages: Sequence[BaseMessage], wanted: BaseMessage) -> int:
    return next(place for place, message in enumerate(messages) if message is wanted)


def _is_said(message: HumanMessage) -> bool:
    return _FRAMEWORK_MARKS.isdisjoint(message.additional_kwargs) and bool(message.text.strip())
