"""Whoever reads in a channel, or in private, gets what belongs there and nothing else, whatever was said where."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any
from uuid import UUID, uuid4

import psycopg
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from brain.recall import RecallRequest, recall
from brain.resources import Resources
from graphs.evolution import evolve
from memory.conflicts import Settlement
from memory.documents.document import Document
from memory.documents.port import NoteEntry
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.recall.query import Filters, TemporalIntent
from memory.scope import Scope, Speaker, name_id, scope_of
from memory.sessions import SummaryDraft
from memory.turns import SessionRef
from tests.contract.builders import a_draft, a_turn, at, by_ann, said
from tests.fakes import Leanings, resources_of

TENANTS, PEOPLE, CHANNELS = ("here", "there"), ("ann", "ben", "cai"), ("kitchen", "garage", "")
STATEMENTS = (
    "I live in Paris.",
    "I moved to Lyon, not Paris.",
    "I work at Acme.",
    "I am allergic to peanuts.",
    "My sister lives in Oslo.",
    "我住在上海。",
    "我喜欢爬山。",
)
QUESTIONS = (
    "Where does everybody live?",
    "Who works where, and what is the secret?",
    "谁住在上海?",
    "peanuts Paris Acme",
)
SURELY_KNOWN = QUESTIONS[1]

Told = tuple[str, str, str, int]
"""Tenant, channel (empty: in private), person, statement: all by number or name, so that the same recurs everywhere."""
TOLD = st.lists(
    st.tuples(
        st.sampled_from(TENANTS),
        st.sampled_from(CHANNELS),
        st.sampled_from(PEOPLE),
        st.integers(0, len(STATEMENTS) - 1),
    ),
    min_size=2,
    max_size=7,
)


@dataclass(frozen=True)
class World:
    """Two tenants with people of the same names, the same channels, and the ids of all that was kept of their talk.

    ``kept`` holds, by kind of thing, the ids that belong to each place.
    """

    resources: Resources
    run: str
    kept: dict[str, dict[tuple[str, ...], set[UUID]]] = field(default_factory=dict[str, Any])

    @property
    def memory(self) -> MemoryCore:
        return self.resources.memory

    def scope(self, tenant: str, channel: str, person: str) -> Scope:
        return scope_of(Speaker(tenant=f"{tenant} {self.run}", user=person, channel=channel or None))

    def everybody(self) -> Iterator[Scope]:
        for tenant in TENANTS:
            for channel in CHANNELS:
                for person in PEOPLE:
                    yield self.scope(tenant, channel, person)

    def of(self, kind: str, scope: Scope) -> set[UUID]:
        return self.kept.get(kind, {}).get(place_of(scope), set())

    def elsewhere(self, kind: str, scope: Scope) -> list[UUID]:
        places = self.kept.get(kind, {})
        return [each for place, ids in places.items() if place != place_of(scope) for each in ids]


def place_of(scope: Scope) -> tuple[str, ...]:
    """Whose rows they are: a channel's are those of all its speakers."""
    owner = "everyone" if scope.is_group else str(scope.user_id)
    return str(scope.tenant_id), scope.key, owner


async def tell(world: World, told: Told, number: int) -> None:
    """One statement through the log and the evolution, and beside it something of every other kind."""
    tenant, channel, person, statement = told
    scope, memory = world.scope(tenant, channel, person), world.memory
    name = f"session of {channel or person}"
    session_id = name_id("session", *place_of(scope), name)
    session = SessionRef(session_id=session_id, name=name, user_name=person, tenant_name=tenant)
    turn = said(STATEMENTS[statement], speaker=person if channel else "user", minutes=number)
    await memory.log.capture(scope, a_turn(turn, session=session))
    await evolve(world.resources, scope, session_id)
    for certainty, amount in ((0.9, "4,000 euros"), (0.8, "5,000 euros")):
        budget = a_draft(
            amount,
            item_type="constraint",
            slot=f"{person}|budget|{number}",
            single_valued=True,
            certainty=certainty,
            observed_at=at(number + 1 - certainty),
        )
        await memory.items.write(scope, budget, by_ann(f"{number}:{amount}", minutes=number))
    note = NoteEntry(key=f"note {number}", text=f"{person} has a secret", at=at(number), cites=(turn.event_id,))
    await memory.documents.append_note(scope, [note], by_ann(f"note {number}"))
    await sum_up(memory, scope, session_id, turn.event_id)


