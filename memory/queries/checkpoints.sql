-- LangGraph's own tables, in the schema of its saver: whose a thread is, which threads exist, and what may be dropped.
-- Checkpoint ids are UUIDv6, so "older" is a comparison of text. The values of a checkpoint lie in checkpoint_blobs,
-- where its successors share them: a value goes only together with the last checkpoint that names it.

-- name: thread_owner
-- Whose checkpoints a thread has. The server stamps both names on every run that a verified person starts.
select metadata ->> 'tenant' as tenant, metadata ->> 'owner' as owner
from checkpoint.checkpoints
where thread_id = %(thread_id)s
order by (metadata ? 'owner') desc
limit 1;

-- name: recent_threads
-- The threads that were used last, with what a server must know to serve them again. Walks from thread to thread
-- along the primary key instead of reading every checkpoint.
with recursive walk as (
    (select c.thread_id from checkpoint.checkpoints c order by c.thread_id limit 1)
    union all
    select (select c.thread_id from checkpoint.checkpoints c where c.thread_id > w.thread_id order by c.thread_id limit 1)
    from walk w where w.thread_id is not null
)
select w.thread_id, newest.metadata ->> 'graph_id' as graph_id, newest.metadata ->> 'assistant_id' as assistant_id,
       whose.metadata ->> 'tenant' as tenant, whose.metadata ->> 'owner' as owner
from walk w
cross join lateral (
    select c.checkpoint_id, c.metadata
    from checkpoint.checkpoints c
    where c.thread_id = w.thread_id and c.checkpoint_ns = '' and c.metadata ? 'graph_id'
    order by c.checkpoint_id desc limit 1
) newest
left join lateral (
    select c.metadata from checkpoint.checkpoints c where c.thread_id = w.thread_id and c.metadata ? 'owner' limit 1
) whose on true
where w.thread_id is not null
order by newest.checkpoint_id desc
limit %(limit)s;

-- name: idle_threads
-- Threads that nobody touched since a moment, given as the id that a checkpoint of that moment would have, and that
-- still hold more than the newest state of each namespace.
select thread_id
from checkpoint.checkpoints
group by thread_id
having max(checkpoint_id) < %(before)s and count(*) > count(distinct checkpoint_ns)
order by thread_id
limit %(limit)s;

-- name: long_threads
-- Threads with more checkpoints of their own (not of a subgraph) than are kept.
select thread_id
from checkpoint.checkpoints
where checkpoint_ns = ''
group by thread_id
having count(*) > %(kept)s
order by thread_id
limit %(limit)s;

-- name: shorten_thread
-- Drop what a thread has beyond its newest checkpoints, oldest first, at most a batch at a time. What subgraphs saved
-- before the oldest kept checkpoint goes too, except the newest state of each namespace: it may still be read.
with oldest_kept as (
    select checkpoint_id
    from checkpoint.checkpoints
    where thread_id = %(thread_id)s and checkpoint_ns = ''
    order by checkpoint_id desc
    offset %(kept)s::int - 1 limit 1
), newest as (
    select checkpoint_ns, max(checkpoint_id) as checkpoint_id
    from checkpoint.checkpoints
    where thread_id = %(thread_id)s
    group by checkpoint_ns
), doomed as materialized (
    select c.checkpoint_ns, c.checkpoint_id, c.checkpoint
    from checkpoint.checkpoints c
    join newest n using (checkpoint_ns)
    where c.thread_id = %(thread_id)s
      and c.checkpoint_id < (select checkpoint_id from oldest_kept)
      and c.checkpoint_id <> n.checkpoint_id
    order by c.checkpoint_id
    limit %(batch)s
), freed as (
    select distinct d.checkpoint_ns, v.key as channel, v.value as version
    from doomed d
    cross join lateral jsonb_each_text(d.checkpoint -> 'channel_versions') v
), held as materialized (
    select distinct c.checkpoint_ns, v.key as channel, v.value as version
    from checkpoint.checkpoints c
    left join doomed d using (checkpoint_ns, checkpoint_id)
    cross join lateral jsonb_each_text(c.checkpoint -> 'channel_versions') v
    where c.thread_id = %(thread_id)s and d.checkpoint_id is null
), blobs as (
    delete from checkpoint.checkpoint_blobs b
    using freed f
    where b.thread_id = %(thread_id)s
      and (b.checkpoint_ns, b.channel, b.version) = (f.checkpoint_ns, f.channel, f.version)
      and not exists (
          select from held h
          where (h.checkpoint_ns, h.channel, h.version) = (f.checkpoint_ns, f.channel, f.version))
    returning 1
), writes as (
    delete from checkpoint.checkpoint_writes w
    using doomed d
    where w.thread_id = %(thread_id)s and (w.checkpoint_ns, w.checkpoint_id) = (d.checkpoint_ns, d.checkpoint_id)
    returning 1
), orphans as (
    update checkpoint.checkpoints c
    set parent_checkpoint_id = null
    from doomed d
    where c.thread_id = %(thread_id)s
      and (c.checkpoint_ns, c.parent_checkpoint_id) = (d.checkpoint_ns, d.checkpoint_id)
      and not exists (
          select from doomed o where (o.checkpoint_ns, o.checkpoint_id) = (c.checkpoint_ns, c.checkpoint_id))
), checkpoints as (
    delete from checkpoint.checkpoints c
    using doomed d
    where c.thread_id = %(thread_id)s and (c.checkpoint_ns, c.checkpoint_id) = (d.checkpoint_ns, d.checkpoint_id)
    returning 1
)
select (select count(*) from checkpoints) as checkpoints, (select count(*) from writes) as writes,
       (select count(*) from blobs) as blobs;

