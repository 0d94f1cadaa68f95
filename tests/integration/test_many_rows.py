"""A person with many rows: what touches all of them ends within the bound of one statement."""

import psycopg
import pytest

from memory.index import VectorCount
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.contract.builders import a_draft, a_turn, by_ann, said

MANY = 10_000
REST = "tenant_id, scope, user_id, observed_at, valid_at, recorded_at, lane, role, speaker, text, words, grams, length"


@pytest.fixture
def memory(database: Database) -> MemoryCore:
    return postgres_memory(database)


def noted(addresses: Addresses, scope: Scope) -> int:
    """How many removals of a person are noted."""
    with psycopg.connect(addresses.owner) as owner:
        return owner.execute(
            "select from brain.recall_removals where tenant_id = %s and user_id = %s", (scope.tenant_id, scope.user_id)
        ).rowcount


def make_older(addresses: Addresses, scope: Scope, age: str) -> None:
    """So much time goes by for what is noted of a person."""
    with psycopg.connect(addresses.owner) as owner:
        owner.execute(
            "update brain.recall_removals set removed_at = removed_at - %s::interval"
            " where tenant_id = %s and user_id = %s",
            (age, scope.tenant_id, scope.user_id),
        )


async def multiply(memory: MemoryCore, scope: Scope, addresses: Addresses) -> None:
    """One turn, and ``MANY`` more rows like it."""
    await memory.log.capture(scope, a_turn(said("My boat is red")))
    with psycopg.connect(addresses.owner) as owner:
        owner.execute(
            f"insert into brain.recall_index (source_id, {REST})"
            f" select gen_random_uuid(), {REST} from brain.recall_index cross join generate_series(1, %s)"
            " where tenant_id = %s and user_id = %s",
            (MANY, scope.tenant_id, scope.user_id),
        )


async def test_an_index_is_cleared_and_what_went_is_noted(memory: MemoryCore, scope: Scope, test_addresses: Addresses):
    await multiply(memory, scope, test_addresses)
    assert await memory.index.rebuild(scope) == 1
    assert noted(test_addresses, scope) == MANY + 1


async def test_all_rows_are_switched_to_another_model(memory: MemoryCore, scope: Scope, test_addresses: Addresses):
    await multiply(memory, scope, test_addresses)
    with psycopg.connect(test_addresses.owner) as owner:
        owner.execute(
            f"insert into brain.recall_index (source_id, staged, embedding_model, embedding, {REST})"
            f" select source_id, true, 'test:two', '[1,0]', {REST} from brain.recall_index"
            " where tenant_id = %s and user_id = %s",
            (scope.tenant_id, scope.user_id),
        )
    assert await memory.index.switch_vectors(scope, "test:two") == MANY + 1
    assert await memory.index.vector_counts(scope) == [VectorCount(model="test:two", staged=False, rows=MANY + 1)]


async def test_what_is_noted_is_kept_for_a_day(memory: MemoryCore, scope: Scope, test_addresses: Addresses):
    async def remember_and_forget(number: int) -> None:
        receipt = await memory.items.write(scope, a_draft(f"boat {number}"), by_ann(f"write {number}"))
        await memory.items.forget(scope, receipt.memory_id, by_ann(f"forget {number}", minutes=1))

    await remember_and_forget(1)
    make_older(test_addresses, scope, "23 hours")
    await remember_and_forget(2)
    assert noted(test_addresses, scope) == 2
    make_older(test_addresses, scope, "2 hours")
    await remember_and_forget(3)
    assert noted(test_addresses, scope) == 2
