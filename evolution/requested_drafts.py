"""A person's own sentence as a memory, written in the turn itself because they asked for it."""

from collections.abc import Mapping
from dataclasses import dataclass

from language.kinds import Kind
from language.people import SPEAKER
from language.predicates import fold_predicate, is_single_valued, slot_of
from language.statements import Statement
from memory.contracts import Citation, Event, ItemType, MemoryDraft

SAID = "said"
"""The predicate of a sentence that becomes a memory only to be changed: it competes with no other."""
_TYPES: Mapping[Kind, ItemType] = {"preference": "preference", "constraint": "constraint", "plan": "plan"}


def draft_from_words(event: Event, start: int, end: int) -> MemoryDraft:
    """The words ``[start, end)`` of an earlier turn that nobody noted; they end nothing."""
    words, subject = event.text[start:end], _subject(event, SPEAKER)
    told = _DraftFields(subject=subject, predicate=SAID, object=words, content=words, category="other")
    return _draft(told, event, start, end)


def draft_from_statement(statement: Statement, event: Event) -> MemoryDraft:
    """A sentence that is to be remembered, with its value where it has one."""
    value = statement.value
    predicate = fold_predicate(value.predicate) if value and value.predicate != "note" else statement.topic
    told = _DraftFields(
        subject=_subject(event, statement.person or SPEAKER),
        predicate=predicate,
        object=value.text if value and value.predicate != "note" else statement.text,
        content=statement.text,
        category=statement.topic,
        item_type=_TYPES.get(statement.kind, "fact"),
    )
    return _draft(told, event, statement.start, statement.end)


@dataclass(frozen=True, kw_only=True)
class _DraftFields:
    subject: str
    predicate: str
    object: str
    content: str
    category: str
    item_type: ItemType = "fact"


def _subject(event: Event, person: str) -> str:
    """In a group a speaker goes by their name."""
    return event.speaker if person == SPEAKER and event.speaker != "user" else person


def _draft(told: _DraftFields, event: Event, start: int, end: int) -> MemoryDraft:
    return MemoryDraft(
        item_type=told.item_type,
        subject=told.subject,
        predicate=told.predicate,
        object=told.object,
        content=told.content,
        category=told.category,
        slot=slot_of(told.subject, told.predicate),
        single_valued=told.predicate != SAID and is_single_valued(told.predicate),
        epistemic_type="preference" if told.item_type == "preference" else "fact",
        provenance="confirmed_by_user",
        confidence=0.9,
        certainty=0.9,
        observed_at=event.occurred_at,
        valid_at=event.occurred_at,
        session_id=event.session_id,
        speaker=event.speaker,
        citations=(Citation(event_id=event.event_id, start=start, end=end, sha256=event.sha256),),
    )
