-- Each thread belongs to the tenant whose conversation it is. Threads of "brain serve" and of the terminal were all kept under
-- the tenant "local", whoever had signed in. What keeps threads in order reaches those of one tenant at a time.

-- Such a thread has the id of its session, which names tenant and person; where the session is gone, the exchanges of a chat
-- client name both beside the thread's checkpoints. What neither knows stays where it is. The checkpoints say from now on
-- whose they are, as those of the agent server do. One statement: foreign keys are checked when all of it has moved.
alter table brain.sessions no force row level security;
alter table brain.chat_exchanges no force row level security;
alter table brain.names no force row level security;

with places (checkpoint_id, tenant_id, user_id) as (
    select checkpoint, tenant_id, user_id from brain.chat_exchanges
    union select parent_checkpoint, tenant_id, user_id from brain.chat_exchanges
), records as (
    select session_id::text as thread_id, tenant_id, user_id, 1 as rank from brain.sessions
    union all
    select c.thread_id, p.tenant_id, p.user_id, 2 from checkpoint.checkpoints c join places p using (checkpoint_id)
), owners as materialized (
    select distinct on (r.thread_id) r.thread_id, r.tenant_id, r.user_id
    from records r
    join checkpoint.threads t using (thread_id)
    where t.tenant_id = '8a661eeb-3717-555f-a61f-ba30761344c1'
    order by r.thread_id, r.rank
), threads as (
    update checkpoint.threads t set tenant_id = o.tenant_id from owners o where o.thread_id = t.thread_id
), blobs as (
    update checkpoint.checkpoint_blobs b set tenant_id = o.tenant_id from owners o where o.thread_id = b.thread_id
), writes as (
    update checkpoint.checkpoint_writes w set tenant_id = o.tenant_id from owners o where o.thread_id = w.thread_id
)
update checkpoint.checkpoints c
set tenant_id = o.tenant_id,
    metadata = c.metadata || jsonb_strip_nulls(jsonb_build_object('tenant', tenant.name, 'owner', person.name))
from owners o
left join brain.names tenant on tenant.tenant_id = o.tenant_id and tenant.name_id = o.tenant_id and tenant.kind = 'tenant'
left join brain.names person on person.tenant_id = o.tenant_id and person.name_id = o.user_id and person.kind = 'user'
where o.thread_id = c.thread_id;

alter table brain.sessions force row level security;
alter table brain.chat_exchanges force row level security;
alter table brain.names force row level security;

-- As before, but a session that acts for a tenant is told of that tenant's threads alone.
create or replace function checkpoint.recent_threads(most integer) returns table (thread_id text, graph_id text, assistant_id text, tenant text, owner text)
language sql stable security definer set search_path = checkpoint, brain, pg_temp
as $$
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
          and queue.is_visible(c.tenant_id)
        order by c.checkpoint_id desc limit 1
    ) newest
    left join lateral (
        select c.metadata from checkpoint.checkpoints c where c.thread_id = w.thread_id and c.metadata ? 'owner' limit 1
    ) whose on true
    where w.thread_id is not null
    order by newest.checkpoint_id desc
    limit recent_threads.most
$$;

-- As before, with the tenant in whose name a thread can be shortened.
drop function checkpoint.idle_threads(text, integer);
create function checkpoint.idle_threads(before text, most integer) returns table (tenant_id uuid, thread_id text)
language sql stable security definer set search_path = checkpoint, brain, pg_temp
as $$
    select tenant_id, thread_id
    from checkpoint.checkpoints
    where queue.is_visible(tenant_id)
    group by tenant_id, thread_id
    having max(checkpoint_id) < idle_threads.before and count(*) > count(distinct checkpoint_ns)
    order by thread_id
    limit idle_threads.most
$$;

drop function checkpoint.long_threads(integer, integer);
create function checkpoint.long_threads(kept integer, most integer) returns table (tenant_id uuid, thread_id text)
language sql stable security definer set search_path = checkpoint, brain, pg_temp
as $$
    select tenant_id, thread_id
    from checkpoint.checkpoints
    where checkpoint_ns = '' and queue.is_visible(tenant_id)
    group by tenant_id, thread_id
    having count(*) > long_threads.kept
    order by thread_id
    limit long_threads.most
$$;

-- By the caller's own row-level security: a thread of another tenant has nothing that could be dropped.
alter function checkpoint.shorten_thread(text, integer, integer) security invoker;
