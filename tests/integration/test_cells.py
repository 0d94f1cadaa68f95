"""A tenant moves between two databases, with all that it has, wherever the mover is killed."""

import asyncio
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from uuid import uuid4

import psycopg
import pytest
from psycopg import conninfo

from apps.access.caller import act_for
from apps.threads.checkpointer import CellSaver
from brain.knowledge_database import KnowledgeSessions
from brain.recall import RecallRequest, query_of
from knowledge.postgres.store import PostgresKnowledgeStore
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.cells import HOME, CellDatabase
from memory.postgres.database import Database
from memory.postgres.failures import MovedError
from memory.postgres.pools import PoolLimits, checkpoint_pool
from memory.scope import Scope
from tests.contract.builders import a_new_turn, a_session, a_turn, at, said
from tests.integration import two_cells
from tests.integration.test_isolation_everywhere import fill, fill_knowledge, propose
from tests.integration.test_tenancy_of_threads import save
from tests.integration.two_cells import CELL, TwoCells

cells = two_cells.shared_cells


@dataclass(frozen=True)
class Name:
    """A row of the people of a tenant."""

    name: str


@pytest.fixture
async def ann(cells: TwoCells, scope: Scope) -> Scope:
    """Somebody with a row in every table, at home."""
    async with Database(cells.where[HOME].app) as database:
        memory = postgres_memory(database)
        await fill(memory, scope)
        await memory.log.accept(scope, a_new_turn("And then?", a_session(), run=f"left {uuid4()}", minutes=3), 10)
        await fill_knowledge(PostgresKnowledgeStore(KnowledgeSessions(database)), scope)
    await propose(cells.where[HOME], scope)
    return scope


async def test_all_that_a_tenant_has_moves_and_comes_back(cells: TwoCells, ann: Scope):
    rows, jobs = cells.rows(HOME, ann.tenant_id), cells.jobs(HOME, ann.tenant_id)
    assert len(rows) > 45
    assert jobs
    for lives, other in ((CELL, HOME), (HOME, CELL)):
        await cells.move(ann.tenant_id, lives)
        assert cells.rows(lives, ann.tenant_id) == rows
        assert cells.jobs(lives, ann.tenant_id) == jobs
        assert cells.rows(other, ann.tenant_id) == {}
        assert cells.jobs(other, ann.tenant_id) == []
        assert cells.count_triggers(HOME) == cells.count_triggers(CELL) == 0


STEPS = (
    "preparing",
    "copying",
    "catching up",
    "waiting for jobs at hand",
    "handing over",
    "switching",
    "opening",
    "comparing",
    "removing the old copy",
)
ALWAYS = ("copying", "switching", "opening")
"""Where little was done, where neither serves the tenant, and where it must go forward."""


@pytest.mark.parametrize(
    "step", [pytest.param(step, marks=() if step in ALWAYS else pytest.mark.exhaustive) for step in STEPS]
)
@pytest.mark.parametrize("then", [pytest.param(CELL, id="repeated"), pytest.param(HOME, id="taken back")])
async def test_a_killed_move_is_repeated_or_taken_back(cells: TwoCells, scope: Scope, step: str, then: str):
    async with cells.process() as (_, memory):
        await memory.log.capture(scope, a_turn(said("Before the move")))
    assert await cells.move_until(scope.tenant_id, CELL, step)
    assert len([name for name in cells.where if await _serves(cells, name, scope)]) <= 1
    await cells.move(scope.tenant_id, then)
    assert [name for name in cells.where if await _serves(cells, name, scope)] == [then]
    assert [name for name in cells.where if cells.rows(name, scope.tenant_id)] == [then]
    assert cells.count_triggers(HOME) == cells.count_triggers(CELL) == 0
    assert {queue for queue, *_ in cells.jobs(then, scope.tenant_id)} == {"evolution"}
    async with cells.process() as (_, memory):
        await memory.log.capture(scope, a_turn(said("After the move", minutes=1)))
    assert len(cells.rows(then, scope.tenant_id)["brain.conversation_events"]) == 2


