"""Sealing on a real PostgreSQL: what is committed is sealed once, whoever is late, and nothing is missed."""

import asyncio
from collections.abc import Callable
from typing import Any

import psycopg
import pytest

from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.databases import ANN, EARLIER, create_extensions, load
from tests.integration.chains import Owner, seal, verified, write_at_random, write_audit, write_receipts
from tests.integration.denied import assert_denied


async def test_what_is_committed_is_sealed_once_in_batches(
    chain_database: Database,
    fresh_database: Addresses,
    owner: Owner,
    scope: Scope,
    make_scope: Callable[..., Scope],
):
    group = make_scope(key="group:kitchen")
    write_receipts(owner, scope, 5)
    write_audit(owner, group)
    write_receipts(owner, group, 3)
    assert [await seal(chain_database, 4) for _ in range(4)] == [4, 4, 1, 0]
    found = await verified(fresh_database, scope)
    assert (found.report.links, found.report.intact, found.report.erased, found.waiting) == (9, 9, 0, 0)
    assert found.report.checkpoints == 3
    write_audit(owner, scope)
    assert (await verified(fresh_database, scope)).waiting == 1
    assert [await seal(chain_database, 4) for _ in range(2)] == [1, 0]
    assert (await verified(fresh_database, scope)).report.links == 10


async def test_each_tenant_has_a_chain_of_its_own(
    chain_database: Database, fresh_database: Addresses, owner: Owner, scope: Scope
):
    other = Scope(tenant_id=scope.user_id, user_id=scope.user_id, key="main")
    for _ in range(3):
        write_receipts(owner, scope, 2)
        write_receipts(owner, other, 1)
    assert await seal(chain_database) == 9
    assert (await verified(fresh_database, scope)).report.links == 6
    assert (await verified(fresh_database, other)).report.links == 3


async def test_a_transaction_that_commits_late_is_not_missed(
    chain_database: Database, fresh_database: Addresses, owner: Owner, scope: Scope
):
    with psycopg.connect(fresh_database.owner) as late, psycopg.connect(fresh_database.owner) as later:
        write_receipts(late, scope, 5)
        write_receipts(later, scope, 1)
        write_receipts(owner, scope, 5)
        assert await seal(chain_database, 2) == 2
        late.commit()  # after the pass began: it waits for the next one
        write_receipts(owner, scope, 1)
        assert [await seal(chain_database, 2) for _ in range(2)] == [2, 1]
        assert [await seal(chain_database, 10) for _ in range(2)] == [6, 0]
        later.commit()
        assert [await seal(chain_database, 10) for _ in range(2)] == [1, 0]
    found = await verified(fresh_database, scope)
    assert (found.report.intact, found.waiting) == (12, 0)


async def test_nothing_found_is_nothing_left(chain_database: Database, owner: Owner, scope: Scope):
    write_receipts(owner, scope, 2)
    assert await seal(chain_database, 2) == 2  # as many as it may: the pass may not be over
    write_receipts(owner, scope, 1)
    assert [await seal(chain_database, 2) for _ in range(2)] == [1, 0]


async def test_what_was_rolled_back_leaves_no_trace(
    chain_database: Database, fresh_database: Addresses, owner: Owner, scope: Scope
):
    write_receipts(owner, scope, 2)
    with psycopg.connect(fresh_database.owner) as undone:
        write_receipts(undone, scope, 5)
        undone.rollback()
    assert [await seal(chain_database) for _ in range(2)] == [2, 0]


async def test_one_seals_at_a_time_and_only_first_in_a_transaction(
    chain_database: Database, fresh_database: Addresses, owner: Owner, scope: Scope
):
    write_receipts(owner, scope, 3)
    with psycopg.connect(fresh_database.app) as busy:
        assert len(busy.execute("select brain.seal_chain(10)").fetchall()) == 1
        assert await seal(chain_database) == 0
        busy.rollback()
    assert await seal(chain_database) == 3
    with psycopg.connect(fresh_database.owner) as own:
        write_receipts(own, scope)
        with pytest.raises(psycopg.errors.ObjectNotInPrerequisiteState):
            own.execute("select brain.seal_chain(10)")


async def test_heads_that_cannot_be_signed_are_not_sealed(
    chain_database: Database, fresh_database: Addresses, owner: Owner, scope: Scope
):
    def fail(head: object) -> Any:
        raise RuntimeError(head)

    write_receipts(owner, scope, 3)
    with pytest.raises(RuntimeError):
        await postgres_memory(chain_database).audit_chain.seal(fail, 10)
    assert await seal(chain_database) == 3


async def test_a_receipt_that_was_taken_back_and_came_again_is_sealed_anew(
    chain_database: Database, fresh_database: Addresses, owner: Owner, scope: Scope
):
    write_receipts(owner, scope, 2)
    await seal(chain_database)
    _take_back_and_write_again(owner)
    assert await seal(chain_database) == 1
    found = await verified(fresh_database, scope)
    assert (found.report.links, found.report.intact, found.report.erased) == (3, 2, 1)


