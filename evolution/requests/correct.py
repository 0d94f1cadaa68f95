"""Correcting by rules: only where it is clear which memory is meant, and what its sentence says then."""

from brain.state import MemoryChange
from evolution.requests.change_run import ChangeRun
from evolution.requests.change_targets import find_targets
from evolution.requests.correction_fit import CorrectedMemory, find_corrections
from evolution.requests.outcomes import ask_which_to_correct, correct_target
from evolution.requests.request_state import KnownRequest, RequestUpdate
from language.requests import Request


async def correct(state: KnownRequest) -> RequestUpdate:
    """Put what is right in the place of the one memory that is meant; of several the person says which.

    What was said off the record becomes no memory by it.
    """
    run, request = state.run, state.request
    among = [each for each in await find_targets(run.context.resources, run.query) if not each.is_withheld]
    found = find_corrections(request, run.turn["text"], run.query, among)
    return {"change": await _correct(run, request, found)}


async def _correct(run: ChangeRun, request: Request, found: list[CorrectedMemory]) -> MemoryChange:
    if len(found) == 1:
        return await correct_target(run, found[0].target, found[0].content)
    if found:
        return ask_which_to_correct(run, [each.target for each in found], [each.content for each in found])
    return run.conclude("correct", "unknown", new=request.stated) if request.new else run.keep_unchanged()
