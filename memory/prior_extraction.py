"""What was taken from a turn before: whoever reads the turn again must come to the same memories."""

from dataclasses import dataclass
from uuid import UUID


@dataclass(frozen=True, kw_only=True)
class PriorExtraction:
    """A memory, whatever became of it, and the span ``[span_start, span_end)`` of one turn that it rests on."""

    memory_id: UUID
    event_id: UUID
    span_start: int
    span_end: int
    subject: str
    predicate: str
    object: str
    negated: bool
    slot: str
