"""Make what memory brings inert before a model reads it; what is stored stays as it is."""

from langgraph.runtime import Runtime

from brain.context import Context
from brain.sanitizer import clean
from brain.state import MemoryUse, State, Update


async def sanitize(state: State, runtime: Runtime[Context]) -> Update:
    """Each memory passes, passes defused, or is blocked and goes to the rejected ones."""
    judged = [_judged(memory) for memory in state.memories]
    return {
        "memories": [memory for memory in judged if memory["decision_reason"] != "blocked"],
        "rejected": [*state.rejected, *(memory for memory in judged if memory["decision_reason"] == "blocked")],
    }


def _judged(memory: MemoryUse) -> MemoryUse:
    cleaned = clean(memory["text"])
    if cleaned.verdict == "blocked":
        return {**memory, "sanitization": "blocked", "decision_reason": "blocked"}
    return {**memory, "text": cleaned.text, "sanitization": cleaned.verdict}
