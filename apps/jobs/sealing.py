"""Seals the audit chain behind the turns: every few seconds links for what was written, and signed heads."""

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import structlog

from brain.audit_key import AuditKey, load_audit_key
from brain.background import run_beside
from brain.settings import Settings
from memory.audit_chain import AuditChain, ChainHead, HeadSignature
from memory.errors import BrainError
from verifier.verify_bundle import head_message

log = structlog.get_logger(__name__)

PAUSE = 5.0
"""Seconds between two passes: what is committed is sealed within ten."""
LINKS = 5_000
"""Links appended in one transaction."""


@asynccontextmanager
async def seal_regularly(chain: AuditChain, settings: Settings) -> AsyncGenerator[None]:
    """Seal what is there now, and every few seconds from then on.

    Whatever goes wrong, the key included, is logged and tried again: the other work goes on.
    """
    async with run_beside(_seal_forever(chain, settings)):
        yield


async def seal_waiting(chain: AuditChain, settings: Settings) -> int:
    """Seal all that is committed, a batch at a time; how many links this process appended."""
    total = 0
    try:
        key = await asyncio.to_thread(load_audit_key, settings)
        while (links := await _seal_batch(chain, key)) == LINKS:
            total += links
    except BrainError as error:
        log.warning("chain_not_sealed", code=error.code, why=error.message)
        return total
    return total + links


def sign_head(key: AuditKey, head: ChainHead) -> HeadSignature:
    """The signature of a head, dated when it was sealed."""
    message = head_message(str(head.tenant_id), head.position, head.hash.hex(), head.sealed_at)
    return HeadSignature(signature=key.sign(message), public_key=key.public_key)


async def _seal_batch(chain: AuditChain, key: AuditKey) -> int:
    sealed = await chain.seal(lambda head: sign_head(key, head), LINKS)
    log.debug("chain_sealed", links=sealed.links, tenants=sealed.tenants)
    return sealed.links


async def _seal_forever(chain: AuditChain, settings: Settings) -> None:
    while True:
        await seal_waiting(chain, settings)
        await asyncio.sleep(PAUSE)
