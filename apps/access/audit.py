"""Refused attempts to reach what belongs to others: audited under the one who tried."""

from collections.abc import Mapping

import structlog

from brain.wiring import shared_resources
from memory.errors import BrainError
from memory.refusals import Refusal
from memory.scope import Scope, Speaker, scope_of

log = structlog.get_logger(__name__)


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


def _scope(tenant: str, user: str) -> Scope:
    return scope_of(Speaker(tenant=tenant, user=user))
