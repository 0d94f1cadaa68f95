"""Wait for a person to decide on the acts of a request."""

from langgraph.runtime import Runtime

from brain.approval import AskingNode
from brain.context import Context
from brain.decisions import await_decisions
from brain.state import OpenTurn, Update


async def approve(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """Interrupt until every act has a decision. The node runs again from its start with each answer."""
    assert state.approval is not None
    return {"approval": {**state.approval, "decisions": await_decisions(state.approval["request"])}}


def asking_node(state: OpenTurn) -> AskingNode:
    """Which node asked, and carries on with the decisions?"""
    assert state.approval is not None
    return state.approval["node"]
