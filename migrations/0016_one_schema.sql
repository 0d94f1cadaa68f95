-- One schema for every database of the past. Some migrations were changed after they had been applied (digests that are
-- known: earlier_digests.txt). What such a database lacks is added here; one that lacks nothing is left as it is.

-- The owner is subject to row-level security as well, and has to see all rows for once.
alter table brain.sessions no force row level security;
alter table brain.conversation_events no force row level security;
alter table brain.memory_items no force row level security;
alter table brain.memory_versions no force row level security;
alter table brain.memory_citations no force row level security;
alter table brain.memory_receipts no force row level security;
alter table brain.recall_index no force row level security;
alter table brain.recall_removals no force row level security;

-- The log tells which replies only repeated memory. What follows that column is copied behind it, so that the order of
-- the columns is the same everywhere.
do $$
begin
    if not exists (select from pg_attribute
                   where attrelid = 'brain.conversation_events'::regclass and attname = 'indexed') then
        alter table brain.conversation_events add column recorded_before timestamptz;
        update brain.conversation_events set recorded_before = recorded_at;
        alter table brain.conversation_events
            drop column recorded_at,
            add column indexed boolean not null default true,
            add column recorded_at timestamptz not null default now();
        update brain.conversation_events set recorded_at = recorded_before;
        alter table brain.conversation_events drop column recorded_before;
    end if;
end $$;

create index if not exists operations_waiting on brain.operations (tenant_id, scope, user_id, created_at)
    where status = 'queued';

-- The queue: a failure goes with its job, the first job of each person is found by an index, and the end of a job is
-- announced.
delete from queue.job_failures f
where not exists (select from queue.procrastinate_jobs j where j.id = f.job_id);
do $$
begin
    if not exists (select from pg_constraint where conrelid = 'queue.job_failures'::regclass and contype = 'f') then
        alter table queue.job_failures
            add foreign key (job_id) references queue.procrastinate_jobs (id) on delete cascade;
    end if;
end $$;
create index if not exists jobs_of_a_lock on queue.procrastinate_jobs (lock, priority desc, id)
    where status in ('todo', 'doing');
create or replace function queue.announce_next_job() returns trigger
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
create or replace trigger announce_next_job after delete or update of status on queue.procrastinate_jobs
    for each row when (old.status = 'doing' and old.lock is not null)
    execute function queue.announce_next_job();

-- Removals tell which row went. Nobody needs the older ones: a process that keeps an index reads all of it first.
do $$
begin
    if not exists (select from pg_attribute
                   where attrelid = 'brain.recall_removals'::regclass and attname = 'source_id') then
        drop table brain.recall_removals;
        create table brain.recall_removals (
            tenant_id uuid not null,
            scope text not null,
            user_id uuid not null,
            removed_by xid8 not null default pg_current_xact_id(),
            source_id uuid not null,
            removed_at timestamptz not null default now(),
            primary key (tenant_id, scope, user_id, removed_by, source_id)
        );
        call brain.secure('brain.recall_removals');
        alter table brain.recall_removals no force row level security;
    end if;
end $$;

-- Functions as their migrations have them now.
create or replace function brain.note_removals() returns trigger
language plpgsql
as $$
begin
    insert into brain.recall_removals (tenant_id, scope, user_id, source_id)
    select distinct tenant_id, scope, user_id, source_id from removed where not staged
    on conflict do nothing;
    -- The rows are locked, so each stands still at its ctid.
    delete from brain.recall_removals
    where ctid = any (array(
        with owners as materialized (select distinct tenant_id, scope, user_id from removed)
        select o.ctid from owners join brain.recall_removals o using (tenant_id, scope, user_id)
        where o.removed_at < now() - interval '1 day'
        for update of o skip locked
    ));
    return null;
end $$;

create or replace function brain.recall_changes(
    of_tenant uuid, of_scope text, of_user uuid, user_low uuid, user_high uuid,
    since pg_snapshot, seen pg_snapshot, after_writer xid8, after_source uuid, page integer
) returns table (
    snapshot text, earlier boolean, removed uuid[],
    source_id uuid, lane text, "text" text, session_id uuid, "position" integer, role text, speaker text, category text,
    observed_at timestamptz, valid_at timestamptz, invalid_at timestamptz, recorded_at timestamptz,
    retired_at timestamptz, active boolean, confidence real, provenance text, epistemic_type text, verified boolean,
    last_validated_at timestamptz, injected_count integer, positive_count integer, derived_from uuid[],
    written_by text, words bytea, grams bytea, length integer, embedding_model text, embedding bytea
)
language plpgsql
as $$
#variable_conflict use_column
begin
    perform set_config('brain.tenant_id', of_tenant::text, true), set_config('brain.scope', of_scope, true),
        set_config('brain.user_id', of_user::text, true);
    snapshot := pg_current_snapshot();
    earlier := pg_snapshot_xmax(seen) > pg_snapshot_xmax(snapshot::pg_snapshot);
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

