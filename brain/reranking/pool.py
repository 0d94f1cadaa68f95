"""Memories put in another order by a cross-encoder: a wide pool, read beside the question within a deadline."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from brain.resources import Resources
from memory.embedding import reads
from memory.errors import BrainError
from memory.recall.dedupe import is_set_back, one_passage_per_turn
from memory.recall.query import Candidate
from memory.recall.ranked import Ranked

CHARACTERS = 2_000
"""What is read of a memory and of the question; cross-encoders cut at 512 tokens themselves."""


@dataclass(frozen=True)
class Reranked:
    """Memories best first, and what had to be done without."""

    ranked: list[Ranked]
    degraded: tuple[str, ...] = ()


async def rerank_pool(resources: Resources, question: str, ranked: Sequence[Ranked]) -> Reranked:
    """The same memories, those that were read first, by how well they answer; the rest as the policy placed them.

    Each that was read carries its score as the signal ``cross_encoder``. Echoes and repeats stay behind. Without a
    cross-encoder, or with one that has not learnt the script of the question, the order is the policy's own.
    """
    encoder, breaker = resources.cross_encoder, resources.reranking
    pool = [each for each in ranked if not is_set_back(each)]
    if encoder is None or len(pool) < 2 or not reads(encoder.name, question):
        return Reranked(list(ranked))
    if not breaker.allows():
        return Reranked(list(ranked), ("cross_encoder_unavailable",))
    texts = [_text(each.candidate) for each in pool]
    try:
        scores = await encoder.scores(question[:CHARACTERS], texts, resources.settings.rerank_timeout)
    except BrainError:
        breaker.failed()
        return Reranked(list(ranked), ("cross_encoder_unavailable",))
    if not scores:
        breaker.failed()
        return Reranked(list(ranked), ("cross_encoder_unavailable",))
    breaker.answered()
    reason = () if len(scores) == len(pool) else ("cross_encoder_incomplete",)
    return Reranked(_by_score(ranked, pool, scores), reason)


def _by_score(ranked: Sequence[Ranked], pool: Sequence[Ranked], scores: Sequence[float]) -> list[Ranked]:
    """``scores`` are those of the first of the pool."""
    scored = [_scored(each, score) for each, score in zip(pool, scores, strict=False)]
    read = {each.candidate.source_id for each in scored}
    scored.sort(key=lambda each: -each.signals["cross_encoder"])
    unread = [each for each in ranked if each.candidate.source_id not in read]
    return [
        *one_passage_per_turn([*scored, *(each for each in unread if not is_set_back(each))]),
        *filter(is_set_back, unread),
    ]


def _scored(ranked: Ranked, score: float) -> Ranked:
    return replace(ranked, signals={**ranked.signals, "cross_encoder": score})


def _text(found: Candidate) -> str:
    """A turn with its speaker, a passage with the headings it stands under."""
    text = f"{found.about}\n{found.text}" if found.about else found.text
    return (f"{found.speaker}: {text}" if found.lane == "turn" else text)[:CHARACTERS]
