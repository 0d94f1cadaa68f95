"""What a database loses on its way into another server, and gets back from migrating."""

from pathlib import Path

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from brain.recall import RecallRequest, query_of
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.corpus_cache import CorpusCache, ReadPosition, read_changes
from memory.postgres.database import Database
from memory.postgres.grants import privileges
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.conftest import a_database
from tests.contract.builders import a_draft, a_session, a_turn, at, by_ann, cited, said
from tests.databases import create_extensions
from tests.integration.second_server import SecondServer

MANY_TRANSACTIONS = """
do $$ begin
    for each in 1..20000 loop
        perform pg_current_xact_id();
        commit;
    end loop;
end $$"""
AHEAD = """
select (select count(*) from brain.recall_index where written_by >= pg_snapshot_xmax(pg_current_snapshot())),
       (select count(*) from brain.recall_removals where removed_by >= pg_snapshot_xmax(pg_current_snapshot()))"""
BOATS = query_of(RecallRequest(text="boat", at=at(600)))


def ahead(where: Addresses) -> tuple[int, int]:
    """Rows and removals that no transaction of this server can have written."""
    with psycopg.connect(where.owner) as connection:
        row = connection.execute(AHEAD).fetchone()
    assert row is not None
    return row[0], row[1]


async def remember_boats(memory: MemoryCore, scope: Scope) -> None:
    """Three turns and a memory that comes back after it was forgotten, with its turn."""
    session, event = a_session(), said("I bought a boat")
    await memory.log.capture(scope, a_turn(event, said("The boat is red", minutes=1), session=session))
    await memory.log.capture(scope, a_turn(said("The boat leaks", minutes=2), session=session))
    draft = a_draft("a boat", content="The user has a boat", citations=(cited(event, "I bought a boat"),))
    receipt = await memory.items.write(scope, draft, by_ann("k1"))
    await memory.items.forget(scope, receipt.memory_id, by_ann("k2", minutes=3))
    await memory.items.restore(scope, receipt.memory_id, 1, by_ann("k3", minutes=4))


async def texts(memory: MemoryCore, scope: Scope) -> set[str]:
    return {each.text for each in (await memory.index.candidates(scope, BOATS)).candidates}


async def test_rows_from_another_server_count_as_changed_only_once(
    empty_database: Addresses, second_server: SecondServer, scope: Scope, tmp_path: Path
):
    await migrate(empty_database)
    with psycopg.connect(empty_database.owner, autocommit=True) as connection:
        connection.execute(MANY_TRANSACTIONS)
    async with Database(empty_database.app) as opened:
        await remember_boats(postgres_memory(opened), scope)
    with a_database(second_server.url) as restored:
        second_server.copy(empty_database.owner, restored.owner, tmp_path)
        rows, removals = ahead(restored)
        assert rows == 4
        assert removals > 0

        done = await migrate(restored)

        assert ahead(restored) == (0, 0)
        assert "4 rows of the recall index that another server had numbered" in done.restored
        assert (await migrate(restored)).restored == []
        async with Database(restored.app) as opened:
            first = await read_changes(opened, scope, ReadPosition())
            second = await read_changes(opened, scope, first.reading)
            assert (len(first.entries), len(second.entries), list(second.removed)) == (4, 0, [])
            kept = postgres_memory(opened, CorpusCache(first_questions=0))
            said_then = {"I bought a boat", "The boat is red", "The boat leaks", "The user has a boat"}
            assert await texts(kept, scope) == said_then
            await kept.log.capture(scope, a_turn(said("A boat again", minutes=9)))
            assert await texts(kept, scope) == said_then | {"A boat again"}


async def test_an_owner_without_power_over_row_level_security_numbers_all_rows_anew(
    empty_database: Addresses, plain_owner: Addresses, scope: Scope
):
    create_extensions(empty_database.owner)
    await migrate(plain_owner)
    async with Database(plain_owner.app) as opened:
        await remember_boats(postgres_memory(opened), scope)
    with psycopg.connect(empty_database.owner, autocommit=True) as superuser:
        superuser.execute("alter table brain.recall_index disable trigger note_writer")
        superuser.execute("update brain.recall_index set written_by = '900000000'")
        superuser.execute("alter table brain.recall_index enable trigger note_writer")
        superuser.execute("update brain.recall_origin set system_identifier = 1")

    done = await migrate(plain_owner)

    assert "4 rows of the recall index that another server had numbered" in done.restored
    assert ahead(empty_database)[0] == 0


async def test_a_role_that_is_gone_comes_back_with_everything_it_may_do(empty_database: Addresses, scope: Scope):
    await migrate(empty_database)
    role = Identifier(empty_database.app_role)
    with psycopg.connect(empty_database.owner, autocommit=True) as connection:
        connection.execute(SQL("drop owned by {}").format(role))
        connection.execute(SQL("drop role {}").format(role))

    done = await migrate(empty_database)

    assert done.applied == []
    assert f"the role {empty_database.app_role}" in done.restored
    assert "privileges on brain.recall_index" in done.restored
    async with Database(empty_database.app) as opened:
        memory = postgres_memory(opened)
        await remember_boats(memory, scope)
        assert "The boat leaks" in await texts(memory, scope)
    assert (await migrate(empty_database)).restored == []


async def test_the_grants_file_says_all_that_migrations_grant(empty_database: Addresses):
    """If this fails, what a new migration grants or revokes is missing in migrations/grants.sql."""
    await migrate(empty_database)
    async with await psycopg.AsyncConnection.connect(empty_database.owner, autocommit=True) as connection:
        before = await privileges(connection, empty_database)
        await connection.execute(SQL("drop owned by {}").format(Identifier(empty_database.app_role)))
        await connection.execute("grant execute on all routines in schema brain to public")

        await migrate(empty_database)

        after = await privileges(connection, empty_database)
    assert sorted(before - after) == [], "add these grants to migrations/grants.sql"
    assert sorted(after - before) == [], "revoke these in migrations/grants.sql"


@pytest.mark.parametrize("what", ["insert on brain.conversation_events", "execute on function brain.recall_changes"])
async def test_a_single_lost_privilege_is_restored_and_named(empty_database: Addresses, what: str):
    await migrate(empty_database)
    with psycopg.connect(empty_database.owner, autocommit=True) as connection:
        connection.execute(f"revoke {what} from {empty_database.app_role}".encode())

    done = await migrate(empty_database)

    name = what.split()[-1]
    assert [each.split("(")[0] for each in done.restored] == [f"privileges on {name}"]