async def test_what_is_said_while_a_tenant_moves_is_kept_once(cells: TwoCells, scope: Scope):
    said_at: list[int] = []
    begun, over = asyncio.Event(), asyncio.Event()

    async def talk() -> None:
        async with cells.process() as (_, memory):
            while not over.is_set() or len(said_at) < 5:
                await memory.log.capture(scope, a_turn(said(f"Words {len(said_at)}", minutes=len(said_at))))
                said_at.append(len(said_at))
                begun.set()

    talking = [asyncio.create_task(talk()) for _ in range(2)]
    try:
        await begun.wait()
        await cells.move(scope.tenant_id, CELL)
    finally:
        over.set()
    await asyncio.gather(*talking)
    rows = cells.rows(CELL, scope.tenant_id)
    assert len(rows["brain.conversation_events"]) == len(rows["brain.operations"]) == len(said_at)
    assert cells.rows(HOME, scope.tenant_id) == {}


async def test_a_process_that_knew_the_old_place_reads_anew(cells: TwoCells, scope: Scope):
    async with cells.process() as (_, memory), cells.process() as (_, other):
        await memory.log.capture(scope, a_turn(said("I like green tea")))
        before = await ask(memory, scope)
        for to in (CELL, HOME, CELL):
            await cells.move(scope.tenant_id, to)
            assert await ask(memory, scope) == before
        await other.log.capture(scope, a_turn(said("I like black tea", minutes=1)))
        assert len(await ask(memory, scope)) == len(before) + 1


async def test_a_transaction_that_has_read_is_not_continued_elsewhere(cells: TwoCells, scope: Scope):
    people = {"tenant_id": scope.tenant_id}
    async with cells.process() as (database, memory):
        await memory.log.capture(scope, a_turn(said("Hello")))
        async with database.scope_session(scope) as unhurried:
            await unhurried.fetch("people_of_tenant", people, Name)
            await cells.move(scope.tenant_id, CELL)
            await unhurried.fetch("people_of_tenant", people, Name)  # each batch stands by itself, and follows
        async with database.transaction(scope) as unread:
            await unread.fetch("people_of_tenant", people, Name)
            move = asyncio.create_task(cells.move(scope.tenant_id, HOME))
            await asyncio.sleep(0.3)
            await unread.fetch("people_of_tenant", people, Name)
        await move


async def test_threads_follow_their_tenant(cells: TwoCells, scope: Scope):
    pools = {name: checkpoint_pool(each.app, PoolLimits(connections=2)) for name, each in cells.where.items()}
    thread = str(uuid4())
    async with AsyncExitStack() as stack:
        home = await stack.enter_async_context(Database(cells.where[HOME].app))
        saver = CellSaver(pools, home)
        stack.push_async_callback(saver.close)
        with act_for(scope.tenant_id):
            written = await save(saver, thread, "before")
            for to in (CELL, HOME):
                await cells.move(scope.tenant_id, to)
                found = await saver.aget_tuple({"configurable": {"thread_id": thread}})
                assert found is not None
                assert found.config == written
                assert found.checkpoint["channel_values"] == {"said": ["before"]}
                assert len(found.pending_writes or []) == 1
            await cells.move(scope.tenant_id, CELL)
            await save(saver, thread, "after")
    assert len(cells.rows(CELL, scope.tenant_id)["checkpoint.checkpoints"]) == 2
    assert cells.rows(HOME, scope.tenant_id) == {}


async def test_a_run_that_is_rolled_back_is_undone_in_the_memory_of_its_cell(cells: TwoCells, scope: Scope):
    pools = {name: checkpoint_pool(each.app, PoolLimits(connections=2)) for name, each in cells.where.items()}
    run = f"undone {uuid4()}"
    async with AsyncExitStack() as stack:
        _, memory = await stack.enter_async_context(cells.process())
        await memory.log.capture(scope, a_turn(said("Hello")))
        await cells.move(scope.tenant_id, CELL)
        await memory.log.accept(scope, a_new_turn("Never mind.", a_session(), run=run, minutes=3), 10)
        assert "queue.accepted_turns" in cells.rows(CELL, scope.tenant_id)
        home = await stack.enter_async_context(Database(cells.where[HOME].app))
        saver = CellSaver(pools, home, memory.log.take_back)
        stack.push_async_callback(saver.close)
        with act_for(scope.tenant_id):
            await saver.adelete_for_runs([run])
    rows = cells.rows(CELL, scope.tenant_id)
    assert "queue.accepted_turns" not in rows
    assert not [each for each in rows["brain.conversation_events"] if "Never mind." in each]


