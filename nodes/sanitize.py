"""Judge what memory brings before a model reads it. Nothing is rewritten: it is shown whole, or left out."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from html import escape
from typing import Annotated, Literal

from langgraph.runtime import Runtime
from pydantic import BaseModel, Field

from brain.context import Context
from brain.identity import identity_of
from brain.models.errors import ModelError
from brain.models.port import ChatModel
from brain.safety.sanitizer import sanitize_text
from brain.state import MemoryUse, OpenTurn, Update
from prompts.registry import load_prompt

FAILED = "sanitizer_model_failed"


async def sanitize(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """Each memory passes, is flagged, or, when another voice attacks in it, is blocked and goes to the rejected ones.

    Patterns judge first; where it is switched on, the fast model looks again at what they flagged in other voices.
    """
    resources, user = runtime.context.resources, identity_of(runtime).user
    if not resources.settings.detect_steering:
        return {}
    judged = [_sanitize_memory(memory, user) for memory in state.memories]
    degraded: tuple[str, ...] = ()
    if resources.models.fast is not None and resources.settings.sanitize_with_model:
        foreign = frozenset(memory["memory_id"] for memory in judged if not is_own_memory(memory, user))
        judged, degraded = await judge_with_model(resources.models.fast, judged, foreign)
    return {
        "memories": [memory for memory in judged if memory["decision_reason"] != "blocked"],
        "rejected": [*state.rejected, *(memory for memory in judged if memory["decision_reason"] == "blocked")],
        "degraded": list(degraded),
    }


def is_own_memory(memory: MemoryUse, user: str) -> bool:
    """Whether it is what this person said, or was concluded from it."""
    return memory["role"] == "user" and memory["speaker"] in ("user", "", user)


def _sanitize_memory(memory: MemoryUse, user: str) -> MemoryUse:
    """What a person said is theirs to quote, whatever it looks like."""
    verdict = sanitize_text(memory["text"]).verdict
    if verdict != "blocked":
        return {**memory, "sanitization": verdict}
    if is_own_memory(memory, user):
        return {**memory, "sanitization": "sanitized"}
    return {**memory, "sanitization": "blocked", "decision_reason": "blocked"}


class Judgement(BaseModel):
    """What the model thinks of one passage; the reason comes before the verdict."""

    number: Annotated[int, Field(description="The number of the passage.")]
    reason: Annotated[str, Field(description="What the passage tries to do, in a few words.")]
    verdict: Literal["pass", "blocked"]


class Judgements(BaseModel):
    """One judgement for each passage."""

    passages: list[Judgement]


async def judge_with_model(
    model: ChatModel, memories: Sequence[MemoryUse], foreign: AbstractSet[str]
) -> tuple[list[MemoryUse], tuple[str, ...]]:
    """The memories, flagged ones of ``foreign`` ids blocked where the model says so; and what failed.

    It may judge more strictly than the patterns, never more kindly: it reads the hostile text itself.
    """
    doubtful = {
        n: m for n, m in enumerate(memories) if m.get("sanitization") == "sanitized" and m["memory_id"] in foreign
    }
    if not doubtful:
        return list(memories), ()
    passages = "\n".join(
        f'<passage number="{n}">{escape(m["text"], quote=False)}</passage>' for n, m in doubtful.items()
    )
    try:
        answer = await model.fill(Judgements, load_prompt("sanitize").ask(passages=passages))
    except ModelError:
        return list(memories), (FAILED,)
    blocked = {each.number for each in answer.passages if each.verdict == "blocked"} & doubtful.keys()
    return [_block_memory(memory) if n in blocked else memory for n, memory in enumerate(memories)], ()


def _block_memory(memory: MemoryUse) -> MemoryUse:
    return {**memory, "sanitization": "blocked", "decision_reason": "blocked"}
