"""What a turn leaves in memory by deterministic rules alone: explicit statements, each with the words it rests on."""

from collections.abc import Iterator
from dataclasses import replace
from uuid import UUID

from brain.resources import Resources
from memory.contracts import Author, Citation, Event, MemoryDraft
from memory.ports import Outcome
from memory.rules import Assertion, SpokenTurn, extract, is_single_valued, object_key, slot_key
from memory.scope import Scope

NOTHING = "nothing in it asks to be remembered"
RECENT = 500
CORRECTS = "corrects"
"""Predicate of a bare correction ("not X but Y"): it names no slot, so it belongs to the memory that holds X."""


async def remember(resources: Resources, scope: Scope, operation_id: UUID) -> Outcome:
    """Turn one logged operation into memories. Doing it again changes nothing: each write has its own key."""
    memory = resources.memory
    written: dict[UUID, None] = {}
    for event in await memory.log.turn(scope, operation_id):
        for found, key in _drafts(event):
            draft = await _placed(resources, scope, found)
            if draft is None:
                continue
            author = Author(operator="rules", reason="said so", idempotency_key=key, at=resources.clock())
            receipt = await memory.items.write(scope, draft, author)
            written[receipt.memory_id] = None
    outcome = (
        Outcome(status="stored", memory_ids=tuple(written)) if written else Outcome(status="nothing", reason=NOTHING)
    )
    await memory.log.finish(scope, operation_id, outcome, resources.clock())
    return outcome


async def repair(resources: Resources, scope: Scope, memory_id: UUID) -> bool:
    """Look again at the turns behind a stale memory: what they still say is cited anew, what none says is retracted."""
    items, log = resources.memory.items, resources.memory.log
    item = await items.get(scope, memory_id)
    if not item.stale or item.status != "active":
        return False
    events = await log.events(scope, [each.event_id for each in await items.evidence(scope, memory_id)])
    again = [draft for event in events for draft, _ in _drafts(event) if draft.slot == item.slot]
    citations = [cited for draft in again if draft.object == item.object for cited in draft.citations]
    key = f"repair:{memory_id}:{item.version}"
    author = Author(operator="repair", reason="its evidence changed", idempotency_key=key, at=resources.clock())
    await items.recite(scope, memory_id, citations, author)
    return bool(citations)


async def _placed(resources: Resources, scope: Scope, draft: MemoryDraft) -> MemoryDraft | None:
    """A bare correction takes the place of the one memory that it corrects; with none, or several, it says nothing."""
    if draft.predicate != CORRECTS:
        return draft
    wrong, right = object_key(draft.replaces), object_key(draft.object)
    known = await resources.memory.items.newest(scope, include_inactive=True, limit=RECENT)
    successors = {item.memory_id for item in known if object_key(item.object) == right}
    held = [
        item
        for item in known
        if object_key(item.object) == wrong and (item.status == "active" or item.superseded_by in successors)
    ]
    if len(held) != 1:
        return None
    old = held[0]
    return replace(
        draft,
        item_type=old.memory_type,
        subject=old.subject,
        predicate=old.predicate,
        category=old.category,
        slot=old.slot,
        epistemic_type=old.epistemic_type,
        content=old.content.replace(old.object, draft.object) if old.object in old.content else draft.content,
    )


def _drafts(event: Event) -> Iterator[tuple[MemoryDraft, str]]:
    turn = SpokenTurn(
        text=event.text,
        role=event.role,
        speaker=event.speaker,
        at=event.occurred_at,
        zone=event.time_zone,
    )
    for number, assertion in enumerate(extract(turn)):
        yield _draft(event, assertion), f"rules:{event.event_id}:{number}"


def _draft(event: Event, assertion: Assertion) -> MemoryDraft:
    start, end = assertion.span
    return MemoryDraft(
        item_type=assertion.item_type,
        subject=assertion.subject,
        predicate=assertion.predicate,
        object=assertion.object,
        content=assertion.content,
        category=assertion.category,
        slot=slot_key(assertion),
        single_valued=is_single_valued(assertion),
        replaces=assertion.correction.old if assertion.correction else "",
        negated=assertion.negated,
        epistemic_type=assertion.epistemic_type,
        provenance=assertion.provenance,
        confidence=assertion.confidence,
        certainty=assertion.certainty,
        observed_at=event.occurred_at,
        valid_at=assertion.valid_at or event.occurred_at,
        session_id=event.session_id,
        citations=(Citation(event_id=event.event_id, start=start, end=end, sha256=event.sha256),),
    )
