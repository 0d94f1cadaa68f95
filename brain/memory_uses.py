"""Memories that were looked up or pinned, in the form in which a turn carries recalled ones."""

from brain.prompting.excerpt import excerpt
from brain.state import EventSpan, MemoryUse
from language.secrets import mask_secrets
from memory.index_rows import current_confidence, note_of, speaker_of
from memory.memory_item import MemoryItem
from memory.provenance import is_own_word, provenance_level
from memory.turns import Event


def use_of_item(item: MemoryItem) -> MemoryUse:
    """A memory that was asked for by its date, not by its words."""
    use = MemoryUse(
        memory_id=str(item.memory_id),
        lane="fact",
        text=mask_secrets(item.content),
        score=1.0,
        signals={},
        speaker=speaker_of(item),
        role="user",
        confidence=current_confidence(item),
        provenance=provenance_level(item),
        epistemic_type=item.epistemic_type or "fact",
        category=item.category,
        valid_since=item.valid_at.isoformat(),
        said_at=item.observed_at.isoformat(),
        decision_reason="recency",
        position=None,
        about=note_of(item),
    )
    return {**use, "valid_until": item.invalid_at.isoformat()} if item.invalid_at else use


def use_of_pin(item: MemoryItem) -> MemoryUse:
    """A memory that stands in every prompt, whatever is asked."""
    role = "user" if is_own_word(item) else "tool"
    return {**use_of_item(item), "role": role, "score": 0.0, "decision_reason": "pinned"}


def is_recalled(memory: MemoryUse) -> bool:
    """Whether it bears on the question, and is not there for its pin alone."""
    return memory["decision_reason"] != "pinned" or bool(memory["signals"])


def use_of_event(event: Event) -> MemoryUse:
    """A turn of the conversation that is going on."""
    return MemoryUse(
        memory_id=str(event.event_id),
        lane="turn",
        text=excerpt(mask_secrets(event.text), ""),
        score=1.0,
        signals={},
        speaker=event.speaker,
        role=event.role,
        confidence=1.0,
        provenance="observation",
        epistemic_type="preference",
        category="",
        valid_since=event.occurred_at.isoformat(),
        said_at=event.occurred_at.isoformat(),
        decision_reason="recency",
        position=None,
        span=EventSpan(event_id=str(event.event_id), start=0, end=len(event.text)),
    )
