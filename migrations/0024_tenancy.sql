-- Tenancy forced under LangGraph's tables: every row of a thread bears the tenant of the session that wrote it, and a thread
-- belongs to one tenant. What keeps the tables in order across tenants are functions of one purpose each, which run as the
-- owner of the tables; the application cannot read or change another tenant's rows in any other way.

-- Whose a thread is. Its id is taken for as long as it has rows; a session of another tenant cannot write under it.
create table checkpoint.threads (
    tenant_id uuid not null default brain.current_tenant(),
    thread_id text not null unique,
    primary key (tenant_id, thread_id)
);

-- SHA-1, for the ids of tenants below: PostgreSQL has none of its own.
create function pg_temp.sha1(message bytea) returns bytea
language plpgsql
as $$
declare
    padded bytea := message || '\x80'::bytea;
    mask constant bigint := 4294967295;
    h bigint[] := array[1732584193, 4023233417, 2562383102, 271733878, 3285377520]::bigint[];
    w bigint[];
    a bigint; b bigint; c bigint; d bigint; e bigint; f bigint; k bigint; t bigint;
begin
    padded := padded || decode(repeat('00', (119 - length(message) % 64) % 64), 'hex') || int8send(length(message) * 8::bigint);
    for chunk in 0 .. length(padded) / 64 - 1 loop
        for i in 0 .. 15 loop
            w[i] := get_byte(padded, chunk * 64 + i * 4) * 16777216::bigint + get_byte(padded, chunk * 64 + i * 4 + 1) * 65536
                    + get_byte(padded, chunk * 64 + i * 4 + 2) * 256 + get_byte(padded, chunk * 64 + i * 4 + 3);
        end loop;
        for i in 16 .. 79 loop
            t := w[i - 3] # w[i - 8] # w[i - 14] # w[i - 16];
            w[i] := ((t << 1) | (t >> 31)) & mask;
        end loop;
        a := h[1]; b := h[2]; c := h[3]; d := h[4]; e := h[5];
        for i in 0 .. 79 loop
            if i < 20 then f := (b & c) | ((b # mask) & d); k := 1518500249;
            elsif i < 40 then f := b # c # d; k := 1859775393;
            elsif i < 60 then f := (b & c) | (b & d) | (c & d); k := 2400959708;
            else f := b # c # d; k := 3395469782;
            end if;
            t := ((((a << 5) | (a >> 27)) & mask) + f + e + k + w[i]) & mask;
            e := d; d := c; c := ((b << 30) | (b >> 2)) & mask; b := a; a := t;
        end loop;
        h := array[(h[1] + a) & mask, (h[2] + b) & mask, (h[3] + c) & mask, (h[4] + d) & mask, (h[5] + e) & mask];
    end loop;
    return decode(lpad(to_hex(h[1]), 8, '0') || lpad(to_hex(h[2]), 8, '0') || lpad(to_hex(h[3]), 8, '0')
                  || lpad(to_hex(h[4]), 8, '0') || lpad(to_hex(h[5]), 8, '0'), 'hex');
end $$;

-- The id that a tenant's name has everywhere in Brain: UUIDv5.
create function pg_temp.tenant_of(name text) returns uuid
language sql
as $$
    select encode(set_byte(set_byte(d, 6, (get_byte(d, 6) & 15) | 80), 8, (get_byte(d, 8) & 63) | 128), 'hex')::uuid
    from substr(pg_temp.sha1(decode(replace('e9e029fb-c1f6-56f3-b47d-0642a2e57d6c', '-', ''), 'hex')
                             || convert_to('tenant' || chr(31) || name, 'utf8')), 1, 16) as digest (d)
$$;

-- Threads that a verified person began name their tenant; those of jobs are of whose job it is; all others began without
-- sign-in, where everybody is of the tenant "local".
with named as (
    select thread_id, min(metadata ->> 'tenant') as name
    from checkpoint.checkpoints where metadata ->> 'tenant' <> '' group by thread_id
), known as (
    select thread_id from checkpoint.checkpoints union select thread_id from checkpoint.checkpoint_blobs
    union select thread_id from checkpoint.checkpoint_writes
), tenants as materialized (
    select name, pg_temp.tenant_of(name) as tenant_id
    from (select distinct name from named union select 'local') names
)
insert into checkpoint.threads (tenant_id, thread_id)
select coalesce((select (j.args ->> 'tenant_id')::uuid from queue.procrastinate_jobs j
                 where k.thread_id = 'evolution:' || j.id),
                (select tenant_id from tenants where name = coalesce(n.name, 'local'))), k.thread_id
from known k left join named n using (thread_id);

do $$
declare
    target text;
begin
    foreach target in array array['checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] loop
        execute format('alter table checkpoint.%I add column tenant_id uuid default brain.current_tenant()', target);
        execute format('update checkpoint.%I c set tenant_id = t.tenant_id from checkpoint.threads t'
                       ' where t.thread_id = c.thread_id', target);
        execute format('alter table checkpoint.%I alter column tenant_id set not null,'
                       ' add foreign key (tenant_id, thread_id) references checkpoint.threads (tenant_id, thread_id)', target);
    end loop;
    foreach target in array array['threads', 'checkpoints', 'checkpoint_blobs', 'checkpoint_writes'] loop
        execute format('call brain.secure_tenant(%L)', 'checkpoint.' || target);
        execute format('create policy maintenance on checkpoint.%I using ((select brain.acts_as_owner()))'
                       ' with check ((select brain.acts_as_owner()))', target);
    end loop;
end $$;

-- Begin to write a thread: says who writes to the end of the transaction, and makes a new thread theirs. Refuses the thread
-- of another tenant, whose rows a conflict would otherwise drop in silence.
create function checkpoint.enter_thread(of_tenant uuid, of_thread text) returns void
language plpgsql set search_path = checkpoint, pg_temp
as $$
begin
    perform set_config('brain.tenant_id', of_tenant::text, true);
    if exists (select from threads where tenant_id = of_tenant and thread_id = of_thread) then
        return;
    end if;
    insert into threads (tenant_id, thread_id) values (of_tenant, of_thread) on conflict (thread_id) do nothing;
    if not exists (select from threads where tenant_id = of_tenant and thread_id = of_thread) then
        raise insufficient_privilege using message = 'the thread belongs to another tenant';
    end if;
end $$;

-- Whose checkpoints a thread has. The server stamps both names on every run that a verified person starts.
create function checkpoint.thread_owner(of_thread text) returns table (tenant text, owner text)
language sql stable security definer set search_path = checkpoint, brain, pg_temp
as $$
    select metadata ->> 'tenant' as tenant, metadata ->> 'owner' as owner
    from checkpoint.checkpoints
    where thread_id = thread_owner.of_thread
    order by (metadata ? 'owner') desc
    limit 1
$$;

-- The threads that were used last, with what a server must know to serve them again. Walks from thread to thread
-- along the primary key instead of reading every checkpoint.
create function checkpoint.recent_threads(most integer) returns table (thread_id text, graph_id text, assistant_id text, tenant text, owner text)
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
        order by c.checkpoint_id desc limit 1
    ) newest
    left join lateral (
        select c.metadata from checkpoint.checkpoints c where c.thread_id = w.thread_id and c.metadata ? 'owner' limit 1
    ) whose on true
    where w.thread_id is not null
    order by newest.checkpoint_id desc
    limit recent_threads.most
$$;

-- Threads that nobody touched since a moment, given as the id that a checkpoint of that moment would have, and that
-- still hold more than the newest state of each namespace.
create function checkpoint.idle_threads(before text, most integer) returns table (thread_id text)
language sql stable security definer set search_path = checkpoint, brain, pg_temp
as $$
    select thread_id
    from checkpoint.checkpoints
    group by thread_id
    having max(checkpoint_id) < idle_threads.before and count(*) > count(distinct checkpoint_ns)
    order by thread_id
    limit idle_threads.most
$$;

-- Threads with more checkpoints of their own (not of a subgraph) than are kept.
create function checkpoint.long_threads(kept integer, most integer) returns table (thread_id text)
language sql stable security definer set search_path = checkpoint, brain, pg_temp
as $$
    select thread_id
    from checkpoint.checkpoints
    where checkpoint_ns = ''
    group by thread_id
    having count(*) > long_threads.kept
    order by thread_id
    limit long_threads.most
$$;

-- Drop what a thread has beyond its newest checkpoints, oldest first, at most a batch at a time. What subgraphs saved
-- before the oldest kept checkpoint goes too, except the newest state of each namespace: it may still be read.
create function checkpoint.shorten_thread(of_thread text, kept integer, batch integer) returns table (checkpoints bigint, writes bigint, blobs bigint)
language sql security definer set search_path = checkpoint, brain, pg_temp
as $$
    with oldest_kept as (
        select checkpoint_id
        from checkpoint.checkpoints
        where thread_id = shorten_thread.of_thread and checkpoint_ns = ''
        order by checkpoint_id desc
        offset shorten_thread.kept::int - 1 limit 1
    ), newest as (
        select checkpoint_ns, max(checkpoint_id) as checkpoint_id
        from checkpoint.checkpoints
        where thread_id = shorten_thread.of_thread
        group by checkpoint_ns
    ), doomed as materialized (
        select c.checkpoint_ns, c.checkpoint_id, c.checkpoint
        from checkpoint.checkpoints c
        join newest n using (checkpoint_ns)
        where c.thread_id = shorten_thread.of_thread
          and c.checkpoint_id < (select checkpoint_id from oldest_kept)
          and c.checkpoint_id <> n.checkpoint_id
        order by c.checkpoint_id
        limit shorten_thread.batch
    ), freed as (
        select distinct d.checkpoint_ns, v.key as channel, v.value as version
        from doomed d
        cross join lateral jsonb_each_text(d.checkpoint -> 'channel_versions') v
    ), held as materialized (
        select distinct c.checkpoint_ns, v.key as channel, v.value as version
        from checkpoint.checkpoints c
        left join doomed d using (checkpoint_ns, checkpoint_id)
        cross join lateral jsonb_each_text(c.checkpoint -> 'channel_versions') v
        where c.thread_id = shorten_thread.of_thread and d.checkpoint_id is null
    ), blobs as (
        delete from checkpoint.checkpoint_blobs b
        using freed f
        where b.thread_id = shorten_thread.of_thread
          and (b.checkpoint_ns, b.channel, b.version) = (f.checkpoint_ns, f.channel, f.version)
          and not exists (
              select from held h
              where (h.checkpoint_ns, h.channel, h.version) = (f.checkpoint_ns, f.channel, f.version))
        returning 1
    ), writes as (
        delete from checkpoint.checkpoint_writes w
        using doomed d
        where w.thread_id = shorten_thread.of_thread and (w.checkpoint_ns, w.checkpoint_id) = (d.checkpoint_ns, d.checkpoint_id)
        returning 1
    ), orphans as (
        update checkpoint.checkpoints c
        set parent_checkpoint_id = null
        from doomed d
        where c.thread_id = shorten_thread.of_thread
          and (c.checkpoint_ns, c.parent_checkpoint_id) = (d.checkpoint_ns, d.checkpoint_id)
          and not exists (
              select from doomed o where (o.checkpoint_ns, o.checkpoint_id) = (c.checkpoint_ns, c.checkpoint_id))
    ), checkpoints as (
        delete from checkpoint.checkpoints c
        using doomed d
        where c.thread_id = shorten_thread.of_thread and (c.checkpoint_ns, c.checkpoint_id) = (d.checkpoint_ns, d.checkpoint_id)
        returning 1
    )
    select (select count(*) from checkpoints) as checkpoints, (select count(*) from writes) as writes,
           (select count(*) from blobs) as blobs
$$;

-- Undo what cancelled runs saved, with the values that no other checkpoint of the thread shares.
create function checkpoint.drop_runs(run_ids text[]) returns void
language sql security definer set search_path = checkpoint, brain, pg_temp
as $$
    with doomed as materialized (
        select thread_id, checkpoint_ns, checkpoint_id, checkpoint
        from checkpoint.checkpoints
        where metadata ->> 'run_id' = any(drop_runs.run_ids)
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
    where (c.thread_id, c.checkpoint_ns, c.checkpoint_id) = (d.thread_id, d.checkpoint_ns, d.checkpoint_id)
$$;
