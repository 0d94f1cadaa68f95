import asyncio
from dataclasses import replace

import psycopg
import pytest
from psycopg import AsyncConnection, conninfo
from psycopg.sql import SQL, Identifier

from memory.errors import BrainError
from memory.postgres.database import Database
from memory.postgres.migrate import migrate, pending_migrations
from memory.postgres.migrations import Migration, brain_migrations
from memory.postgres.pools import checkpoint_pool
from memory.postgres.roles import Addresses, addresses

HELPERS = brain_migrations()[:1]
ONE = Migration("9001_one.sql", "create table brain.one (tenant_id uuid, n int);\ncall brain.secure_tenant('one');")


async def owner_rows(where: Addresses, query: str) -> list[tuple[object, ...]]:
    async with await AsyncConnection.connect(where.owner, autocommit=True) as connection:
        return list(await (await connection.execute(query.encode())).fetchall())


async def test_an_empty_database_gets_everything_and_a_second_run_changes_nothing(empty_database: Addresses):
    first = await migrate(empty_database)
    second = await migrate(empty_database)

    own = [name for name in first.applied if not name.startswith("queue/")]
    assert own == [migration.name for migration in brain_migrations()]
    assert (second.applied, second.restored) == ([], [])
    schemas = await owner_rows(empty_database, "select distinct table_schema from information_schema.tables")
    assert {"brain", "queue", "checkpoint"} <= {row[0] for row in schemas}


async def test_nothing_is_pending_after_migrating(test_addresses: Addresses):
    async with await AsyncConnection.connect(test_addresses.owner) as connection:
        assert await pending_migrations(connection) == []


async def test_processes_that_migrate_at_once_all_succeed(empty_database: Addresses):
    done = await asyncio.gather(*(migrate(empty_database) for _ in range(4)))

    assert sorted(len(each.applied) > 0 for each in done) == [False, False, False, True]


async def test_waiting_for_another_process_has_an_end(empty_database: Addresses):
    with psycopg.connect(empty_database.owner, autocommit=True) as other:
        other.execute("select pg_advisory_lock(%s)", (0x427261696E,))
        with pytest.raises(BrainError, match="Another process") as refused:
            await migrate(empty_database, wait=0.3)

    assert refused.value.code == "E_DEP_TIMEOUT"


async def test_an_applied_migration_may_not_be_edited(empty_database: Addresses):
    await migrate(empty_database, [*HELPERS, ONE])

    with pytest.raises(BrainError, match=r"9001_one\.sql was changed") as refused:
        await migrate(empty_database, [*HELPERS, replace(ONE, text=ONE.text + "\n-- afterthought")])

    assert refused.value.code == "E_CONFIG"


async def test_a_failing_migration_leaves_nothing_and_can_be_repaired(empty_database: Addresses):
    broken = Migration("9002_two.sql", "create table brain.two (n int);\nselect no_such_function();")

    with pytest.raises(BrainError, match=r"9002_two\.sql failed and was undone"):
        await migrate(empty_database, [*HELPERS, ONE, broken])

    assert await owner_rows(empty_database, "select to_regclass('brain.two')") == [(None,)]
    repaired = replace(broken, text="create table brain.two (n int);")
    assert (await migrate(empty_database, [*HELPERS, ONE, repaired])).applied[0] == "9002_two.sql"


async def test_an_index_whose_building_broke_off_is_built_again(empty_database: Addresses):
    broken = "select indexrelid::regclass::text from pg_index where not indisvalid"
    cancel = "select pg_cancel_backend(pid) from pg_stat_activity where datname = current_database()"
    cancel += " and query ilike '%create index concurrently%' and wait_event_type = 'Lock'"
    with psycopg.connect(empty_database.owner) as reader:
        reader.execute("set transaction isolation level repeatable read")
        reader.execute("select count(*) from pg_class")  # what began before an index has to end before it is whole
        migrating = asyncio.create_task(migrate(empty_database))
        while not await owner_rows(empty_database, cancel):
            assert not migrating.done()
            await asyncio.sleep(0.05)
        with pytest.raises(BrainError, match="E_DEP_TIMEOUT"):
            await migrating
    assert await owner_rows(empty_database, broken)
    await migrate(empty_database)
    assert await owner_rows(empty_database, broken) == []


async def test_a_table_that_forgot_its_row_level_security_is_refused(empty_database: Addresses):
    forgetful = Migration("9003_open.sql", "create table brain.open_house (tenant_id uuid);")

    with pytest.raises(BrainError, match="not forced on open_house"):
        await migrate(empty_database, [*HELPERS, forgetful])


async def test_the_application_role_is_substituted_as_an_identifier_only(empty_database: Addresses):
    text = (
        "create table brain.t (n int); comment on table brain.t is 'x:app_role'; grant select on brain.t to :app_role;"
    )

    await migrate(empty_database, [*HELPERS, Migration("9004_t.sql", text)])

    rows = await owner_rows(empty_database, "select obj_description('brain.t'::regclass), relacl::text from pg_class"
                            " where oid = 'brain.t'::regclass")  # fmt: skip
    assert rows[0][0] == "x:app_role"
    assert f"{empty_database.app_role}=r/" in str(rows[0][1])


async def test_the_application_logs_in_as_a_role_that_owns_nothing(test_addresses: Addresses):
    async with await AsyncConnection.connect(test_addresses.app) as connection:
        row = await (await connection.execute(
            "select rolsuper, rolbypassrls, rolcreatedb, rolcreaterole from pg_roles where rolname = current_user"
        )).fetchone()  # fmt: skip
    assert row == (False, False, False, False)