async def test_a_dead_cell_is_the_matter_of_its_tenants_alone(cells: TwoCells, scope: Scope):
    elsewhere = replace(scope, tenant_id=uuid4())
    with psycopg.connect(cells.where[HOME].owner) as owner:
        owner.execute(
            "insert into brain.tenant_cells (tenant_id, state, cell) values (%s, 'gone', %s)",
            (elsewhere.tenant_id, CELL),
        )
    dead = Database(conninfo.make_conninfo(cells.where[CELL].app, port=1))
    async with CellDatabase(Database(cells.where[HOME].app), {CELL: dead}) as database:
        memory = postgres_memory(database)
        for _ in range(3):
            with pytest.raises(BrainError, match=r"E_DEP_UNAVAILABLE: .*\(cell east\)"):
                await memory.log.capture(elsewhere, a_turn(said("Anybody there?")))
            await memory.log.capture(scope, a_turn(said("Here all is well")))
        opened = dead.round_trips
    assert opened == 0
    assert len(cells.rows(HOME, scope.tenant_id)["brain.conversation_events"]) == 3


async def test_a_cell_serves_nobody_who_did_not_move_there(cells: TwoCells, scope: Scope):
    async with Database(cells.where[CELL].app) as database:
        with pytest.raises(BrainError, match="lives in another cell"):
            await postgres_memory(database).log.capture(scope, a_turn(said("Let me in")))


async def test_a_cell_knows_which_processes_live(cells: TwoCells, scope: Scope):
    one, other, decision = uuid4(), uuid4(), uuid4()
    async with cells.process() as (_, memory):
        await memory.log.capture(scope, a_turn(said("Hello")))
        await cells.move(scope.tenant_id, CELL)
        await memory.serving.keep(one)
        assert await memory.serving.claim_decision(scope.tenant_id, decision, one, 60)
        assert not await memory.serving.claim_decision(scope.tenant_id, decision, other, 60)
        await memory.serving.stop(one)
        assert await memory.serving.claim_decision(scope.tenant_id, decision, other, 60)


async def test_two_movers_of_a_tenant_exclude_each_other(cells: TwoCells, scope: Scope):
    async with cells.process() as (_, memory):
        await memory.log.capture(scope, a_turn(said("Hello")))
    refused: list[str] = []

    async def move_too(step: str) -> None:
        try:
            await cells.move(scope.tenant_id, CELL)
        except BrainError as error:
            refused.append(error.code)

    others: list[asyncio.Task[None]] = []
    await cells.move(scope.tenant_id, CELL, lambda step: others.append(asyncio.create_task(move_too(step))))
    await asyncio.gather(*others)
    assert "E_CONFLICT" in refused
    assert cells.rows(CELL, scope.tenant_id)


async def _serves(cells: TwoCells, cell: str, scope: Scope) -> bool:
    async with Database(cells.where[cell].app) as database:
        try:
            await postgres_memory(database).index.vector_counts(scope)
        except MovedError:
            return False
    return True


async def ask(memory: MemoryCore, scope: Scope) -> list[str]:
    """What recall finds, asked twice, so that the person's rows are kept by the process."""
    query = query_of(RecallRequest(text="Which tea?", at=at(60)))
    await memory.index.candidates(scope, query)
    found = await memory.index.candidates(scope, query)
    return sorted(each.text for each in found.candidates)


async def test_jobs_of_a_tenant_that_leaves_wait_and_its_rows_are_followed(cells: TwoCells, scope: Scope):
    async with cells.process() as (_, memory):
        await memory.log.capture(scope, a_turn(said("Hello")))
        assert await cells.move_until(scope.tenant_id, CELL, "catching up")
        await memory.log.capture(scope, a_turn(said("Hello again", minutes=1)))
    assert {queue for queue, *_ in cells.jobs(HOME, scope.tenant_id)} == {"moving:evolution"}
    with psycopg.connect(cells.where[HOME].owner) as owner:
        noted = owner.execute(
            "select distinct table_name from brain.moved_rows where tenant_id = %s", (scope.tenant_id,)
        ).fetchall()
    assert {("brain.conversation_events",), ("brain.recall_index",)} <= set(noted)
    await cells.move(scope.tenant_id, HOME)
    assert {queue for queue, *_ in cells.jobs(HOME, scope.tenant_id)} == {"evolution"}
