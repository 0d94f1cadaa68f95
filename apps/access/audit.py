"""Refused attempts to reach what belongs to others: audited under the one who tried, and reported by the doctor."""

from collections.abc import Mapping
from datetime import timedelta

import structlog

from apps.doctor.findings import Finding, degraded_finding, ok_finding
from brain.settings import Settings
from brain.wiring import build_resources, shared_resources
from memory.errors import BrainError
from memory.refusals import Refusal
from memory.scope import Scope, Speaker, scope_of

log = structlog.get_logger(__name__)

RECENT = timedelta(days=1)
_ADVICE = "'access_refused' in brain.audit_log names who asked for what."


async def audit_refusal(stamp: Mapping[str, str], what: str) -> None:
    """Keep the attempt of a signed-in caller. The caller is refused also when the audit cannot be written."""
    resources = shared_resources()
    trace_id = f"refusal:{resources.new_id()}"
    refusal = Refusal(what=what, operator=stamp["owner"], at=resources.clock(), trace_id=trace_id)
    log.warning("access_refused", tenant=stamp["tenant"], what=what, trace_id=trace_id)
    try:
        await resources.memory.refusals.record(_scope(stamp["tenant"], stamp["owner"]), refusal)
    except BrainError as error:
        log.warning("refusal_not_audited", code=error.code, trace_id=trace_id)


async def refusals_finding(settings: Settings, tenant: str) -> Finding | None:
    """How often a tenant's people were refused within a day; nothing without a database, of which others tell."""
    resources = build_resources(settings)
    try:
        count = await resources.memory.refusals.count(_scope(tenant, "nobody"), resources.clock() - RECENT)
    except BrainError:
        return None
    finally:
        await resources.close()
    what = f"{count} attempts to reach what belongs to others within a day (tenant {tenant})"
    return degraded_finding("refusals", what, _ADVICE) if count else ok_finding("refusals", what)


def _scope(tenant: str, user: str) -> Scope:
    return scope_of(Speaker(tenant=tenant, user=user))
