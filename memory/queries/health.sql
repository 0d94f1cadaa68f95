-- name: queue_health
-- How the work behind the conversation stands: for a person who asks and for an alarm. Belongs to the installation,
-- not to a tenant. Age in seconds of the job that has waited longest; dead letters are jobs that gave up.
select count(*) filter (where status = 'todo') as waiting,
       count(*) filter (where status = 'doing') as running,
       count(*) filter (where status = 'failed') as dead_letters,
       coalesce((select extract(epoch from now() - min(e.at))::float8
                 from queue.procrastinate_events e
                 where e.type = 'deferred'
                   and e.job_id = (select min(id) from queue.procrastinate_jobs where status = 'todo')), 0) as oldest_seconds,
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
