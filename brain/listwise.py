"""A second opinion on the order of memories: one model reads the best of them together, once (off by default)."""

from collections.abc import Sequence
from dataclasses import replace

from langchain_core.messages import HumanMessage, SystemMessage
from pydantic import BaseModel, Field

from brain.models.port import ChatModel
from brain.prompting.tokens import clip
from brain.safety.sanitizer import clean
from memory.recall.ranked import Ranked
from prompts.registry import load

READ = 20
"""How many of the best memories the model reads."""
TOKENS = 160
"""What it reads of each; the whole list stays below four thousand."""
QUESTION_TOKENS = 800


class Order(BaseModel):
    """The order in which a model would put what it read."""

    best_first: list[int] = Field(description="Numbers of the memories that help, the most helpful first.")


async def listwise(model: ChatModel, question: str, ranked: Sequence[Ranked]) -> list[Ranked]:
    """The same memories; those that the model named come first, in its order, and carry their place as a signal.

    Numbers that it made up or repeated are passed over, memories that it left out follow as they stood. What would be
    blocked later is not read to it. Raises ``ModelError``.
    """
    shown = [(each, line) for each in ranked[:READ] if (line := _line(each))]
    if len(shown) < 2:
        return list(ranked)
    numbered = "\n".join(f"[{number}] {line}" for number, (_, line) in enumerate(shown, start=1))
    prompt = load("rerank_memories").render(memories=numbered)
    answer = await model.fill(Order, [SystemMessage(prompt), HumanMessage(clip(question, QUESTION_TOKENS))])
    known = (number for number in answer.best_first if 1 <= number <= len(shown))
    return _reordered(ranked, [shown[number - 1][0] for number in dict.fromkeys(known)])


def _reordered(ranked: Sequence[Ranked], named: Sequence[Ranked]) -> list[Ranked]:
    placed = [_placed(each, place) for place, each in enumerate(named, start=1)]
    taken = {each.candidate.source_id for each in named}
    return [*placed, *(each for each in ranked if each.candidate.source_id not in taken)]


def _placed(ranked: Ranked, place: int) -> Ranked:
    return replace(ranked, signals={**ranked.signals, "listwise": float(place)})


def _line(ranked: Ranked) -> str:
    """One memory on one line, inert; nothing of it when it is blocked."""
    found = ranked.candidate
    text = " ".join(clip(clean(found.text).text, TOKENS).split())
    who = " ".join(clean(found.speaker).text.split()) if found.lane == "turn" else "known"
    return f"({found.observed_at:%Y-%m-%d}, {who}) {text}" if text else ""
