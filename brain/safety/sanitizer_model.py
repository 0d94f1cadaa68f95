"""A model's second look at what the patterns found doubtful. It may judge more strictly, never more kindly: it reads
the hostile text itself."""

from collections.abc import Sequence
from html import escape
from typing import Annotated

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from brain.models.errors import ModelError
from brain.models.port import ChatModel
from brain.safety.sanitizer import Verdict, clean
from brain.state import MemoryUse
from prompts.registry import load

FAILED = "sanitizer_model_failed"


class Judgement(BaseModel):
    """What the model thinks of one passage; the reason comes before the verdict."""

    number: Annotated[int, Field(description="The number of the passage.")]
    reason: Annotated[str, Field(description="What the passage tries to do, in a few words.")]
    verdict: Verdict
    text: Annotated[str, Field(description="For sanitized: the passage without the steering words.")] = ""


class Judgements(BaseModel):
    """One judgement for each passage."""

    passages: list[Judgement]


async def second_opinion(model: ChatModel, memories: Sequence[MemoryUse]) -> tuple[list[MemoryUse], tuple[str, ...]]:
    """The memories with stricter verdicts where the model has any, and why it was done without the model if it was."""
    doubtful = {n: memory for n, memory in enumerate(memories) if memory.get("sanitization") == "sanitized"}
    if not doubtful:
        return list(memories), ()
    passages = "\n".join(
        f'<passage number="{n}">{escape(m["text"], quote=False)}</passage>' for n, m in doubtful.items()
    )
    try:
        prompt = SystemMessage(load("sanitize").render(passages=passages))
        answer = await model.fill(Judgements, [prompt, HumanMessage("Judge the passages.")])
    except ModelError:
        return list(memories), (FAILED,)
    judged = {each.number: each for each in answer.passages if each.number in doubtful}
    return [_stricter(memory, judged[n]) if n in judged else memory for n, memory in enumerate(memories)], ()


def _stricter(memory: MemoryUse, judgement: Judgement) -> MemoryUse:
    if judgement.verdict == "blocked":
        return {**memory, "sanitization": "blocked", "decision_reason": "blocked"}
    shorter = clean(judgement.text)
    if judgement.verdict == "sanitized" and shorter.verdict == "pass" and 0 < len(shorter.text) < len(memory["text"]):
        return {**memory, "text": shorter.text}
    return memory
