"""Refused attempts are counted for the tenant that made them."""

from dataclasses import replace
from uuid import uuid4

from memory.ports import MemoryCore
from memory.refusals import Refusal
from memory.scope import Scope
from tests.contract.builders import at


def a_refusal(minutes: float) -> Refusal:
    return Refusal(what="thread 7", operator="ann", at=at(minutes), trace_id="refusal:1")


async def test_everybody_in_a_tenant_counts_and_nobody_elsewhere(memory: MemoryCore, scope: Scope):
    await memory.refusals.record(scope, a_refusal(1))
    await memory.refusals.record(replace(scope, user_id=uuid4()), a_refusal(5))
    assert await memory.refusals.count(replace(scope, user_id=uuid4(), key="peer:x"), at(0)) == 2
    assert await memory.refusals.count(scope, at(3)) == 1
    assert await memory.refusals.count(replace(scope, tenant_id=uuid4()), at(0)) == 0
