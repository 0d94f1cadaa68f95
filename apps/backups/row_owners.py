"""Whose rows are whose: for each table the query by which a backup reads it, the people of a row in front.

People are named ``TENANT PERSON …``: a row that may hold words of several people names all of them. That is what a
group has in common (sessions, summaries, documents, checkpoints) and what quotes what was recalled in it (replies,
receipts). ``TENANT`` alone stands for what belongs to nobody in it, and nothing at all for what is nobody's.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from uuid import UUID

from psycopg.sql import SQL, Composed, Identifier

from brain.person_keys import NOBODY

_PEOPLE = SQL("""
with speakers as (
    select tenant_id, scope, session_id, user_id from brain.conversation_events where scope like 'group:%'
    union
    select tenant_id, scope, session_id, user_id from brain.sessions where scope like 'group:%'
), of_session as (
    select tenant_id, session_id, string_agg(distinct user_id::text, ' ') as people from speakers group by 1, 2
), of_group as (
    select tenant_id, scope, string_agg(distinct user_id::text, ' ') as people
    from (select tenant_id, scope, user_id from speakers
          union select tenant_id, scope, user_id from brain.memory_items where scope like 'group:%'
          union select tenant_id, scope, user_id from brain.documents where scope like 'group:%') members
    group by 1, 2
), of_name as (
    select tenant_id, name, string_agg(name_id::text, ' ' order by name_id) as people
    from brain.names where kind = 'user' group by 1, 2
), of_job as (
    select j.id, concat_ws(' ', j.args ->> 'tenant_id', coalesce(s.people, j.args ->> 'user_id')) as people
    from queue.procrastinate_jobs j
    left join of_session s
        on s.tenant_id::text = j.args ->> 'tenant_id' and s.session_id::text = j.args ->> 'session_id'
), of_thread as (
    select tenant_id, thread_id, string_agg(distinct person, ' ') as people
    from (select tenant_id, thread_id, user_id::text as person from brain.operations where thread_id is not null
          union select tenant_id, thread_id, user_id::text from brain.memory_receipts where thread_id is not null
          union select tenant_id, session_id::text, user_id::text from brain.sessions
          union select tenant_id, session_id::text, user_id::text from speakers
          union select t.tenant_id, t.thread_id, named.person
                from checkpoint.threads t
                join of_job j on t.thread_id = 'evolution:' || j.id
                cross join lateral unnest((string_to_array(j.people, ' '))[2:]) as named (person)
          union select c.tenant_id, c.thread_id, n.name_id::text
                from checkpoint.checkpoints c
                join brain.names n
                    on n.tenant_id = c.tenant_id and n.kind = 'user' and n.name = c.metadata ->> 'owner') used
    group by 1, 2
)""")
_ROWS = SQL('{people} select ({owner}) collate "C", {columns} from {table} t {joined} order by 1, t.ctid')
_COPY = SQL("copy ({query}) to stdout (format binary)")


@dataclass(frozen=True)
class Owner:
    """Whose a row is: an expression that names its people, and what is joined for that."""

    people: SQL
    joined: SQL | None = None


_PERSON = Owner(SQL("concat_ws(' ', t.tenant_id, t.user_id)"))
_TENANT = Owner(SQL("t.tenant_id::text"))
_NOBODY = Owner(SQL("''::text"))
_SHARED = SQL("concat_ws(' ', t.tenant_id, coalesce(o.people, t.user_id::text))")
_OF_SESSION = Owner(_SHARED, SQL("left join of_session o on o.tenant_id = t.tenant_id and o.session_id = t.session_id"))
_OF_GROUP = Owner(_SHARED, SQL("left join of_group o on o.tenant_id = t.tenant_id and o.scope = t.scope"))
_REPLIES_OF_GROUP = Owner(
    _SHARED,
    SQL("left join of_group o on o.tenant_id = t.tenant_id and o.scope = t.scope and t.role <> 'user'"),
)
_OF_THREAD = Owner(
    SQL("concat_ws(' ', t.tenant_id, o.people)"),
    SQL("left join of_thread o on o.tenant_id = t.tenant_id and o.thread_id = t.thread_id"),
)
_OF_JOB = Owner(SQL("coalesce(o.people, '')"), SQL("left join of_job o on o.id = t.job_id"))

OWNERS: Mapping[str, Owner] = {
    "brain.names": Owner(SQL("concat_ws(' ', t.tenant_id, case when t.kind = 'user' then t.name_id end)")),
    "brain.api_keys": Owner(
        SQL("concat_ws(' ', t.tenant_id, o.people)"),
        SQL("left join of_name o on o.tenant_id = t.tenant_id and o.name = t.user_name"),
    ),
    "brain.sessions": _OF_SESSION,
    "brain.session_summaries": _OF_SESSION,
    "brain.documents": _OF_GROUP,
    "brain.document_versions": _OF_GROUP,
    "brain.note_entries": _OF_GROUP,
    "brain.memory_receipts": _OF_GROUP,
    "brain.conversation_events": _REPLIES_OF_GROUP,
    "brain.replaced_replies": _OF_GROUP,
    "brain.recall_index": Owner(
        _SHARED,
        SQL(
            "left join of_group o on o.tenant_id = t.tenant_id and o.scope = t.scope"
            " and (t.role <> 'user' or t.lane in ('document', 'summary'))"
        ),
    ),
    "brain.soul_versions": Owner(
        SQL("concat_ws(' ', t.tenant_id, case when t.activated_at is null then o.user_id end)"),
        SQL("left join brain.soul_acts o on o.tenant_id = t.tenant_id and o.version = t.version and o.act = 'propose'"),
    ),
    "checkpoint.threads": _OF_THREAD,
    "checkpoint.checkpoints": _OF_THREAD,
    "checkpoint.checkpoint_blobs": _OF_THREAD,
    "checkpoint.checkpoint_writes": _OF_THREAD,
    "queue.procrastinate_jobs": Owner(_OF_JOB.people, SQL("left join of_job o on o.id = t.id")),
    "queue.procrastinate_events": _OF_JOB,
    "queue.job_failures": _OF_JOB,
    "queue.procrastinate_periodic_defers": _OF_JOB,
}
"""The owners of rows whose table does not say them in ``user_id`` alone."""

_OF_JOB_ROW = SQL("(select j.tenant_id from queue.procrastinate_jobs j where j.id = t.job_id)")
_TENANTS: Mapping[str, SQL] = {
    "queue.procrastinate_jobs": SQL("t.tenant_id"),  # generated, so not among the columns that can be written
    "queue.procrastinate_events": _OF_JOB_ROW,
    "queue.job_failures": _OF_JOB_ROW,
}
"""Whose rows are whose where no column that can be written says so."""

STUBBED = "brain.sessions"
"""Conversations of a group: their rows go with any of their people, while what the others said in them stays."""
_STUB = {"name": SQL("t.session_id::text"), "entity_slots": SQL("'{}'::jsonb"), "carried": SQL("'{}'::jsonb")}
"""What a conversation is without a word of anybody."""


@dataclass(frozen=True)
class TableShape:
    """A table as the database knows it: the columns that can be written."""

    name: str
    columns: tuple[str, ...]


def read_rows(table: TableShape) -> Composed:
    """COPY the rows of a table, those of the same people together and in their order, the people in front."""
    owner = OWNERS.get(table.name) or _default_owner(table.columns)
    return _copy(table, owner, [SQL("t.{}").format(Identifier(name)) for name in table.columns])


def read_stubs(table: TableShape) -> Composed:
    """COPY what must be there of a group's conversations for those who are left, under the key of their tenant."""
    columns = [_STUB.get(name) or SQL("t.{}").format(Identifier(name)) for name in table.columns]
    return _copy(table, Owner(_TENANT.people, SQL("where t.scope like 'group:%'")), columns)


def parse_people(owner: bytes) -> tuple[tuple[UUID, UUID], ...]:
    """The tenant and the person of each key that rows are kept under."""
    tenant, *people = (UUID(each) for each in owner.decode("ascii").split()) if owner else (NOBODY,)
    return tuple((tenant, person) for person in people or (NOBODY,))


def tenant_of(table: TableShape) -> SQL | None:
    """The column or expression that says whose tenant's a row ``t`` is; None for what belongs to the installation."""
    return _TENANTS.get(table.name) or (SQL("t.tenant_id") if "tenant_id" in table.columns else None)


def _default_owner(columns: Sequence[str]) -> Owner:
    if "user_id" in columns and "tenant_id" in columns:
        return _PERSON
    return _TENANT if "tenant_id" in columns else _NOBODY


def _copy(table: TableShape, owner: Owner, columns: Sequence[Composed | SQL]) -> Composed:
    query = _ROWS.format(
        people=_PEOPLE,
        owner=owner.people,
        columns=SQL(", ").join(columns),
        table=Identifier(*table.name.split(".")),
        joined=owner.joined or SQL(""),
    )
    return _COPY.format(query=query)
