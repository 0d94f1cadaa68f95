"""How the next words of the user judge the memories that stood before the last reply."""

from brain.signal_rules import Feedback, feedback, is_subject_change, utilization
from memory.receipts import InjectedMemory, Reaction
from memory.session_state import SessionState
from memory.soul import SoulReaction


def reactions(opened: SessionState | None, said: str) -> tuple[Reaction, ...]:
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
            utilized=_judge_use(signal, each, (said, reply)),
        )
        for each in opened.injected
    )


def judge_soul(opened: SessionState | None, said: str) -> SoulReaction | None:
    """How the reply before was taken, for the version of SOUL that made it; None where none of this version did."""
    reply = next((event for event in reversed(opened.window) if event.role == "assistant"), None) if opened else None
    if opened is None or reply is None:
        return None
    if opened.soul is not None and reply.occurred_at < opened.soul.activated_at:
        return None
    version = opened.soul.version if opened.soul else 0
    return SoulReaction(version=version, is_negative=feedback(said, reply.text) == "correct")


def _judge_use(signal: Feedback, memory: InjectedMemory, heard: tuple[str, str]) -> bool | None:
    """What the user tells about the use of a memory; None leaves what the reply itself showed.

    Agreeing and asking on concern what the reply drew on. What merely stood in the prompt is neither.
    """
    said, reply = heard
    match signal:
        case "affirm" | "deepen":
            return True if utilization(reply, memory.text) != "none" else None
        case "silence":
            return False if is_subject_change(said, reply) else None
        case "correct":
            return None
