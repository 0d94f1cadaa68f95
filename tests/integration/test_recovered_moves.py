"""What a mover left that died is ended by itself: the tenant is served again, its jobs go on, nothing is lost."""

import asyncio
import signal
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest

from apps.cells.cells import list_cells
from apps.cells.recovery import Recovery, look_at_moves, recover_moves
from brain.settings import Settings
from brain.wiring import build_resources
from memory.errors import BrainError
from memory.postgres import postgres_memory
from memory.postgres.cells import HOME
from memory.postgres.database import Database
from memory.postgres.failures import MovedError
from memory.scope import Scope
from memory.service_alerts import INSTALLATION
from tests.contract.builders import a_new_turn, a_session, a_turn, at, said
from tests.integration import two_cells
from tests.integration.brain_process import as_url
from tests.integration.two_cells import CELL, PATIENCE, TwoCells

cells = two_cells.shared_cells

KILLED = -signal.SIGKILL
UNSERVED = ("switching", "opening")
"""Between "gone" in the old cell and "here" in the new one."""


@pytest.fixture
async def talked(cells: TwoCells, scope: Scope) -> Scope:
    """Somebody who said something, at home."""
    async with cells.process() as (_, memory):
        await memory.log.capture(scope, a_turn(said("Before the move")))
    return scope


async def serving(cells: TwoCells, scope: Scope) -> list[str]:
    """The cells that serve the tenant."""
    found: list[str] = []
    for name, where in cells.where.items():
        async with Database(where.app) as database:
            try:
                await postgres_memory(database).index.vector_counts(scope)
            except MovedError:
                continue
            found.append(name)
    return found


async def require_whole(cells: TwoCells, scope: Scope, lives: str) -> None:
    """The tenant is served by one cell with all that it had, nothing is left of the move, and talk goes on."""
    assert await serving(cells, scope) == [lives]
    assert [name for name in cells.where if cells.rows(name, scope.tenant_id)] == [lives]
    assert cells.count_triggers(HOME) == cells.count_triggers(CELL) == 0
    assert {queue for queue, *_ in cells.jobs(lives, scope.tenant_id)} == {"evolution"}
    async with cells.process() as (_, memory):
        await memory.log.capture(scope, a_turn(said("After the move", minutes=1)))
    assert len(cells.rows(lives, scope.tenant_id)["brain.conversation_events"]) == 2


@pytest.mark.parametrize(
    ("step", "lives"),
    [
        ("copying", HOME),
        ("waiting for jobs at hand", HOME),
        ("handing over", HOME),
        *((step, CELL) for step in UNSERVED),
    ],
)
async def test_a_move_to_a_cell_whose_mover_was_killed_is_ended(cells: TwoCells, talked: Scope, step: str, lives: str):
    assert await asyncio.to_thread(cells.move_until_killed, talked.tenant_id, CELL, step) == KILLED
    assert await serving(cells, talked) == ([] if step in UNSERVED else [HOME])
    assert await recover_moves(cells.urls) == Recovery(ended={talked.tenant_id: lives})
    await require_whole(cells, talked, lives)
    assert await recover_moves(cells.urls) == Recovery()


async def test_a_move_home_whose_mover_was_killed_between_the_cells_is_taken_back(cells: TwoCells, talked: Scope):
    await cells.move(talked.tenant_id, CELL)
    assert await asyncio.to_thread(cells.move_until_killed, talked.tenant_id, HOME, "switching") == KILLED
    assert await serving(cells, talked) == []
    assert await recover_moves(cells.urls) == Recovery(ended={talked.tenant_id: CELL})
    await require_whole(cells, talked, CELL)


@pytest.mark.parametrize("step", UNSERVED)
async def test_a_mover_that_stands_still_while_nobody_serves_loses_its_move(cells: TwoCells, talked: Scope, step: str):
    with cells.mover(talked.tenant_id, CELL, step, signal.SIGSTOP) as stopped:
        async with asyncio.timeout(PATIENCE):
            while not (await recover_moves(cells.urls)).ended:  # noqa: ASYNC110 - PostgreSQL ends its connections
                await asyncio.sleep(0.2)
        await require_whole(cells, talked, CELL)
        stopped.send_signal(signal.SIGCONT)
        assert await asyncio.to_thread(stopped.wait, PATIENCE) != 0
    assert await serving(cells, talked) == [CELL]
    assert len(cells.rows(CELL, talked.tenant_id)["brain.conversation_events"]) == 2


async def test_what_ends_a_move_may_be_killed_as_well(cells: TwoCells, talked: Scope):
    assert await asyncio.to_thread(cells.move_until_killed, talked.tenant_id, CELL, "switching") == KILLED
    assert await asyncio.to_thread(cells.move_until_killed, talked.tenant_id, CELL, "opening") == KILLED
    assert await recover_moves(cells.urls) == Recovery(ended={talked.tenant_id: CELL})
    await require_whole(cells, talked, CELL)


async def test_a_mover_that_lives_is_left_alone(cells: TwoCells, talked: Scope):
    met: list[asyncio.Task[object]] = []
    await cells.move(talked.tenant_id, CELL, lambda step: met.append(asyncio.create_task(recover_moves(cells.urls))))
    assert len(met) > 5
    assert all(found == Recovery() for found in await asyncio.gather(*met))
    await require_whole(cells, talked, CELL)