create or replace function brain.turns_saying(of_tenant uuid, of_scope text, of_memory uuid) returns setof uuid
language sql stable
as $$
    with said as materialized (
        select c.event_id from brain.memory_citations c
        where c.tenant_id = of_tenant and c.scope = of_scope and c.item_id = of_memory
        union
        select e.event_id
        from brain.memory_items i
        join brain.sessions s on s.tenant_id = of_tenant and s.scope = of_scope
             and (s.user_id = i.user_id or of_scope like 'group:%')
        join brain.conversation_events e
             on e.tenant_id = of_tenant and e.session_id = s.session_id and e.role = 'assistant'
        where i.tenant_id = of_tenant and i.scope = of_scope and i.item_id = of_memory
          and exists (select from brain.memory_versions v
                      where v.tenant_id = of_tenant and v.item_id = of_memory
                        and strpos(lower(e.text), lower(v.snapshot ->> 'object')) > 0)
    )
    select event_id from said
$$;

create or replace function brain.standing_of(of_tenant uuid, of_event uuid) returns text
language sql stable
as $$
    with recursive spoken as (
        select i.item_id, i.superseded_by, i.status = 'active' as living,
               case when i.status = 'active' then coalesce(i.provenance -> 'overruled' ? of_event::text, false)
                    else not coalesce(i.provenance -> 'ended_by' ? of_event::text, false) end as over
        from brain.memory_citations c
        join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
        where c.tenant_id = of_tenant and i.tenant_id = of_tenant and c.event_id = of_event and i.status <> 'deleted'
    ), heirs as (
        select item_id, superseded_by as heir, 1 as links from spoken where superseded_by is not null
        union all
        select heirs.item_id, i.superseded_by, heirs.links + 1
        from heirs join brain.memory_items i on i.tenant_id = of_tenant and i.item_id = heirs.heir
        where i.superseded_by is not null and heirs.links < 20
    )
    select case when not coalesce(bool_or(over), false) then 'holds'
                when bool_or(living and not over) then 'partly' else 'over' end
    from spoken
    where living or not exists (select from heirs join spoken heir on heir.item_id = heirs.heir
                                where heirs.item_id = spoken.item_id and heir.living and not heir.over)
$$;

-- The index with its columns of fixed width first.
do $$
begin
    if exists (select from pg_attribute
               where attrelid = 'brain.recall_index'::regclass and attname = 'scope' and attnum = 2) then
        create temporary table indexed_before on commit drop as select * from brain.recall_index;
        drop table brain.recall_index;
        create table brain.recall_index (
            tenant_id uuid not null,
            user_id uuid not null,
            source_id uuid not null,
            observed_at timestamptz not null,
            valid_at timestamptz not null,
            recorded_at timestamptz not null,
            confidence real not null default 1 check (confidence between 0 and 1),
            length integer not null default 0,
            injected_count integer not null default 0,
            positive_count integer not null default 0,
            active boolean not null default true,
            verified boolean not null default true,
            staged boolean not null default false,
            asks boolean not null generated always as (text ~ '[?？]') stored,
            session_id uuid,
            position integer,
            invalid_at timestamptz check (invalid_at is null or invalid_at >= valid_at),
            retired_at timestamptz,
            last_validated_at timestamptz,
            scope text not null,
            lane text not null check (lane in ('turn', 'fact', 'summary', 'document')),
            embedding_model text not null default 'none',
            speaker text not null default '',
            words integer[] not null default '{}',
            grams integer[] not null default '{}',
            embedding halfvec,
            role text not null default 'user' check (role in ('user', 'assistant', 'tool', 'system')),
            category text not null default '',
            provenance text not null default 'observation'
                check (provenance in ('observation', 'analysis', 'confirmed_by_user')),
            epistemic_type text check (epistemic_type in ('fact', 'opinion', 'preference', 'outdated')),
            derived_from uuid[] not null default '{}',
            text text not null,
            primary key (tenant_id, source_id, lane, embedding_model),
            check ((embedding is null) = (embedding_model = 'none'))
        ) with (toast_tuple_target = 4080);
        alter table brain.recall_index add column written_by xid8 not null default pg_current_xact_id();
        insert into brain.recall_index (
            tenant_id, user_id, source_id, observed_at, valid_at, recorded_at, confidence, length,
            injected_count, positive_count, active, verified, staged, session_id, position, invalid_at,
            retired_at, last_validated_at, scope, lane, embedding_model, speaker, words, grams, embedding,
            role, category, provenance, epistemic_type, derived_from, text
        )
        select
            tenant_id, user_id, source_id, observed_at, valid_at, recorded_at, confidence, length,
            injected_count, positive_count, active, verified, staged, session_id, position, invalid_at,
            retired_at, last_validated_at, scope, lane, embedding_model, speaker, words, grams, embedding,
            role, category, provenance, epistemic_type, derived_from, text
        from indexed_before;
        create index recall_index_of_person on brain.recall_index (tenant_id, scope, user_id, written_by);
        create index recall_index_without_vector on brain.recall_index (tenant_id, recorded_at)
            where embedding_model = 'none';
        create trigger note_writer before update on brain.recall_index
            for each row execute function brain.note_writer();
        create trigger note_removals after delete on brain.recall_index
            referencing old table as removed for each statement execute function brain.note_removals();
        call brain.secure('brain.recall_index');
        alter table brain.recall_index no force row level security;
    end if;
