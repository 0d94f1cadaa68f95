"""Say what a run of upkeep came to."""

from collections import Counter

import structlog
from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.state import UpkeepReport, UpkeepState

log = structlog.get_logger(__name__)

MIN_SAMPLES = 30
"""Of fewer memories, a share says little: it is noted, and nobody is alarmed (S0 section 2.3.2)."""


async def report(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Count the changes per step and outcome; what is out of bounds goes to the log as well."""
    assert state.figures is not None
    steps = {
        step: dict(Counter(action["outcome"] for action in state.actions if action["step"] == step))
        for step in state.steps
    }
    tell = log.warning if state.figures["living"] >= MIN_SAMPLES else log.info
    for alarm in state.alarms:
        tell("upkeep_alarm", user_id=str(runtime.context.scope.user_id), alarm=alarm)
    return {"report": UpkeepReport(figures=state.figures, steps=steps, alarms=state.alarms)}
