"""Sign-outs."""

from hashlib import sha256
from uuid import uuid4

from memory.ports import MemoryCore
from tests.contract.builders import at


def a_session() -> str:
    return sha256(uuid4().bytes).hexdigest()


async def test_a_session_that_was_ended_stays_so_for_its_tenant_alone(memory: MemoryCore):
    tenant, session = uuid4(), a_session()
    assert not await memory.sign_outs.has_ended(tenant, session)
    for _ in range(2):
        await memory.sign_outs.end(tenant, session, at(), at(60))

    assert await memory.sign_outs.has_ended(tenant, session)
    assert not await memory.sign_outs.has_ended(tenant, a_session())
    assert not await memory.sign_outs.has_ended(uuid4(), session)


async def test_what_would_have_ended_by_itself_is_forgotten(memory: MemoryCore):
    tenant, other = uuid4(), uuid4()
    old, young = a_session(), a_session()
    await memory.sign_outs.end(tenant, old, at(), at(60))
    await memory.sign_outs.end(other, old, at(), at(60))
    await memory.sign_outs.end(tenant, young, at(60), at(120))

    assert not await memory.sign_outs.has_ended(tenant, old)
    assert await memory.sign_outs.has_ended(tenant, young)
    assert await memory.sign_outs.has_ended(other, old)
