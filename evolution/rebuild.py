"""Memories derived again from the log as rules read it today: only those that rules wrote and nobody touched since."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from brain.documents.profile_refresh import try_refresh_profile
from brain.embeddings.backfill import embed_pending
from brain.resources import Resources
from evolution.absolutization.coreference import Transcript
from evolution.absolutization.rules import absolutize_by_rules
from evolution.extraction.rules import extract_by_rules
from evolution.gate import filter_candidates
from evolution.normalize import normalize_candidates
from evolution.reconcile import reconcile_candidates
from evolution.state import EvolutionState, to_logged_turn
from evolution.write import NOTHING, draft_memory, idempotency_key_of
from language.predicates import object_key
from memory.log import Outcome
from memory.memory_item import Author, Citation, MemoryDraft, MemoryItem
from memory.paging import Cursor
from memory.pending_turns import PendingTurns
from memory.provenance import events_of
from memory.rederivation import Rederivation
from memory.scope import Scope
from memory.write_decision import is_protected

OPERATORS = ("rules", "upkeep", "brain", "system", "repair")
"""Who may have changed a memory that is derived again; the first one wrote it."""
TURNS_AT_ONCE = 60
MEMORIES_AT_ONCE = 500
COVERED_SHARE = 0.6
"""Share of the words of a memory that its heirs cite between them; a memory whose heirs say less stays."""

OnSession = Callable[[], object]
"""Hears after each session that was read."""


@dataclass(frozen=True, kw_only=True)
class StatementReadAgain:
    """What a turn says by today's rules, and under which key it would have been written when the turn was new."""

    draft: MemoryDraft
    operation_id: UUID
    key: str

    @property
    def place(self) -> Citation:
        """The words of the turn, without those of a subject that stands elsewhere."""
        return self.draft.citations[0]


@dataclass(frozen=True, kw_only=True)
class RebuildPlan:
    """What would become of a person's memories. ``considered`` are those that rules wrote and nobody touched.

    ``lost`` are those that no turn states by today's rules; they give way to nothing. ``added`` are statements of turns
    that left none of them.
    """

    considered: int = 0
    left_alone: int = 0
    stays: int = 0
    read_anew: tuple[tuple[MemoryItem, Rederivation], ...] = ()
    replaced: tuple[tuple[MemoryItem, Rederivation], ...] = ()
    lost: tuple[tuple[MemoryItem, Rederivation], ...] = ()
    added: tuple[StatementReadAgain, ...] = ()

    @property
    def lost_share(self) -> float:
        """Of the memories that were considered, 0 to 1."""
        return len(self.lost) / self.considered if self.considered else 0.0

    @property
    def changes(self) -> Iterable[tuple[MemoryItem, Rederivation]]:
        """Every memory that changes, with what takes its place."""
        return (*self.read_anew, *self.replaced, *self.lost)


@dataclass
class _LogReading:
    """What the log says by today's rules, and what was taken from its turns before."""

    events: set[UUID] = field(default_factory=set[UUID])
    statements: list[StatementReadAgain] = field(default_factory=list[StatementReadAgain])
    drawn: dict[UUID, list[tuple[MemoryItem, Citation]]] = field(default_factory=lambda: defaultdict(list))
    cited: dict[UUID, list[Citation]] = field(default_factory=lambda: defaultdict(list))
    """What each memory cites of these turns."""


async def plan_rebuild(resources: Resources, scope: Scope, told: OnSession = lambda: None) -> RebuildPlan:
    """Read all sessions of a person again, oldest first, and compare; nothing is written."""
    await resources.load()
    reading = _LogReading()
    for session_id in await _list_sessions(resources, scope):
        await _read_session(resources, scope, session_id, reading)
        told()
    items = {item.memory_id: item for drawn in reading.drawn.values() for item, _ in drawn}
    living = [item for item in items.values() if item.status == "active"]
    touched = await _find_touched(resources, scope, [item.memory_id for item in living])
    free = {item.memory_id: item for item in living if _is_free(item, touched, reading.events)}
    return _compare(reading, free, left_alone=len(living) - len(free))


