-- LangGraph's own tables, in the schema of its saver. Across tenants they are read by functions of one purpose each
-- (migrations 0024 and 0037); what is done for a caller runs under the caller's row-level security.
-- Checkpoint ids are UUIDv6, so "older" is a comparison of text. The values of a checkpoint lie in checkpoint_blobs,
-- where its successors share them: a value goes only together with the last checkpoint that names it.

-- name: thread_owner
-- Whose checkpoints a thread has.
select tenant, owner from checkpoint.thread_owner(%(thread_id)s);

-- name: recent_threads
-- The threads that were used last, with what a server must know to serve them again.
select thread_id, graph_id, assistant_id, tenant, owner from checkpoint.recent_threads(%(limit)s);

-- name: idle_threads
-- Threads that nobody touched since a moment, and that hold more than their newest state.
select tenant_id, thread_id from checkpoint.idle_threads(%(before)s, %(limit)s);

-- name: long_threads
-- Threads with more checkpoints of their own (not of a subgraph) than are kept.
select tenant_id, thread_id from checkpoint.long_threads(%(kept)s, %(limit)s);

-- name: shorten_thread
-- Drop what a thread of the caller's tenant has beyond its newest checkpoints, oldest first, at most a batch at a time.
select checkpoints, writes, blobs from checkpoint.shorten_thread(%(thread_id)s, %(kept)s, %(batch)s);

-- name: drop_runs
-- Undo what cancelled runs saved. The server names the runs and nobody else.
select checkpoint.drop_runs(%(run_ids)s);

-- name: act_for_tenant
-- Who reads, to the end of the transaction.
select checkpoint.act_for_tenant(%(tenant_id)s::uuid);

-- name: enter_thread
-- Who writes, to the end of the transaction, and to which thread.
select checkpoint.enter_thread(%(tenant_id)s::uuid, %(thread_id)s);

-- name: prune_threads
-- Cut some of the caller's threads back to the newest state of each namespace.
with newest as materialized (
    select distinct on (thread_id, checkpoint_ns) thread_id, checkpoint_ns, checkpoint_id, checkpoint
    from checkpoint.checkpoints
    where thread_id = any(%(thread_ids)s)
    order by thread_id, checkpoint_ns, checkpoint_id desc
), blobs as (
    delete from checkpoint.checkpoint_blobs b
    where b.thread_id = any(%(thread_ids)s)
      and not exists (
          select from newest n
          where (n.thread_id, n.checkpoint_ns) = (b.thread_id, b.checkpoint_ns)
            and n.checkpoint -> 'channel_versions' ->> b.channel = b.version)
), writes as (
    delete from checkpoint.checkpoint_writes w
    where w.thread_id = any(%(thread_ids)s)
      and (w.thread_id, w.checkpoint_ns, w.checkpoint_id)
          not in (select n.thread_id, n.checkpoint_ns, n.checkpoint_id from newest n)
), orphans as (
    update checkpoint.checkpoints c set parent_checkpoint_id = null
    from newest n
    where (c.thread_id, c.checkpoint_ns, c.checkpoint_id) = (n.thread_id, n.checkpoint_ns, n.checkpoint_id)
)
delete from checkpoint.checkpoints c
where c.thread_id = any(%(thread_ids)s)
  and (c.thread_id, c.checkpoint_ns, c.checkpoint_id)
      not in (select n.thread_id, n.checkpoint_ns, n.checkpoint_id from newest n);

-- name: delete_threads
-- All that some of the caller's threads have, and their ids, which anybody may take from then on.
with checkpoints as (
    delete from checkpoint.checkpoints where thread_id = any(%(thread_ids)s)
), blobs as (
    delete from checkpoint.checkpoint_blobs where thread_id = any(%(thread_ids)s)
), writes as (
    delete from checkpoint.checkpoint_writes where thread_id = any(%(thread_ids)s)
)
delete from checkpoint.threads where thread_id = any(%(thread_ids)s);

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
