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

-- The queue. A job names its tenant among its arguments, so the column follows them; what belongs to nobody, such as tidying
-- the checkpoints, has none.
alter table queue.procrastinate_jobs
    add column tenant_id uuid generated always as ((args ->> 'tenant_id')::uuid) stored;
alter table queue.accepted_turns alter column tenant_id set default brain.current_tenant();

-- Whether a row of the queue may be reached: a tenant's own always; by the functions below all, unless the session has said
-- for which tenant it acts. A worker has not; a turn that enqueues its job has, and reaches nobody else's through them either.
create policy own_tenant on queue.procrastinate_jobs
    using (tenant_id = (select brain.current_tenant())
           or (select brain.acts_as_owner()) and (select brain.current_tenant()) is null);
create policy own_tenant on queue.accepted_turns
    using (tenant_id = (select brain.current_tenant())
           or (select brain.acts_as_owner()) and (select brain.current_tenant()) is null);
create policy of_own_job on queue.procrastinate_events
    using (exists (select from queue.procrastinate_jobs j where j.id = job_id));
create policy of_own_job on queue.job_failures
    using (exists (select from queue.procrastinate_jobs j where j.id = job_id));
create policy maintenance on queue.procrastinate_workers using ((select brain.acts_as_owner()));
create policy maintenance on queue.procrastinate_periodic_defers using ((select brain.acts_as_owner()));

do $$
declare
    target regclass;
    used regprocedure;
begin
    for target in select oid from pg_class where relnamespace = 'queue'::regnamespace and relkind = 'r' loop
        execute format('alter table %s enable row level security', target);
        execute format('alter table %s force row level security', target);
    end loop;
    -- By which a worker takes jobs, ends them and signs in, and by which jobs are asked for.
    for used in
        select oid from pg_proc
        where pronamespace = 'queue'::regnamespace
          and proname in ('procrastinate_defer_jobs_v1', 'procrastinate_defer_periodic_job_v2', 'procrastinate_fetch_job_v2',
                          'procrastinate_finish_job_v1', 'procrastinate_cancel_job_v1', 'procrastinate_retry_job_v1',
                          'procrastinate_retry_job_v2', 'procrastinate_register_worker_v1',
                          'procrastinate_unregister_worker_v1', 'procrastinate_update_heartbeat_v1',
                          'procrastinate_prune_stalled_workers_v1')
    loop
        execute format('alter function %s security definer set search_path = queue, brain, pg_temp', used);
    end loop;
end $$;

-- The owner may be a superuser, whom no policy binds: this holds for the functions above as well. A session that has said for
-- which tenant it acts asks for, changes and ends that tenant's jobs only.
create function queue.require_own_job() returns trigger
language plpgsql
as $$
declare
    acting constant text := brain.current_tenant();
begin
    if acting is not null and ((tg_op <> 'INSERT' and old.args ->> 'tenant_id' is distinct from acting)
                               or (tg_op <> 'DELETE' and new.args ->> 'tenant_id' is distinct from acting)) then
        raise insufficient_privilege using message = 'the job belongs to another tenant';
    end if;
    if tg_op = 'DELETE' then
        return old;
    end if;
    return new;
end $$;
create trigger require_own_job before insert or update or delete on queue.procrastinate_jobs
    for each row execute function queue.require_own_job();

-- Whether the session may know of a row of this tenant: it acts for that tenant, or for none.
create function queue.is_visible(of_tenant uuid) returns boolean
language sql stable parallel safe
as $$ select brain.current_tenant() is null or of_tenant = brain.current_tenant() $$;

-- What the queue's library asks with statements of its own.
create function queue.stalled_jobs(seconds double precision, of_queue text, of_task text) returns setof queue.procrastinate_jobs
language sql stable security definer set search_path = queue, brain, pg_temp
as $$
    select j.* from queue.procrastinate_jobs j
    where j.status = 'doing' and queue.is_visible(j.tenant_id)
      and (of_queue is null or j.queue_name = of_queue) and (of_task is null or j.task_name = of_task)
      and not exists (select from queue.procrastinate_workers w
                      where w.id = j.worker_id and w.last_heartbeat >= now() - make_interval(secs => seconds))
$$;

create function queue.jobs_to_abort(of_queue text) returns table (id bigint)
language sql stable security definer set search_path = queue, brain, pg_temp
as $$
    select j.id from queue.procrastinate_jobs j
    where j.status = 'doing' and j.abort_requested and queue.is_visible(j.tenant_id) and (of_queue is null or j.queue_name = of_queue)
$$;

-- The queue as an operator sees it: running first, then waiting in the order in which workers take them, then planned,
-- then given up. Belongs to the installation, not to a tenant; a job carries ids only. The words for its state are
-- those of ``queue_health``, so that both count alike. Ages in seconds.
create function queue.list_jobs(of_job bigint, of_state text, most integer) returns table (job_id bigint, task text, state text, priority integer, attempts integer, tenant_id uuid, user_id uuid, scope text, session_id uuid, memory_id uuid, due_in double precision, reason text, age double precision, since double precision, total bigint)
language sql stable security definer set search_path = queue, brain, pg_temp
as $$
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
              and queue.is_visible(procrastinate_jobs.tenant_id) and (list_jobs.of_job is null or id = list_jobs.of_job)
        ) q
        where list_jobs.of_state is null or q.state = list_jobs.of_state
        order by array_position(array['running', 'waiting', 'planned', 'dead'], q.state), q.priority desc, q.job_id
        limit list_jobs.most
    ) j
    cross join lateral (
        select min(e.at) filter (where e.type = 'deferred') as born, max(e.at) filter (where e.type <> 'scheduled') as changed
        from queue.procrastinate_events e
        where e.job_id = j.job_id
    ) seen
    left join queue.job_failures f on f.job_id = j.job_id
    order by array_position(array['running', 'waiting', 'planned', 'dead'], j.state), j.priority desc, j.job_id
