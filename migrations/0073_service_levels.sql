-- Service levels: how well memory does for a tenant as a whole. The functions below count over the rows of all its people with
-- the rights of the owner and answer with sums alone; each counts for the tenant for which the session acts, and for no other.

create index receipts_by_time on brain.memory_receipts (tenant_id, created_at);
create index operations_by_time on brain.operations (tenant_id, created_at);
create index versions_by_time on brain.memory_versions (tenant_id, recorded_at);
create index audit_by_time on brain.audit_log (tenant_id, recorded_at);

create policy maintenance on brain.memory_versions for select using ((select brain.acts_as_owner()));
create policy maintenance on brain.memory_conflicts for select using ((select brain.acts_as_owner()));
create policy maintenance on brain.operations for select using ((select brain.acts_as_owner()));

-- What a release came to, figure by figure, as it was measured: three releases in a row that could not be judged are a failure.
create table brain.release_verdicts (
    tenant_id uuid not null,
    release text not null check (release ~ '^[A-Za-z0-9][A-Za-z0-9_.+-]{0,63}$'),
    figure text not null check (figure ~ '^[a-z][a-z0-9_]{0,63}$'),
    state text not null check (state in ('PASS', 'FAIL', 'OBSERVE')),
    value double precision,
    samples bigint not null check (samples >= 0),
    -- The order of releases is the order in which they were first told of.
    first_at timestamptz not null,
    reported_at timestamptz not null,
    primary key (tenant_id, release, figure)
);
create index verdicts_of_figure on brain.release_verdicts (tenant_id, figure, first_at);

-- From where on a figure passes, and beyond where it fails; what is not here is as the server is set.
create table brain.level_thresholds (
    tenant_id uuid not null,
    figure text not null check (figure ~ '^[a-z][a-z0-9_]{0,63}$'),
    pass_at double precision not null,
    fail_at double precision not null,
    primary key (tenant_id, figure)
);

-- Drills of switching to the standby: seconds until it answered again, and seconds of what was written that were lost.
create table brain.drills (
    tenant_id uuid not null,
    drill_id uuid not null,
    rto_seconds double precision not null check (rto_seconds >= 0),
    rpo_seconds double precision not null check (rpo_seconds >= 0),
    held_at timestamptz not null,
    primary key (tenant_id, drill_id)
);

call brain.secure_tenant('brain.release_verdicts');
call brain.secure_tenant('brain.level_thresholds');
call brain.secure_tenant('brain.drills');
create policy maintenance on brain.drills for select using ((select brain.acts_as_owner()));
alter table brain.release_verdicts alter column release set statistics 0;

-- The database is switched for everybody: whichever tenant's operator held the last drill.
create function brain.last_drill(before timestamptz)
returns table (rto_seconds double precision, rpo_seconds double precision, held_at timestamptz)
language sql stable security definer set search_path = brain, pg_temp
as $$
    select d.rto_seconds, d.rpo_seconds, d.held_at from brain.drills d
    where d.held_at <= before order by d.held_at desc, d.drill_id desc limit 1
$$;

