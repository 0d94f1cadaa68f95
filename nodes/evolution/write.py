"""Let candidates become memories, and say how each accepted turn ended."""

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.known_memories import find_prior_candidates
from evolution.prior_candidates import reuse_prior
from evolution.state import EvolutionState, ExtractionCandidate
from evolution.write import merge_memory_ids, operation_outcomes, write_memories


async def write(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Memories in the order in which they were said, then the end of every operation: twice is once."""
    context = runtime.context
    candidates = await _reuse_priors(context, state)
    ids = merge_memory_ids(state.written, await write_memories(context, candidates, state.said))
    ends = operation_outcomes(state, ids)
    if ends:
        log = context.resources.memory.log
        await log.finish(context.scope, ends, context.resources.clock())
    return {"written": ids}


async def _reuse_priors(context: JobContext, state: EvolutionState) -> list[ExtractionCandidate]:
    """While a model read these turns, a correction may have read them: what it left stays as it left it."""
    priors = await find_prior_candidates(context, state.said) if state.candidates else []
    return [reuse_prior(each, priors) or each for each in state.candidates]
