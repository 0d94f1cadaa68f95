"""The sessions port, in memory."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from uuid import UUID

from memory.contracts import Event
from memory.in_memory.forgotten_turns import says_forgotten
from memory.in_memory.store import Compartment, InMemoryStore
from memory.paging import Cursor
from memory.scope import Scope
from memory.sessions import (
    LONGEST_TURN,
    SessionInfo,
    Summary,
    SummaryDraft,
    SummaryTurn,
    Tail,
    UnsettledSession,
    row_of_summary,
    summary_of,
)


@dataclass
class InMemorySessions:
    """The sessions port."""

    store: InMemoryStore

    async def tail(self, scope: Scope, session_id: UUID, limit: int) -> Tail | None:
        space = self.store.compartment_of(scope)
        if session_id not in space.sessions:
            return None
        blocks = space.blocks.get(session_id, [])
        reached = max((each.last_position for each in blocks), default=-1)
        waiting = [event for event in space.session_events(session_id) if event.position > reached]
        return Tail(
            block=len(blocks),
            status="archived" if session_id in space.archived else "active",
            events=tuple(_turns(space, waiting[:limit])),
            entity_slots=space.slots.get(session_id, {}),
            withdrawn=tuple(each.block for each in blocks if each.withdrawn),
        )

    async def save_summary(self, scope: Scope, draft: SummaryDraft, at: datetime) -> bool:
        space = self.store.compartment_of(scope)
        blocks = space.blocks.setdefault(draft.session_id, [])
        if any(each.block == draft.block or each.last_position >= draft.first_position for each in blocks):
            return False
        if any(says_forgotten(space, each) for each in draft.sources):
            blocks.append(replace(summary_of(draft, at), text="", sources=(), withdrawn=True))
            return True
        blocks.append(summary_of(draft, at))
        _index(space, scope, blocks[-1])
        space.slots.setdefault(draft.session_id, {}).update(draft.entity_slots)
        return True

    async def summaries(self, scope: Scope, session_id: UUID, limit: int = 100) -> list[Summary]:
        return list(self.store.compartment_of(scope).blocks.get(session_id, []))[-limit:]

    async def find(self, scope: Scope, summary_ids: Sequence[UUID]) -> list[Summary]:
        kept = [each for blocks in self.store.compartment_of(scope).blocks.values() for each in blocks]
        found = [each for each in kept if each.summary_id in summary_ids and not each.withdrawn]
        return sorted(found, key=lambda each: (each.session_id, each.block))

    async def list_covered_turns(self, scope: Scope, session_id: UUID, block: int) -> list[SummaryTurn]:
        space = self.store.compartment_of(scope)
        found = [each for each in space.blocks.get(session_id, []) if each.block == block]
        events = space.session_events(session_id)
        covered = [e for each in found for e in events if each.first_position <= e.position <= each.last_position]
        return list(_turns(space, covered))

    async def reword(self, scope: Scope, draft: SummaryDraft) -> bool:
        space = self.store.compartment_of(scope)
        for place, held in enumerate(space.blocks.get(draft.session_id, [])):
            forgotten = any(says_forgotten(space, each) for each in draft.sources)
            if held.block == draft.block and held.withdrawn and not forgotten:
                reworded = replace(held, text=draft.text, sources=draft.sources, withdrawn=False)
                space.blocks[draft.session_id][place] = reworded
                _index(space, scope, reworded)
                return True
        return False

    async def list_newest(self, scope: Scope, limit: int = 50, after: Cursor | None = None) -> list[SessionInfo]:
        space = self.store.compartment_of(scope)
        known = [_session_info(space, session_id) for session_id in space.sessions if space.session_events(session_id)]
        ordered = sorted(known, key=lambda each: (-each.last_at.timestamp(), each.session_id))
        behind = (-after.at.timestamp(), after.row_id) if after else None
        return [each for each in ordered if behind is None or (-each.last_at.timestamp(), each.session_id) > behind][
            :limit
        ]

    async def list_unsettled(self, scope: Scope, at: datetime, limit: int = 50) -> list[UnsettledSession]:
        space = self.store.compartment_of(scope)
        known = [_session_info(space, session_id) for session_id in space.sessions if space.session_events(session_id)]
        waiting = [each for each in known if _is_expired(each, at) or _has_withdrawn_block(space, each.session_id)]
        ordered = sorted(waiting, key=lambda each: (each.expires_at, each.session_id))[:limit]
        return [UnsettledSession(session_id=each.session_id, over=_is_expired(each, at)) for each in ordered]

    async def expire(self, scope: Scope, session_id: UUID, at: datetime) -> bool:
        space = self.store.compartment_of(scope)
        if session_id not in space.sessions or not _is_expired(_session_info(space, session_id), at):
            return False
        space.archived.add(session_id)
        return True


def withdraw_summaries(space: Compartment, events: Iterable[UUID]) -> None:
    """Blocks that rest on any of these turns are in no reading any more; the sessions' entities begin anew."""
    gone = set(events)
    space.slots |= {event.session_id: {} for _, event in space.events if event.event_id in gone}
    for blocks in space.blocks.values():
        for place, each in enumerate(blocks):
            if gone.intersection(each.sources):
                blocks[place] = replace(each, withdrawn=True, text="", sources=())
                space.rows.pop(each.summary_id, None)


def withdraw_covering_summaries(space: Compartment, events: Iterable[UUID]) -> None:
    """Blocks that stand for any of these turns wait to be worded anew."""
    said = [event for each in events if (event := space.event(each))]
    for session_id, blocks in space.blocks.items():
        places = [event.position for event in said if event.session_id == session_id]
        for number, each in enumerate(blocks):
            if any(each.first_position <= place <= each.last_position for place in places):
                blocks[number] = replace(each, withdrawn=True, text="", sources=())
                space.rows.pop(each.summary_id, None)


def _index(space: Compartment, scope: Scope, summary: Summary) -> None:
    if summary.text:
        space.rows[summary.summary_id] = row_of_summary(summary, scope.user_id)


def _turns(space: Compartment, events: Iterable[Event]) -> Iterator[SummaryTurn]:
    """What the index holds may be quoted: neither replies made without a model nor hidden turns are in it."""
    for event in events:
        said = replace(event, text=event.text[:LONGEST_TURN])
        readable = bool(space.rows_of_turn(event.event_id)) and not says_forgotten(space, event.event_id)
        yield SummaryTurn(**vars(said), quotable=readable)


def _session_info(space: Compartment, session_id: UUID) -> SessionInfo:
    events, known = space.session_events(session_id), space.sessions[session_id]
    last_at = max(event.occurred_at for event in events)
    return SessionInfo(
        session_id=session_id,
        name=known.name,
        status="archived" if session_id in space.archived else "active",
        turns=len(events),
        blocks=len(space.blocks.get(session_id, [])),
        entity_slots=space.slots.get(session_id, {}),
        started_at=min(event.occurred_at for event in events),
        last_at=last_at,
        expires_at=last_at + timedelta(seconds=known.keep_for),
    )


def _is_expired(known: SessionInfo, at: datetime) -> bool:
    return known.status == "active" and known.expires_at <= at


def _has_withdrawn_block(space: Compartment, session_id: UUID) -> bool:
    return any(each.withdrawn for each in space.blocks.get(session_id, []))
