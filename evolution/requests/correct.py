"""Correcting by rules: only where it is clear which memory is meant, and what its sentence says then."""

from brain.change_approval import PendingChange
from evolution.requests.change_run import approval_reason, choices_of
from evolution.requests.change_targets import find_targets
from evolution.requests.correction_fit import find_correction
from evolution.requests.outcomes import replace_memory, wait_for_approval
from evolution.requests.request_state import KnownRequest, RequestUpdate


async def correct(state: KnownRequest) -> RequestUpdate:
    """Put what is right in the place of the one memory that is meant."""
    run, request = state.run, state.request
    among = await find_targets(run.context.resources, run.query)
    corrected = find_correction(request, run.turn["text"], run.query, among)
    if corrected is None:
        return {"change": run.keep_unchanged()}
    one, content = corrected.target, corrected.content
    reason = await approval_reason(run, [one])
    if reason:
        pending = PendingChange(act="correct", choices=choices_of([one]), new=content, reason=reason)
        return {"change": wait_for_approval(run, pending)}
    return {"change": await replace_memory(run, one, content)}
