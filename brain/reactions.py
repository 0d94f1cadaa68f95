"""How the next words of the user judge the memories that stood before the last reply."""

from brain.signal_rules import Feedback, changes_subject, feedback, utilization
from memory.contracts import Injected, Reaction
from memory.opened_session import OpenedSession


def reactions(opened: OpenedSession | None, said: str) -> tuple[Reaction, ...]:
    """One per memory that was injected a turn ago and is not judged yet."""
    if opened is None or not opened.injected:
        return ()
    reply = next((event.text for event in reversed(opened.window) if event.role == "assistant"), "")
    signal = feedback(said, reply)
    return tuple(
        Reaction(
            receipt_id=each.receipt_id,
            memory_id=each.memory_id,
            signal=signal,
            utilized=_used(signal, each, (said, reply)),
        )
        for each in opened.injected
    )


def _used(signal: Feedback, memory: Injected, heard: tuple[str, str]) -> bool | None:
    """What the user tells about the use of a memory; None leaves what the reply itself showed.

    Agreeing and asking on concern what the reply drew on. What merely stood in the prompt is neither.
    """
    said, reply = heard
    match signal:
        case "affirm" | "deepen":
            return True if utilization(reply, memory.text) != "none" else None
        case "silence":
            return False if changes_subject(said, reply) else None
        case "correct":
            return None
