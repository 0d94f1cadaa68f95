"""A person's own sentence as a memory, written in the turn itself because they asked for it."""

from collections.abc import Mapping
from dataclasses import replace

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
    return MemoryDraft(
        item_type="fact",
        subject=subject,
        predicate=SAID,
        object=words,
        content=words,
        category="other",
        slot=slot_of(subject, SAID),
        single_valued=False,
        epistemic_type="fact",
        provenance="confirmed_by_user",
        confidence=0.9,
        certainty=0.9,
        observed_at=event.occurred_at,
        valid_at=event.occurred_at,
        session_id=event.session_id,
        speaker=event.speaker,
        citations=(Citation(event_id=event.event_id, start=start, end=end, sha256=event.sha256),),
    )


def draft_from_statement(statement: Statement, event: Event) -> MemoryDraft:
    """A sentence that is to be remembered, with its value where it has one."""
    value = statement.value if statement.value and statement.value.predicate != "note" else None
    subject = _subject(event, statement.person or SPEAKER)
    predicate = fold_predicate(value.predicate) if value else statement.topic
    item_type = _TYPES.get(statement.kind, "fact")
    return replace(
        draft_from_words(event, statement.start, statement.end),
        item_type=item_type,
        subject=subject,
        predicate=predicate,
        object=value.text if value else statement.text,
        content=statement.text,
        category=statement.topic,
        slot=slot_of(subject, predicate),
        single_valued=is_single_valued(predicate),
        epistemic_type="preference" if item_type == "preference" else "fact",
    )


def _subject(event: Event, person: str) -> str:
    """In a group a speaker goes by their name."""
    return event.speaker if person == SPEAKER and event.speaker != "user" else person
