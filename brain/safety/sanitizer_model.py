"""A model's second look at what the patterns flagged in other voices. It may judge more strictly, never more kindly: it
reads the hostile text itself."""

from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from html import escape
from typing import Annotated, Literal

from pydantic import BaseModel, Field

from brain.models.errors import ModelError
from brain.models.port import ChatModel
from brain.state import MemoryUse
from prompts.registry import load_prompt

FAILED = "sanitizer_model_failed"


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
    """The memories, flagged ones of ``foreign`` ids blocked where the model says so; and what failed."""
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
