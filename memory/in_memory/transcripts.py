"""The transcripts port."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, cast
from uuid import UUID

from memory.contracts import Event, Receipt
from memory.in_memory.forgotten_turns import says_forgotten
from memory.in_memory.store import Compartment, InMemoryStore
from memory.scope import Scope
from memory.transcripts import CandidateUse, SessionOperation, Standing, TranscriptTurn


@dataclass
class InMemoryTranscripts:
    """The transcripts port."""

    store: InMemoryStore

    async def turns(self, scope: Scope, session_id: UUID, before: int | None, limit: int) -> list[TranscriptTurn]:
        space = self.store.compartment_of(scope)
        found = [
            _transcript_turn(space, operation_id, event)
            for operation_id, event in space.events
            if event.session_id == session_id and (before is None or event.position < before)
        ]
        return sorted(found, key=lambda each: each.position)[-limit:]

    async def operations(self, scope: Scope, limit: int) -> list[SessionOperation]:
        space = self.store.compartment_of(scope)
        found = [
            SessionOperation(**vars(operation), session_id=session_id, session_name=space.sessions[session_id].name)
            for operation_id, operation in space.operations.items()
            if (session_id := _session_of(space, operation_id))
        ]
        return sorted(found, key=lambda each: (-each.created_at.timestamp(), each.operation_id))[:limit]

    async def uses(self, scope: Scope, memory_id: UUID, limit: int) -> list[CandidateUse]:
        found = sorted(self._uses(scope, memory_id), key=lambda each: each.at, reverse=True)
        return found[:limit]

    def _uses(self, scope: Scope, memory_id: UUID) -> Iterator[CandidateUse]:
        space = self.store.compartment_of(scope)
        for operation_id, receipts in space.receipts.items():
            session_id, at = _session_of(space, operation_id), _spoken_at(space, operation_id)
            for each in receipts:
                if session_id and at and each.memory_id == memory_id and each.receipt_type == "injection":
                    yield _use(each, operation_id, space.sessions[session_id].name, at)


def _transcript_turn(space: Compartment, operation_id: UUID, event: Event) -> TranscriptTurn:
    standing = _standing(space, operation_id, event.event_id)
    words = replace(event, text="") if standing == "withheld" else event
    used = [each for each in space.receipts.get(operation_id, []) if _is_used(each)]
    return TranscriptTurn(**vars(words), operation_id=operation_id, standing=standing, memories=len(used))


def _standing(space: Compartment, operation_id: UUID, event_id: UUID) -> Standing:
    if space.visibilities.get(event_id, "all") != "all" or says_forgotten(space, event_id):
        return "withheld"
    if operation_id in space.left:
        return "left"
    return "replaced" if event_id in space.replaced else "said"


def _is_used(receipt: Receipt) -> bool:
    return receipt.receipt_type == "injection" and receipt.details.get("context_position") is not None


def _use(receipt: Receipt, operation_id: UUID, session_name: str, at: datetime) -> CandidateUse:
    details = cast("dict[str, Any]", receipt.details)
    return CandidateUse(
        operation_id=operation_id,
        session_name=session_name,
        at=at,
        score=float(details.get("candidate_score") or 0),
        decision_reason=str(details.get("decision_reason") or ""),
        used=_is_used(receipt),
    )


def _session_of(space: Compartment, operation_id: UUID) -> UUID | None:
    return next((event.session_id for event in space.turn(operation_id)), None)


def _spoken_at(space: Compartment, operation_id: UUID) -> datetime | None:
    return max((event.occurred_at for event in space.turn(operation_id)), default=None)
