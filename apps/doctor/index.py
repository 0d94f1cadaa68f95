"""The doctor's look at people whose talk is logged and cannot be found: a backup may leave the index out."""

from psycopg import AsyncConnection

from apps.doctor.findings import Finding, degraded_finding
from brain.local_postgres.startup import prepare_database
from brain.settings import Settings
from memory.errors import BrainError
from memory.postgres.failures import translate_errors
from memory.scope import name_id

_WITHOUT = """
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


async def index_finding(settings: Settings, tenant: str) -> Finding | None:
    """How many people of a tenant have no index; None where everybody has one or no database answers."""
    try:
        where = await prepare_database(settings)
        with translate_errors():
            async with await AsyncConnection.connect(where.owner, connect_timeout=5) as connection:
                row = await (await connection.execute(_WITHOUT, (name_id("tenant", tenant),))).fetchone()
    except BrainError:
        return None
    if not row or not row[0]:
        return None
    told = f"what {row[0]} people of tenant {tenant} said is logged, but has no index and is not found"
    return degraded_finding("index", told, f"Run 'brain rebuild --all-users --tenant {tenant}'.")
