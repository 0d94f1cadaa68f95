"""The audit chain in the database: a change is found where it was made, and what was erased breaks nothing."""

from typing import LiteralString

import pytest

from apps.jobs.sealing import sign_head
from brain.audit_key import AuditKey
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.integration.chains import Owner, broken_at, seal, verified, write_audit, write_receipts

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
    chain_database: Database,
    fresh_database: Addresses,
    owner: Owner,
    scope: Scope,
    tampered: tuple[LiteralString, int],
):
    change, position = tampered
    await _seal_seven(chain_database, owner, scope)
    assert (await verified(fresh_database, scope)).report.links == 7
    owner.execute(change)
    assert await broken_at(fresh_database, scope) == position


async def _seal_seven(database: Database, owner: Owner, scope: Scope) -> None:
    """Receipts 1 to 3, an audit event at 4, receipts 5 to 7; signed at 4 and 7."""
    for number in range(1, 4):
        write_receipts(owner, scope, first=number)
    write_audit(owner, scope)
    await seal(database)
    write_receipts(owner, scope, 3)
    await seal(database)


async def test_an_end_that_was_cut_off_is_found_by_a_published_head(
    chain_database: Database, fresh_database: Addresses, owner: Owner, scope: Scope
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
    chain_database: Database, fresh_database: Addresses, owner: Owner, scope: Scope
):
    write_receipts(owner, scope, 3)
    forger = AuditKey.derive(b"f" * 32)
    await postgres_memory(chain_database).audit_chain.seal(lambda head: sign_head(forger, head), 10)
    assert await broken_at(fresh_database, scope) == 3


async def test_what_is_erased_breaks_nothing(
    chain_database: Database, fresh_database: Addresses, owner: Owner, scope: Scope
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
    chain_database: Database, fresh_database: Addresses, owner: Owner, scope: Scope
):
    write_receipts(owner, scope, 2)
    await seal(chain_database)
    owner.execute(
        "update brain.memory_receipts set utilized = true, utilization_signal = 'x', user_feedback_signal = 'welcome'"
    )
    assert (await verified(fresh_database, scope)).report.intact == 2
    assert await seal(chain_database) == 0


async def test_rows_from_before_are_not_attested(
    chain_database: Database, fresh_database: Addresses, owner: Owner, scope: Scope
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
