"""Where a memory comes from: the words it rests on, their turn and its hash, verified now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import Any
from uuid import UUID

from language.secrets import mask_secrets
from memory.lanes import Lane
from memory.memory_item import Evidence
from memory.ports import MemoryCore
from memory.scope import Scope
from memory.turns import Event


@dataclass(frozen=True)
class Source:
    """Something that was recalled: a turn is its own evidence, a fact cites turns, a summary rests on turns.

    ``span`` is the turn that a passage is of, and its place there.
    """

    source_id: UUID
    lane: Lane
    span: tuple[UUID, int, int] | None = None

    @property
    def event_id(self) -> UUID:
        """The turn that a row of the lane ``turn`` shows."""
        return self.span[0] if self.span else self.source_id


def source_at(source_id: UUID, lane: Lane, span: Mapping[str, Any] | None) -> Source:
    """The source of a memory as turns and receipts note it: a passage has a ``span`` in another turn's words."""
    if span is None or UUID(span["event_id"]) == source_id:
        return Source(source_id, lane)
    return Source(source_id, lane, (UUID(span["event_id"]), span["start"], span["end"]))


@dataclass(frozen=True, kw_only=True)
class Proof:
    """One turn behind a memory. ``verified``: its words still have the hash they were logged with.

    ``start`` and ``end`` are the quote's place in the turn, in code points; None where all of it is quoted, or where
    the quote was cut out before.
    """

    event_id: UUID
    turn_id: str | None
    quote: str
    speaker: str
    occurred_at: str
    sha256: str
    verified: bool
    start: int | None = None
    end: int | None = None

    @classmethod
    def of_evidence(cls, evidence: Evidence) -> "Proof":
        """A citation that Memory Core has already verified."""
        return cls(
            event_id=evidence.event_id,
            turn_id=evidence.reference,
            quote=mask_secrets(evidence.quote),
            speaker=evidence.speaker,
            occurred_at=evidence.occurred_at.isoformat(),
            sha256=evidence.sha256,
            verified=evidence.verified,
        )

    @classmethod
    def of_event(cls, event: Event, span: tuple[int, int] | None = None) -> "Proof":
        """A turn of the log, or the words at a place in it, the whole hashed again here."""
        start, end = span or (None, None)
        return cls(
            event_id=event.event_id,
            turn_id=event.reference,
            quote=mask_secrets(event.text[start:end]),
            speaker=event.speaker,
            occurred_at=event.occurred_at.isoformat(),
            sha256=event.sha256,
            verified=sha256(event.text.encode()).hexdigest() == event.sha256,
            start=start,
            end=end,
        )

    def __str__(self) -> str:
        mark = "verified" if self.verified else "NOT VERIFIED"
        place = f"characters {self.start}–{self.end}" if self.start is not None else ""
        told = ", ".join(part for part in (self.turn_id, place) if part)
        where = f" ({told})" if told else ""
        return f"“{self.quote}” — {self.speaker}, {self.occurred_at[:16]}{where}, sha256 {self.sha256[:12]}…, {mark}"


async def fetch_proofs(memory: MemoryCore, scope: Scope, sources: Sequence[Source]) -> Mapping[UUID, list[Proof]]:
    """The turns behind each source, by the source's id; nothing for what has none."""
    proofs: dict[UUID, list[Proof]] = {source.source_id: [] for source in sources}
    proofs |= await _fetch_turn_proofs(memory, scope, [source for source in sources if source.lane == "turn"])
    for source in sources:
        if source.lane == "fact":
            evidence = await memory.items.evidence(scope, source.source_id)
            proofs[source.source_id] = [Proof.of_evidence(each) for each in evidence]
    return proofs | await _fetch_summary_proofs(
        memory, scope, [each.source_id for each in sources if each.lane == "summary"]
    )


async def _fetch_turn_proofs(memory: MemoryCore, scope: Scope, turns: Sequence[Source]) -> dict[UUID, list[Proof]]:
    events = await memory.log.events(scope, list({turn.event_id for turn in turns})) if turns else []
    known = {event.event_id: event for event in events}
    return {
        turn.source_id: [Proof.of_event(known[turn.event_id], turn.span[1:] if turn.span else None)]
        for turn in turns
        if turn.event_id in known
    }


async def _fetch_summary_proofs(memory: MemoryCore, scope: Scope, ids: Sequence[UUID]) -> dict[UUID, list[Proof]]:
    blocks = await memory.sessions.find(scope, ids) if ids else []
    turns = [turn for block in blocks for turn in block.sources]
    events = await memory.log.events(scope, turns) if turns else []
    return {
        block.summary_id: [Proof.of_event(event) for event in events if event.event_id in block.sources]
        for block in blocks
    }
