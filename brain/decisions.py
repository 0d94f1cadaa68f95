"""Wait for a person who decides: apart from the rules of approval, which everything reads at its start."""

from typing import Any

from langgraph.types import interrupt

from brain.approval import ApprovalRequest, Decision, read_decisions


def await_decisions(request: ApprovalRequest, complaint: str = "") -> list[Decision]:
    """Interrupt until every act has a decision, and return the first answer that can be read.

    LangGraph keeps answers, so one that cannot be read is asked for again, with why. ``complaint`` says why the
    decision before did not count.
    """
    shown: dict[str, Any] = {**request, **({"error": complaint} if complaint else {})}
    while True:
        try:
            return read_decisions(interrupt(shown), request)
        except ValueError as error:
            shown = {**request, "error": f"E_BAD_REQUEST: {error}."}
