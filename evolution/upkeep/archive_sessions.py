"""Close conversations whose time is over."""

from datetime import datetime
from uuid import UUID

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.summaries.fold_session import archive_expired
from evolution.upkeep.state import ActionOutcome, UpkeepAction, UpkeepState
from memory.sessions import UnsettledSession

MAX_SESSIONS = 1_000
"""Sessions of one run; the next one takes the others."""
_ROUNDS = 50


async def archive_sessions(state: UpkeepState, runtime: Runtime[JobContext]) -> Update:
    """Fold each to its last turn and archive it; one that is too long for a run stays open until a later one.

    On the way, blocks that wait for it are worded anew, also in sessions that stay open.
    """
    if "archive_sessions" not in state.steps:
        return {}
    context, at = runtime.context, datetime.fromisoformat(state.at)
    unsettled = await _find_unsettled(context, at)
    if unsettled and not state.dry_run:
        await _archive(context)
    left = set(_expired_sessions(unsettled if state.dry_run else await _find_unsettled(context, at)))
    return {"actions": [_action(each, _outcome(state, each in left)) for each in _expired_sessions(unsettled)]}


async def _archive(context: JobContext) -> None:
    """Some at a time, for as long as that closes any."""
    for _ in range(_ROUNDS):
        if not await archive_expired(context):
            return


async def _find_unsettled(context: JobContext, at: datetime) -> list[UnsettledSession]:
    return await context.resources.memory.sessions.list_unsettled(context.scope, at, MAX_SESSIONS)


def _expired_sessions(unsettled: list[UnsettledSession]) -> list[UUID]:
    return [each.session_id for each in unsettled if each.over]


def _outcome(state: UpkeepState, left: bool) -> ActionOutcome:
    if state.dry_run:
        return "planned"
    return "passed" if left else "done"


def _action(session_id: UUID, outcome: ActionOutcome) -> UpkeepAction:
    return UpkeepAction(
        step="archive_sessions",
        change="archive",
        target=str(session_id),
        why="nothing was said in it until its time was over",
        before="active",
        after="archived",
        loses=0,
        outcome=outcome,
    )
