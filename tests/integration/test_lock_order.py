"""Changes that touch the same memories at once wait for each other, and never in a circle."""

import asyncio
from dataclasses import replace

import psycopg

from memory.conflicts import Settlement
from memory.errors import BrainError
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.postgres.unit_of_work import begin_unit
from memory.scope import Scope
from tests.contract.builders import at, by_ann
from tests.contract.test_conflicts import a_conflict


async def test_settling_a_conflict_waits_for_a_change_of_its_memory_instead_of_the_other_way_round(
    database: Database, test_addresses: Addresses, scope: Scope
):
    memory = postgres_memory(database)
    held, new, conflict = await a_conflict(memory, scope)
    async with begin_unit(database, scope) as unit:
        item = await unit.get(held)
        over = replace(item, status="retracted", version=item.version + 1, updated_at=at(5))
        await unit.put(over)
        settling = asyncio.create_task(
            memory.conflicts.resolve(
                scope,
                conflict.conflict_id,
                Settlement(resolution="discard", winner=new),
                by_ann("settle", minutes=6),
            )
        )
        await _until_it_waits(test_addresses)
        unit.keep_version(over, "retract", by_ann("retract", minutes=5), "retract")
        await unit.find_receipt("none")  # sends what was queued: here the two waited for each other
    outcome = (await asyncio.gather(settling, return_exceptions=True))[0]
    assert isinstance(outcome, BrainError)
    assert outcome.code == "E_CONFLICT"
    assert (await memory.items.get(scope, held)).status == "retracted"
    assert await memory.conflicts.list_conflicts(scope) == []


async def _until_it_waits(where: Addresses) -> None:
    """Until a statement of another transaction waits for a lock."""
    async with await psycopg.AsyncConnection.connect(where.owner, autocommit=True) as connection:
        for _ in range(600):
            rows = await connection.execute("select count(*) from pg_locks where not granted")
            found = await rows.fetchone()
            if found and found[0]:
                return
            await asyncio.sleep(0.05)
    raise AssertionError("nothing waits")
