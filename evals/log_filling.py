"""Give one person a conversation log that matches their index, so that it can be derived again from it."""

from collections.abc import Mapping

import psycopg

from evals.filling import Person

_OF_PERSON = "where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s"
_SESSIONS = """
insert into brain.sessions (tenant_id, session_id, scope, user_id, name, started_at, last_at, expires_at)
select tenant_id, session_id, scope, user_id, session_id::text, min(observed_at), max(observed_at),
       max(observed_at) + interval '30 days'
from brain.recall_index
{whose}
group by tenant_id, session_id, scope, user_id"""

_EVENTS = """
insert into brain.conversation_events (tenant_id, event_id, scope, user_id, session_id, position, operation_id, role,
                                       speaker, content, text, sha256, occurred_at, time_zone)
select tenant_id, source_id, scope, user_id, session_id,
       row_number() over (partition by session_id order by source_id), source_id, role, speaker,
       jsonb_build_array(jsonb_build_object('type', 'text', 'text', text)), text,
       encode(sha256(convert_to(text, 'UTF8')), 'hex'), observed_at, 'UTC'
from brain.recall_index
{whose}"""


def fill_log(owner_url: str, person: Person) -> None:
    """One event per indexed row. ``owner_url`` must be a superuser's."""
    scope = person.scope
    _fill(owner_url, _OF_PERSON, {"tenant_id": scope.tenant_id, "scope": scope.key, "user_id": scope.user_id})


def fill_whole_log(owner_url: str) -> None:
    """The same for everybody."""
    _fill(owner_url, "", {})


def _fill(owner_url: str, whose: str, params: Mapping[str, object]) -> None:
    with psycopg.connect(owner_url, autocommit=True) as connection:
        for statement in (_SESSIONS, _EVENTS):
            connection.execute(statement.format(whose=whose).encode(), params)
        connection.execute("vacuum (analyze) brain.sessions, brain.conversation_events")
