"""Acts that wait for the person's approval, in any of their conversations, and deciding on them."""

import asyncio
from collections.abc import Sequence
from typing import Any, cast

from langgraph.types import Command
from starlette.responses import Response

from apps.chat_api.decisions import already_decided
from apps.chat_api.run_config import run_config
from apps.chat_api.turn import TurnRunner
from apps.panel.conversation_context import find_session, session_context
from apps.panel.page import Visit
from apps.panel.pending import LOOKED_AT, PendingApproval, find_pending, list_pending
from brain.approval import Action, ActionRequest, Decision
from memory.errors import bad_request
from memory.sessions import SessionInfo


async def list_approvals(visit: Visit) -> Response:
    """Everything that waits."""
    return visit.render("approvals.html", pending=await list_pending(visit), most=LOOKED_AT)


async def decide_approval(visit: Visit) -> Response:
    """Resume the turn that waited.

    Raises ``E_CONFLICT`` when it was decided meanwhile, or when another decision on it is being carried out. Of
    two decisions, in whichever process, only one resumes the turn: the task is named before it reads what waits.
    """
    session = await find_session(visit, visit.request.path_params["session_id"])
    turns, interrupt_id = visit.service.turns, visit.read_field("interrupt", 200)
    name = f"approval:{session.session_id}:{interrupt_id}"
    if turns.find(name):
        raise already_decided()
    await asyncio.shield(turns.start(_apply_decisions(visit, session, interrupt_id), name))
    return visit.redirect(f"/panel/conversations/{session.session_id}", "decided")


async def _apply_decisions(visit: Visit, session: SessionInfo, interrupt_id: str) -> None:
    """Read the decision on each act that waits, and resume the turn with them. Raises ``E_CONFLICT``."""
    async with visit.service.runner.gate.decide_alone(visit.scope.tenant_id, str(session.session_id)):
        pending = await find_pending(visit, session)
        if pending is None or pending.interrupt.id != interrupt_id:
            raise already_decided()
        decisions = [_read_decision(visit, number, act, name) for number, (act, name) in enumerate(pending.acts)]
        await _resume_turn(visit, pending, decisions)


async def _resume_turn(visit: Visit, pending: PendingApproval, decisions: Sequence[Decision]) -> None:
    """Let the turn go on to its end; a browser that goes away does not stop it."""
    runner: TurnRunner = visit.service.runner
    context = session_context(visit, pending.session.name)
    answer: Command[Any] = Command(resume={pending.interrupt.id: {"decisions": list(decisions)}})
    async with asyncio.timeout(visit.resources.settings.request_timeout):
        await runner.resume(answer, run_config(context, visit.user), context)


def _read_decision(visit: Visit, number: int, act: ActionRequest, editable: str) -> Decision:
    match visit.read_field(f"decision{number}", 20):
        case "approve":
            return Decision(type="approve")
        case "reject":
            return Decision(type="reject")
        case "edit" if editable:
            words = visit.read_field(f"edited{number}", 20_000)
            if not words:
                raise bad_request("The changed text is empty.", "Say what is true, or decline.")
            args = cast("dict[str, Any]", {editable: words})
            return Decision(type="edit", edited_action=Action(name=act["name"], args=args))
        case _:
            raise bad_request("Decide on each act.", "Approve it, or decline.")
