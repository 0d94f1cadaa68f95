"""Say what a run of upkeep came to."""

from collections import Counter

import structlog
from langgraph.runtime import Runtime

from brain.upkeep.state import Report, Tidying, Update, UpkeepState

log = structlog.get_logger(__name__)


async def report(state: UpkeepState, runtime: Runtime[Tidying]) -> Update:
    """Count the changes per step and outcome; what is out of bounds goes to the log as well."""
    assert state.figures is not None
    steps = {
        step: dict(Counter(action["outcome"] for action in state.actions if action["step"] == step))
        for step in state.steps
    }
    for alarm in state.alarms:
        log.warning("upkeep_alarm", user_id=str(runtime.context.scope.user_id), alarm=alarm)
    return {"report": Report(figures=state.figures, steps=steps, alarms=state.alarms)}
