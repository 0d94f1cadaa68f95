"""Make what memory brings inert before a model reads it; what is stored stays as it is."""

from collections.abc import Sequence

from langgraph.runtime import Runtime

from brain.context import Context
from brain.safety.sanitizer import clean
from brain.safety.sanitizer_model import second_opinion
from brain.state import MemoryUse, State, Update


async def sanitize(state: State, runtime: Runtime[Context]) -> Update:
    """Each memory passes, passes defused, or is blocked and goes to the rejected ones.

    Patterns judge first; where it is switched on, the fast model looks again at what they defused.
    """
    judged, model = [_judged(memory) for memory in state.memories], runtime.context.resources.models.fast
    if model is None or not runtime.context.resources.settings.sanitize_with_model:
        return _sorted(judged, state)
    judged, degraded = await second_opinion(model, judged)
    return _sorted(judged, state) | {"degraded": list(degraded)}


def _sorted(judged: Sequence[MemoryUse], state: State) -> Update:
    return {
        "memories": [memory for memory in judged if memory["decision_reason"] != "blocked"],
        "rejected": [*state.rejected, *(memory for memory in judged if memory["decision_reason"] == "blocked")],
    }


def _judged(memory: MemoryUse) -> MemoryUse:
    cleaned = clean(memory["text"])
    if cleaned.verdict == "blocked":
        return {**memory, "sanitization": "blocked", "decision_reason": "blocked"}
    return {**memory, "text": cleaned.text, "sanitization": cleaned.verdict}