async def test_the_public_is_granted_nothing(test_addresses: Addresses):
    rows = await owner_rows(
        test_addresses,
        "select n.nspname from pg_namespace n, aclexplode(n.nspacl) a"
        " where n.nspname in ('brain', 'queue', 'checkpoint') and a.grantee = 0",
    )
    assert rows == []


async def test_an_outdated_application_password_is_renewed(empty_database: Addresses):
    await migrate(empty_database, HELPERS)
    with psycopg.connect(empty_database.owner, autocommit=True) as connection:
        role = Identifier(empty_database.app_role)
        connection.execute(SQL("alter role {} password 'of-last-year'").format(role))

    await migrate(empty_database, HELPERS)

    async with Database(empty_database.app) as opened, opened.anonymous_session() as session:
        await session.flush()


@pytest.mark.parametrize(("power", "complaint"), [("superuser", "is a superuser"), ("bypassrls", "can bypass")])
async def test_a_powerful_application_role_is_refused(empty_database: Addresses, power: str, complaint: str):
    await migrate(empty_database, HELPERS)
    with psycopg.connect(empty_database.owner, autocommit=True) as connection:
        connection.execute(f"alter role {empty_database.app_role} {power}".encode())

    with pytest.raises(BrainError, match=complaint) as refused:
        await Database(empty_database.app).open()
    with pytest.raises(BrainError, match=complaint):
        await migrate(empty_database, HELPERS)

    assert refused.value.code == "E_CONFIG"


async def test_the_owner_may_not_serve_as_the_application(test_addresses: Addresses):
    with pytest.raises(BrainError, match="E_CONFIG"):
        await Database(test_addresses.owner).open()


async def test_an_owner_who_may_not_create_an_extension_is_told_who_can(plain_owner: Addresses):
    with pytest.raises(BrainError, match=r"CREATE EXTENSION vector;") as refused:
        await migrate(plain_owner)
    assert refused.value.code == "E_CONFIG"


async def test_a_plain_owner_suffices_once_the_extension_is_there(empty_database: Addresses, plain_owner: Addresses):
    with psycopg.connect(empty_database.owner, autocommit=True) as superuser:
        superuser.execute("create schema extensions")
        superuser.execute("create extension vector with schema extensions")
        superuser.execute("grant usage on schema extensions to public")

    await migrate(plain_owner)

    assert (await migrate(plain_owner)).applied == []
    async with Database(plain_owner.app) as opened, opened.anonymous_session() as session:
        await session.flush()


async def test_an_extension_out_of_sight_is_refused(empty_database: Addresses):
    with psycopg.connect(empty_database.owner, autocommit=True) as connection:
        connection.execute("create schema attic")
        connection.execute("create extension vector with schema attic")

    with pytest.raises(BrainError, match="SET SCHEMA public") as refused:
        await migrate(empty_database)
    assert refused.value.code == "E_CONFIG"


async def test_a_role_of_the_operators_own_is_only_granted(empty_database: Addresses):
    with psycopg.connect(empty_database.owner, autocommit=True) as connection:
        role = Identifier(empty_database.app_role)
        connection.execute(SQL("create role {} login password 'chosen'").format(role))
    app = conninfo.make_conninfo(empty_database.owner, user=empty_database.app_role, password="chosen")

    await migrate(addresses(empty_database.owner, app))

    async with Database(app) as opened, opened.anonymous_session() as session:
        await session.flush()


async def test_a_missing_role_of_the_operators_own_says_what_to_do(empty_database: Addresses):
    app = conninfo.make_conninfo(empty_database.owner, user="nobody_made_me", password="x")

    with pytest.raises(BrainError, match=r"nobody_made_me") as refused:
        await migrate(addresses(empty_database.owner, app))

    assert refused.value.code == "E_CONFIG"


def test_an_owner_whom_the_server_trusts_has_an_application_that_it_trusts():
    parts = conninfo.conninfo_to_dict(addresses("postgresql://owner@localhost/brain").app)
    assert (parts["user"], parts.get("password")) == ("brain_app", None)


@pytest.mark.parametrize("url", ["postgresql://localhost/brain", "postgresql://owner:secret@localhost"])
def test_an_address_without_a_user_or_a_database_is_refused(url: str):
    with pytest.raises(BrainError, match="BRAIN_APP_DATABASE_URL"):
        addresses(url)


def test_every_process_computes_the_same_application_login():
    owner = "postgresql://o%40x:p%2Fw@db.example:6543/da%20ta?sslmode=require"

    one, two = addresses(owner), addresses(owner)

    assert one == two
    parts = conninfo.conninfo_to_dict(one.app)
    assert (parts["user"], parts["host"], parts["port"], parts["dbname"], parts["sslmode"]) == (
        "da ta_app", "db.example", "6543", "da ta", "require",
    )  # fmt: skip
    assert "p/w" not in one.app
    assert "p/w" not in repr(one)


async def test_an_unreachable_database_is_unavailable():
    with pytest.raises(BrainError) as refused:
        await migrate(addresses("postgresql://o:p@127.0.0.1:1/brain"))
    assert refused.value.code == "E_DEP_UNAVAILABLE"


async def test_the_queue_and_the_saver_work_for_the_application(test_addresses: Addresses):
    from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver

    async with checkpoint_pool(test_addresses.app) as pool:
        saver = AsyncPostgresSaver(pool)  # pyright: ignore[reportArgumentType] - its own kind of connections
        assert await saver.aget_tuple({"configurable": {"thread_id": "none"}}) is None
    async with await AsyncConnection.connect(test_addresses.app, autocommit=True) as connection:
        await connection.execute("set search_path = brain, queue, public")
        row = await (await connection.execute(
            "select queue.procrastinate_defer_jobs_v1(array[row('q', 't', 0, null, null, '{}', null)"
            "::queue.procrastinate_job_to_defer_v1])"
        )).fetchone()  # fmt: skip
    assert row is not None
