"""Join the passes and put the candidates in order."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from brain.context import Context
from brain.documents.prompt_documents import constant_section_ids
from brain.memory_uses import use_of_pin
from brain.models.errors import ModelError
from brain.prompting.evidence import exclusion_reasons
from brain.reranking.rerank import rerank_listwise, rerank_pool
from brain.state import DecisionReason, EventSpan, MemoryUse, OpenTurn, Update
from memory.recall.policies.registry import find_policy, rank
from memory.recall.policy import RankedCandidate
from memory.recall.query import CandidateRow, RecallPass

CANDIDATES = 15
"""How many memories a turn considers at most (S0 step 1); the best of them go on."""


async def rerank(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """The best memories go on, the next best are kept as rejected with the reason."""
    context = runtime.context
    policy = find_policy(context.ranking_policy or context.resources.settings.ranking_policy)
    seen = _prompt_contents(state, context) if context.resources.models.chat else frozenset[str]()
    found = [each for each in rank(state.passes, policy) if not _is_in_prompt(each.candidate, seen)]
    ordered, degraded = await _rerank_with_models(state, context, found)
    ranked, aside = _split_evidence(state, ordered)
    relevant = {each.candidate.source_id for each in policy.cut(state.passes, ranked)}
    kept = [
        each
        for each in ranked[: context.max_memories]
        if each.candidate.source_id in relevant or _is_model_choice(each)
    ]
    uses = [memory_use(each, "relevance" if each in kept else "below_cut") for each in ranked]
    pinned = _pinned_uses(state, [use for use in uses if use["decision_reason"] == "relevance"])
    known = {pin["memory_id"] for pin in pinned}
    others = [use for use in uses if use["memory_id"] not in known]
    return {
        "memories": [*pinned, *(use for use in others if use["decision_reason"] == "relevance")],
        "rejected": [*aside, *(use for use in others if use["decision_reason"] == "below_cut")],
        "retrieval": _summary(state.passes, policy.name, ranked),
        **({"degraded": list(degraded)} if degraded else {}),
    }


def _pinned_uses(state: OpenTurn, recalled: Sequence[MemoryUse]) -> list[MemoryUse]:
    """The memories of every prompt, the last one pinned first, with their scores where the question found them."""
    opened = state.opened
    if opened is None:
        return []
    found = {use["memory_id"]: use for use in recalled}
    known = [item for item in opened.pinned if opened.as_of is None or item.created_at <= opened.as_of]
    return [{**found.get(str(item.memory_id), use_of_pin(item)), "decision_reason": "pinned"} for item in known]


def _is_model_choice(each: RankedCandidate) -> bool:
    """Whether a model read it and named it as a help: then no score cuts it off."""
    return "listwise" in each.signals


def _split_evidence(state: OpenTurn, ordered: list[RankedCandidate]) -> tuple[list[RankedCandidate], list[MemoryUse]]:
    """The candidates that tell something, and those among the best that do not: questions and Brain's own replies."""
    reasons = exclusion_reasons(ordered, state.turn["text"] if state.turn else "")
    ranked = [each for place, each in enumerate(ordered) if place not in reasons][:CANDIDATES]
    aside = [memory_use(ordered[place], reason) for place, reason in reasons.items() if place < CANDIDATES]
    return ranked, aside


def memory_use(ranked: RankedCandidate, reason: DecisionReason) -> MemoryUse:
    """A ranked candidate as the turn carries it on."""
    found = ranked.candidate
    use = MemoryUse(
        memory_id=str(found.source_id),
        lane=found.lane,
        text=found.text,
        score=round(ranked.score, 6),
        signals={name: round(value, 4) for name, value in ranked.signals.items()},
        speaker=found.speaker,
        role=found.role,
        confidence=found.confidence,
        provenance=found.provenance,
        epistemic_type=found.epistemic_type or "preference",
        category=found.category,
        valid_since=found.valid_at.isoformat(),
        said_at=found.observed_at.isoformat(),
        decision_reason=reason,
        position=None,
    )
    use["about"] = found.about
    if found.lane == "fact" and found.invalid_at:
        use["valid_until"] = found.invalid_at.isoformat()
    return {**use, "span": _span(found)} if found.lane == "turn" else use


def _span(said: CandidateRow) -> EventSpan:
    start, end = said.span
    return EventSpan(event_id=str(said.turn_id), start=start, end=end)


async def _rerank_with_models(
    state: OpenTurn, context: Context, found: list[RankedCandidate]
) -> tuple[list[RankedCandidate], Sequence[str]]:
    """The order of the models that are switched on for it; where one fails, the order before it, and the reason."""
    again = await rerank_pool(context.resources, state.turn["text"], found)
    model = context.resources.models.fast if context.resources.settings.model_rerank else None
    if model is None:
        return again.ranked, again.degraded
    try:
        return await rerank_listwise(model, state.turn["text"], again.ranked), again.degraded
    except ModelError:
        return again.ranked, (*again.degraded, "rerank_model_failed")


def _prompt_contents(state: OpenTurn, context: Context) -> frozenset[str]:
    """What stands in the prompt anyway: turns and documents by their ids, the session's own blocks by their words."""
    opened = state.opened
    if opened is None:
        return frozenset()
    brought = any(each.lane == "document" for found in state.passes for each in found.candidates)
    window = context.resources.settings.context_window
    sections = constant_section_ids(opened.documents, window) if brought else frozenset[str]()
    return sections.union((str(event.event_id) for event in opened.window), opened.summaries)


def _is_in_prompt(found: CandidateRow, seen: frozenset[str]) -> bool:
    return str(found.turn_id) in seen or (found.lane == "summary" and found.text in seen)


def _summary(passes: list[RecallPass], policy: str, ranked: list[RankedCandidate]) -> Update:
    return {
        "policy": policy,
        "queries": [each.query.text for each in passes],
        "temporal_intent": passes[0].query.temporal_intent if passes else "current_state",
        "latency_ms": max((each.latency_ms for each in passes), default=0.0),
        "corpus_rows": max((each.corpus.rows for each in passes), default=0),
        "candidates": [
            {
                "id": str(each.candidate.source_id),
                "lane": each.candidate.lane,
                "score": round(each.score, 6),
                **({"span": _span(each.candidate)} if each.candidate.lane == "turn" else {}),
            }
            for each in ranked
        ],
        "stores_used": ["memory"],
        **({"read_from": elsewhere} if (elsewhere := _read_from(passes)) else {}),
    }


def _read_from(passes: list[RecallPass]) -> list[str]:
    """Which databases answered, where there is more than one to ask."""
    return sorted({each.read_from for each in passes} - {"primary"})
