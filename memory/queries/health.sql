-- name: queue_health
-- How the work behind the conversation stands: for a person who asks and for an alarm. Belongs to the installation,
-- not to a tenant. Age in seconds of the job that has waited longest since it was due, among the first thousand: the
-- very first may just have become due again. Dead letters are jobs that gave up. Upkeep that is due another day does
-- not wait yet; what is tried again in some seconds does. A worker signs in twice: it keeps places for corrections.
select count(*) filter (where status = 'todo' and not (queue_name = 'upkeep' and coalesce(scheduled_at > now(), false)))
           as waiting,
       count(*) filter (where status = 'doing') as running,
       count(*) filter (where status = 'failed') as dead_letters,
       coalesce((select max(extract(epoch from now() - greatest(e.at, first.scheduled_at)))::float8
                 from (select id, scheduled_at from queue.procrastinate_jobs
                       where status = 'todo' and (scheduled_at is null or scheduled_at <= now())
                       order by id
                       limit 1000) first
                 join queue.procrastinate_events e on e.job_id = first.id and e.type = 'deferred'), 0) as oldest_seconds,
       (select (count(*) + 1) / 2 from queue.procrastinate_workers
        where last_heartbeat > now() - interval '30 seconds') as workers
from queue.procrastinate_jobs
where queue_name in ('corrections', 'evolution', 'upkeep') and status in ('todo', 'doing', 'failed');

-- name: people_of_tenant
-- Everybody who ever spoke in this tenant, by the name they came with.
select name from brain.names
where tenant_id = %(tenant_id)s and kind = 'user'
order by name
limit 100000;
