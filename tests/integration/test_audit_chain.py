"""The audit chain on a real PostgreSQL: what is written is sealed once, and what was changed afterwards is found."""

from collections.abc import AsyncGenerator, Awaitable, Callable
from typing import Any, LiteralString, TypeVar

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege

from apps.audit_chain.verification import Verification, verify_chain
from apps.jobs.sealing import sign_head
from brain.audit_key import AuditKey
from memory.postgres import postgres_memory
from memory.postgres.chain_reader import ChainReader, open_chain
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.audit_keys import KEY
from tests.databases import create_extensions
from verifier.verify_bundle import Broken

RECEIPT = (
    "insert into brain.memory_receipts (tenant_id, receipt_id, scope, user_id, receipt_type, details,"
    " details_schema_version, created_at)"
    " select %s, gen_random_uuid(), %s, %s, 'injection', jsonb_build_object('text', 'boat ' || n), 1, now()"
    " from generate_series(1, %s) n"
)
AUDIT = (
    "insert into brain.audit_log (tenant_id, scope, user_id, action, reason, operator) values (%s, %s, %s, %s, %s, %s)"
)
T = TypeVar("T")


def write_receipts(connection: "psycopg.Connection[Any]", scope: Scope, count: int = 1) -> None:
    connection.execute(RECEIPT, (scope.tenant_id, scope.key, scope.user_id, count))


def write_audit(connection: "psycopg.Connection[Any]", scope: Scope, reason: str = "asked") -> None:
    connection.execute(AUDIT, (scope.tenant_id, scope.key, scope.user_id, "forget", reason, "ann"))


@pytest.fixture
async def chain_database(fresh_database: Addresses) -> AsyncGenerator[Database]:
    """The application's way into a database where nobody else writes."""
    async with Database(fresh_database.app) as opened:
        yield opened


@pytest.fixture
def owner(fresh_database: Addresses) -> Any:
    """The owner, who is a superuser here and may change anything."""
    with psycopg.connect(fresh_database.owner, autocommit=True) as connection:
        yield connection


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


async def test_what_is_committed_is_sealed_once_in_batches(
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope, make_scope: Callable[..., Scope]
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
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope
):
    other = Scope(tenant_id=scope.user_id, user_id=scope.user_id, key="main")
    for _ in range(3):
        write_receipts(owner, scope, 2)
        write_receipts(owner, other, 1)
    assert await seal(chain_database) == 9
    assert (await verified(fresh_database, scope)).report.links == 6
    assert (await verified(fresh_database, other)).report.links == 3