async def sum_up(memory: MemoryCore, scope: Scope, session_id: UUID, event_id: UUID) -> None:
    tail = await memory.sessions.tail(scope, session_id, 50)
    assert tail is not None
    draft = SummaryDraft(
        session_id=session_id,
        block=tail.block,
        text="A secret was told about Paris and Acme.",
        sources=(event_id,),
        first_position=tail.events[0].position,
        last_position=tail.events[-1].position,
        started_at=at(),
        ended_at=at(1),
    )
    assert await memory.sessions.save_summary(scope, draft, at(2))


KINDS: Mapping[str, str] = {
    "event": "select tenant_id, scope, user_id, event_id from brain.conversation_events",
    "operation": "select tenant_id, scope, user_id, operation_id from brain.operations",
    "session": "select tenant_id, scope, user_id, session_id from brain.sessions",
    "memory": "select tenant_id, scope, user_id, item_id from brain.memory_items",
    "conflict": "select tenant_id, scope, user_id, conflict_id from brain.memory_conflicts",
    "document": "select tenant_id, scope, user_id, document_id from brain.documents",
    "summary": "select tenant_id, scope, user_id, summary_id from brain.session_summaries",
    "source": "select tenant_id, scope, user_id, source_id from brain.recall_index",
}


def all_that_was_kept(where: Addresses, world: World) -> None:
    """As the owner of the tables sees it, by the place that each row says it belongs to."""
    tenants = {world.scope(tenant, "", "ann").tenant_id for tenant in TENANTS}
    with psycopg.connect(where.owner) as connection:
        for kind, query in KINDS.items():
            rows = connection.execute(f"{query} where tenant_id = any(%s)".encode(), (list(tenants),)).fetchall()
            places = world.kept.setdefault(kind, {})
            for tenant_id, key, user_id, row_id in rows:
                place = place_of(Scope(tenant_id=tenant_id, user_id=user_id, key=key))
                places.setdefault(place, set()).add(row_id)


async def requires(world: World, scope: Scope, kind: str, found: Sequence[UUID], *, all_of_it: bool = False) -> None:
    foreign = set(found) - world.of(kind, scope)
    assert not foreign, (kind, scope)
    if all_of_it:
        assert set(found) == world.of(kind, scope), (kind, scope)


async def reads_what_is_there(world: World, scope: Scope) -> None:
    """Every list that a person can ask for is theirs, and whole."""
    memory = world.memory
    items = await memory.items.list_newest(scope, include_inactive=True, limit=1000)
    sessions = await memory.sessions.list_newest(scope)
    documents: list[Document] = await memory.documents.list_documents(scope)
    conflicts = await memory.conflicts.list_conflicts(scope, include_settled=True)
    summaries = [each for one in sessions for each in await memory.sessions.summaries(scope, one.session_id)]
    living = await memory.upkeep.list_active(scope, UUID(int=0), 1000)
    for kind, ids in {
        "memory": [item.memory_id for item in items],
        "session": [each.session_id for each in sessions],
        "document": [each.document_id for each in documents],
        "conflict": [each.conflict_id for each in conflicts],
        "summary": [each.summary_id for each in summaries],
    }.items():
        await requires(world, scope, kind, ids, all_of_it=True)
    await requires(world, scope, "memory", [each.item.memory_id for each in living])
    for item in items:
        evidence = await memory.items.evidence(scope, item.memory_id)
        await requires(world, scope, "event", [each.event_id for each in evidence])


