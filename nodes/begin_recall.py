"""What memory would bring to a message that another agent answers: its question, and what stands in every prompt."""

from uuid import UUID

from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import identity_of
from brain.media.message import check_words
from brain.state import OpenTurn, State, TurnInfo, Update
from memory.session_state import SessionState
from memory.zones import require_zone
from nodes.open_session import session_ref


async def begin_recall(state: State, runtime: Runtime[Context]) -> Update:
    """The newest message as a question asked now; nothing is logged."""
    resources = runtime.context.resources
    turn = TurnInfo(
        operation_id=str(resources.new_id()),
        session_id=str(session_ref(runtime, identity_of(runtime)).session_id),
        text=check_words(state.messages[-1].text),
        at=resources.clock().isoformat(),
        time_zone=require_zone(runtime.context.time_zone or resources.settings.time_zone),
        turns_before=0,
        own=[],
    )
    return {"turn": turn}


async def read_pins(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """The memories that stand in every prompt."""
    log, scope = runtime.context.resources.memory.log, identity_of(runtime).scope
    opened = await log.open(scope, UUID(state.turn["session_id"]), 1)
    return {"opened": SessionState(pinned=opened.pinned)}
