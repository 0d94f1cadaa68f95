-- name: queue_health
-- How the work behind the conversation stands: for a person who asks and for an alarm. Belongs to the installation,
-- not to a tenant. Age in seconds of the job that has waited longest since it was due; dead letters are jobs that gave
-- up. Upkeep that is due another day does not wait yet; what is tried again in some seconds does.
select count(*) filter (where status = 'todo' and not (queue_name = 'upkeep' and coalesce(scheduled_at > now(), false)))
           as waiting,
       count(*) filter (where status = 'doing') as running,
       count(*) filter (where status = 'failed') as dead_letters,
       coalesce((select extract(epoch from now() - greatest(e.at, j.scheduled_at))::float8
                 from queue.procrastinate_jobs j
                 join queue.procrastinate_events e on e.job_id = j.id and e.type = 'deferred'
                 where j.status = 'todo' and (j.scheduled_at is null or j.scheduled_at <= now())
                 order by j.id
                 limit 1), 0) as oldest_seconds,
       (select count(*) from queue.procrastinate_workers
        where last_heartbeat > now() - interval '30 seconds') as workers
from queue.procrastinate_jobs
where queue_name in ('evolution', 'upkeep') and status in ('todo', 'doing', 'failed');

-- name: people_of_tenant
-- Everybody who ever spoke in this tenant, by the name they came with.
select name from brain.names
where tenant_id = %(tenant_id)s and kind = 'user'
order by name
limit 100000;