async def carry_out_rebuild(resources: Resources, scope: Scope, plan: RebuildPlan) -> None:
    """Do what was planned, each memory by itself: cut off anywhere, the next plan holds what is left to do.

    Raises ``E_CONFLICT`` where a memory changed since it was planned.
    """
    items = resources.memory.items
    for item, rederivation in plan.changes:
        await items.rederive(scope, rederivation, _author(resources, f"rebuild:{item.memory_id}:{item.version}"))
    for each in plan.added:
        author = _author(resources, each.key, str(each.operation_id))
        receipt = await items.write(scope, each.draft, author)
        await _note_with_turn(resources, scope, each.operation_id, receipt.memory_id)
    await embed_pending(resources, scope)
    await try_refresh_profile(resources, scope)


async def count_sessions(resources: Resources, scope: Scope) -> int:
    """How many sessions a plan reads."""
    return len(await _list_sessions(resources, scope))


async def _list_sessions(resources: Resources, scope: Scope) -> list[UUID]:
    """Every session, the first one spoken in first."""
    found, after = list[UUID](), None
    while page := await resources.memory.sessions.list_newest(scope, limit=MEMORIES_AT_ONCE, after=after):
        found += [each.session_id for each in page]
        after = Cursor(page[-1].last_at, page[-1].session_id)
    return found[::-1]


async def _read_session(resources: Resources, scope: Scope, session_id: UUID, reading: _LogReading) -> None:
    memory, behind, more = resources.memory, -1, True
    while more:
        turns = await memory.log.find_read_turns(scope, session_id, TURNS_AT_ONCE, unremarkable=NOTHING, behind=behind)
        reading.statements += await asyncio.to_thread(_read_again, turns, is_group=scope.is_group)
        events = [event.event_id for _, event in turns.said]
        reading.events.update(events)
        for item, citation in await memory.items.find_prior_extractions(scope, events):
            reading.drawn[citation.event_id].append((item, citation))
            reading.cited[item.memory_id].append(citation)
        behind = max((event.position for _, event in turns.said), default=behind)
        more = turns.more


def _read_again(turns: PendingTurns, *, is_group: bool) -> list[StatementReadAgain]:
    """The statements of these turns as rules alone take them, which end and take back nothing."""
    said = [to_logged_turn(event, str(operation)) for operation, event in turns.said]
    before = [to_logged_turn(event) for event in turns.before]
    found = absolutize_by_rules(extract_by_rules(said, before), Transcript(turns=(*before, *said)))
    recalled = {str(operation): list(texts) for operation, texts in turns.recalled.items()}
    state = EvolutionState(said=said, before=before, recalled=recalled, candidates=normalize_candidates(found, said))
    news, _ = reconcile_candidates(state)
    kept, _ = filter_candidates(news, said, is_group=is_group)
    turn_of = {turn["event_id"]: turn for turn in said}
    return [
        StatementReadAgain(
            draft=draft_memory({**each, "ends": ""}, turn_of[each["event_id"]]),
            operation_id=UUID(turn_of[each["event_id"]]["operation_id"]),
            key=idempotency_key_of(each),
        )
        for each in kept
        if not each.get("composed")
    ]


async def _find_touched(resources: Resources, scope: Scope, ids: Sequence[UUID]) -> frozenset[UUID]:
    items = resources.memory.items
    pages = [ids[start : start + MEMORIES_AT_ONCE] for start in range(0, len(ids), MEMORIES_AT_ONCE)]
    found = [await items.find_touched(scope, page, OPERATORS) for page in pages]
    return frozenset[UUID]().union(*found)


def _is_free(item: MemoryItem, touched: frozenset[UUID], events: set[UUID]) -> bool:
    """Whether it may be derived again: it rests on turns that were read, and on nothing else."""
    return item.use == "auto" and item.memory_id not in touched and set(map(UUID, events_of(item))) <= events


