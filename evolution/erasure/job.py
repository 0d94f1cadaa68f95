"""What is done under a tombstone, step by step: each step can be begun again, wherever a worker was killed."""

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import timedelta
from uuid import UUID

import structlog

from brain.audit_key import load_audit_key
from brain.cells import settings_of_tenant
from brain.erasure_list import erasure_list
from brain.local_postgres.startup import find_owner_url
from brain.person_keys import has_keys, open_person_keys
from brain.resources import Resources
from evolution.erasure.catalogue import SCRUBBED
from evolution.erasure.certificate import make_certificate
from evolution.experience.count import forget_outcomes
from evolution.promotion.publishing import settle_promotions
from memory.erasure import Tombstone
from memory.errors import BrainError
from memory.postgres.scrubbing.scrub import scrub

log = structlog.get_logger(__name__)

ROWS = 500
"""Rows deleted in one transaction, so that nobody waits long for a lock."""
SCRUBS = 3
"""How often the files are gone over while something is left: who writes much meanwhile can keep a page from it."""
RUNS_END = 900.0
"""Seconds after which no run of before goes on with a conversation; until then its name stays closed."""

Step = Callable[[Resources, Tombstone], Awaitable[None]]


async def run_erasure(resources: Resources, tenant_id: UUID, tombstone_id: UUID) -> None:
    """Erase until nothing is left, then certify it. Does nothing for a tombstone that is completed."""
    erasures = resources.memory.erasures
    tombstone = await erasures.find(tenant_id, tombstone_id)
    if tombstone is None or tombstone.state == "completed":
        return
    # Whatever door it came by, the files to scrub are those of the database in which the tenant lives.
    resources = replace(resources, settings=await settings_of_tenant(resources.settings, tenant_id))
    if tombstone.state == "failed":
        await erasures.advance(tombstone, "retry_pending")
    await erasures.advance(tombstone, "processing")
    try:
        await _erase(resources, tombstone)
    except Exception as error:
        reason = error.code if isinstance(error, BrainError) else type(error).__name__
        await erasures.advance(tombstone, "failed", reason)
        raise


async def list_erasure(resources: Resources, tombstone: Tombstone) -> None:
    """Put it on the list outside the database, before the first row goes."""
    asked = await resources.memory.erasures.find_request(tombstone)
    if asked is not None:
        kept = await erasure_list(resources.settings, resources.memory.erasures)
        await asyncio.to_thread(kept.append, asked)
        await resources.memory.erasures.note_listed(tombstone.tenant_id, tombstone.tombstone_id)


async def _erase(resources: Resources, tombstone: Tombstone) -> None:
    for step in _STEPS:
        await step(resources, tombstone)
    await _complete(resources, tombstone, is_scrubbed=await _scrub_bytes(resources))


async def _withdraw_from_all(resources: Resources, tombstone: Tombstone) -> None:
    """Out of what was proposed to the organisation and of its knowledge, and out of what the agent has learnt."""
    at, tenant_id = resources.clock(), tombstone.tenant_id
    await resources.memory.promotions.withdraw_erased(tenant_id, tombstone.tombstone_id, at)
    await settle_promotions(resources, tenant_id)
    await forget_outcomes(resources, tenant_id)


async def _erase_threads(resources: Resources, tombstone: Tombstone) -> None:
    for thread in await resources.memory.erasures.list_threads(tombstone):
        await resources.memory.erasures.erase_thread(tombstone, thread)


async def _rewrite_documents(resources: Resources, tombstone: Tombstone) -> None:
    await resources.memory.erasures.rewrite_group_documents(tombstone, resources.clock())


async def _untie(resources: Resources, tombstone: Tombstone) -> None:
    await resources.memory.erasures.untie(tombstone)


async def _erase_rows(resources: Resources, tombstone: Tombstone) -> None:
    while await resources.memory.erasures.erase_rows(tombstone, ROWS) is not None:
        pass


async def _erase_soul_traces(resources: Resources, tombstone: Tombstone) -> None:
    await resources.memory.erasures.erase_soul_traces(tombstone)


async def _destroy_key(resources: Resources, tombstone: Tombstone) -> None:
    """Make the person unreadable in every backup that was made before."""
    assert tombstone.user_id is not None
    if tombstone.scope is None and has_keys(resources.settings):
        keys = await asyncio.to_thread(open_person_keys, resources.settings, make=False)
        await asyncio.to_thread(keys.shred, tombstone.tenant_id, tombstone.user_id)


async def _scrub_bytes(resources: Resources) -> bool:
    """Overwrite what the deleted rows left in the database's files; whether nothing of it is there any more."""
    owner_url = await find_owner_url(resources.settings)
    if owner_url is None:
        return False
    try:
        for _ in range(SCRUBS):
            if (await scrub(owner_url, SCRUBBED)).is_complete:
                return True
    except BrainError as error:
        log.warning("bytes_not_scrubbed", code=error.code, why=error.message)
    return False


async def _erase_name(resources: Resources, tombstone: Tombstone) -> None:
    await resources.memory.erasures.erase_name(tombstone)


_STEPS: tuple[Step, ...] = (
    list_erasure,
    _withdraw_from_all,
    _erase_threads,
    _rewrite_documents,
    _untie,
    _erase_rows,
    _erase_soul_traces,
    _destroy_key,
    _erase_name,
)


async def _complete(resources: Resources, tombstone: Tombstone, *, is_scrubbed: bool) -> None:
    erasures = resources.memory.erasures
    residue = await erasures.find_residue(tombstone)
    if residue:
        found = ", ".join(f"{each.counted} in {each.kind}" for each in residue)
        raise BrainError("E_CONFLICT", f"Rows of this person are still there: {found}.", "They are erased again.")
    counted = await erasures.find(tombstone.tenant_id, tombstone.tombstone_id)
    if counted is None or counted.state == "completed":
        return
    certificate = make_certificate(
        counted, load_audit_key(resources.settings), resources.clock(), kept_until(resources, is_scrubbed=is_scrubbed)
    )
    if await erasures.complete(counted, certificate, RUNS_END):
        log.info("erasure_completed", tombstone_id=str(tombstone.tombstone_id), erased=dict(counted.erased))


def kept_until(resources: Resources, *, is_scrubbed: bool) -> dict[str, str]:
    """Where words of the person may still be after their rows are gone, and until when."""
    until = resources.clock() + timedelta(days=resources.settings.backup_days)
    kept = {
        "skeletons": "that there were turns and receipts, when, and figures of use: no words, for ever",
        "audit": "that something was done and when, under the tombstone's id: no name, no words, for ever",
        "backups": "those of 'brain backup' hold nothing that can be read: the person's key is destroyed",
        "copies": f"physical copies of the database until {until:%Y-%m-%d}, when the oldest of them is removed",
    }
    if not is_scrubbed:
        kept["files"] = "in the database's own files and log, until PostgreSQL uses their place again"
    return kept
