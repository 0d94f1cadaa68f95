"""API keys."""

from uuid import uuid4

from memory.ports import MemoryCore
from tests.contract.builders import a_key, at


async def test_a_key_is_found_by_its_hash_in_its_tenant_only(memory: MemoryCore):
    key = a_key(scopes=("chat", "on_behalf"), expires_at=at(60))
    await memory.api_keys.add(key)

    assert await memory.api_keys.find(key.tenant_id, key.sha256) == key
    assert await memory.api_keys.find(uuid4(), key.sha256) is None
    assert await memory.api_keys.find(key.tenant_id, a_key().sha256) is None


async def test_the_newest_key_of_a_tenant_comes_first(memory: MemoryCore):
    tenant = uuid4()
    old, new = a_key(tenant_id=tenant), a_key(tenant_id=tenant, created_at=at(1))
    for key in (old, new, a_key()):
        await memory.api_keys.add(key)

    assert list(await memory.api_keys.list_keys(tenant)) == [new, old]


async def test_a_revoked_key_stays_revoked_since_the_first_time(memory: MemoryCore):
    key = a_key()
    await memory.api_keys.add(key)

    first = await memory.api_keys.revoke(key.tenant_id, key.key_id, at(1))
    again = await memory.api_keys.revoke(key.tenant_id, key.key_id, at(2))

    assert first == again == await memory.api_keys.find(key.tenant_id, key.sha256)
    assert first is not None
    assert first.revoked_at == at(1)
    assert not first.is_valid(at(3))


async def test_nobody_revokes_the_key_of_another_tenant(memory: MemoryCore):
    key = a_key()
    await memory.api_keys.add(key)

    assert await memory.api_keys.revoke(uuid4(), key.key_id, at(1)) is None
    found = await memory.api_keys.find(key.tenant_id, key.sha256)
    assert found is not None
    assert found.is_valid(at(2))


def test_a_key_ends_at_its_moment():
    key = a_key(expires_at=at(5))

    assert key.is_valid(at(4))
    assert not key.is_valid(at(5))


async def test_a_key_expires_earlier_but_never_later(memory: MemoryCore):
    key = a_key(expires_at=at(60))
    await memory.api_keys.add(key)

    sooner = await memory.api_keys.expire(key.tenant_id, key.key_id, at(5))
    later = await memory.api_keys.expire(key.tenant_id, key.key_id, at(90))

    assert sooner is not None
    assert sooner.expires_at == at(5)
    assert later == sooner
    assert await memory.api_keys.expire(uuid4(), key.key_id, at(1)) is None