def _compare(reading: _LogReading, free: Mapping[UUID, MemoryItem], *, left_alone: int) -> RebuildPlan:
    same: dict[UUID, list[StatementReadAgain]] = defaultdict(list)
    heirs: dict[UUID, list[StatementReadAgain]] = defaultdict(list)
    added: list[StatementReadAgain] = []
    undecided: set[UUID] = set()
    for each in reading.statements:
        drawn = reading.drawn.get(each.place.event_id, [])
        over = [item for item, citation in drawn if _overlap(citation, each.place)]
        equal = next((item for item in over if object_key(item.content) == object_key(each.draft.content)), None)
        if equal:
            same[equal.memory_id].append(each)
        elif any(item.memory_id not in free for item in over):
            undecided.update(item.memory_id for item in over)
        elif over:
            for item in over:
                heirs[item.memory_id].append(each)
        elif all(item.memory_id in free for item, _ in drawn):
            added.append(each)
    changed = {
        memory_id: _rederive(item, same.get(memory_id, []), heirs.get(memory_id, []), reading.cited[memory_id])
        for memory_id, item in free.items()
        if memory_id not in undecided
    }
    changes = [(free[memory_id], change) for memory_id, change in changed.items() if change]
    return RebuildPlan(
        considered=len(free),
        left_alone=left_alone,
        stays=len(free) - len(changes),
        read_anew=tuple(each for each in changes if each[1].read_anew(each[0])),
        replaced=tuple(each for each in changes if each[1].drafts and not each[1].read_anew(each[0])),
        lost=tuple(each for each in changes if not each[1].drafts),
        added=tuple(added),
    )


def _rederive(
    item: MemoryItem,
    same: Sequence[StatementReadAgain],
    heirs: Sequence[StatementReadAgain],
    cited: Sequence[Citation],
) -> Rederivation | None:
    """What takes the place of a memory; None where it stays as it is."""
    if same:
        draft = same[0].draft
        alone = len(events_of(item)) == 1 and len(same) == 1
        return _rederivation(item, same) if alone and not _reads_alike(draft, item) else None
    if heirs:
        return _rederivation(item, heirs) if _covered_share(cited, heirs) >= COVERED_SHARE else None
    return None if is_protected(item) else _rederivation(item, ())


def _rederivation(item: MemoryItem, by: Sequence[StatementReadAgain]) -> Rederivation:
    drafts = sorted((each.draft for each in by), key=lambda draft: (draft.slot, draft.citations[0].start))
    return Rederivation(memory_id=item.memory_id, version=item.version, drafts=tuple(drafts))


def _reads_alike(draft: MemoryDraft, item: MemoryItem) -> bool:
    """Whether the same words are understood as before, the time for which they hold included."""
    return (draft.slot, draft.item_type, draft.object, draft.valid_at, draft.invalid_at) == (
        item.slot,
        item.memory_type,
        item.object,
        item.valid_at,
        item.invalid_at,
    )


def _overlap(one: Citation, other: Citation) -> bool:
    return one.event_id == other.event_id and one.start < other.end and other.start < one.end


def _covered_share(cited: Sequence[Citation], heirs: Sequence[StatementReadAgain]) -> float:
    """Share of the characters cited by a memory that its heirs cite too."""
    wanted = {(place.event_id, at) for place in cited for at in range(place.start, place.end)}
    places = [place for each in heirs for place in each.draft.citations]
    said = {(place.event_id, at) for place in places for at in range(place.start, place.end)}
    return len(wanted & said) / len(wanted) if wanted else 0.0


async def _note_with_turn(resources: Resources, scope: Scope, operation_id: UUID, memory_id: UUID) -> None:
    """Let the turn's operation tell of the memory that it has left by now."""
    log, at = resources.memory.log, resources.clock()
    held = await log.operation(scope, operation_id)
    if held and memory_id not in held.memory_ids:
        outcome = Outcome(status="stored", reason=None, memory_ids=(*held.memory_ids, memory_id))
        await log.finish(scope, {operation_id: outcome}, at)


def _author(resources: Resources, key: str, trace_id: str = "") -> Author:
    return Author(
        operator=OPERATORS[0],
        reason="read again by today's rules",
        idempotency_key=key,
        at=resources.clock(),
        trace_id=trace_id,
    )