-- Whether a receipt says all that one of its kind has to say. A memory that was left out of the prompt has no position there.
create function brain.is_complete_receipt(kind text, lane text, memory_id uuid, details jsonb) returns boolean
language sql immutable parallel safe
as $$
    select coalesce(case kind
        when 'injection' then
            memory_id is not null
            and jsonb_typeof(details -> 'candidate_score') = 'number'
            and details ->> 'decision_reason' <> ''
            and details ->> 'policy_version' <> ''
            and jsonb_typeof(details #> '{guardrail_hit,hit}') = 'boolean'
            and (details #>> '{guardrail_hit,hit}' = 'false' or details #>> '{guardrail_hit,rule}' <> '')
            and details ? 'context_position'
            and (jsonb_typeof(details -> 'context_position') = 'number'
                 or details ->> 'decision_reason' not in ('relevance', 'recency', 'confidence', 'pinned'))
        when 'retrieval' then
            jsonb_typeof(details -> 'candidates') = 'array'
            and jsonb_typeof(details -> 'stores_used') = 'array'
            and jsonb_typeof(details -> 'degraded_reason') = 'array'
            and jsonb_typeof(details -> 'latency_ms') = 'number'
            and details ->> 'policy' <> ''
        else
            memory_id is not null
            and details ->> 'action' <> ''
            and case when lane = 'store' then details ? 'namespace' and details ? 'key' and details ? 'version'
                     else details ->> 'status' <> '' and details ? 'trace_id' end
        end, false)
$$;

-- Receipts from a moment on and before another, and those that are complete.
create function brain.count_receipts(since timestamptz, until timestamptz)
returns table (receipts bigint, complete bigint, injections bigint, complete_injections bigint)
language sql stable security definer set search_path = brain, pg_temp
as $$
    select count(*), count(*) filter (where r.whole), count(*) filter (where r.injected),
           count(*) filter (where r.injected and r.whole)
    from (
        select m.receipt_type = 'injection' as injected,
               brain.is_complete_receipt(m.receipt_type, m.lane, m.memory_id, m.details) as whole
        from brain.memory_receipts m
        where m.tenant_id = (select brain.current_tenant()) and m.created_at >= since and m.created_at < until
    ) r
$$;

-- Memories that ranking had put forward for the prompt (``offered``), that stood in it, and that found no room. What ranking had
-- cut off, or what another memory or the question said already, was not offered.
create function brain.count_injections(since timestamptz, until timestamptz)
returns table (offered bigint, accepted bigint, exceeded bigint)
language sql stable security definer set search_path = brain, pg_temp
as $$
    select count(*),
           count(*) filter (where m.details ->> 'context_position' is not null or m.details ->> 'decision_reason' = 'in_document'),
           count(*) filter (where m.details ->> 'budget_exceeded' = 'true')
    from brain.memory_receipts m
    where m.tenant_id = (select brain.current_tenant()) and m.created_at >= since and m.created_at < until
      and m.receipt_type = 'injection'
      and coalesce(m.details ->> 'decision_reason', '') not in ('below_cut', 'repeat', 'question', 'courtesy', 'own_reply')
$$;

-- Turns that put a question to memory, and how long the search took.
create function brain.count_searches(since timestamptz, until timestamptz, slow_ms double precision)
returns table (searches bigint, slow bigint, p95_ms double precision)
language sql stable security definer set search_path = brain, pg_temp
as $$
    select count(*), count(*) filter (where r.latency_ms >= slow_ms), percentile_cont(0.95) within group (order by r.latency_ms)
    from (
        select (m.details ->> 'latency_ms')::float8 as latency_ms
        from brain.memory_receipts m
        where m.tenant_id = (select brain.current_tenant()) and m.created_at >= since and m.created_at < until
          and m.receipt_type = 'retrieval' and jsonb_typeof(m.details -> 'latency_ms') = 'number'
          and m.details -> 'queries' <> '[]'
    ) r
$$;

-- Erasures that were under way at some moment of the window: how many, how many were past their deadline and not completed at its
-- end, and the largest share of its time that one took. The deadline is in the days of the profile, working ones or not.
create function brain.count_deletions(since timestamptz, until timestamptz)
returns table (tombstones bigint, overdue bigint, longest double precision)
language sql stable set search_path = brain, pg_temp
as $$
    select count(*),
           count(*) filter (where (t.completed_at is null or t.completed_at >= until) and t.due_at < until),
           max(extract(epoch from least(coalesce(t.completed_at, until), until) - t.requested_at)
               / nullif(extract(epoch from t.due_at - t.requested_at), 0))::float8
    from brain.tombstones t
    where t.tenant_id = (select brain.current_tenant()) and t.requested_at < until
      and (t.completed_at is null or t.completed_at >= since)
$$;

-- Memories that were taken out of the prompts because people kept rejecting them.
create function brain.count_fuses(since timestamptz, until timestamptz) returns bigint
language sql stable security definer set search_path = brain, pg_temp
as $$
    select count(*) from brain.memory_versions v
    where v.tenant_id = (select brain.current_tenant()) and v.recorded_at >= since and v.recorded_at < until and v.change = 'fuse'
$$;

-- The living memories that the session may see, people's own and those of groups apart. ``over``: the end of what they say has
-- passed, upkeep marked them as outdated, or their evidence is in doubt; what was over when it was said has not ended.
-- ``unsettled``, of those without an end (``lasting``): contradicted by another living one, or at the end of three replacements
-- or more, the last of them ``since``; what tidying put in the place of several counts as none. ``of_scope`` and ``of_user`` bound
-- it to a compartment and a person, null to all. It has no search path of its own, so that it is planned for what it is asked.
create function brain.count_memories(of_tenant uuid, of_scope text, of_user uuid, since timestamptz, at timestamptz)
returns table (of_group boolean, living bigint, outdated bigint, ended bigint, doubted bigint, over bigint, lasting bigint,
               replaced_often bigint, contested bigint, unsettled bigint)
language sql stable
as $$
    with recursive alive as (
        select i.item_id, i.scope like 'group:%' as of_group, coalesce(i.epistemic_type = 'outdated', false) as outdated,
               coalesce(i.invalid_at < at and i.invalid_at > i.observed_at, false) as ended, i.stale as doubted,
               i.invalid_at is null as lasting
        from brain.memory_items i
        where i.tenant_id = of_tenant and (of_scope is null or i.scope = of_scope) and (of_user is null or i.user_id = of_user)
          and i.status = 'active' and i.use <> 'excluded' and i.created_at <= at
    ), chain as (
        select distinct a.item_id as head, a.item_id, 0 as links
        from alive a
        join brain.memory_items o on o.tenant_id = of_tenant and o.superseded_by = a.item_id
        where a.lasting and o.updated_at >= since
        union all
        select c.head, o.item_id, c.links + 1
        from chain c
        join brain.memory_items n on n.tenant_id = of_tenant and n.item_id = c.item_id
        join brain.memory_items o on o.tenant_id = of_tenant and o.superseded_by = c.item_id
        where c.links < 3 and not n.provenance ? 'consolidates'
    ), often as (
        select distinct head as item_id from chain where links >= 3
    ), contested as (
        select side.item_id
        from brain.memory_conflicts c cross join lateral (values (c.held_id), (c.new_id)) as side (item_id)
        where c.tenant_id = of_tenant and (of_scope is null or c.scope = of_scope) and (of_user is null or c.user_id = of_user)
          and c.status = 'open'
        group by side.item_id
    )
    select a.of_group, count(*), count(*) filter (where a.outdated), count(*) filter (where a.ended),
           count(*) filter (where a.doubted), count(*) filter (where a.outdated or a.ended or a.doubted),
           count(*) filter (where a.lasting), count(o.item_id), count(c.item_id) filter (where a.lasting),
           count(*) filter (where a.lasting and (o.item_id is not null or c.item_id is not null))
    from alive a left join often o using (item_id) left join contested c using (item_id)
    group by a.of_group
$$;

-- The same over all the people of the acting tenant.
create function brain.count_memories_of_tenant(since timestamptz, at timestamptz)
returns table (of_group boolean, living bigint, outdated bigint, ended bigint, doubted bigint, over bigint, lasting bigint,
               replaced_often bigint, contested bigint, unsettled bigint)
language sql stable security definer set search_path = brain, pg_temp
as $$ select * from brain.count_memories(brain.current_tenant(), null, null, since, at) $$;

-- Turns that memory looked at, and how many it gave up on. A minute counts as ``busy`` when at its beginning so many turns
-- waited that a queue at its target would have had work for all of it.
create function brain.count_operations(since timestamptz, until timestamptz, enough integer)
returns table (finished bigint, given_up bigint, busy_minutes bigint, busy_items bigint)
language sql stable security definer set search_path = brain, pg_temp
as $$
    with own as (
        select o.created_at, o.finished_at, o.status
        from brain.operations o
        where o.tenant_id = (select brain.current_tenant()) and o.created_at >= since and o.created_at < until
          and o.status in ('queued', 'stored', 'nothing', 'dead_letter')
    ), steps as (
        select minute, sum(waits) as waits, sum(done) as done
        from (
            select ceil(extract(epoch from created_at - since) / 60)::integer as minute, 1 as waits, 0 as done from own
            union all
            select ceil(extract(epoch from finished_at - since) / 60)::integer, -1, 0 from own where finished_at is not null
            union all
            select floor(extract(epoch from finished_at - since) / 60)::integer, 0, 1 from own
            where finished_at is not null and status in ('stored', 'nothing')
        ) moved
        group by minute
    ), minutes as (
        select coalesce(s.done, 0) as done, sum(coalesce(s.waits, 0)) over (order by m.minute) as waiting
        from generate_series(0, floor(extract(epoch from until - since) / 60)::integer - 1) as m (minute)
        left join steps s using (minute)
    )
    select count(*) filter (where o.finished_at < until),
           count(*) filter (where o.finished_at < until and o.status = 'dead_letter'),
           (select count(*) from minutes where waiting >= enough),
           (select coalesce(sum(done), 0)::bigint from minutes where waiting >= enough)
    from own o
$$;

-- Changes of memories, and how many of them the audit has.
create function brain.count_audited(since timestamptz, until timestamptz) returns table (changes bigint, audited bigint)
language sql stable security definer set search_path = brain, pg_temp
as $$
    select count(*), count(*) filter (where exists (
        select from brain.audit_log a
        where a.tenant_id = (select brain.current_tenant()) and a.target_id = v.item_id and a.recorded_at = v.recorded_at
          and a.recorded_at >= since and a.recorded_at < until))
    from brain.memory_versions v
    where v.tenant_id = (select brain.current_tenant()) and v.recorded_at >= since and v.recorded_at < until
$$;

-- Tenants in which something was looked for, injected or written since then, or that have erasures under way.
create function brain.tenants_with_receipts(since timestamptz) returns table (tenant_id uuid)
language sql stable security definer set search_path = brain, pg_temp
as $$
    with recursive known as (
        (select r.tenant_id from brain.memory_receipts r order by r.tenant_id limit 1)
        union all
        select (select r.tenant_id from brain.memory_receipts r where r.tenant_id > k.tenant_id order by r.tenant_id limit 1)
        from known k where k.tenant_id is not null
    )
    select k.tenant_id from known k
    where exists (select from brain.memory_receipts r where r.tenant_id = k.tenant_id and r.created_at >= since)
    union
    select t.tenant_id from brain.tombstones t where t.user_id is not null
$$;
