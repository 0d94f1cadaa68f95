"""Seals the audit chain behind the turns: every few seconds links for what was written, and signed heads."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import structlog

from brain.audit_key import AuditKey, load_audit_key
from brain.resources import Resources
from memory.audit_chain import ChainHead, HeadSignature
from memory.errors import BrainError
from verifier.verify_bundle import head_message

log = structlog.get_logger(__name__)

PAUSE = 5.0
"""Seconds between two passes: what is committed is sealed within ten."""
LINKS = 5_000
"""Links appended in one transaction."""
_AGAIN = 0.5


@asynccontextmanager
async def seal_regularly(resources: Resources) -> AsyncGenerator[None]:
    """Seal what is there now, and every few seconds from then on.

    Without a key that can be used nothing is sealed, and the log says so: work goes on.
    """
    try:
        key = await asyncio.to_thread(load_audit_key, resources.settings)
    except BrainError as error:
        log.warning("chain_not_sealed", why=error.message)
        yield
        return
    await seal_batch(resources, key)  # whoever works only until nothing is left seals as well
    sealing = asyncio.create_task(_seal_forever(resources, key))
    try:
        yield
    finally:
        while not sealing.done():  # a cancellation can be lost with what the task waits for
            sealing.cancel()
            await asyncio.wait((sealing,), timeout=_AGAIN)


def sign_head(key: AuditKey, head: ChainHead) -> HeadSignature:
    """The signature of a head, dated when it was sealed."""
    message = head_message(str(head.tenant_id), head.position, head.hash.hex(), head.sealed_at)
    return HeadSignature(signature=key.sign(message), public_key=key.public_key)


async def seal_batch(resources: Resources, key: AuditKey) -> int:
    """Seal some of what is committed; how many links were appended. What fails is tried again by the next one."""
    try:
        sealed = await resources.memory.audit_chain.seal(lambda head: sign_head(key, head), LINKS)
    except BrainError as error:
        log.warning("sealing_failed", code=error.code)
        return 0
    log.debug("chain_sealed", links=sealed.links, tenants=sealed.tenants)
    return sealed.links


async def _seal_forever(resources: Resources, key: AuditKey) -> None:
    while True:
        if await seal_batch(resources, key) < LINKS:
            await asyncio.sleep(PAUSE)
