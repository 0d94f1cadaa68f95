"""Acts that wait for the person's approval, in any of their conversations, and deciding on them."""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

from langgraph.types import Command, Interrupt
from starlette.responses import Response

from apps.chat_api.turn import TurnRunner, run_config
from apps.panel.conversations import find_interrupts, find_session, session_context
from apps.panel.page import Visit
from brain.approval import Action, ActionRequest, ApprovalRequest, Decision
from memory.errors import BrainError, bad_request
from memory.sessions import SessionInfo

LOOKED_AT = 30
"""The newest conversations that are asked whether they wait."""


@dataclass(frozen=True)
class PendingApproval:
    """What a conversation waits for. ``editable``: the one argument of each act that may be worded anew, if any."""

    session: SessionInfo
    interrupt: Interrupt

    @property
    def request(self) -> ApprovalRequest:
        """The acts, and what may be decided on them."""
        return self.interrupt.value

    @property
    def acts(self) -> list[tuple[ActionRequest, str]]:
        """Each act with the name of its editable argument, empty where there is none."""
        return [(each, self._editable(each)) for each in self.request["action_requests"]]

    def _editable(self, act: ActionRequest) -> str:
        allowed = {each["action_name"]: each["allowed_decisions"] for each in self.request["review_configs"]}
        name = next((name for name in ("memories", "content") if act["args"].keys() == {name}), "")
        return name if "edit" in allowed.get(act["name"], ()) else ""


async def list_approvals(visit: Visit) -> Response:
    """Everything that waits."""
    return visit.render("approvals.html", pending=await find_pending(visit), most=LOOKED_AT)


async def decide_approval(visit: Visit) -> Response:
    """Resume the turn that waited.

    Raises ``E_CONFLICT`` when it was decided meanwhile, or when another decision on it is being carried out. The
    task is named before it reads what waits, so that of two decisions in one process only one resumes the turn.
    """
    session = await find_session(visit, visit.request.path_params["session_id"])
    turns, interrupt_id = visit.service.turns, visit.read_field("interrupt", 200)
    name = f"approval:{session.session_id}:{interrupt_id}"
    if turns.find(name):
        raise _already_decided()
    await asyncio.shield(turns.start(_apply_decisions(visit, session, interrupt_id), name))
    return visit.redirect(f"/panel/conversations/{session.session_id}", "decided")


async def find_pending(visit: Visit) -> list[PendingApproval]:
    """What the newest conversations wait for."""
    sessions = await visit.memory.sessions.list_newest(visit.scope, LOOKED_AT)
    found = [await _pending_in(visit, each) for each in sessions]
    return [each for each in found if each]


async def _pending_in(visit: Visit, session: SessionInfo) -> PendingApproval | None:
    requests = [each for each in await find_interrupts(visit, session) if _is_request(each.value)]
    return PendingApproval(session, requests[0]) if requests else None


def _is_request(value: object) -> bool:
    return isinstance(value, dict) and bool(value.get("action_requests"))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]


def _already_decided() -> BrainError:
    return BrainError("E_CONFLICT", "This does not wait for a decision any more.", "Look at the list again.")


async def _apply_decisions(visit: Visit, session: SessionInfo, interrupt_id: str) -> None:
    """Read the decision on each act that waits, and resume the turn with them. Raises ``E_CONFLICT``."""
    pending = await _pending_in(visit, session)
    if pending is None or pending.interrupt.id != interrupt_id:
        raise _already_decided()
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