async def test_a_transaction_that_commits_late_is_not_missed(
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope
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


async def test_what_was_rolled_back_leaves_no_trace(
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope
):
    write_receipts(owner, scope, 2)
    with psycopg.connect(fresh_database.owner) as undone:
        write_receipts(undone, scope, 5)
        undone.rollback()
    assert [await seal(chain_database) for _ in range(2)] == [2, 0]


async def test_one_seals_at_a_time_and_only_first_in_a_transaction(
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope
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
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope
):
    def fail(head: object) -> Any:
        raise RuntimeError(head)

    write_receipts(owner, scope, 3)
    with pytest.raises(RuntimeError):
        await postgres_memory(chain_database).audit_chain.seal(fail, 10)
    assert await seal(chain_database) == 3


async def test_what_is_erased_breaks_nothing(
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope
):
    write_receipts(owner, scope, 4)
    write_audit(owner, scope, "He has cancer")
    write_receipts(owner, scope, 4)
    await seal(chain_database)
    owner.execute("delete from brain.memory_receipts where details ->> 'text' in ('boat 1', 'boat 4')")
    owner.execute("update brain.audit_log set salt = null, reason = '', user_id = %s", (scope.tenant_id,))
    found = await verified(fresh_database, scope)
    assert (found.report.links, found.report.intact, found.report.erased, found.waiting) == (9, 4, 5, 0)


async def test_reactions_to_a_receipt_are_no_change_of_what_was_sealed(
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope
):
    write_receipts(owner, scope, 2)
    await seal(chain_database)
    owner.execute(
        "update brain.memory_receipts set utilized = true, utilization_signal = 'x', user_feedback_signal = 'welcome'"
    )
    assert (await verified(fresh_database, scope)).report.intact == 2
    assert await seal(chain_database) == 0


async def test_a_receipt_that_was_taken_back_and_came_again_is_sealed_anew(
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope
):
    write_receipts(owner, scope, 2)
    await seal(chain_database)
    _take_back_and_write_again(owner)
    assert await seal(chain_database) == 1
    found = await verified(fresh_database, scope)
    assert (found.report.links, found.report.intact, found.report.erased) == (3, 2, 1)


def _take_back_and_write_again(owner: Any) -> None:
    row = owner.execute(
        "delete from brain.memory_receipts where details ->> 'text' = 'boat 1'"
        " returning tenant_id, receipt_id, scope, user_id"
    ).fetchone()
    owner.execute(
        "insert into brain.memory_receipts (tenant_id, receipt_id, scope, user_id, receipt_type, details,"
        " details_schema_version, created_at) values (%s, %s, %s, %s, 'injection', '{\"text\": \"again\"}', 1, now())",
        row,
    )


TAMPERED: list[tuple[LiteralString, int]] = [
    ("update brain.audit_log set reason = 'denied'", 4),
    ("update brain.audit_log set recorded_at = recorded_at + interval '1 microsecond'", 4),
    ("update brain.audit_log set recorded_at = recorded_at - interval '4100 years'", 4),
    ("update brain.audit_log set source_id = gen_random_uuid()", 4),
    ("update brain.audit_log set operator = 'bob'", 4),
    ("update brain.audit_log set salt = gen_random_uuid()", 4),
    ("update brain.memory_receipts set details = '{}' where details ->> 'text' = 'boat 2'", 2),
    ("update brain.memory_receipts set lane = 'fact' where details ->> 'text' = 'boat 2'", 2),
    ("update brain.chain_links set row_id = gen_random_uuid() where position = 5", 5),
    ("update brain.chain_links set commitment = sha256('x') where position = 5", 5),
    ("update brain.chain_links set hash = sha256('x') where position = 5", 5),
    ("update brain.chain_links set sealed_at = sealed_at + interval '1 day' where position = 3", 3),
    ("update brain.chain_links set kind = 'audit' where position = 3", 3),
    ("delete from brain.chain_links where position = 3", 3),
    ("delete from brain.chain_links where position = 1", 1),
    ("delete from brain.chain_checkpoints where position = 7", 5),
    ("update brain.chain_checkpoints set signature = set_byte(signature, 3, 1) where position = 4", 4),
    ("update brain.chain_checkpoints set signed_at = signed_at + interval '1 s' where position = 4", 4),
    ("update brain.chain_checkpoints set hash = sha256('x') where position = 4", 4),
    ("update brain.chain_checkpoints set public_key = sha256('x') where position = 4", 4),
]


@pytest.mark.parametrize("tampered", TAMPERED)
async def test_a_change_in_the_database_is_found_where_it_was_made(
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope, tampered: tuple[LiteralString, int]
):
    change, position = tampered
    await _seal_seven(chain_database, owner, scope)
    assert (await verified(fresh_database, scope)).report.links == 7
    owner.execute(change)
    assert await broken_at(fresh_database, scope) == position


async def _seal_seven(database: Database, owner: Any, scope: Scope) -> None:
    """Receipts 1 to 3, an audit event at 4, receipts 5 to 7; signed at 4 and 7."""
    for number in range(1, 4):
        owner.execute(RECEIPT.replace("boat ' || n", f"boat {number}'"), (scope.tenant_id, scope.key, scope.user_id, 1))
    write_audit(owner, scope)
    await seal(database)
    write_receipts(owner, scope, 3)
    await seal(database)


async def test_an_end_that_was_cut_off_is_found_by_a_published_head(
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope
):
    await _seal_seven(chain_database, owner, scope)
    published = (await verified(fresh_database, scope)).report.head
    write_audit(owner, scope, "later")
    await seal(chain_database)
    await verified(fresh_database, scope, published)
    owner.execute("delete from brain.chain_checkpoints where position > 4")
    owner.execute("delete from brain.chain_links where position > 4")
    assert (await verified(fresh_database, scope)).report.links == 4
    assert await broken_at(fresh_database, scope, published) == 5


async def test_a_chain_made_up_anew_is_not_signed_with_the_key(
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope
):
    write_receipts(owner, scope, 3)
    forger = AuditKey.derive(b"f" * 32)
    await postgres_memory(chain_database).audit_chain.seal(lambda head: sign_head(forger, head), 10)
    assert await broken_at(fresh_database, scope) == 3


async def test_the_application_can_neither_change_nor_take_away_what_is_sealed(
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope
):
    write_receipts(owner, scope, 3)
    await seal(chain_database)
    with psycopg.connect(fresh_database.app, autocommit=True) as app:
        app.execute("select set_config('brain.tenant_id', %s, false)", (str(scope.tenant_id),))
        assert len(app.execute("select from brain.chain_links").fetchall()) == 3
        for act in (
            "update brain.chain_links set hash = ''",
            "delete from brain.chain_links",
            "insert into brain.chain_links values (gen_random_uuid(), 1, 'audit', gen_random_uuid(), '', '', now())",
            "update brain.chain_checkpoints set hash = ''",
            "delete from brain.chain_checkpoints",
            "select from brain.chain_progress",
        ):
            with pytest.raises(InsufficientPrivilege):
                app.execute(act)


async def test_rows_from_before_are_not_attested(
    chain_database: Database, fresh_database: Addresses, owner: Any, scope: Scope
):
    owner.execute("alter table brain.audit_log alter salt drop default, alter written_by drop default")
    write_audit(owner, scope)
    owner.execute(
        "alter table brain.audit_log alter salt set default gen_random_uuid(),"
        " alter written_by set default pg_current_xact_id()"
    )
    write_audit(owner, scope)
    assert await seal(chain_database) == 1
    report = (await verified(fresh_database, scope)).report
    assert (report.links, report.unattested) == (1, 1)


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