async def test_the_old_copy_of_a_move_that_was_not_compared_stays_for_a_person(cells: TwoCells, talked: Scope):
    assert await asyncio.to_thread(cells.move_until_killed, talked.tenant_id, CELL, "comparing") == KILLED
    assert await serving(cells, talked) == [CELL]
    assert await recover_moves(cells.urls) == Recovery(left=[talked.tenant_id])
    assert cells.rows(HOME, talked.tenant_id)
    await cells.move(talked.tenant_id, CELL)
    await require_whole(cells, talked, CELL)


async def test_an_old_copy_keeps_no_sweep_from_the_turns_of_others(
    cells: TwoCells, talked: Scope, make_scope: Callable[..., Scope]
):
    other = replace(make_scope(), tenant_id=uuid4())
    async with cells.process() as (_, memory):
        for scope in (talked, other):
            await memory.log.accept(scope, a_new_turn("And then?", a_session(), run=f"left {uuid4()}", minutes=3), 10)
    assert await asyncio.to_thread(cells.move_until_killed, talked.tenant_id, CELL, "comparing") == KILLED
    async with Database(cells.where[HOME].app) as database:
        assert await postgres_memory(database).log.release_abandoned(at(60)) == 1
    assert {name for name, *_ in cells.jobs(HOME, other.tenant_id)} == {"evolution"}
    assert "queue.accepted_turns" in cells.rows(HOME, talked.tenant_id)
    assert "queue.accepted_turns" not in cells.rows(HOME, other.tenant_id)
    await cells.move(talked.tenant_id, CELL)


async def test_a_cell_that_is_away_keeps_nobody_waiting_who_does_not_live_there(cells: TwoCells, talked: Scope):
    assert await asyncio.to_thread(cells.move_until_killed, talked.tenant_id, CELL, "switching") == KILLED
    away = {**cells.urls, "west": "postgresql://brain:x@127.0.0.1:1/brain"}
    assert await recover_moves(away) == Recovery(["west"], {talked.tenant_id: CELL})
    await require_whole(cells, talked, CELL)


async def test_a_copy_that_a_restore_brought_back_is_neither_removed_nor_moved_unless_a_person_says_so(
    cells: TwoCells, talked: Scope
):
    old = cells.rows(HOME, talked.tenant_id)
    await cells.move(talked.tenant_id, CELL)
    async with cells.process() as (_, memory):
        await memory.log.capture(talked, a_turn(said("Newer than the backup of home", minutes=1)))
    newer = cells.rows(CELL, talked.tenant_id)
    with psycopg.connect(cells.where[HOME].owner) as owner:  # home as a backup of before the move has it
        owner.execute("delete from brain.tenant_cells where tenant_id = %s", (talked.tenant_id,))
    for to in (HOME, CELL):
        with pytest.raises(BrainError, match=f"E_CONFLICT: Home says that the tenant lives in home.*{CELL}.*restored"):
            await cells.move(talked.tenant_id, to)
    assert await recover_moves(cells.urls) == Recovery()
    assert cells.rows(CELL, talked.tenant_id) == newer != old
    await cells.choose(talked.tenant_id, CELL)
    assert await serving(cells, talked) == [CELL]
    assert cells.rows(CELL, talked.tenant_id) == newer


async def test_a_cell_that_a_restore_made_forget_a_tenant_costs_no_copy(cells: TwoCells, talked: Scope, tmp_path: Path):
    assert await asyncio.to_thread(cells.move_until_killed, talked.tenant_id, CELL, "comparing") == KILLED
    with psycopg.connect(cells.where[CELL].owner) as owner:  # the cell as a backup of before the move has it
        owner.execute("delete from brain.tenant_cells where tenant_id = %s", (talked.tenant_id,))
    before = cells.rows(HOME, talked.tenant_id)
    told = Settings(
        database_url=as_url(cells.where[HOME].owner),
        cells=f"{CELL}={as_url(cells.where[CELL].owner)}",
        data_dir=tmp_path,
    )
    assert {each.name: each.unfinished for each in await list_cells(told)}[CELL] == (talked.tenant_id,)
    with pytest.raises(BrainError, match=f"E_CONFLICT: .*{CELL} does not know the tenant"):
        await cells.move(talked.tenant_id, CELL)
    assert cells.rows(HOME, talked.tenant_id) == before
    with pytest.raises(BrainError, match="E_NOT_FOUND"):
        await cells.choose(replace(talked, tenant_id=uuid4()).tenant_id, HOME)
    await cells.choose(talked.tenant_id, HOME)
    assert await serving(cells, talked) == [HOME]
    assert cells.rows(HOME, talked.tenant_id) == before


async def test_alerts_name_a_cell_that_is_away_and_moves_that_are_left(cells: TwoCells, talked: Scope, tmp_path: Path):
    async def alerts_of(told: str) -> set[tuple[str, str]]:
        with psycopg.connect(cells.where[HOME].owner) as owner:  # as if some minutes had gone by
            owner.execute("delete from brain.last_done")
        urls = f"{CELL}={as_url(cells.where[CELL].owner)} {told}".strip()
        resources = build_resources(
            Settings(database_url=as_url(cells.where[HOME].owner), cells=urls, data_dir=tmp_path)
        )
        try:
            await look_at_moves(resources)
            found = await resources.memory.service_alerts.list_active(INSTALLATION)
        finally:
            await resources.close()
        return {(each.name, each.severity) for each in found}

    assert await alerts_of("") == set()
    assert await asyncio.to_thread(cells.move_until_killed, talked.tenant_id, CELL, "comparing") == KILLED
    left, away = ("move_unfinished", "ticket"), ("cell_away", "urgent")
    assert await alerts_of("west=postgresql://brain:x@127.0.0.1:1/brain") == {left, away}
    await cells.move(talked.tenant_id, CELL)
    assert await alerts_of("") == set()