-- name: drop_runs
-- Undo what cancelled runs saved, with the values that no other checkpoint of the thread shares.
with doomed as materialized (
    select thread_id, checkpoint_ns, checkpoint_id, checkpoint
    from checkpoint.checkpoints
    where metadata ->> 'run_id' = any(%(run_ids)s)
), freed as (
    select distinct d.thread_id, d.checkpoint_ns, v.key as channel, v.value as version
    from doomed d
    cross join lateral jsonb_each_text(d.checkpoint -> 'channel_versions') v
), held as materialized (
    select distinct c.thread_id, c.checkpoint_ns, v.key as channel, v.value as version
    from checkpoint.checkpoints c
    left join doomed d using (thread_id, checkpoint_ns, checkpoint_id)
    cross join lateral jsonb_each_text(c.checkpoint -> 'channel_versions') v
    where c.thread_id in (select thread_id from doomed) and d.checkpoint_id is null
), blobs as (
    delete from checkpoint.checkpoint_blobs b
    using freed f
    where (b.thread_id, b.checkpoint_ns, b.channel, b.version) = (f.thread_id, f.checkpoint_ns, f.channel, f.version)
      and not exists (
          select from held h
          where (h.thread_id, h.checkpoint_ns, h.channel, h.version)
              = (f.thread_id, f.checkpoint_ns, f.channel, f.version))
), writes as (
    delete from checkpoint.checkpoint_writes w
    using doomed d
    where (w.thread_id, w.checkpoint_ns, w.checkpoint_id) = (d.thread_id, d.checkpoint_ns, d.checkpoint_id)
)
delete from checkpoint.checkpoints c
using doomed d
where (c.thread_id, c.checkpoint_ns, c.checkpoint_id) = (d.thread_id, d.checkpoint_ns, d.checkpoint_id);

-- name: copy_thread
-- Give a new thread everything that another has; a checkpoint's metadata names its thread as well.
with blobs as (
    insert into checkpoint.checkpoint_blobs (thread_id, checkpoint_ns, channel, version, type, blob)
    select %(target)s::text, checkpoint_ns, channel, version, type, blob
    from checkpoint.checkpoint_blobs where thread_id = %(source)s
), writes as (
    insert into checkpoint.checkpoint_writes
        (thread_id, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path)
    select %(target)s::text, checkpoint_ns, checkpoint_id, task_id, idx, channel, type, blob, task_path
    from checkpoint.checkpoint_writes where thread_id = %(source)s
)
insert into checkpoint.checkpoints
    (thread_id, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint, metadata)
select %(target)s::text, checkpoint_ns, checkpoint_id, parent_checkpoint_id, type, checkpoint,
       case when metadata ? 'thread_id'
            then jsonb_set(metadata, '{thread_id}', to_jsonb(%(target)s::text)) else metadata end
from checkpoint.checkpoints where thread_id = %(source)s;
