"""Rows for an audit chain in a database of a test's own, their sealing and their verification."""

from collections.abc import Awaitable, Callable
from random import Random
from time import sleep
from typing import Any, TypeVar

import psycopg
import pytest

from apps.audit_chain.verification import Verification, verify_chain
from apps.jobs.sealing import sign_head
from memory.postgres import postgres_memory
from memory.postgres.chain_reader import ChainReader, open_chain
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.audit_keys import KEY
from verifier.verify_bundle import Broken

RECEIPT = (
    "insert into brain.memory_receipts (tenant_id, receipt_id, scope, user_id, receipt_type, details,"
    " details_schema_version, created_at)"
    " select %s, gen_random_uuid(), %s, %s, 'injection', jsonb_build_object('text', 'boat ' || n), 1, now()"
    " from generate_series(%s::integer, %s::integer) n"
)
AUDIT = (
    "insert into brain.audit_log (tenant_id, scope, user_id, action, reason, operator) values (%s, %s, %s, %s, %s, %s)"
)
Owner = psycopg.Connection[Any]
T = TypeVar("T")


def write_receipts(connection: Owner, scope: Scope, count: int = 1, first: int = 1) -> None:
    connection.execute(RECEIPT, (scope.tenant_id, scope.key, scope.user_id, first, first + count - 1))


def write_audit(connection: Owner, scope: Scope, reason: str = "asked") -> None:
    connection.execute(AUDIT, (scope.tenant_id, scope.key, scope.user_id, "forget", reason, "ann"))


async def seal(database: Database, most: int = 1_000) -> int:
    return (await postgres_memory(database).audit_chain.seal(lambda head: sign_head(KEY, head), most)).links


async def with_chain(where: Addresses, scope: Scope, work: Callable[[ChainReader], Awaitable[T]], page: int = 3) -> T:
    async with open_chain(where.owner, scope.tenant_id, page) as reader:
        return await work(reader)


async def verified(where: Addresses, scope: Scope, *heads: str) -> Verification:
    return await with_chain(where, scope, lambda reader: verify_chain(reader, {KEY.public_key}, heads))


async def broken_at(where: Addresses, scope: Scope, *heads: str) -> int:
    with pytest.raises(Broken) as broken:
        await verified(where, scope, *heads)
    return broken.value.position


def write_at_random(where: Addresses, scope: Scope, seed: int, transactions: int = 40) -> int:
    """Transactions of one writer that take their time; how many rows were committed. Some are rolled back."""
    random, rows = Random(seed), 0
    with psycopg.connect(where.owner) as connection:
        for _ in range(transactions):
            count = random.randrange(1, 6)
            write_receipts(connection, scope, count)
            sleep(random.random() * 0.01)
            write_audit(connection, scope)
            if random.random() < 0.2:
                connection.rollback()
            else:
                connection.commit()
                rows += count + 1
    return rows
