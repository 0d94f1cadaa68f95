-- name: jobs_listed
-- The queue as an operator sees it: running first, then waiting in the order in which workers take them, then planned,
-- then given up. Belongs to the installation, not to a tenant; a job carries ids only. The words for its state are
-- those of ``queue_health``, so that both count alike. Ages in seconds.
select j.job_id, j.task, j.state, j.priority, j.attempts, j.tenant_id, j.user_id, j.scope, j.session_id, j.memory_id,
       j.due_in, f.reason,
       extract(epoch from now() - seen.born)::float8 as age,
       extract(epoch from now() - seen.changed)::float8 as since,
       j.total
from (
    select q.*, count(*) over () as total
    from (
        select id as job_id, task_name as task, priority, attempts,
               case when status = 'failed' then 'dead'
                    when status = 'doing' then 'running'
                    when queue_name = 'upkeep' and scheduled_at > now() then 'planned'
                    else 'waiting' end as state,
               (args ->> 'tenant_id')::uuid as tenant_id, (args ->> 'user_id')::uuid as user_id, args ->> 'scope' as scope,
               (args ->> 'session_id')::uuid as session_id, (args ->> 'memory_id')::uuid as memory_id,
               greatest(extract(epoch from scheduled_at - now()), 0)::float8 as due_in
        from queue.procrastinate_jobs
        where queue_name in ('corrections', 'evolution', 'upkeep') and status in ('todo', 'doing', 'failed')
          and (%(job_id)s::bigint is null or id = %(job_id)s)
    ) q
    where %(state)s::text is null or q.state = %(state)s
    order by array_position(array['running', 'waiting', 'planned', 'dead'], q.state), q.priority desc, q.job_id
    limit %(most)s
) j
cross join lateral (
    select min(e.at) filter (where e.type = 'deferred') as born, max(e.at) filter (where e.type <> 'scheduled') as changed
    from queue.procrastinate_events e
    where e.job_id = j.job_id
) seen
left join queue.job_failures f on f.job_id = j.job_id
order by array_position(array['running', 'waiting', 'planned', 'dead'], j.state), j.priority desc, j.job_id;

-- name: operations_of_session
-- What became of the turns that a job looks at, so many of the last ones.
select operation_id, status, reason, memory_ids, created_at, finished_at
from brain.operations
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and session_id = %(session_id)s
  and status in ('queued', 'dead_letter')
order by created_at desc, operation_id desc
limit %(most)s;

-- name: replay_job
-- Put a dead letter back in the place that its number gives it among the jobs of its person, with all its tries. When a
-- job that does the same waits already, that one stands for both.
with dead as (
    select j.id, exists (select from queue.procrastinate_jobs w
                         where w.queueing_lock = j.queueing_lock and w.status = 'todo') as stood_for
    from queue.procrastinate_jobs j
    where j.id = %(job_id)s and j.status = 'failed'
    for update
),
gone as (
    delete from queue.procrastinate_jobs j using dead where j.id = dead.id and dead.stood_for returning j.id
),
again as (
    update queue.procrastinate_jobs j
    set status = 'todo', attempts = 0, scheduled_at = null,
        args = case when j.args ? 'attempt' then j.args || '{"attempt": 0}' else j.args end
    from dead
    where j.id = dead.id and not dead.stood_for
    returning j.id
)
select id as job_id from gone union all select id from again;

-- name: note_failure
-- Why a job failed the last time: a code, never what was said; gone with the job. What will be tried again must not stand in the way of a
-- job that waits under the same queueing lock meanwhile.
with freed as (
    update queue.procrastinate_jobs set queueing_lock = null where id = %(job_id)s and queueing_lock is not null
)
insert into queue.job_failures (job_id, reason, failed_at)
values (%(job_id)s, %(reason)s, now())
on conflict (job_id) do update set reason = excluded.reason, failed_at = excluded.failed_at;
