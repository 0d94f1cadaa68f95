"""Threads of earlier databases, given to the tenants whose they are."""

from uuid import uuid4

import psycopg
import pytest
from psycopg import sql
from psycopg.types.json import Jsonb

from apps.access.caller import UNVERIFIED
from memory.postgres.migrate import migrate
from memory.postgres.migrations import brain_migrations
from memory.postgres.roles import Addresses
from memory.scope import name_id
from tests.contract.builders import at
from tests.databases import EARLIER, create_extensions, load

TABLES = ("threads", "checkpoints", "checkpoint_blobs", "checkpoint_writes")


@pytest.mark.parametrize("commit", EARLIER[-1:])
async def test_an_upgrade_gives_every_thread_to_its_tenant(empty_database: Addresses, commit: str):
    load(commit, empty_database)
    names = ["acme", "Ärzte & 公司", "x" * 200, "local"]
    insert = (
        "insert into checkpoint.checkpoints (thread_id, checkpoint_id, checkpoint, metadata) values (%s, '1', '{}', %s)"
    )
    with psycopg.connect(empty_database.owner) as connection:
        for name in names:
            connection.execute(insert, (name, Jsonb({"tenant": name, "owner": "ann"})))
        connection.execute(insert, ("unsigned", Jsonb({})))

    await migrate(empty_database)

    with psycopg.connect(empty_database.owner) as connection:
        told = dict(connection.execute("select thread_id, tenant_id from checkpoint.checkpoints").fetchall())
    assert {name: told[name] for name in names} == {name: name_id("tenant", name) for name in names}
    assert told["unsigned"] == UNVERIFIED


async def test_an_upgrade_moves_threads_that_were_kept_as_nobodys_to_their_owners(
    empty_database: Addresses, plain_owner: Addresses
):
    create_extensions(empty_database.owner)
    await migrate(plain_owner, [each for each in brain_migrations() if each.name < "0037"])
    tenant, ann = name_id("tenant", "acme"), name_id("user", "acme", "ann")
    known, archived, stranger = str(uuid4()), str(uuid4()), str(uuid4())
    with psycopg.connect(empty_database.owner) as connection:
        for kind, name_of, name in (("tenant", tenant, "acme"), ("user", ann, "ann")):
            connection.execute("insert into brain.names values (%s, %s, %s, %s)", (tenant, name_of, kind, name))
        connection.execute(
            "insert into brain.sessions (tenant_id, session_id, scope, user_id, name, started_at, last_at, expires_at)"
            " values (%s, %s, 'main', %s, 'cellar', %s, %s, %s)",
            (tenant, known, ann, at(), at(), at()),
        )
        connection.execute(
            "insert into brain.chat_exchanges (tenant_id, scope, user_id, exchange_id, session_name, said_sha256,"
            " exchange_sha256, message_id, parent_checkpoint, checkpoint, created_at)"
            " values (%s, 'main', %s, %s, 'attic', '', '', '', '', %s, %s)",
            (tenant, ann, uuid4(), f"1 {archived}", at()),
        )
        for thread_id in (known, archived, stranger):
            _keep_as_nobodys(connection, thread_id)

    await migrate(plain_owner)

    with psycopg.connect(empty_database.owner) as connection:
        for table in TABLES:
            asked = sql.SQL("select thread_id, tenant_id from checkpoint.{}").format(sql.Identifier(table))
            told = dict(connection.execute(asked).fetchall())
            assert told == {known: tenant, archived: tenant, stranger: UNVERIFIED}, table
        stamps = connection.execute("select thread_id, metadata from checkpoint.checkpoints").fetchall()
    assert dict(stamps) == {
        known: {"step": 1, "tenant": "acme", "owner": "ann"},
        archived: {"step": 1, "tenant": "acme", "owner": "ann"},
        stranger: {"step": 1},
    }


def _keep_as_nobodys(connection: psycopg.Connection, thread_id: str) -> None:
    connection.execute("select checkpoint.enter_thread(%s, %s)", (UNVERIFIED, thread_id))
    connection.execute(
        "insert into checkpoint.checkpoints (thread_id, checkpoint_id, checkpoint, metadata) values (%s, %s, '{}', %s)",
        (thread_id, f"1 {thread_id}", Jsonb({"step": 1})),
    )
    connection.execute(
        "insert into checkpoint.checkpoint_blobs (thread_id, channel, version, type) values (%s, 'said', '1', 'empty')",
        (thread_id,),
    )
    connection.execute(
        "insert into checkpoint.checkpoint_writes (thread_id, checkpoint_id, task_id, idx, channel, blob)"
        " values (%s, %s, 'task', 0, 'said', '')",
        (thread_id, f"1 {thread_id}"),
    )
