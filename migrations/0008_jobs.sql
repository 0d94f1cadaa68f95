-- Why a job of the queue failed the last time: a code, never what was said. The queue's own tables keep no reason, and
-- are made after these migrations; so nothing refers to them, and whoever ends a job clears its row.
create table if not exists queue.job_failures (
    job_id bigint primary key,
    reason text not null,
    failed_at timestamptz not null
);
