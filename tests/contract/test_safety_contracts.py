"""What a tenant adds to the safety contract: versions, the last of which is in force, and nobody else's."""

import asyncio
from dataclasses import replace

import pytest

from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import a_contract, a_new_turn, a_session

FIRST = a_contract("Never promise a delivery date.")
SECOND = a_contract("Never promise a lower price.", version=2, author="bob")


async def test_the_last_version_is_in_force_and_all_are_kept(memory: MemoryCore, scope: Scope):
    contracts, tenant_id = memory.safety_contracts, scope.tenant_id
    assert await contracts.find_active(tenant_id) is None
    for version in (FIRST, SECOND):
        await contracts.add(tenant_id, version)
    active = await contracts.find_active(tenant_id)
    assert active is not None
    assert (active.version, active.text, active.is_intact) == (2, SECOND.text, True)
    assert await contracts.list_versions(tenant_id) == [SECOND, FIRST]
    assert await contracts.list_versions(tenant_id, 1) == [SECOND]


async def test_of_two_who_set_one_at_once_one_is_refused(memory: MemoryCore, scope: Scope):
    both = (memory.safety_contracts.add(scope.tenant_id, each) for each in (FIRST, replace(SECOND, version=1)))
    done = await asyncio.gather(*both, return_exceptions=True)
    (refused,) = [each for each in done if each is not None]
    assert isinstance(refused, BrainError)
    assert refused.code == "E_CONFLICT"
    with pytest.raises(BrainError, match="E_CONFLICT"):
        await memory.safety_contracts.add(scope.tenant_id, replace(SECOND, version=3))


async def test_a_turn_is_opened_with_the_contract_of_its_tenant_alone(memory: MemoryCore, scope: Scope):
    await memory.safety_contracts.add(scope.tenant_id, FIRST)
    opened = await memory.log.accept(scope, a_new_turn("Hello", a_session()), 10)
    assert opened.contract is not None
    assert (opened.contract.version, opened.contract.text) == (1, FIRST.text)
    stranger = replace(scope, tenant_id=scope.user_id)
    assert (await memory.log.open(stranger, a_session().session_id, 10)).contract is None
    assert await memory.safety_contracts.find_active(stranger.tenant_id) is None