$$;

-- Put a dead letter back in the place that its number gives it among the jobs of its person, with all its tries. When a
-- job that does the same waits already, that one stands for both.
create function queue.replay_job(of_job bigint) returns table (job_id bigint)
language sql security definer set search_path = queue, brain, pg_temp
as $$
    with dead as (
        select j.id, exists (select from queue.procrastinate_jobs w
                             where w.queueing_lock = j.queueing_lock and w.status = 'todo') as stood_for
        from queue.procrastinate_jobs j
        where j.id = replay_job.of_job and j.status = 'failed'
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
    select id as job_id from gone union all select id from again
$$;

-- Why a job failed the last time: a code, never what was said; gone with the job. What will be tried again must not stand in the way of a
-- job that waits under the same queueing lock meanwhile.
create function queue.note_failure(of_job bigint, why text) returns void
language sql security definer set search_path = queue, brain, pg_temp
as $$
    with freed as (
        update queue.procrastinate_jobs set queueing_lock = null where id = note_failure.of_job and queueing_lock is not null
    )
    insert into queue.job_failures (job_id, reason, failed_at)
    select id, note_failure.why, now() from queue.procrastinate_jobs
    where id = note_failure.of_job and queue.is_visible(tenant_id)
    on conflict (job_id) do update set reason = excluded.reason, failed_at = excluded.failed_at
$$;

-- A job that will be tried again must not stand in the way of the one that waits meanwhile.
create function queue.free_queueing_lock(of_job bigint) returns void
language sql security definer set search_path = queue, brain, pg_temp
as $$
    update queue.procrastinate_jobs set queueing_lock = null where id = free_queueing_lock.of_job and queueing_lock is not null
$$;

-- How the work behind the conversation stands: for a person who asks and for an alarm. Belongs to the installation,
-- not to a tenant. Age in seconds of the job that has waited longest since it was due, among the first thousand: the
-- very first may just have become due again. Dead letters are jobs that gave up. Upkeep that is due another day does
-- not wait yet; what is tried again in some seconds does. A worker signs in twice: it keeps places for corrections.
create function queue.health() returns table (waiting bigint, running bigint, dead_letters bigint, oldest_seconds double precision, workers bigint)
language sql stable security definer set search_path = queue, brain, pg_temp
as $$
    select count(*) filter (where status = 'todo' and not (queue_name = 'upkeep' and coalesce(scheduled_at > now(), false)))
               as waiting,
           count(*) filter (where status = 'doing') as running,
           count(*) filter (where status = 'failed') as dead_letters,
           coalesce((select max(extract(epoch from now() - greatest(e.at, first.scheduled_at)))::float8
                     from (select id, scheduled_at from queue.procrastinate_jobs
                           where status = 'todo' and (scheduled_at is null or scheduled_at <= now())
                           order by id
                           limit 1000) first
                     join queue.procrastinate_events e on e.job_id = first.id and e.type = 'deferred'), 0) as oldest_seconds,
           (select (count(*) + 1) / 2 from queue.procrastinate_workers
            where last_heartbeat > now() - interval '30 seconds') as workers
    from queue.procrastinate_jobs
    where queue_name in ('corrections', 'evolution', 'upkeep') and status in ('todo', 'doing', 'failed')
$$;

-- How many sessions' jobs wait for a worker: of one tenant, and of everybody. The queue belongs to the installation.
create function queue.backlog(of_tenant uuid, most integer) returns table (tenant bigint, everybody bigint)
language sql stable security definer set search_path = queue, brain, pg_temp
as $$
    select count(*) filter (where w.tenant_id = backlog.of_tenant) as tenant, count(*) as everybody
    from (
        select tenant_id
        from queue.procrastinate_jobs
        where status = 'todo' and task_name = 'evolve'
        limit backlog.most
    ) w
$$;

-- Whose turns these runs brought.
create function queue.turns_of_runs(run_ids text[]) returns table (run_id text, tenant_id uuid, operation_id uuid, scope text, user_id uuid, session_id uuid)
language sql stable security definer set search_path = queue, brain, pg_temp
as $$
    select run_id, tenant_id, operation_id, scope, user_id, session_id
    from queue.accepted_turns
    where run_id = any(turns_of_runs.run_ids) and run_id <> ''
      and queue.is_visible(tenant_id)
    limit 1000
$$;

-- Turns that were accepted before a moment, for somebody who sweeps up. Belongs to the installation; ids only.
create function queue.abandoned_turns(before timestamptz, most integer) returns table (run_id text, tenant_id uuid, operation_id uuid, scope text, user_id uuid, session_id uuid)
language sql stable security definer set search_path = queue, brain, pg_temp
as $$
    select run_id, tenant_id, operation_id, scope, user_id, session_id
    from queue.accepted_turns
    where accepted_at <= abandoned_turns.before
      and queue.is_visible(tenant_id)
    order by accepted_at
    limit abandoned_turns.most
$$;
