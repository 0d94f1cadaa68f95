"""Whether a job may ask a model: a tenant has so many tokens per day, and a long queue is worked off by rules."""

from brain.metering import BUDGET_SPENT
from brain.resources import Resources
from memory.scope import Scope

BACKLOG = "backlog"
"""The reason code of work that the rules did because too much of it waits; none of it is dropped."""


async def reason_without_model(resources: Resources, scope: Scope, *, urgent: bool = False) -> str:
    """Why work behind the conversation asks no model now; empty when it may, or when there is none to ask.

    A correction is never held to the queue's length.
    """
    if not resources.models.is_configured:
        return ""
    if await _is_over_quota(resources, scope):
        return BUDGET_SPENT
    return BACKLOG if not urgent and await _has_backlog(resources, scope) else ""


async def _is_over_quota(resources: Resources, scope: Scope) -> bool:
    most = resources.settings.daily_tokens
    if most is None:
        return False
    return await resources.memory.model_usage.tokens_of_day(scope, resources.today()) >= most


async def _has_backlog(resources: Resources, scope: Scope) -> bool:
    settings = resources.settings
    waits = await resources.memory.log.backlog(scope, settings.backlog + 1)
    return waits.tenant > settings.tenant_backlog or waits.everybody > settings.backlog
