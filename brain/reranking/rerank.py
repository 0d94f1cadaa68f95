"""Reranking: a cross-encoder scores a wide pool of memories, and a model may read the best of them once more."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel, Field

from brain.models.port import ChatModel
from brain.prompting.tokens import clip
from brain.resources import Resources
from brain.safety.sanitizer import sanitize_text
from memory.embedding import can_read
from memory.errors import BrainError
from memory.recall.dedupe import demote_reranked_passages, is_duplicate
from memory.recall.policy import RankedCandidate
from memory.recall.query import CandidateRow
from prompts.registry import load_prompt

CHARACTERS = 2_000
"""What is read of a memory and of the question; cross-encoders cut at 512 tokens themselves."""
READ = 20
"""How many of the best memories the model reads."""
TOKENS = 160
"""What it reads of each; the whole list stays below four thousand."""
QUESTION_TOKENS = 800


@dataclass(frozen=True)
class RerankResult:
    """Memories best first, and what had to be done without."""

    ranked: list[RankedCandidate]
    degraded: tuple[str, ...] = ()


async def rerank_pool(resources: Resources, question: str, ranked: Sequence[RankedCandidate]) -> RerankResult:
    """The same memories, those that were read first, by how well they answer; the rest as the policy placed them.

    Each that was read carries its score as the signal ``cross_encoder``. Echoes and repeats stay behind. Without a
    cross-encoder, or with one that has not learnt the script of the question, the order is the policy's own.
    """
    encoder, breaker = resources.cross_encoder, resources.reranker_breaker
    pool = [each for each in ranked if not is_duplicate(each)]
    if encoder is None or len(pool) < 2 or not can_read(encoder.name, question):
        return RerankResult(list(ranked))
    if not breaker.allow_request():
        return RerankResult(list(ranked), ("cross_encoder_unavailable",))
    texts = [_memory_text(each.candidate) for each in pool]
    try:
        scores = await encoder.score(question[:CHARACTERS], texts, resources.settings.rerank_timeout)
    except BrainError:
        breaker.record_failure()
        return RerankResult(list(ranked), ("cross_encoder_unavailable",))
    if not scores:
        breaker.record_failure()
        return RerankResult(list(ranked), ("cross_encoder_unavailable",))
    breaker.record_success()
    reason = () if len(scores) == len(pool) else ("cross_encoder_incomplete",)
    return RerankResult(_sort_by_score(ranked, pool, scores), reason)


def _sort_by_score(
    ranked: Sequence[RankedCandidate], pool: Sequence[RankedCandidate], scores: Sequence[float]
) -> list[RankedCandidate]:
    """``scores`` are those of the first of the pool."""
    scored = [_add_score(each, score) for each, score in zip(pool, scores, strict=False)]
    read = {each.candidate.source_id for each in scored}
    scored.sort(key=lambda each: -each.signals["cross_encoder"])
    unread = [each for each in ranked if each.candidate.source_id not in read]
    return [
        *demote_reranked_passages([*scored, *(each for each in unread if not is_duplicate(each))]),
        *filter(is_duplicate, unread),
    ]


def _add_score(ranked: RankedCandidate, score: float) -> RankedCandidate:
    return replace(ranked, signals={**ranked.signals, "cross_encoder": score})


def _memory_text(found: CandidateRow) -> str:
    """A turn with its speaker, a passage with the headings it stands under."""
    text = f"{found.about}\n{found.text}" if found.about else found.text
    return (f"{found.speaker}: {text}" if found.lane == "turn" else text)[:CHARACTERS]


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