async def recalls_what_is_there(world: World, scope: Scope) -> None:
    """No question, filter or time brings anything from elsewhere."""
    strangers = tuple(world.elsewhere("session", scope))
    intents: tuple[TemporalIntent, ...] = ("current_state", "history_trace", "time_slice")
    asks = [RecallRequest(text=text, at=at(60), limit=100) for text in QUESTIONS]
    asks += [replace(asks[0], temporal=intent) for intent in intents]
    asks += [replace(asks[0], as_of=at(30)), replace(asks[0], filters=Filters(session_ids=strangers[:50]))]
    asks += [replace(asks[1], filters=Filters(speakers=("ann", "ben", "user")), strategy="exact")]
    for ask in asks:
        found = await recall(world.resources, scope, ask)
        await requires(world, scope, "source", [each.candidate.source_id for each in found.ranked])
        if ask.filters.session_ids:
            assert not found.ranked
        elif ask.text == SURELY_KNOWN and ask.strategy == "auto":
            assert bool(found.ranked) == bool(world.of("source", scope))


async def is_refused_what_is_elsewhere(world: World, scope: Scope) -> None:
    """Ids of others, even when they are known, are ids of nothing."""
    memory = world.memory
    events, operations, items, documents, summaries = (
        world.elsewhere(kind, scope) for kind in ("event", "operation", "memory", "document", "summary")
    )
    assert await memory.log.events(scope, events) == []
    assert await memory.items.get_many(scope, items) == []
    assert await memory.documents.find(scope, documents) == []
    assert await memory.sessions.find(scope, summaries) == []
    for session_id in world.elsewhere("session", scope)[:2]:
        opened = await memory.log.open(scope, session_id, 20, documents)
        assert (opened.window, opened.summaries, opened.documents, opened.turns) == ((), (), (), 0)
        assert (await memory.log.find_pending_turns(scope, session_id, 10)).operations == ()
        assert await memory.sessions.tail(scope, session_id, 10) is None
    for operation_id in operations[:2]:
        assert await memory.log.operation(scope, operation_id) is None
        assert await memory.log.turn(scope, operation_id) == []
        assert await memory.log.receipts(scope, operation_id) == []
    for memory_id in items[:2]:
        assert await memory.items.history(scope, memory_id) == []
        assert await memory.items.evidence(scope, memory_id) == []
    for refused in refusals(world, scope):
        with pytest.raises(BrainError, match="E_NOT_FOUND"):
            await refused()


def refusals(world: World, scope: Scope) -> Iterator[Callable[[], Any]]:
    memory, author = world.memory, by_ann(f"refused {uuid4()}")
    for memory_id in world.elsewhere("memory", scope)[:2]:
        yield lambda one=memory_id: memory.items.get(scope, one)
        yield lambda one=memory_id: memory.items.correct(scope, one, "mine now", author)
        yield lambda one=memory_id: memory.items.forget(scope, one, author)
        yield lambda one=memory_id: memory.items.restore(scope, one, 1, author)
    for conflict_id in world.elsewhere("conflict", scope)[:2]:
        yield lambda one=conflict_id: memory.conflicts.resolve(scope, one, Settlement(resolution="keep"), author)
    for document_id in world.elsewhere("document", scope)[:2]:
        yield lambda one=document_id: memory.documents.get(scope, one)
        yield lambda one=document_id: memory.documents.history(scope, one)


@settings(
    max_examples=3,
    deadline=None,
    phases=[Phase.reuse, Phase.generate],  # what fails is short enough to read; making it shorter takes minutes
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(told=TOLD)
async def test_nothing_crosses_from_one_place_into_another(
    database: Database, test_addresses: Addresses, told: list[Told]
):
    built = resources_of(Leanings(memory=postgres_memory(database), clock=lambda: at(60)))
    world = World(replace(built, new_id=uuid4), run=str(uuid4()))
    for number, each in enumerate(told):
        await tell(world, each, number)
    all_that_was_kept(test_addresses, world)
    places = {place_of(world.scope(tenant, channel, person)) for tenant, channel, person, _ in told}
    for kind in KINDS:
        assert set(world.kept[kind]) == places, kind
    for scope in world.everybody():
        await reads_what_is_there(world, scope)
        await recalls_what_is_there(world, scope)
        await is_refused_what_is_elsewhere(world, scope)
