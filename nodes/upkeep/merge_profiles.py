"""Bring the profile up to what the steps before left of the memories."""

from langgraph.runtime import Runtime

from brain.documents.refresh import refresh_profile
from brain.upkeep.state import Tidying, Update, UpkeepState
from memory.errors import BrainError


async def merge_profiles(state: UpkeepState, runtime: Runtime[Tidying]) -> Update:
    """After something was changed. A profile that others keep changing at the same moment is left to them."""
    if not any(action["outcome"] == "done" for action in state.actions):
        return {}
    try:
        await refresh_profile(runtime.context.resources, runtime.context.scope)
    except BrainError as error:
        if error.code != "E_CONFLICT":
            raise
        return {"alarms": ["the profile kept changing; the next turn brings it up to date"]}
    return {}
