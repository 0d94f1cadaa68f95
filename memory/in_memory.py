"""Memory Core without a database: the twin that node tests and notebooks lean on. The contract suite keeps it honest."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from hashlib import sha256
from itertools import count
from uuid import UUID

from memory.contracts import (
    Author,
    Capture,
    Change,
    Citation,
    Event,
    Evidence,
    Injected,
    MemoryDraft,
    MemoryItem,
    MemoryVersion,
    OpenedSession,
    Operation,
    Reaction,
    Receipt,
    SessionRef,
    Utterance,
    WriteReceipt,
)
from memory.errors import BrainError
from memory.index_rows import IndexRow, Unembedded, row_of_item, row_of_utterance
from memory.ports import MemoryCore, Outcome
from memory.ranking.features import candidates_of
from memory.recall_query import RecallPass, RecallQuery
from memory.revision import (
    born,
    confirmed,
    corrected,
    decide,
    ended,
    forgotten,
    from_snapshot,
    marked_stale,
    merged,
    restored,
    snapshot,
)
from memory.scope import Scope

Space = tuple[UUID, str, UUID | None]


def space_of(scope: Scope) -> Space:
    """The compartment a scope may see: a person's own, or everybody's in a group."""
    return (scope.tenant_id, scope.key, None if scope.is_group else scope.user_id)


@dataclass
class Compartment:
    """Everything one scope can see."""

    events: list[tuple[UUID, Event]] = field(default_factory=list[tuple[UUID, Event]])
    keys: set[str] = field(default_factory=set[str])
    sessions: dict[UUID, SessionRef] = field(default_factory=dict[UUID, SessionRef])
    archived: set[UUID] = field(default_factory=set[UUID])
    slots: dict[UUID, dict[str, str]] = field(default_factory=dict[UUID, dict[str, str]])
    operations: dict[UUID, Operation] = field(default_factory=dict[UUID, Operation])
    receipts: dict[UUID, list[Receipt]] = field(default_factory=dict[UUID, list[Receipt]])
    rows: dict[UUID, IndexRow] = field(default_factory=dict[UUID, IndexRow])
    hidden: dict[UUID, IndexRow] = field(default_factory=dict[UUID, IndexRow])
    items: dict[UUID, MemoryItem] = field(default_factory=dict[UUID, MemoryItem])
    versions: dict[UUID, list[MemoryVersion]] = field(default_factory=dict[UUID, list[MemoryVersion]])
    citations: dict[UUID, tuple[Citation, ...]] = field(default_factory=dict[UUID, tuple[Citation, ...]])
    answers: dict[str, WriteReceipt] = field(default_factory=dict[str, WriteReceipt])

    def event(self, event_id: UUID) -> Event | None:
        return next((event for _, event in self.events if event.event_id == event_id), None)


@dataclass
class Shelf:
    """All compartments, and the ids that the next writes get."""

    spaces: dict[Space, Compartment] = field(default_factory=dict[Space, Compartment])
    numbers: Iterator[int] = field(default_factory=lambda: count(1))

    def of(self, scope: Scope) -> Compartment:
        return self.spaces.setdefault(space_of(scope), Compartment())

    def new_id(self) -> UUID:
        return UUID(int=(0xFACE << 112) | next(self.numbers))


@dataclass
class InMemoryLog:
    """The log port."""

    shelf: Shelf

    async def open(self, scope: Scope, session_id: UUID, window: int) -> OpenedSession:
        space = self.shelf.of(scope)
        spoken = [(operation, event) for operation, event in space.events if event.session_id == session_id]
        if not spoken:
            return OpenedSession()
        waiting = space.receipts.get(spoken[-1][0], [])
        return OpenedSession(
            window=tuple(event for _, event in spoken[-window:]),
            entity_slots=space.slots.get(session_id, {}),
            injected=tuple(_injected(waiting)),
            turns=len(spoken),
        )

    async def capture(self, scope: Scope, capture: Capture) -> None:
        space = self.shelf.of(scope)
        session_id = capture.session.session_id
        new = [each for each in capture.utterances if each.idempotency_key not in space.keys]
        space.sessions[session_id] = capture.session
        space.archived.discard(session_id)
        space.slots.setdefault(session_id, {}).update(capture.entity_slots)
        position = sum(event.session_id == session_id for _, event in space.events)
        for offset, utterance in enumerate(new):
            self._append(space, scope, capture, (utterance, position + offset))
        if new:
            at = max(each.occurred_at for each in new)
            space.operations[capture.operation_id] = _queued(capture.operation_id, at)
        space.receipts.setdefault(capture.operation_id, []).extend(capture.receipts)
        _react(space, capture.reactions)

    def _append(self, space: Compartment, scope: Scope, capture: Capture, placed: tuple[Utterance, int]) -> None:
        utterance, position = placed
        event = _event(utterance, capture.session.session_id, position)
        space.events.append((capture.operation_id, event))
        if utterance.idempotency_key:
            space.keys.add(utterance.idempotency_key)
        if utterance.indexed:
            space.rows[event.event_id] = replace(
                row_of_utterance(scope, capture.session.session_id, utterance), position=position
            )

    async def events(self, scope: Scope, event_ids: Sequence[UUID]) -> list[Event]:
        wanted = set(event_ids)
        found = [event for _, event in self.shelf.of(scope).events if event.event_id in wanted]
        return sorted(found, key=lambda event: (event.session_id, event.position))

    async def turn(self, scope: Scope, operation_id: UUID) -> list[Event]:
        return [event for operation, event in self.shelf.of(scope).events if operation == operation_id]

    async def session_names(self, scope: Scope, session_ids: Sequence[UUID]) -> dict[UUID, str]:
        sessions = self.shelf.of(scope).sessions
        return {each: sessions[each].name for each in session_ids if each in sessions}

    async def receipts(self, scope: Scope, operation_id: UUID) -> list[Receipt]:
        kept = self.shelf.of(scope).receipts.get(operation_id, [])
        return sorted(kept, key=lambda receipt: receipt.receipt_type, reverse=True)

    async def operation(self, scope: Scope, operation_id: UUID) -> Operation | None:
        return self.shelf.of(scope).operations.get(operation_id)

    async def finish(self, scope: Scope, operation_id: UUID, outcome: Outcome, at: datetime) -> None:
        operations = self.shelf.of(scope).operations
        if operation_id in operations:
            operations[operation_id] = replace(
                operations[operation_id],
                status=outcome.status,
                reason=outcome.reason,
                memory_ids=outcome.memory_ids,
                finished_at=at,
            )

    async def archive(self, scope: Scope, session_id: UUID, at: datetime) -> bool:
        space = self.shelf.of(scope)
        if session_id not in space.sessions or session_id in space.archived:
            return False
        space.archived.add(session_id)
        return True


@dataclass
class InMemoryItems:
    """The items port."""

    shelf: Shelf

    async def write(self, scope: Scope, draft: MemoryDraft, author: Author) -> WriteReceipt:
        space = self.shelf.of(scope)
        if author.idempotency_key in space.answers:
            return space.answers[author.idempotency_key]
        held = [item for item in space.items.values() if item.slot == draft.slot and item.status == "active"]
        own = sorted((i for i in held if i.user_id == scope.user_id), key=lambda i: i.observed_at, reverse=True)
        decision = decide(draft, own)
        if decision.action == "merge":
            return self._merge(scope, draft, decision.targets[0], author)
        item = born(draft, self.shelf.new_id(), scope.user_id, author.at)
        self._put(scope, item, "create", author)
        space.citations[item.memory_id] = draft.citations
        if decision.action == "supersede":
            for old in decision.targets:
                self._put(scope, ended(old, item.memory_id, draft.valid_at, author.at), "supersede", author)
        return self._answer(space, item.memory_id, "accepted", author)

    def _merge(self, scope: Scope, draft: MemoryDraft, item: MemoryItem, author: Author) -> WriteReceipt:
        space = self.shelf.of(scope)
        known = space.citations.get(item.memory_id, ())
        space.citations[item.memory_id] = tuple(dict.fromkeys((*known, *draft.citations)))
        self._put(scope, merged(item, draft, author.at), "merge", author)
        return self._answer(space, item.memory_id, "merged", author)

    async def get(self, scope: Scope, memory_id: UUID) -> MemoryItem:
        try:
            return self.shelf.of(scope).items[memory_id]
        except KeyError:
            raise unknown_memory() from None

    async def newest(self, scope: Scope, *, include_inactive: bool = False, limit: int = 100) -> list[MemoryItem]:
        kept = [i for i in self.shelf.of(scope).items.values() if include_inactive or i.status == "active"]
        return sorted(kept, key=lambda item: (item.updated_at, item.memory_id), reverse=True)[:limit]

    async def history(self, scope: Scope, memory_id: UUID) -> list[MemoryVersion]:
        return list(self.shelf.of(scope).versions.get(memory_id, []))

    async def correct(self, scope: Scope, memory_id: UUID, content: str, author: Author) -> WriteReceipt:
        return await self._revise(scope, memory_id, ("correct", lambda i: corrected(i, content, author.at)), author)

    async def confirm(self, scope: Scope, memory_id: UUID, author: Author) -> WriteReceipt:
        return await self._revise(scope, memory_id, ("confirm", lambda i: confirmed(i, author.at)), author)

    async def forget(self, scope: Scope, memory_id: UUID, author: Author) -> WriteReceipt:
        return await self._revise(scope, memory_id, ("forget", lambda i: forgotten(i, author.at)), author)

    async def restore(self, scope: Scope, memory_id: UUID, version: int, author: Author) -> WriteReceipt:
        versions = self.shelf.of(scope).versions.get(memory_id, [])
        earlier = next((each for each in versions if each.version == version), None)
        if earlier is None:
            raise unknown_memory()
        past = from_snapshot(earlier.snapshot)
        return await self._revise(scope, memory_id, ("restore", lambda i: restored(i, past, author.at)), author)

    async def evidence(self, scope: Scope, memory_id: UUID) -> list[Evidence]:
        space = self.shelf.of(scope)
        found = list(_evidence(space, space.citations.get(memory_id, ())))
        item = space.items.get(memory_id)
        if item and not item.stale and not all(each.verified for each in found):
            space.items[memory_id] = marked_stale(item, datetime.now(UTC))
        return found

    async def _revise(
        self, scope: Scope, memory_id: UUID, change: tuple[Change, Callable[[MemoryItem], MemoryItem]], author: Author
    ) -> WriteReceipt:
        space = self.shelf.of(scope)
        if author.idempotency_key in space.answers:
            return space.answers[author.idempotency_key]
        name, revised = change
        self._put(scope, revised(await self.get(scope, memory_id)), name, author)
        return self._answer(space, memory_id, "accepted", author)

    def _put(self, scope: Scope, item: MemoryItem, change: Change, author: Author) -> None:
        space = self.shelf.of(scope)
        space.items[item.memory_id] = item
        if item.status == "deleted":
            _hide(space, item.memory_id)
        else:
            space.rows[item.memory_id] = row_of_item(item, author.at)
        if change == "restore":
            for citation in space.citations.get(item.memory_id, ()):
                space.rows |= {key: row for key, row in space.hidden.items() if key == citation.event_id}
        space.versions.setdefault(item.memory_id, []).append(
            MemoryVersion(
                version=item.version,
                change=change,
                snapshot=snapshot(item),
                reason=author.reason,
                operator=author.operator,
                recorded_at=author.at,
            )
        )

    def _answer(self, space: Compartment, memory_id: UUID, status: str, author: Author) -> WriteReceipt:
        receipt = WriteReceipt(
            receipt_id=self.shelf.new_id(),
            memory_id=memory_id,
            written_at=author.at,
            status=status,  # type: ignore[arg-type]
        )
        space.answers[author.idempotency_key] = receipt
        return receipt


@dataclass
class InMemoryIndex:
    """The recall port, by the same features as the SQL statement."""

    shelf: Shelf

    async def candidates(self, scope: Scope, query: RecallQuery) -> RecallPass:
        return candidates_of(list(self.shelf.of(scope).rows.values()), query)

    async def without_vector(self, scope: Scope, limit: int) -> list[Unembedded]:
        waiting = [row for row in self.shelf.of(scope).rows.values() if row.embedding is None]
        return [_unembedded(row) for row in sorted(waiting, key=lambda row: row.recorded_at)[:limit]]

    async def save_vectors(
        self, scope: Scope, model: str, rows: Sequence[Unembedded], vectors: Sequence[Sequence[float]]
    ) -> None:
        kept = self.shelf.of(scope).rows
        lengths = {len(row.embedding) for row in kept.values() if row.embedding and row.embedding_model == model}
        if (lengths or {len(vectors[0])}) != {len(vector) for vector in vectors}:
            raise BrainError("E_DIM_MISMATCH", "The embedding model's vectors had another length so far.")
        for row, vector in zip(rows, vectors, strict=True):
            kept[row.source_id] = replace(kept[row.source_id], embedding=tuple(vector), embedding_model=model)

    async def rebuild(self, scope: Scope) -> int:
        return len(self.shelf.of(scope).rows)


def in_memory() -> MemoryCore:
    """A fresh Memory Core that forgets with its process."""
    shelf = Shelf()
    return MemoryCore(log=InMemoryLog(shelf), items=InMemoryItems(shelf), index=InMemoryIndex(shelf))


def unknown_memory() -> BrainError:
    """The same answer for an id that never existed and for somebody else's."""
    return BrainError("E_NOT_FOUND", "There is no such memory.", "List them with: brain memories list")


