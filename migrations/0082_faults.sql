-- What a process, or a tenant, may do to others when something goes wrong.

-- An erasure takes the notes of what was removed with it, so a process that keeps somebody's recall index ready would never hear
-- that its rows are gone: when the person began anew, or a group went on, it showed them again. Each step of a tombstone now
-- tells by which transaction it was made, and who has not seen that yet reads the whole index anew.

-- The transaction of the newest step; null for those of before, of which no running process knows anything. One that a restored
-- database brings from a server that was further on lies in the future, and counts for nobody.
alter table brain.tombstones add column changed_by xid8;

create function brain.note_tombstone_writer() returns trigger
language plpgsql
as $$
begin
    new.changed_by := pg_current_xact_id();
    return new;
end $$;
revoke all on function brain.note_tombstone_writer() from public;
create trigger note_tombstone_writer before insert or update on brain.tombstones
    for each row execute function brain.note_tombstone_writer();

-- As before, and everything is to be read again when an erasure in the tenant was asked for or went on since, or when the
-- tenant came here from another cell.
create or replace function brain.recall_changes(
    of_tenant uuid, of_scope text, of_user uuid, user_low uuid, user_high uuid,
    since pg_snapshot, seen pg_snapshot, after_writer xid8, after_source uuid, page integer
) returns table (
    snapshot text, earlier boolean, removed uuid[],
    source_id uuid, lane text, "text" text, session_id uuid, "position" integer, role text, speaker text, category text,
    event_id uuid, span_start integer, span_end integer, about text,
    observed_at timestamptz, valid_at timestamptz, invalid_at timestamptz, recorded_at timestamptz,
    retired_at timestamptz, active boolean, confidence real, provenance text, epistemic_type text, verified boolean,
    last_validated_at timestamptz, injected_count integer, positive_count integer, derived_from uuid[],
    written_by text, words bytea, grams bytea, length integer, embedding_model text, embedding bytea
)
language plpgsql
as $$
#variable_conflict use_column
begin
    perform brain.act_as(of_tenant, of_scope, of_user);
    snapshot := pg_current_snapshot();
    earlier := pg_snapshot_xmax(seen) > pg_snapshot_xmax(snapshot::pg_snapshot)
        or pg_snapshot_xmin(seen) > '1'::xid8 and exists (
            select from brain.tombstones t
            where t.tenant_id = of_tenant and t.changed_by >= pg_snapshot_xmin(seen)
                and t.changed_by < pg_snapshot_xmax(snapshot::pg_snapshot)
                and not pg_visible_in_snapshot(t.changed_by, seen))
        or pg_snapshot_xmax(seen) > '3' and exists (
            select from brain.tenant_cells c
            where c.tenant_id = of_tenant and c.state = 'here' and not pg_visible_in_snapshot(c.arrived_by, seen));
    removed := array(
        select r.source_id from brain.recall_removals r
        where r.tenant_id = of_tenant and r.scope = of_scope and r.user_id between user_low and user_high
            and r.removed_by >= pg_snapshot_xmin(seen) and not pg_visible_in_snapshot(r.removed_by, seen)
        limit page
    );
    -- Every row is read as a searchable thing, whose sources are never null.
    derived_from := '{}';
    return next;
    return query
    select
        null::text, null::boolean, null::uuid[],
        i.source_id, i.lane, i.text, i.session_id, i.position, i.role, i.speaker, i.category,
        i.event_id, i.span_start, i.span_end, i.about,
        i.observed_at, i.valid_at, i.invalid_at, i.recorded_at,
        i.retired_at, i.active, i.confidence, i.provenance, i.epistemic_type, i.verified,
        i.last_validated_at, i.injected_count, i.positive_count, i.derived_from,
        i.written_by::text, array_send(i.words), array_send(i.grams), i.length, i.embedding_model,
        halfvec_send(i.embedding)
    from brain.recall_index i
    where i.tenant_id = of_tenant and i.ctid = any (array(
        select p.ctid from brain.recall_index p
        where p.tenant_id = of_tenant and p.scope = of_scope and p.user_id between user_low and user_high
            and p.written_by >= pg_snapshot_xmin(since) and not pg_visible_in_snapshot(p.written_by, since)
            and (p.written_by, p.source_id) > (after_writer, after_source)
            and not p.staged
        order by p.written_by, p.source_id
        limit page
    ))
    order by i.written_by, i.source_id;
end $$;

-- Jobs were taken in the order in which they were asked for: behind ten thousand of one tenant everybody else waited. Now each
-- worker goes round the tenants that have something due, and takes the next one's first job; another tenant's job waits for one
-- job of each of the others, whatever waits behind those. Among a tenant's own jobs nothing changes, and upkeep (of a priority
-- below 0) waits for everything that somebody waits for.

-- Whose job the worker took last; work for everybody is its own tenant, the lowest.
alter table queue.procrastinate_workers add column served uuid not null default '00000000-0000-0000-0000-000000000000';
create index jobs_of_a_tenant on queue.procrastinate_jobs
    ((coalesce(tenant_id, '00000000-0000-0000-0000-000000000000'::uuid)), priority desc, id) where status = 'todo';

-- The first job of a tenant that may run now, taken by nobody meanwhile; no row where there is none.
create function queue.take_job_of(of_tenant uuid, is_upkeep boolean, queues varchar[], of_worker bigint)
returns setof queue.procrastinate_jobs
language sql security definer set search_path = queue, brain, pg_temp
as $$
    with candidate as (
        select j.id from procrastinate_jobs j
        where j.status = 'todo' and (queues is null or j.queue_name = any(queues))
            and coalesce(j.tenant_id, '00000000-0000-0000-0000-000000000000') = of_tenant and (j.priority < 0) = is_upkeep
            and (j.scheduled_at is null or j.scheduled_at <= now())
            and not exists (
                select from procrastinate_jobs o
                where o.lock = j.lock and (o.status = 'doing' or o.status = 'todo'
                    and (o.priority > j.priority or o.priority = j.priority and o.id < j.id)))
        order by j.priority desc, j.id
        limit 1
        for update of j skip locked)
    update procrastinate_jobs j set status = 'doing', worker_id = of_worker from candidate c where j.id = c.id returning j.*
$$;

revoke all on function queue.take_job_of(uuid, boolean, varchar[], bigint) from public;

create or replace function queue.procrastinate_fetch_job_v2(target_queue_names character varying[], p_worker_id bigint)
returns queue.procrastinate_jobs
language plpgsql security definer set search_path = queue, brain, pg_temp
as $$
declare
    last constant uuid := (select w.served from procrastinate_workers w where w.id = p_worker_id);
    taken procrastinate_jobs;
    next_tenant uuid;
    is_upkeep boolean;
begin
    for next_tenant, is_upkeep in
        select t.tenant, t.upkeep from (
            select distinct coalesce(j.tenant_id, '00000000-0000-0000-0000-000000000000') as tenant, j.priority < 0 as upkeep
            from procrastinate_jobs j
            where j.status = 'todo' and (target_queue_names is null or j.queue_name = any(target_queue_names))
                and (j.scheduled_at is null or j.scheduled_at <= now())) t
        order by t.upkeep, t.tenant <= coalesce(last, '00000000-0000-0000-0000-000000000000'), t.tenant
    loop
        select * into taken
        from take_job_of(next_tenant, is_upkeep, target_queue_names, p_worker_id);
        if taken.id is not null then
            update procrastinate_workers set served = next_tenant where id = p_worker_id and served <> next_tenant;
            return taken;
        end if;
    end loop;
    return null;
end $$;
