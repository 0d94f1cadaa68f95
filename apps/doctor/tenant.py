"""The doctor's look at one tenant: what it spent on models today, and who was refused what belongs to others."""

from datetime import timedelta

from apps.doctor.findings import Finding, degraded_finding, ok_finding
from apps.views.spending import fetch_account
from brain.cells import answers_of, ask_each
from brain.settings import Settings
from brain.settings_cells import HOME
from brain.wiring import build_resources
from memory.errors import BrainError
from memory.scope import Speaker, name_id, scope_of
from memory.service_alerts import INSTALLATION, ServiceAlert

RECENT = timedelta(days=1)
PATIENCE = 3.0
"""Seconds after which a database that does not answer is left out here: it has a line of its own."""
_REFUSED = "'access_refused' in brain.audit_log names who asked for what."
_ALERTS = "'brain alerts list' tells since when; docs/alerts.md says what each means."
_SPENT = "Raise BRAIN_DAILY_TOKENS, or wait for the next UTC day; rules and memory alone do the work until then."


async def spending_finding(settings: Settings, tenant: str) -> Finding | None:
    """Today's tokens; nothing to tell without a model, or without a database, of which others tell."""
    resources = build_resources(settings)
    try:
        if not resources.models.is_configured:
            return None
        found = await fetch_account(resources, tenant, resources.today())
    except BrainError:
        return None
    finally:
        await resources.close()
    what = f"{found.summary} (tenant {tenant})"
    return degraded_finding("tokens", what, _SPENT) if found.is_spent else ok_finding("tokens", what)


async def refusals_finding(settings: Settings, tenant: str) -> Finding | None:
    """How often a tenant's people were refused within a day; nothing without a database, of which others tell."""
    resources = build_resources(settings)
    try:
        count = await resources.memory.refusals.count(
            scope_of(Speaker(tenant=tenant, user="nobody")), resources.clock() - RECENT
        )
    except BrainError:
        return None
    finally:
        await resources.close()
    what = f"{count} attempts to reach what belongs to others within a day (tenant {tenant})"
    return degraded_finding("refusals", what, _REFUSED) if count else ok_finding("refusals", what)


async def alerts_finding(settings: Settings, tenant: str) -> Finding | None:
    """What burns in a tenant and in each database; None where nothing does or the tenant's does not answer."""
    resources = build_resources(settings)
    try:
        duties = await ask_each(resources.cells, lambda each: each.service_alerts.list_active(INSTALLATION), PATIENCE)
        own = await resources.memory.service_alerts.list_active(name_id("tenant", tenant))
    except BrainError:
        return None
    finally:
        await resources.close()
    told = [
        _tell(each, "" if cell == HOME else f" in {cell}")
        for cell, found in answers_of(duties).items()
        for each in found
    ]
    told += [_tell(each) for each in own]
    if not told:
        return None
    return degraded_finding("alerts", f"{', '.join(told)} (tenant {tenant})", _ALERTS)


def _tell(alert: ServiceAlert, where: str = "") -> str:
    return f"{alert.name} ({alert.severity}){where}"
