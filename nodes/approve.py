"""Wait for a person to decide on the acts of a request."""

from typing import Any

from langgraph.types import interrupt

from brain.approval import ApprovalRequest, AskingNode, Decision, read_decisions
from brain.state import OpenTurn, Update


async def approve(state: OpenTurn) -> Update:
    """Interrupt until every act has a decision. The node runs again from its start with each answer."""
    assert state.approval is not None
    return {"approval": {**state.approval, "decisions": _ask(state.approval["request"])}}


def _ask(request: ApprovalRequest) -> list[Decision]:
    """The first answer that can be read. LangGraph keeps answers, so one that cannot is asked for again, with why."""
    shown: dict[str, Any] = {**request}
    while True:
        try:
            return read_decisions(interrupt(shown), request)
        except ValueError as error:
            shown = {**request, "error": f"E_BAD_REQUEST: {error}."}


def asking_node(state: OpenTurn) -> AskingNode:
    """Which node asked, and carries on with the decisions?"""
    assert state.approval is not None
    return state.approval["node"]
