"""The jobs of a tenant on their way: what waits and what was given up is queued anew, in its order."""

from typing import Any
from uuid import UUID

from psycopg import AsyncConnection
from psycopg.types.json import Jsonb

from apps.cells.capture import HELD

_READ = """
select coalesce(jsonb_agg(to_jsonb(j) order by j.id), '[]') from (
    select j.id, regexp_replace(j.queue_name, '^' || %(held)s, '') as queue_name,
           j.task_name, j.priority, j.lock, j.queueing_lock, j.args, j.status, j.scheduled_at, j.attempts,
           (select to_jsonb(f) from queue.job_failures f where f.job_id = j.id) as failure,
           (select coalesce(jsonb_agg(jsonb_build_object('type', e.type, 'at', e.at) order by e.id), '[]')
            from queue.procrastinate_events e where e.job_id = j.id) as events
    from queue.procrastinate_jobs j
    where j.tenant_id = %(tenant)s and j.status in ('todo', 'failed')) j"""
_QUEUE = """
with given as materialized (
    select x.*, nextval(pg_get_serial_sequence('queue.procrastinate_jobs', 'id')) as new_id
    from (select * from jsonb_to_recordset(%s) as y (id bigint, queue_name text, task_name text, priority integer,
              lock text, queueing_lock text, args jsonb, status text, scheduled_at timestamptz, attempts integer,
              failure jsonb, events jsonb)
          order by id) x
), jobs as (
    insert into queue.procrastinate_jobs (id, queue_name, task_name, priority, lock, queueing_lock, args, status,
        scheduled_at, attempts)
    select new_id, queue_name, task_name, priority, lock, queueing_lock, args, status::queue.procrastinate_job_status,
        scheduled_at, attempts
    from given
), events as (
    insert into queue.procrastinate_events (job_id, type, at)
    select new_id, (e ->> 'type')::queue.procrastinate_job_event_type, (e ->> 'at')::timestamptz
    from given cross join jsonb_array_elements(events) e
), failures as (
    insert into queue.job_failures
    select f.* from given cross join jsonb_populate_record(null::queue.job_failures,
        failure || jsonb_build_object('job_id', new_id)) f
    where failure is not null
)
select count(*) from given"""
_REMOVE = (
    "delete from queue.procrastinate_events e using queue.procrastinate_jobs j"
    " where e.job_id = j.id and j.tenant_id = %s",
    "delete from queue.job_failures f using queue.procrastinate_jobs j where f.job_id = j.id and j.tenant_id = %s",
    "delete from queue.procrastinate_jobs where tenant_id = %s",
)


async def queue_anew(source: AsyncConnection[Any], target: AsyncConnection[Any], tenant_id: UUID) -> int:
    """Queue in one database what waits in the other; how many jobs."""
    found = await (await source.execute(_READ, {"tenant": tenant_id, "held": HELD})).fetchone()
    counted = await (await target.execute(_QUEUE, (Jsonb(found[0] if found else []),))).fetchone()
    return int(counted[0]) if counted else 0


async def remove_jobs(connection: AsyncConnection[Any], tenant_id: UUID) -> None:
    """Delete the tenant's jobs, with all that is known of them."""
    for each in _REMOVE:
        await connection.execute(each, (tenant_id,))
