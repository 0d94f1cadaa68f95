"""Judge what memory brings before a model reads it. Nothing is rewritten: it is shown whole, or left out."""

from langgraph.runtime import Runtime

from brain.context import Context
from brain.identity import identity_of
from brain.safety.sanitizer import sanitize_text
from brain.safety.sanitizer_model import judge_with_model
from brain.state import MemoryUse, State, Update


async def sanitize(state: State, runtime: Runtime[Context]) -> Update:
    """Each memory passes, is flagged, or, when another voice attacks in it, is blocked and goes to the rejected ones.

    Patterns judge first; where it is switched on, the fast model looks again at what they flagged in other voices.
    """
    resources, user = runtime.context.resources, identity_of(runtime).user
    if not resources.settings.detect_steering:
        return {}
    judged = [_sanitize_memory(memory, user) for memory in state.memories]
    degraded: tuple[str, ...] = ()
    if resources.models.fast is not None and resources.settings.sanitize_with_model:
        foreign = frozenset(memory["memory_id"] for memory in judged if not is_own_memory(memory, user))
        judged, degraded = await judge_with_model(resources.models.fast, judged, foreign)
    return {
        "memories": [memory for memory in judged if memory["decision_reason"] != "blocked"],
        "rejected": [*state.rejected, *(memory for memory in judged if memory["decision_reason"] == "blocked")],
        "degraded": list(degraded),
    }


def is_own_memory(memory: MemoryUse, user: str) -> bool:
    """Whether it is what this person said, or was concluded from it."""
    return memory["role"] == "user" and memory["speaker"] in ("user", "", user)


def _sanitize_memory(memory: MemoryUse, user: str) -> MemoryUse:
    """What a person said is theirs to quote, whatever it looks like."""
    verdict = sanitize_text(memory["text"]).verdict
    if verdict != "blocked":
        return {**memory, "sanitization": verdict}
    if is_own_memory(memory, user):
        return {**memory, "sanitization": "sanitized"}
    return {**memory, "sanitization": "blocked", "decision_reason": "blocked"}
