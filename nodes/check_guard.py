"""Before every model call: is the safety contract still in force?"""

import structlog
from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from brain.context import Context
from brain.safety.contract import contract_of_turn
from brain.safety.guarded_model import WARNING
from brain.safety.guardrail import check_contract
from brain.state import OpenTurn, Update

log = structlog.get_logger(__name__)


async def check_guard(state: OpenTurn, runtime: Runtime[Context]) -> Update:
    """Look at all that the model is about to read, and record what is wrong.

    Nothing is blocked here; the tools' own gate does that.
    """
    contract, system = contract_of_turn(state.opened), state.prompt.system if state.prompt else ""
    guard = check_contract(contract, system, "\n".join(_texts_to_check(state)))
    if guard["passed"]:
        return {"guard": guard}
    log.warning(
        WARNING,
        code=guard["error_code"],
        missing=len(guard["missing_anchors"]),
        violated=len(guard["violated_constraints"]),
    )
    return {"guard": guard, "guard_hits": [guard["error_code"]], "degraded": [WARNING]}


def _texts_to_check(state: OpenTurn) -> list[str]:
    """Beside the prefix: the documents, the context, the conversation, and what tools have said since."""
    if state.prompt is None:
        return []
    spoken_at = max((n for n, message in enumerate(state.messages) if isinstance(message, HumanMessage)), default=0)
    since = (message.text for message in state.messages[spoken_at + 1 :])
    before = (message.text for message in state.prompt.history)
    return [*state.prompt.documents, state.prompt.context, *before, state.prompt.user_text, *since]
