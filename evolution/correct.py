"""The urgent path: what a person takes back ends before any model is asked."""

import asyncio
from dataclasses import replace

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.endings import mark_endings
from evolution.extraction.rules import extract_by_rules
from evolution.gate import filter_candidates
from evolution.known_memories import find_older_memories, find_prior_candidates, find_related_memories
from evolution.normalize import normalize_candidates
from evolution.reconcile import reconcile_candidates
from evolution.state import EvolutionState, ExtractionCandidate
from evolution.write import idempotency_key_of, merge_memory_ids, write_memories


async def correct(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Write corrections by rules at once; the analysis then reads what is known after them."""
    context = runtime.context
    ids = await write_memories(context, await find_corrections(context, state), state.said)
    if not ids:
        return {}
    known = await find_related_memories(context, state.said)
    return {
        "written": merge_memory_ids(state.written, ids),
        "known": known,
        "drawn": await find_prior_candidates(context, state.said),
    }


async def correct_at_once(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Write corrections by rules; their operations stay open for the job that reads the whole of the session."""
    context = runtime.context
    return {"written": await write_memories(context, await find_corrections(context, state), state.said)}


async def find_corrections(context: JobContext, state: EvolutionState) -> list[ExtractionCandidate]:
    """The statements of these turns that end something, and those of this very batch that they end, in order.

    Written before the turns ahead of them are understood, they end what lives already, what this batch said before
    them, or whatever held the one place of their value.
    """
    stated = await asyncio.to_thread(extract_by_rules, state.said, state.before)
    news, _ = reconcile_candidates(replace(state, candidates=normalize_candidates(stated, state.said)))
    older = await find_older_memories(context, news)
    marked = await asyncio.to_thread(mark_endings, news, older)
    ready, _ = filter_candidates(marked, state.said, is_group=context.scope.is_group)
    taken_back = {each["replaces_memory"] for each in ready if each["ends"]}
    return [each for each in ready if _is_certain(each) or idempotency_key_of(each) in taken_back]


def _is_certain(candidate: ExtractionCandidate) -> bool:
    return bool(candidate["ends"]) and (bool(candidate["replaces_memory"]) or candidate["single_valued"])
