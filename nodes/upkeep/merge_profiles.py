"""Bring the profile up to the memories that the steps before have left."""

from langgraph.runtime import Runtime

from brain.documents.profile_refresh import try_refresh_profile
from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.state import UpkeepState


async def merge_profiles(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """After something was changed. A profile that others keep changing at the same moment is left to them."""
    if not any(action["outcome"] == "done" for action in state.actions):
        return {}
    if await try_refresh_profile(runtime.context.resources, runtime.context.scope):
        return {}
    return {"alarms": ["the profile kept changing; the next turn brings it up to date"]}
