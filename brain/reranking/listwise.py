"""A second opinion on the order of memories: one model reads the best of them together, once (off by default)."""

from collections.abc import Sequence
from dataclasses import replace

from pydantic import BaseModel, Field

from brain.models.port import ChatModel
from brain.prompting.tokens import clip
from brain.safety.sanitizer import sanitize_text
from memory.recall.policy import RankedCandidate
from prompts.registry import load_prompt

READ = 20
"""How many of the best memories the model reads."""
TOKENS = 160
"""What it reads of each; the whole list stays below four thousand."""
QUESTION_TOKENS = 800


class Order(BaseModel):
    """The order in which a model would put what it read."""

    best_first: list[int] = Field(description="Numbers of the memories that help, the most helpful first.")


async def rerank_listwise(model: ChatModel, question: str, ranked: Sequence[RankedCandidate]) -> list[RankedCandidate]:
    """The same memories; those that the model named come first, in its order, and carry their place as a signal.

    Numbers that it made up or repeated are passed over, memories that it left out follow as they stood. What would be
    blocked later is not read to it. Raises ``ModelError``.
    """
    shown = [(each, line) for each in ranked[:READ] if (line := _memory_line(each))]
    if len(shown) < 2:
        return list(ranked)
    numbered = "\n".join(f"[{number}] {line}" for number, (_, line) in enumerate(shown, start=1))
    asked = load_prompt("rerank_memories").ask(memories=numbered, message=clip(question, QUESTION_TOKENS))
    answer = await model.fill(Order, asked)
    known = (number for number in answer.best_first if 1 <= number <= len(shown))
    return _reorder(ranked, [shown[number - 1][0] for number in dict.fromkeys(known)])


def _reorder(ranked: Sequence[RankedCandidate], named: Sequence[RankedCandidate]) -> list[RankedCandidate]:
    placed = [_add_place(each, place) for place, each in enumerate(named, start=1)]
    taken = {each.candidate.source_id for each in named}
    return [*placed, *(each for each in ranked if each.candidate.source_id not in taken)]


def _add_place(ranked: RankedCandidate, place: int) -> RankedCandidate:
    return replace(ranked, signals={**ranked.signals, "listwise": float(place)})


def _memory_line(ranked: RankedCandidate) -> str:
    """One memory on one line, inert; nothing of it when it is blocked."""
    found = ranked.candidate
    text = " ".join(clip(sanitize_text(found.text).text, TOKENS).split())
    who = " ".join(sanitize_text(found.speaker).text.split()) if found.lane == "turn" else "known"
    return f"({found.observed_at:%Y-%m-%d}, {who}) {text}" if text else ""