def _hide(space: Compartment, memory_id: UUID) -> None:
    space.rows.pop(memory_id, None)
    living = {item.memory_id for item in space.items.values() if item.status == "active"}
    needed = {each.event_id for key, cited in space.citations.items() if key in living for each in cited}
    for citation in space.citations.get(memory_id, ()):
        row = space.rows.get(citation.event_id)
        if row is not None and citation.event_id not in needed:
            space.hidden[citation.event_id] = space.rows.pop(citation.event_id)


def _unembedded(row: IndexRow) -> Unembedded:
    return Unembedded(
        source_id=row.source_id, lane=row.lane, speaker=row.speaker, text=row.text, observed_at=row.observed_at
    )


def _event(utterance: Utterance, session_id: UUID, position: int) -> Event:
    return Event(
        event_id=utterance.event_id,
        session_id=session_id,
        position=position,
        role=utterance.role,
        speaker=utterance.speaker,
        text=utterance.text,
        sha256=sha256(utterance.text.encode()).hexdigest(),
        occurred_at=utterance.occurred_at,
        time_zone=utterance.time_zone,
        reference=utterance.reference,
    )


def _queued(operation_id: UUID, at: datetime) -> Operation:
    return Operation(
        operation_id=operation_id, status="queued", reason=None, memory_ids=(), created_at=at, finished_at=None
    )


