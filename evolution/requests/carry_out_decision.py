"""What was waiting for approval, once somebody decided."""

from dataclasses import replace
from typing import cast

from brain.approval import Approval, is_expired
from brain.change_approval import PendingChange, edit_change
from brain.state import MemoryChange
from evolution.requests.change_run import ChangeRun, find_living
from evolution.requests.outcomes import forget_targets, replace_memory
from evolution.requests.request_state import RequestState, RequestUpdate


async def carry_out_decision(state: RequestState) -> RequestUpdate:
    """Do what was approved, as it was edited; what is over by then is left alone."""
    return {"change": await _carry_out(state.run, state.approval) if state.approval else None}


async def _carry_out(run: ChangeRun, approval: Approval) -> MemoryChange:
    pending, decision = cast("PendingChange", approval["plan"]), approval["decisions"][0]
    if is_expired(approval, run.context.resources.clock()):
        return run.conclude(pending["act"], "expired")
    if decision["type"] == "edit" and "edited_action" in decision:
        pending = edit_change(pending, decision["edited_action"]["args"])
    targets = [each for choice in pending["choices"] if (each := await find_living(run, choice))]
    if decision["type"] == "reject" or not targets:
        return run.conclude(pending["act"], "refused")
    approved = replace(run, is_approved=True)
    if pending["act"] == "correct":
        return await replace_memory(approved, targets[0], pending["new"])
    return await forget_targets(approved, targets)
