"""A person's own sentence as a memory, written in the turn itself because they asked for it."""

from language.kinds import Kind
from language.people import SPEAKER
from language.predicates import fold_predicate, holds_one, slot_of
from language.statements import Statement
from memory.contracts import Citation, Event, ItemType, MemoryDraft
from collections.abc import Mapping

SAID = "said"
"""The predicate of a sentence that becomes a memory only to be changed: it competes with no other."""
_TYPES: Mapping[Kind, ItemType] = {"preference": "preference", "constraint": "constraint", "plan": "plan"}


def as_said(statement: Statement, event: Event) -> MemoryDraft:
    """A sentence of an earlier turn that nobody noted; it ends nothing."""
    return _draft(statement, event, SAID, statement.text)


def as_noted(statement: Statement, event: Event) -> MemoryDraft:
    """A sentence that is to be remembered, with its value where it has one."""
    value = statement.value
    predicate = fold_predicate(value.predicate) if value and value.predicate != "note" else statement.topic
    return _draft(statement, event, predicate, value.text if value and value.predicate != "note" else statement.text)


def _draft(statement: Statement, event: Event, predicate: str, told: str) -> MemoryDraft:
    subject = statement.person or SPEAKER
    if subject == SPEAKER and event.speaker != "user":
        subject = event.speaker
    return MemoryDraft(
        item_type=_TYPES.get(statement.kind, "fact"),
        subject=subject,
        predicate=predicate,
        object=told,
        content=statement.text,
        category=statement.topic,
        slot=slot_of(subject, predicate),
        single_valued=predicate != SAID and holds_one(predicate),
        epistemic_type="preference" if statement.kind == "preference" else "fact",
        provenance="confirmed_by_user",
        confidence=0.9,
        certainty=0.9,
        observed_at=event.occurred_at,
        valid_at=event.occurred_at,
        session_id=event.session_id,
        citations=(
            Citation(event_id=event.event_id, start=statement.start, end=statement.end, sha256=event.sha256),
        ),
    )