def _injected(receipts: Iterable[Receipt]) -> Iterator[Injected]:
    for receipt in receipts:
        placed = receipt.details.get("context_position") is not None
        if receipt.receipt_type == "injection" and placed and receipt.user_feedback_signal is None:
            assert receipt.memory_id is not None
            assert receipt.lane is not None
            text = str(receipt.details.get("text", ""))
            yield Injected(receipt_id=receipt.receipt_id, memory_id=receipt.memory_id, lane=receipt.lane, text=text)


def _react(space: Compartment, reactions: Iterable[Reaction]) -> None:
    by_id = {reaction.receipt_id: reaction for reaction in reactions}
    for receipts in space.receipts.values():
        for place, receipt in enumerate(receipts):
            if reaction := by_id.get(receipt.receipt_id):
                used = receipt.utilized if reaction.utilized is None else reaction.utilized
                receipts[place] = replace(receipt, user_feedback_signal=reaction.signal, utilized=used)


def _evidence(space: Compartment, citations: Iterable[Citation]) -> Iterator[Evidence]:
    for citation in citations:
        event = space.event(citation.event_id)
        if event is not None:
            yield Evidence(
                event_id=event.event_id,
                quote=event.text[citation.start : citation.end],
                speaker=event.speaker,
                occurred_at=event.occurred_at,
                sha256=citation.sha256,
                verified=citation.sha256 == sha256(event.text.encode()).hexdigest(),
                reference=event.reference,
            )