end $$;

-- Turns of which something is over are believed less. An owner who is subject to row-level security saw none of them
-- before.
update brain.recall_index x
set confidence = case said.standing when 'over' then 0.3 else 0.6 end,
    epistemic_type = case said.standing when 'over' then 'outdated' end
from (select cited.tenant_id, cited.event_id, brain.standing_of(cited.tenant_id, cited.event_id) as standing
      from (select distinct c.tenant_id, c.event_id
            from brain.memory_citations c
            join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
            where i.status not in ('active', 'deleted') or i.provenance ? 'overruled') cited) said
where x.tenant_id = said.tenant_id and x.source_id = said.event_id and x.lane = 'turn' and x.confidence = 1
    and said.standing <> 'holds';

-- Turns and replies that say something forgotten go, where it was forgotten before migration 0010 hid them.
delete from brain.recall_index x
using brain.memory_items i, lateral brain.turns_saying(i.tenant_id, i.scope, i.item_id) as said (event_id)
where i.status = 'deleted'
    and i.updated_at < (select m.applied_at from brain.schema_migrations m where m.name = '0010_forgetting.sql')
    and x.tenant_id = i.tenant_id and x.scope = i.scope and x.source_id = said.event_id
    and x.lane = 'turn' and brain.says_forgotten(x.tenant_id, x.source_id);

alter table brain.sessions force row level security;
alter table brain.conversation_events force row level security;
alter table brain.memory_items force row level security;
alter table brain.memory_versions force row level security;
alter table brain.memory_citations force row level security;
alter table brain.memory_receipts force row level security;
alter table brain.recall_index force row level security;
alter table brain.recall_removals force row level security;

-- Which server the transaction numbers of the recall index are of. After a dump is restored into another server, rows
-- may be numbered ahead of all its transactions, and would count as changed at every question.
create table brain.recall_origin (
    only_one boolean primary key default true check (only_one),
    system_identifier bigint not null
);

-- Number the rows anew that another server numbered ahead, and drop its removals that lie ahead; returns how many rows.
-- Costs one look at pg_control when the numbers are this server's, a reading of the whole index when they are not. What
-- is ahead is asked when both tables are locked, so that no row of this server can be.
create function brain.adopt_recall_index() returns bigint
language plpgsql
as $$
declare
    here constant bigint := (select system_identifier from pg_control_system());
    ahead xid8;
    renumbered bigint;
begin
    if exists (select from brain.recall_origin where system_identifier = here) then
        return 0;
    end if;
    alter table brain.recall_index no force row level security;
    alter table brain.recall_removals no force row level security;
    ahead := pg_snapshot_xmax(pg_current_snapshot());
    update brain.recall_index set written_by = pg_current_xact_id() where written_by >= ahead;
    get diagnostics renumbered = row_count;
    delete from brain.recall_removals where removed_by >= ahead;
    alter table brain.recall_index force row level security;
    alter table brain.recall_removals force row level security;
    insert into brain.recall_origin (system_identifier) values (here)
    on conflict (only_one) do update set system_identifier = excluded.system_identifier;
    return renumbered;
end $$;

revoke all on function brain.adopt_recall_index() from public;
