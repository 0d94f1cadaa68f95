"""The doctor's look at turns that a crash took for left: an earlier Brain could not tell a crash from a fork."""

from apps.doctor.findings import Finding, broken_finding, degraded_finding, ok_finding
from apps.people import fetch_people
from brain.local_postgres.startup import prepare_database
from brain.resources import utc_now
from brain.settings import Settings
from memory.errors import BrainError
from memory.postgres.branch_repair import bring_back, find_left_by_mistake
from memory.postgres.database import Database
from memory.postgres.pools import PoolLimits
from memory.scope import Speaker, scope_of

NAME = "branches"


async def branches_finding(settings: Settings, tenant: str, *, repair: bool = False) -> Finding | None:
    """How many turns of a tenant do not count because of a crash; with ``repair`` they do. None without any."""
    try:
        found = await _look(settings, tenant, repair=repair)
    except BrainError as error:
        return broken_finding(NAME, error.message, error.hint)
    if not found:
        return None
    told = f"{found} turns of tenant {tenant} were left behind by a crash"
    if repair:
        return ok_finding(NAME, f"{told}, and count again")
    return degraded_finding(NAME, told, f"Run 'brain doctor --repair --tenant {tenant}'.")


async def _look(settings: Settings, tenant: str, *, repair: bool) -> int:
    people, found = await fetch_people(settings, tenant), 0
    where = await prepare_database(settings)
    async with Database(where.app, PoolLimits(connections=1)) as database:
        for user in people:
            scope = scope_of(Speaker(tenant=tenant, user=user))
            turns = await find_left_by_mistake(database, scope)
            found += len(turns)
            if repair and turns:
                await bring_back(database, scope, turns, utc_now())
    return found
