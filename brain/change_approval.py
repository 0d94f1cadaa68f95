"""A change of memory that waits for approval: how it is shown, and what an edit of it means."""

import contextlib
import json
from collections.abc import Mapping
from typing import Any, Literal, TypedDict, cast

from brain.approval import ActionRequest, ApprovalRequest, request_approval
from language.detection import Language
from language.secrets import mask_secrets
from language.tables import text

ApprovalReason = Literal["", "bulk", "conflict"]
ACTION_NAMES = {"forget": "forget_memories", "correct": "correct_memory"}


class QuestionChoice(TypedDict):
    """One of the things that an open question is about: memories, and sentences by turn, start and end."""

    text: str
    memory_ids: list[str]
    spoken: list[tuple[str, int, int]]


class PendingChange(TypedDict):
    """What is to be done to which memories; ``new`` is what a correction states."""

    act: Literal["forget", "correct"]
    choices: list[QuestionChoice]
    new: str
    reason: ApprovalReason


def approval_request(pending: PendingChange, language: Language) -> ApprovalRequest:
    """The change as one act, described by a diff. Its arguments are text, which every client can edit."""
    texts = _shown_texts(pending)
    heading = text(f"changes.approve.{pending['act']}.{pending['reason']}", language)
    added = [f"+ {mask_secrets(pending['new'])}"] if pending["act"] == "correct" else []
    diff = [*(f"- {each}" for each in texts), *added]
    args = {"content": mask_secrets(pending["new"])} if added else {"memories": "\n".join(texts)}
    action = ActionRequest(name=ACTION_NAMES[pending["act"]], args=args, description="\n".join((heading, "", *diff)))
    return request_approval([action], ("approve", "edit", "reject"))


def edit_change(pending: PendingChange, args: Mapping[str, Any]) -> PendingChange:
    """The change as a person edited it: other words of a correction, or only the memories that are still listed."""
    if pending["act"] == "correct":
        content = str(args.get("content", "")).strip()
        unedited = content == mask_secrets(pending["new"])
        return {**pending, "new": content if content and not unedited else pending["new"]}
    listed = set(_read_lines(args.get("memories", "")))
    pairs = zip(_shown_texts(pending), pending["choices"], strict=True)
    return {**pending, "choices": [choice for text, choice in pairs if text in listed]}


def _shown_texts(pending: PendingChange) -> list[str]:
    """One line for each memory."""
    return [" ".join(mask_secrets(each["text"]).split()) for each in pending["choices"]]


def _read_lines(memories: object) -> list[str]:
    """Lines of text, or a list as a client may send it."""
    if isinstance(memories, str) and memories.lstrip().startswith("["):
        with contextlib.suppress(ValueError):
            memories = json.loads(memories)
    lines = cast("list[object]", memories) if isinstance(memories, list) else str(memories).splitlines()
    return [" ".join(str(each).split()) for each in lines]
