"""Before every model call: is the safety contract still in force?"""

import structlog
from langgraph.runtime import Runtime

from brain.context import Context
from brain.guardrail import check, current_contract
from brain.state import State, Update

log = structlog.get_logger(__name__)


async def check_guard(state: State, runtime: Runtime[Context]) -> Update:
    """Look, and record what is wrong. Nothing is blocked here; the tools' own gate does that."""
    prompt = state.prompt
    guard = check(current_contract(), prompt.system if prompt else "", prompt.context if prompt else "")
    if guard["passed"]:
        return {"guard": guard}
    log.warning("guardrail_warning", code=guard["error_code"], missing=len(guard["missing_anchors"]))
    return {"guard": guard, "degraded": ["guardrail_warning"]}
