"""Where a memory comes from: the words it rests on, their turn and its hash, verified now."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import sha256
from uuid import UUID

from memory.contracts import Event, Evidence
from memory.ports import MemoryCore
from memory.scope import Scope


@dataclass(frozen=True)
class Source:
    """Something that was recalled: a turn is its own evidence, a fact cites turns, a summary rests on turns."""

    source_id: UUID
    lane: str


@dataclass(frozen=True, kw_only=True)
class Proof:
    """One turn behind a memory. ``verified``: its words still have the hash they were logged with."""

    event_id: UUID
    turn_id: str | None
    quote: str
    speaker: str
    occurred_at: str
    sha256: str
    verified: bool

    @classmethod
    def of_evidence(cls, evidence: Evidence) -> "Proof":
        """A citation that Memory Core has already verified."""
        return cls(
            event_id=evidence.event_id,
            turn_id=evidence.reference,
            quote=evidence.quote,
            speaker=evidence.speaker,
            occurred_at=evidence.occurred_at.isoformat(),
            sha256=evidence.sha256,
            verified=evidence.verified,
        )

    @classmethod
    def of_event(cls, event: Event) -> "Proof":
        """A turn of the log, hashed again here."""
        return cls(
            event_id=event.event_id,
            turn_id=event.reference,
            quote=event.text,
            speaker=event.speaker,
            occurred_at=event.occurred_at.isoformat(),
            sha256=event.sha256,
            verified=sha256(event.text.encode()).hexdigest() == event.sha256,
        )

    def __str__(self) -> str:
        mark = "verified" if self.verified else "NOT VERIFIED"
        where = f" ({self.turn_id})" if self.turn_id else ""
        return f"“{self.quote}” — {self.speaker}, {self.occurred_at[:16]}{where}, sha256 {self.sha256[:12]}…, {mark}"


async def proofs_of(memory: MemoryCore, scope: Scope, sources: Sequence[Source]) -> Mapping[UUID, list[Proof]]:
    """The turns behind each source, by the source's id; nothing for what has none."""
    turns = [source.source_id for source in sources if source.lane == "turn"]
    events = await memory.log.events(scope, turns) if turns else []
    proofs: dict[UUID, list[Proof]] = {source.source_id: [] for source in sources}
    proofs |= {event.event_id: [Proof.of_event(event)] for event in events}
    for source in sources:
        if source.lane == "fact":
            evidence = await memory.items.evidence(scope, source.source_id)
            proofs[source.source_id] = [Proof.of_evidence(each) for each in evidence]
    return proofs | await _of_summaries(memory, scope, [each.source_id for each in sources if each.lane == "summary"])


async def _of_summaries(memory: MemoryCore, scope: Scope, ids: Sequence[UUID]) -> dict[UUID, list[Proof]]:
    blocks = await memory.sessions.find(scope, ids) if ids else []
    turns = [turn for block in blocks for turn in block.sources]
    events = await memory.log.events(scope, turns) if turns else []
    return {
        block.summary_id: [Proof.of_event(event) for event in events if event.event_id in block.sources]
        for block in blocks
    }
