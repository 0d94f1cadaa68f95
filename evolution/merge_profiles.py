"""Bring the profile of the person, or of the group, up to what is remembered now."""

from langgraph.runtime import Runtime

from brain.documents.profile_refresh import try_refresh_profile
from brain.job_context import JobContext
from brain.state import Update
from evolution.state import EvolutionState
from evolution.upkeep.state import UpkeepState


async def merge_profiles(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """After something was written: new information enters the profile, a snapshot of the old one is kept.

    A profile that others keep changing at the same moment is left to them; the next turn brings it up to date.
    """
    if not any(state.written.values()):
        return {}
    zone = state.said[-1]["time_zone"] if state.said else ""
    current = await try_refresh_profile(runtime.context.resources, runtime.context.scope, zone)
    return {} if current else {"degraded": ["profile_conflict"]}


async def merge_profiles_after_upkeep(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """After something was changed. A profile that others keep changing at the same moment is left to them."""
    if not any(action["outcome"] == "done" for action in state.actions):
        return {}
    if await try_refresh_profile(runtime.context.resources, runtime.context.scope):
        return {}
    return {"alarms": ["the profile kept changing; the next turn brings it up to date"]}
