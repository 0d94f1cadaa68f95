"""What a person takes back, without a model: it is written before anybody is asked."""

import asyncio
from dataclasses import replace

from brain.job_context import JobContext
from evolution.extraction.rules import extract_by_rules
from evolution.memory_writes import idempotency_key_of
from evolution.normalization import normalize_candidates
from evolution.quality_gate import filter_candidates
from evolution.reconciliation import load_own_memories, reconcile_candidates
from evolution.state import EvolutionState, ExtractionCandidate
from evolution.supersession import mark_endings


async def find_corrections(errand: JobContext, state: EvolutionState) -> list[ExtractionCandidate]:
    """The statements of these turns that end something, and those of this very batch that they end, in order.

    Written before the turns ahead of them are understood, they end what lives already, what this batch said before
    them, or whatever held the one place of their value.
    """
    stated = await asyncio.to_thread(extract_by_rules, state.said, state.before)
    news, _ = reconcile_candidates(replace(state, candidates=normalize_candidates(stated, state.said)))
    ready, _ = filter_candidates(mark_endings(news, await load_own_memories(errand)), state.said)
    taken_back = {each["replaces_memory"] for each in ready if each["ends"]}
    return [each for each in ready if _is_certain(each) or idempotency_key_of(each) in taken_back]


def _is_certain(candidate: ExtractionCandidate) -> bool:
    return bool(candidate["ends"]) and (bool(candidate["replaces_memory"]) or candidate["single_valued"])
