"""Databases of earlier commits, with data, brought to the schema of this one."""

from collections.abc import Mapping

import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from brain.recall import RecallRequest, query_of
from memory.errors import BrainError
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.migrate import migrate, pending_migrations
from memory.postgres.roles import Addresses
from tests.contract.builders import a_turn, at, said
from tests.databases import ANN, EARLIER, create_extensions, load
from tests.integration.second_server import SecondServer

WITH_A_STORY = [commit for commit in EARLIER if commit != "3ea360c"]
CONFIDENCES = "select text, confidence from brain.recall_index where lane = 'turn' and user_id = %s"
WAITING = (
    "select args ->> 'tenant_id', args ->> 'scope', args ->> 'user_id', args ->> 'session_id'"
    " from queue.procrastinate_jobs where task_name = 'evolve' and status = 'todo' order by id"
)
MAY_CHANGE = {"schema_migrations", "recall_removals", "recall_index"}
"""Tables whose rows an upgrade may change in number: the index loses turns that say what was forgotten."""


def row_counts(where: Addresses) -> Mapping[str, int]:
    """Rows of each of Brain's tables."""
    with psycopg.connect(where.owner) as connection:
        names = connection.execute("select tablename from pg_tables where schemaname = 'brain' order by 1").fetchall()
        counted = {
            name: connection.execute(SQL("select count(*) from brain.{}").format(Identifier(name))).fetchone()
            for (name,) in names
            if name not in MAY_CHANGE
        }
    return {name: row[0] for name, row in counted.items() if row}


@pytest.fixture(scope="module")
def fresh_schema(test_addresses: Addresses, second_server: SecondServer) -> str:
    return second_server.schema_of(test_addresses.owner, test_addresses.app_role)


@pytest.mark.parametrize("commit", EARLIER)
async def test_a_database_of_the_past_gets_the_schema_of_a_new_one_and_keeps_every_row(
    empty_database: Addresses, fresh_schema: str, second_server: SecondServer, commit: str
):
    load(commit, empty_database)
    before = row_counts(empty_database)

    await migrate(empty_database)

    assert second_server.schema_of(empty_database.owner, empty_database.app_role) == fresh_schema
    after = row_counts(empty_database)
    assert {name: after[name] for name in before} == before
    assert before["conversation_events"] > 0
    assert (await migrate(empty_database)).applied == []


@pytest.mark.parametrize("commit", WITH_A_STORY)
async def test_what_was_remembered_before_an_upgrade_is_recalled_after_it(empty_database: Addresses, commit: str):
    load(commit, empty_database)
    await migrate(empty_database)

    async with Database(empty_database.app) as opened:
        memory = postgres_memory(opened)
        await memory.log.capture(ANN, a_turn(said("Lyon has two rivers", minutes=50)))
        found = await memory.index.candidates(
            ANN, query_of(RecallRequest(text="Where in Lyon does the user live?", at=at(60)))
        )
        safe = await memory.index.candidates(ANN, query_of(RecallRequest(text="4711 safe", at=at(60))))
        contents = {item.content for item in await memory.items.list_newest(ANN)}

    used = {each.text: (each.injected_count, each.positive_count) for each in found.candidates}
    assert used["The user lives in Lyon"] == (0, 0)
    assert used["I moved to Lyon"] == (3, 2)
    assert "Lyon has two rivers" in used
    assert contents == {"The user lives in Lyon", "The user likes green tea"}
    assert not [each.text for each in safe.candidates if "4711" in each.text]


@pytest.mark.parametrize("commit", WITH_A_STORY)
async def test_turns_of_which_something_is_over_are_believed_less_after_an_upgrade(
    plain_owner: Addresses, empty_database: Addresses, commit: str
):
    create_extensions(empty_database.owner)
    load(commit, plain_owner)

    await migrate(plain_owner)

    with psycopg.connect(empty_database.owner) as connection:
        weighed = dict(connection.execute(CONFIDENCES, [ANN.user_id]))
    assert weighed["I live in Paris and I like green tea"] == pytest.approx(0.6)
    assert weighed["I moved to Lyon"] == 1
    assert "My safe opens with 4711" not in weighed


@pytest.mark.parametrize("commit", [commit for commit in WITH_A_STORY if commit != "9dc9201"])
async def test_a_job_that_waited_before_an_upgrade_is_joined_after_it(empty_database: Addresses, commit: str):
    load(commit, empty_database)
    await migrate(empty_database)
    with psycopg.connect(empty_database.owner, options="-c search_path=brain,queue") as connection:
        jobs = connection.execute(WAITING).fetchall()
        for job in jobs:
            connection.execute("select brain.enqueue_evolution(%s, %s, %s, %s, 0, 0)", job)
        assert jobs
        assert connection.execute(WAITING).fetchall() == jobs


async def test_a_failure_of_a_job_that_is_gone_goes_with_it(empty_database: Addresses):
    load("0ba3e52", empty_database)
    await migrate(empty_database)
    with psycopg.connect(empty_database.owner) as connection:
        assert connection.execute("select count(*) from queue.job_failures where job_id = 999").fetchone() == (0,)
        assert connection.execute("select count(*) from queue.job_failures").fetchone() == (1,)


async def test_a_version_of_a_migration_that_nobody_knows_is_refused(empty_database: Addresses):
    load("a2dd244", empty_database)
    with psycopg.connect(empty_database.owner) as connection:
        connection.execute("update brain.schema_migrations set sha256 = 'f00' where name like '0015%'")

    with pytest.raises(BrainError, match=r"0015_partly_overtaken_turns\.sql was changed") as refused:
        await migrate(empty_database)

    assert refused.value.code == "E_CONFIG"


async def test_a_database_of_a_newer_brain_is_refused_and_left_as_it_is(empty_database: Addresses):
    await migrate(empty_database)
    with psycopg.connect(empty_database.owner) as connection:
        connection.execute("insert into brain.schema_migrations (name, sha256) values ('9999_later.sql', 'f00')")

    with pytest.raises(BrainError, match=r"A newer Brain.*9999_later\.sql") as refused:
        await migrate(empty_database)
    async with await psycopg.AsyncConnection.connect(empty_database.owner) as connection:
        with pytest.raises(BrainError, match="A newer Brain"):
            await pending_migrations(connection)

    assert (refused.value.code, "Update Brain" in refused.value.hint) == ("E_CONFIG", True)
