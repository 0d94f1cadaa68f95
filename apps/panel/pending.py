"""What conversations of the person wait for: acts that they have to approve."""

from dataclasses import dataclass

from langgraph.types import Interrupt

from apps.panel.conversation_context import find_interrupts
from apps.panel.page import Visit
from brain.approval import ActionRequest, ApprovalRequest
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


async def list_pending(visit: Visit) -> list[PendingApproval]:
    """What the newest conversations wait for."""
    sessions = await visit.memory.sessions.list_newest(visit.scope, LOOKED_AT)
    found = [await find_pending(visit, each) for each in sessions]
    return [each for each in found if each]


async def find_pending(visit: Visit, session: SessionInfo) -> PendingApproval | None:
    """What one conversation waits for; None for nothing."""
    requests = [each for each in await find_interrupts(visit, session) if _is_request(each.value)]
    return PendingApproval(session, requests[0]) if requests else None


def _is_request(value: object) -> bool:
    return isinstance(value, dict) and bool(value.get("action_requests"))  # pyright: ignore[reportUnknownMemberType, reportUnknownArgumentType]