def _take_back_and_write_again(owner: Owner) -> None:
    row = owner.execute(
        "delete from brain.memory_receipts where details ->> 'text' = 'boat 1'"
        " returning tenant_id, receipt_id, scope, user_id"
    ).fetchone()
    owner.execute(
        "insert into brain.memory_receipts (tenant_id, receipt_id, scope, user_id, receipt_type, details,"
        " details_schema_version, created_at) values (%s, %s, %s, %s, 'injection', '{\"text\": \"again\"}', 1, now())",
        row,
    )


async def test_the_application_can_neither_change_nor_take_away_what_is_sealed(
    chain_database: Database, fresh_database: Addresses, owner: Owner, scope: Scope
):
    write_receipts(owner, scope, 3)
    await seal(chain_database)
    with psycopg.connect(fresh_database.app, autocommit=True) as app:
        app.execute("select set_config('brain.tenant_id', %s, false)", (str(scope.tenant_id),))
        assert len(app.execute("select from brain.chain_links").fetchall()) == 3
    acts = (
        "update brain.chain_links set hash = ''",
        "delete from brain.chain_links",
        "insert into brain.chain_links values (gen_random_uuid(), 1, 'audit', gen_random_uuid(), '', '', now())",
        "update brain.chain_checkpoints set hash = ''",
        "delete from brain.chain_checkpoints",
        "select from brain.chain_progress",
    )
    assert_denied(fresh_database, scope.tenant_id, acts)


async def test_an_owner_without_power_over_row_level_security_seals_and_verifies(
    empty_database: Addresses, plain_owner: Addresses, scope: Scope
):
    create_extensions(empty_database.owner)
    await migrate(plain_owner)
    with psycopg.connect(empty_database.owner, autocommit=True) as superuser:
        write_receipts(superuser, scope, 2)
        write_audit(superuser, scope)
    async with Database(plain_owner.app) as database:
        assert await seal(database) == 3
    found = await verified(plain_owner, scope)
    assert (found.report.intact, found.waiting) == (3, 0)


async def test_in_another_server_the_chain_goes_on_where_it_was(
    empty_database: Addresses, plain_owner: Addresses, scope: Scope
):
    create_extensions(empty_database.owner)
    await migrate(plain_owner)
    async with Database(plain_owner.app) as database:
        with psycopg.connect(empty_database.owner, autocommit=True) as superuser:
            write_receipts(superuser, scope, 3)
            assert await seal(database) == 3
            write_audit(superuser, scope)
            for table in ("audit_log", "memory_receipts"):  # as if numbered by a server that had done more
                superuser.execute(f"update brain.{table} set written_by = '900000000'")
            superuser.execute("update brain.chain_progress set system_identifier = 1, since = '900000001:900000001:'")
            assert await seal(database) == 0

            done = await migrate(plain_owner)

            assert "4 rows of the audit chain that another server had numbered" in done.restored
            assert (await migrate(plain_owner)).restored == []
            assert [await seal(database) for _ in range(2)] == [1, 0]
            write_receipts(superuser, scope, 2)
            assert [await seal(database) for _ in range(2)] == [2, 0]
    found = await verified(plain_owner, scope)
    assert (found.report.links, found.report.intact, found.waiting) == (6, 6, 0)


async def test_many_writers_and_sealers_at_once_leave_nothing_out(
    chain_database: Database, fresh_database: Addresses, scope: Scope
):
    over = asyncio.Event()

    async def keep_sealing(most: int) -> int:
        links = 0
        while not over.is_set():
            links += await seal(chain_database, most)
            await asyncio.sleep(0.002)
        return links

    sealers = [asyncio.create_task(keep_sealing(most)) for most in (3, 17, 1_000)]
    writers = (asyncio.to_thread(write_at_random, fresh_database, scope, seed) for seed in range(6))
    rows = sum(await asyncio.gather(*writers))
    over.set()
    links = sum(await asyncio.gather(*sealers))
    while added := await seal(chain_database):
        links += added
    found = await verified(fresh_database, scope)
    assert (links, found.report.links, found.report.intact, found.waiting) == (rows, rows, rows, 0)


@pytest.mark.parametrize("commit", EARLIER)
async def test_what_an_earlier_brain_wrote_is_not_attested(empty_database: Addresses, commit: str):
    load(commit, empty_database)
    await migrate(empty_database)
    async with Database(empty_database.app) as database:
        assert await seal(database) == 0
    report = (await verified(empty_database, ANN)).report
    with psycopg.connect(empty_database.owner) as connection:
        count = "select (select count(*) from brain.audit_log) + (select count(*) from brain.memory_receipts)"
        assert connection.execute(count).fetchall() == [(report.unattested,)]
    assert report.links == 0
