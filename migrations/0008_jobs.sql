-- What the queue's own tables lack.

-- Why a job failed the last time: a code, never what was said. Gone with its job.
create table queue.job_failures (
    job_id bigint primary key references queue.procrastinate_jobs (id) on delete cascade,
    reason text not null,
    failed_at timestamptz not null
);

-- Whoever looks for work skips every job whose person has an earlier one. Without this each of them is compared with all
-- others of that person: a thousand waiting sessions of one person cost everybody 200 ms at every look.
create index jobs_of_a_lock on queue.procrastinate_jobs (lock, priority desc, id) where status in ('todo', 'doing');

-- The queue tells its workers of new jobs only. A person's jobs wait for each other, so the end of one is news as well:
-- without it the next one would begin at the worker's next look.
create function queue.announce_next_job() returns trigger
language plpgsql
as $$
begin
    if exists (select from queue.procrastinate_jobs j
               where j.lock = old.lock and j.status = 'todo' and (j.scheduled_at is null or j.scheduled_at <= now())) then
        perform pg_notify('procrastinate_queue_v1#' || old.queue_name,
                          json_build_object('type', 'job_inserted', 'job_id', old.id)::text);
    end if;
    return null;
end $$;
create trigger announce_next_job after delete or update of status on queue.procrastinate_jobs
    for each row when (old.status = 'doing' and old.lock is not null)
    execute function queue.announce_next_job();
