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
