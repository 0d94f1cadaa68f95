"""PgBouncer in transaction mode between Brain and its database."""

from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest

from memory.errors import BrainError
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.pools import PoolLimits
from memory.postgres.roles import Addresses, addresses
from memory.postgres.sql import SqlStatement
from memory.scope import Scope
from tests.pooler import PROGRAM, Pooler, a_pooler

pytestmark = pytest.mark.skipif(PROGRAM is None, reason="PgBouncer is not installed (apt-get install pgbouncer).")

SETTINGS = SqlStatement(
    "settings",
    "select current_setting('search_path') as path, current_setting('statement_timeout') as bound,"
    " coalesce(current_setting('brain.tenant_id', true), '') as tenant",
)


@dataclass(frozen=True)
class Seen:
    path: str
    bound: str
    tenant: str


@pytest.fixture(scope="module")
def pooler(server_url: str, reachable_folder: Path) -> Generator[Pooler]:
    with a_pooler(server_url, reachable_folder / "pooler") as running:
        yield running


@pytest.fixture
def pooled(pooler: Pooler, test_addresses: Addresses) -> Addresses:
    """The session's database, through the pooler."""
    return pooler.addresses(test_addresses)


async def test_each_transaction_has_its_settings_and_leaves_none(pooled: Addresses, scope: Scope):
    async with Database(pooled.app, PoolLimits(connections=1, statement=7.0)) as database:
        async with database.scope_session(scope) as session:
            told = await session.fetch_one(SETTINGS, {}, Seen)
        assert told == Seen("brain, queue, public, extensions", "7s", str(scope.tenant_id))
        async with database.transaction(scope) as session:
            assert await session.fetch_one(SETTINGS, {}, Seen) == told
        async with database.anonymous_session() as session:
            assert await session.fetch_one(SETTINGS, {}, Seen) == Seen(told.path, told.bound, "")
    with psycopg.connect(pooled.app, prepare_threshold=None, autocommit=True) as left:
        assert left.execute(SETTINGS.text).fetchone() == ('"$user", public', "0", "")


async def test_the_owner_cannot_go_through_it(pooled: Addresses, pooler: Pooler, test_addresses: Addresses):
    with pytest.raises(BrainError) as refused:
        await migrate(addresses(pooler.url(test_addresses.owner)))
    assert refused.value.code == "E_CONFIG"
    assert "BRAIN_DIRECT_DATABASE_URL" in refused.value.hint
    assert (await migrate(pooled)).applied == []


async def test_prepared_statements_that_clash_are_named(pooled: Addresses, scope: Scope):
    with pytest.raises(BrainError) as refused:
        async with Database(pooled.app, PoolLimits(connections=2, prepare=True)) as first:
            for _ in range(20):
                async with first.scope_session(scope) as session:
                    await session.fetch_one(SETTINGS, {}, Seen)
                async with (
                    Database(pooled.app, PoolLimits(connections=2, prepare=True)) as second,
                    second.scope_session(scope) as session,
                ):
                    await session.fetch_one(SETTINGS, {}, Seen)
    assert refused.value.code == "E_CONFIG"
    assert "BRAIN_DATABASE_PREPARE" in refused.value.hint
