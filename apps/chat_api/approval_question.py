"""An approval that a turn waits for, as a message that a person answers in plain words."""

from collections.abc import Mapping, Sequence
from typing import Any, cast

from langgraph.types import Command

from language.choices import read_choice
from language.detection import language_of
from language.tables import text


def describe_approval(interrupts: Sequence[Any], said: str) -> str:
    """The question about everything that waits, in the language of what was said."""
    head, foot = (text(f"doors.{key}", language_of(said)) for key in ("approval_opens", "approval_asks"))
    acts = [_description(act) for each in interrupts for act in _acts(each)]
    return "\n\n".join([head, *acts, foot])


def read_approval(interrupts: Sequence[Any], words: str) -> Command[Any] | None:
    """What a person decided, for all of it; None when the words are no answer to the question."""
    choice = read_choice(words, [""])
    if choice is None:
        return None
    decision = {"type": "approve"} if choice else {"type": "reject"}
    decisions = {each.id: {"decisions": [decision for _ in _acts(each)]} for each in interrupts}
    return Command(resume=decisions)


def _acts(interrupt: Any) -> list[Mapping[str, Any]]:
    """The acts of a request in LangChain's human-in-the-loop schema; anything else is one act."""
    value: object = interrupt.value
    if isinstance(value, Mapping):
        told = cast("Mapping[str, Any]", value)
        return list(told.get("action_requests") or [told])
    return [{"description": str(value)}]


def _description(act: Mapping[str, Any]) -> str:
    return str(act.get("description") or act.get("name") or act)
