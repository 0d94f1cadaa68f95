"""Let candidates become memories, and say how each accepted turn ended."""

from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.state import Update
from evolution.knowing import drawn_before
from evolution.rereading import as_before
from evolution.state import Candidate, EvolutionState
from evolution.writing import outcomes, together, written


async def write(state: EvolutionState, runtime: Runtime[Errand]) -> Update:
    """Memories in the order in which they were said, then the end of every operation: twice is once."""
    errand = runtime.context
    candidates = await _as_read_meanwhile(errand, state)
    ids = together(state.written, await written(errand, candidates, state.said))
    ends = outcomes(state, ids)
    if ends:
        log = errand.resources.memory.log
        await log.finish(errand.scope, ends, errand.resources.clock())
    return {"written": ids}


async def _as_read_meanwhile(errand: Errand, state: EvolutionState) -> list[Candidate]:
    """While a model read these turns, a correction may have drawn on them: what it left stays as it left it."""
    drawn = await drawn_before(errand, state.said) if state.candidates else []
    return [as_before(each, drawn) or each for each in state.candidates]
