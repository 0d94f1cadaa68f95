-- name: jobs_listed
-- The queue as an operator sees it: running first, then waiting in the order in which workers take them, then planned,
-- then given up. Belongs to the installation, not to a tenant; a job carries ids only. The words for its state are
-- those of ``queue_health``, so that both count alike. Ages in seconds.
select job_id, task, state, priority, attempts, tenant_id, user_id, scope, session_id, memory_id, due_in, reason, age, since,
       total
from queue.list_jobs(%(job_id)s::bigint, %(state)s::text, %(most)s::integer);

-- name: operations_of_session
-- What became of the turns that a job looks at, so many of the last ones.
select operation_id, status, reason, memory_ids, created_at, finished_at
from brain.operations
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and session_id = %(session_id)s
  and status in ('queued', 'dead_letter')
order by created_at desc, operation_id desc
limit %(most)s;

-- name: follow_clock
-- Nothing waits for a time that a clock which was set back has left in the future.
select queue.follow_clock();

-- name: replay_job
-- Put a dead letter back in the place that its number gives it among the jobs of its person, with all its tries. When a
-- job that does the same waits already, that one stands for both.
select job_id from queue.replay_job(%(job_id)s::bigint);

-- name: note_failure
-- Why a job failed the last time: a code, never what was said; gone with the job. What will be tried again must not stand
-- in the way of a job that waits under the same queueing lock meanwhile.
select queue.note_failure(%(job_id)s::bigint, %(reason)s::text);
