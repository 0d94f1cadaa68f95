"""The doctor's look at what is remembered: turns that a crash took for left, talk without an index, unfounded words."""

from psycopg import AsyncConnection

from apps.doctor.findings import Finding, broken_finding, degraded_finding, ok_finding
from apps.people import list_people
from brain.cells import open_databases, settings_of_tenant
from brain.local_postgres.startup import prepare_database
from brain.resources import utc_now
from brain.settings import Settings
from brain.wiring import build_resources
from evolution.repair import find_unfounded
from language.secrets import mask_secrets
from memory.errors import BrainError
from memory.postgres.branch_repair import bring_back, find_left_by_mistake
from memory.postgres.failures import translate_errors
from memory.scope import Speaker, name_id, scope_of

_BRANCHES = "branches"
_MAX_WORDS = 5
_ADVICE = "Correct or forget them; `brain memories repair` brings back what a false slip took away, after a dry run."
_PEOPLE_WITHOUT_INDEX = """
select count(*) from (
    select distinct tenant_id, scope, user_id from brain.sessions where tenant_id = %s
) person
where exists (
    select from brain.conversation_events e
    where (e.tenant_id, e.scope, e.user_id) = (person.tenant_id, person.scope, person.user_id) and e.indexed
        and e.visibility = 'all'
) and not exists (
    select from brain.recall_index r
    where (r.tenant_id, r.scope, r.user_id) = (person.tenant_id, person.scope, person.user_id)
)"""


async def branches_finding(settings: Settings, tenant: str, *, repair: bool = False) -> Finding | None:
    """How many turns of a tenant do not count because of a crash; with ``repair`` they do. None without any."""
    try:
        found = await _count_left_turns(settings, tenant, repair=repair)
    except BrainError as error:
        return broken_finding(_BRANCHES, error.message, error.hint)
    if not found:
        return None
    told = f"{found} turns of tenant {tenant} were left behind by a crash"
    if repair:
        return ok_finding(_BRANCHES, f"{told}, and count again")
    return degraded_finding(_BRANCHES, told, f"Run 'brain doctor --repair --tenant {tenant}'.")


async def _count_left_turns(settings: Settings, tenant: str, *, repair: bool) -> int:
    found = 0
    async with open_databases(settings, connections=1) as database:
        for user in await list_people(database, tenant):
            scope = scope_of(Speaker(tenant=tenant, user=user))
            turns = await find_left_by_mistake(database, scope)
            found += len(turns)
            if repair and turns:
                await bring_back(database, scope, turns, utc_now())
    return found


async def index_finding(settings: Settings, tenant: str) -> Finding | None:
    """How many people of a tenant have no index; None where everybody has one or no database answers."""
    try:
        tenant_id = name_id("tenant", tenant)
        where = await prepare_database(await settings_of_tenant(settings, tenant_id))
        with translate_errors():
            async with await AsyncConnection.connect(where.owner, connect_timeout=5) as connection:
                row = await (await connection.execute(_PEOPLE_WITHOUT_INDEX, (tenant_id,))).fetchone()
    except BrainError:
        return None
    if not row or not row[0]:
        return None
    told = f"what {row[0]} people of tenant {tenant} said is logged, but has no index and is not found"
    return degraded_finding("index", told, f"Run 'brain rebuild --all-users --tenant {tenant}'.")


async def words_finding(settings: Settings, tenant: str, user: str) -> Finding | None:
    """Living memories whose words do not stand in their cited turns; nothing where no database answers."""
    resources = build_resources(settings)
    try:
        scope = scope_of(Speaker(tenant=tenant, user=user), settings.dm_scope)
        found = await find_unfounded(resources, scope)
    except BrainError:
        return None
    finally:
        await resources.close()
    if not found:
        return ok_finding("words", f"every memory of {user} says what its turn says")
    listed = "; ".join(f"{str(each.memory_id)[:13]} “{mask_secrets(each.content)}”" for each in found[:_MAX_WORDS])
    more = f"; {len(found) - _MAX_WORDS} more" if len(found) > _MAX_WORDS else ""
    return degraded_finding("words", f"{len(found)} memories of {user} say what nobody said: {listed}{more}", _ADVICE)
