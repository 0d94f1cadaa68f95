-- Erasing a person for good. A tombstone says that it was asked for and how far it is; until it is completed the person's rows
-- are closed to everybody, and afterwards it stays as a record that names nobody.

-- ``person_hash``: HMAC-SHA256 of the person's id under a key that is kept outside the database. The id itself, and the name by
-- which threads know their owner, are there for as long as there is something to erase. ``scope``: null for every compartment.
create table brain.tombstones (
    tenant_id uuid not null,
    tombstone_id uuid not null,
    person_hash text not null check (person_hash ~ '^[0-9a-f]{64}$'),
    user_id uuid,
    user_name text,
    scope text,
    state text not null default 'requested' check (state in ('requested', 'verified', 'tombstoned', 'queued', 'processing',
        'completed', 'failed', 'retry_pending', 'escalated')),
    requested_at timestamptz not null,
    requested_by text not null check (requested_by in ('person', 'tenant_admin')),
    profile text not null,
    warn_at timestamptz not null,
    critical_at timestamptz not null,
    due_at timestamptz not null,
    alerted text not null default '' check (alerted in ('', 'warn', 'critical', 'escalated')),
    attempts integer not null default 0,
    failure text,
    erased jsonb not null default '{}',
    completed_at timestamptz,
    certificate jsonb,
    -- Whether the list outside the database has it.
    listed boolean not null default false,
    primary key (tenant_id, tombstone_id)
);
create unique index tombstones_open on brain.tombstones (tenant_id, user_id, coalesce(scope, '')) where user_id is not null;
create index tombstones_of_person on brain.tombstones (tenant_id, person_hash);
create index tombstones_due on brain.tombstones (due_at) where user_id is not null;

-- The planner keeps no samples of names and reasons.
alter table brain.tombstones alter column user_name set statistics 0;

-- Which installation this is: a copy of the database, however old, has the same id, and so finds its list of erasures.
create table brain.installation (
    only_one boolean primary key default true check (only_one),
    installation_id uuid not null default gen_random_uuid()
);
insert into brain.installation default values;

create function brain.installation_id() returns uuid
language sql stable security definer set search_path = brain, pg_temp
as $$ select installation_id from brain.installation $$;

-- Every state that a tombstone was in, and when.
create table brain.tombstone_states (
    tenant_id uuid not null,
    tombstone_id uuid not null,
    step integer not null,
    state text not null,
    entered_at timestamptz not null default clock_timestamp(),
    primary key (tenant_id, tombstone_id, step),
    foreign key (tenant_id, tombstone_id) references brain.tombstones (tenant_id, tombstone_id)
);

-- What a tenant promises about erasing: how long it may take, in working or calendar days, and what share of that is left when
-- somebody is told.
create table brain.legal_profiles (
    tenant_id uuid not null,
    name text not null check (name <> ''),
    days integer not null check (days between 1 and 3650),
    day_type text not null check (day_type in ('working', 'calendar')),
    warn_percent integer not null check (warn_percent between 1 and 99),
    critical_percent integer not null check (critical_percent between 1 and 99),
    primary key (tenant_id, name),
    check (critical_percent < warn_percent)
);

-- Who may not be erased for now, and why. A hold that was lifted stays as a record.
create table brain.legal_holds (
    tenant_id uuid not null,
    hold_id uuid not null,
    user_id uuid not null,
    scope text,
    reason text not null check (reason <> ''),
    placed_by text not null,
    placed_at timestamptz not null,
    lifted_by text,
    lifted_at timestamptz,
    primary key (tenant_id, hold_id),
    check ((lifted_at is null) = (lifted_by is null))
);
alter table brain.legal_holds alter column reason set statistics 0, alter column placed_by set statistics 0,
    alter column lifted_by set statistics 0;
create index legal_holds_of_person on brain.legal_holds (tenant_id, user_id) where lifted_at is null;

-- What is left of an erased turn and of an erased receipt: that there was one, when, and its figures.
create table brain.erased_events (
    tenant_id uuid not null,
    event_id uuid not null,
    tombstone_id uuid not null,
    role text not null,
    occurred_at timestamptz not null,
    primary key (tenant_id, event_id)
);
create table brain.erased_receipts (
    tenant_id uuid not null,
    receipt_id uuid not null,
    tombstone_id uuid not null,
    receipt_type text not null,
    lane text,
    score double precision,
    utilized boolean,
    utilization_signal text,
    user_feedback_signal text,
    created_at timestamptz not null,
    primary key (tenant_id, receipt_id)
);

-- Threads that were erased, by the SHA-256 of their ids: nobody goes on with them or begins them anew. A thread with the id of a
-- conversation bears a name that may be used again (``named``): it is closed until no run of before the erasure can still write
-- to it (``until``).
create table brain.erased_threads (
    tenant_id uuid not null,
    thread_sha256 text not null,
    tombstone_id uuid not null,
    named boolean not null,
    until timestamptz not null default 'infinity',
    primary key (tenant_id, thread_sha256)
);

-- Who read a person's memory by right of office: asked for by that person.
create index privileged_reads_of_person on brain.audit_log (tenant_id, scope, user_id, recorded_at)
    where action = 'privileged_read';

-- Events that were consumed, each once.
create table brain.inbox (
    tenant_id uuid not null,
    idempotency_key text not null,
    consumed_at timestamptz not null default now(),
    primary key (tenant_id, idempotency_key)
);

alter table brain.legal_profiles alter column name set statistics 0;
alter table brain.inbox alter column idempotency_key set statistics 0;

call brain.secure_tenant('brain.tombstones');
call brain.secure_tenant('brain.tombstone_states');
call brain.secure_tenant('brain.legal_profiles');
call brain.secure_tenant('brain.legal_holds');
call brain.secure_tenant('brain.erased_events');
call brain.secure_tenant('brain.erased_receipts');
call brain.secure_tenant('brain.erased_threads');
call brain.secure_tenant('brain.inbox');
create policy maintenance on brain.tombstones using ((select brain.acts_as_owner())) with check ((select brain.acts_as_owner()));

-- A tombstone goes forward only, each of its states is kept, and whose it is is known until it is completed.
create function brain.follow_tombstone() returns trigger
language plpgsql
as $$
begin
    if (new.state = 'completed') <> (new.user_id is null) or (new.state = 'completed') <> (new.completed_at is not null)
        or new.state = 'completed' and new.user_name is not null then
        raise check_violation using message = 'a tombstone names somebody until it is completed, and nobody afterwards';
    end if;
    if tg_op = 'UPDATE' and new.state = old.state then
        return new;
    end if;
    if tg_op = 'UPDATE' and (old.state, new.state) not in (
        ('requested', 'verified'), ('verified', 'tombstoned'), ('tombstoned', 'queued'), ('queued', 'processing'),
        ('processing', 'completed'), ('processing', 'failed'), ('failed', 'retry_pending'), ('retry_pending', 'processing'),
        ('queued', 'escalated'), ('processing', 'escalated'), ('retry_pending', 'escalated'), ('escalated', 'processing')) then
        raise check_violation using message = format('a tombstone does not go from %s to %s', old.state, new.state);
    end if;
    insert into brain.tombstone_states (tenant_id, tombstone_id, step, state)
    select new.tenant_id, new.tombstone_id, count(*), new.state from brain.tombstone_states s
    where s.tenant_id = new.tenant_id and s.tombstone_id = new.tombstone_id;
    return new;
end $$;
create trigger follow_tombstone after insert or update on brain.tombstones
    for each row execute function brain.follow_tombstone();

-- Whose rows are closed in the tenant and compartment for which the session acts.
create function brain.fenced_users() returns uuid[]
language sql stable
as $$
    select coalesce(array_agg(t.user_id), '{}') from brain.tombstones t
    where t.tenant_id = brain.current_tenant() and t.user_id is not null
      and (t.scope is null or t.scope = brain.current_scope())
      and t.tombstone_id::text is distinct from current_setting('brain.erasing', true)
$$;

-- Who asks, to the end of the transaction. Every transaction on people's rows begins with it, and it refuses somebody who is
-- being erased. The lock is the fence: a tombstone is written when all transactions of the person have ended, and whichever
-- begins later sees it.
create function brain.act_as(of_tenant uuid, of_scope text, of_user uuid) returns void
language plpgsql
as $$
begin
    perform set_config('brain.tenant_id', of_tenant::text, true), set_config('brain.scope', of_scope, true),
        set_config('brain.user_id', of_user::text, true),
        pg_advisory_xact_lock_shared(hashtextextended('brain person ' || of_user, 0));
    if exists (select from brain.tombstones t
               where t.tenant_id = of_tenant and t.user_id = of_user and (t.scope is null or t.scope = of_scope)) then
        raise exception using errcode = 'BR410', message = 'this person is being erased';
    end if;
end $$;

-- As before, and refuses somebody who is being erased.
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

-- A group goes on without those of its speakers who are being erased; everybody else's rows are closed by who asks.
do $$
declare
    target text;
begin
    foreach target in array array['sessions', 'session_summaries', 'conversation_events', 'operations', 'memory_items',
        'memory_versions', 'memory_citations', 'memory_receipts', 'audit_log', 'recall_index', 'recall_removals',
        'memory_conflicts', 'documents', 'document_versions', 'note_entries', 'replaced_replies', 'store_items', 'store_versions',
        'store_texts', 'chat_exchanges'] loop
        execute format(
            'alter policy own_rows on brain.%I'
            ' using (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())'
            '   and (user_id = (select brain.current_user_id())'
            '        or scope like ''group:%%'' and user_id <> all ((select brain.fenced_users())::uuid[])))'
            ' with check (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())'
            '   and (user_id = (select brain.current_user_id())'
            '        or scope like ''group:%%'' and user_id <> all ((select brain.fenced_users())::uuid[])))',
            target);
    end loop;
end $$;

-- Beside it: what the functions below reach of the person whom they erase, in all compartments at once.
do $$
declare
    target text;
begin
    foreach target in array array['sessions', 'session_summaries', 'conversation_events', 'operations', 'memory_items',
        'memory_versions', 'memory_citations', 'memory_receipts', 'audit_log', 'recall_index', 'recall_removals',
        'memory_conflicts', 'documents', 'document_versions', 'note_entries', 'replaced_replies', 'store_items', 'store_versions',
        'store_texts', 'chat_exchanges'] loop
        execute format(
            'create policy erasure on brain.%I using ((select brain.acts_as_owner())'
            ' and tenant_id = (select brain.current_tenant())'
            ' and user_id = (select nullif(current_setting(''brain.erasing_user'', true), '''')::uuid))', target);
    end loop;
end $$;

-- The tombstone of the acting tenant that is not completed, with the session set to reach its person's rows.
create function brain.reach_erased(of_tombstone uuid) returns brain.tombstones
language plpgsql set search_path = brain, public, pg_temp
as $$
declare
    whose brain.tombstones;
begin
    select * into whose from tombstones
    where tenant_id = current_tenant() and tombstone_id = of_tombstone and user_id is not null;
    if not found then
        raise no_data_found using message = 'there is nothing to erase under this tombstone';
    end if;
    perform set_config('brain.erasing', of_tombstone::text, true), set_config('brain.erasing_user', whose.user_id::text, true);
    return whose;
end $$;

-- The groups in which the person ever spoke.
create function brain.groups_of_erased(whose brain.tombstones) returns setof text
language sql stable set search_path = brain, public, pg_temp
as $$
    select g.scope from (
        select scope from sessions where tenant_id = whose.tenant_id and user_id = whose.user_id
        union select scope from operations where tenant_id = whose.tenant_id and user_id = whose.user_id
        union select scope from memory_items where tenant_id = whose.tenant_id and user_id = whose.user_id
        union select scope from conversation_events where tenant_id = whose.tenant_id and user_id = whose.user_id
        union select scope from documents where tenant_id = whose.tenant_id and user_id = whose.user_id
        union select scope from store_items where tenant_id = whose.tenant_id and user_id = whose.user_id) g
    where g.scope like 'group:%' and (whose.scope is null or g.scope = whose.scope)
$$;

-- The same for who writes the documents of these groups anew.
create function brain.groups_under_tombstone(of_tombstone uuid) returns setof text
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    whose constant brain.tombstones := reach_erased(of_tombstone);
begin
    return query select groups_of_erased(whose);
end $$;

-- An entry of the audit about an erasure: under the tombstone's id, without a name.
create function brain.audit_erasure(of_tombstone uuid, what text) returns void
language plpgsql set search_path = brain, public, pg_temp
as $$
declare
    scope_before constant text := coalesce(current_setting('brain.scope', true), '');
    user_before constant text := coalesce(current_setting('brain.user_id', true), '');
begin
    perform set_config('brain.scope', 'erased', true), set_config('brain.user_id', of_tombstone::text, true);
    insert into audit_log (tenant_id, scope, user_id, action, target_id, reason, operator)
    values (current_tenant(), 'erased', of_tombstone, what, of_tombstone, '', 'erasure');
    perform set_config('brain.scope', scope_before, true), set_config('brain.user_id', user_before, true);
end $$;

-- In the transaction that sets the tombstone: groups go on with their conversations, and without what the person said there.
-- Their documents, which tell of everybody, are closed until they have been written without it.
create function brain.hide_in_groups(of_tombstone uuid) returns void
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    whose constant brain.tombstones := reach_erased(of_tombstone);
    scope_before constant text := coalesce(current_setting('brain.scope', true), '');
    nobody constant uuid := '00000000-0000-0000-0000-000000000000';
    channel text;
begin
    foreach channel in array array(select groups_of_erased(whose)) loop
        perform set_config('brain.scope', channel, true);
        insert into recall_removals (tenant_id, scope, user_id, source_id)
        select distinct i.tenant_id, i.scope, nobody, i.source_id from recall_index i
        where i.tenant_id = whose.tenant_id and i.scope = channel
          and (i.user_id = whose.user_id or i.lane in ('document', 'summary'))
        on conflict do nothing;
        update sessions set user_id = nobody
        where tenant_id = whose.tenant_id and scope = channel and user_id = whose.user_id;
        update session_summaries set withdrawn = true, text = '', user_id = nobody
        where tenant_id = whose.tenant_id and scope = channel and session_id in (
            select e.session_id from conversation_events e
            where e.tenant_id = whose.tenant_id and e.scope = channel and e.user_id = whose.user_id);
        delete from recall_index where tenant_id = whose.tenant_id and scope = channel and lane = 'summary';
        update recall_index set user_id = whose.user_id
        where tenant_id = whose.tenant_id and scope = channel and lane = 'document' and user_id <> whose.user_id;
        update documents set user_id = whose.user_id
        where tenant_id = whose.tenant_id and scope = channel and user_id <> whose.user_id;
    end loop;
    perform set_config('brain.scope', scope_before, true), set_config('brain.erasing', '', true),
        set_config('brain.erasing_user', '', true);
    perform audit_erasure(of_tombstone, 'erasure_requested');
end $$;

-- When the documents of groups have been written without the person: they are the groups' again.
create function brain.return_documents(of_tombstone uuid) returns void
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    whose constant brain.tombstones := reach_erased(of_tombstone);
    scope_before constant text := coalesce(current_setting('brain.scope', true), '');
    nobody constant uuid := '00000000-0000-0000-0000-000000000000';
    channel text;
begin
    foreach channel in array array(select groups_of_erased(whose)) loop
        perform set_config('brain.scope', channel, true);
        update documents set user_id = nobody where tenant_id = whose.tenant_id and scope = channel and user_id = whose.user_id;
        update document_versions set user_id = nobody
        where tenant_id = whose.tenant_id and scope = channel and user_id = whose.user_id;
        update note_entries set user_id = nobody
        where tenant_id = whose.tenant_id and scope = channel and user_id = whose.user_id;
        update recall_index set user_id = nobody
        where tenant_id = whose.tenant_id and scope = channel and lane = 'document' and user_id = whose.user_id;
    end loop;
    perform set_config('brain.scope', scope_before, true);
end $$;

-- The threads that hold words of the person: those of their own conversations and turns, those that bear their name, the jobs
-- that looked at them, every thread of a group in which they spoke (each of its turns saw the others'), and every fork of one
-- of these. A thread that only a turn names has to hold that turn. ``named``: the thread has the id of a conversation, under
-- whose name a new one may begin.
create function checkpoint.threads_of_erased(of_tombstone uuid) returns table (thread_id text, named boolean)
language plpgsql security definer set search_path = checkpoint, brain, public, pg_temp
as $$
#variable_conflict use_column
declare
    whose constant brain.tombstones := brain.reach_erased(of_tombstone);
    tenant_name constant text := (select n.name from names n where n.tenant_id = whose.tenant_id
                                  and n.name_id = whose.tenant_id and n.kind = 'tenant');
    scope_before constant text := coalesce(current_setting('brain.scope', true), '');
    turns uuid[] := array(
        select o.operation_id from operations o
        where o.tenant_id = whose.tenant_id and o.user_id = whose.user_id and (whose.scope is null or o.scope = whose.scope));
    named_by_turns text[] := array(
        select distinct o.thread_id from operations o
        where o.tenant_id = whose.tenant_id and o.operation_id = any(turns) and o.thread_id is not null);
    conversations text[] := array(
        select s.session_id::text from sessions s
        where s.tenant_id = whose.tenant_id and s.user_id = whose.user_id and (whose.scope is null or s.scope = whose.scope)
        union
        select o.session_id::text from operations o
        where o.tenant_id = whose.tenant_id and o.operation_id = any(turns) and o.scope not like 'group:%');
    channel text;
begin
    foreach channel in array array(select groups_of_erased(whose)) loop
        perform set_config('brain.scope', channel, true);
        turns := turns || array(select o.operation_id from operations o
                                where o.tenant_id = whose.tenant_id and o.scope = channel);
        named_by_turns := named_by_turns || array(
            select distinct each.id from operations o
            cross join lateral (values (o.thread_id), (o.session_id::text)) each (id)
            where o.tenant_id = whose.tenant_id and o.scope = channel and each.id is not null);
    end loop;
    perform set_config('brain.scope', scope_before, true);
    return query
    with recursive holding as materialized (
        select k.id from unnest(named_by_turns) k (id)
        where exists (
            select from checkpoint_blobs b
            cross join lateral unnest(turns) turn (id)
            where b.thread_id = k.id and b.channel = 'turn'
              and position('operation_id'::bytea || '\xd924'::bytea || convert_to(turn.id::text, 'utf8') in b.blob) > 0)
    ), bearing_the_name as materialized (
        select distinct c.thread_id as id from checkpoints c
        where whose.scope is null and c.metadata ->> 'owner' = whose.user_name and c.metadata ->> 'tenant' = tenant_name
    ), own as (
        select id from holding union select id from bearing_the_name union select unnest(conversations)
    ), forks as (
        select id from own
        union
        select c.thread_id from forks f
        join checkpoints o on o.thread_id = f.id
        join checkpoints c on c.checkpoint_id = o.checkpoint_id and c.checkpoint_ns = o.checkpoint_ns
            and c.tenant_id = o.tenant_id
    )
    select f.id, f.id = any(conversations) or f.id in (select s.session_id::text from sessions s) from forks f
    union
    select 'evolution:' || j.id, false from queue.procrastinate_jobs j
    where j.args ->> 'tenant_id' = whose.tenant_id::text and j.args ->> 'user_id' = whose.user_id::text
      and j.task_name = 'evolve';
end $$;

-- Delete one thread, and let nobody write to it any more. The row of the thread is locked first: what was being written is
-- written by then, and is deleted with it. Returns how many rows went.
create function checkpoint.erase_thread(of_tombstone uuid, of_thread text, is_named boolean) returns bigint
language plpgsql security definer set search_path = checkpoint, brain, public, pg_temp
as $$
declare
    whose constant brain.tombstones := brain.reach_erased(of_tombstone);
    gone bigint := 0;
    counted bigint;
begin
    insert into erased_threads (tenant_id, thread_sha256, tombstone_id, named)
    values (whose.tenant_id, encode(sha256(convert_to(of_thread, 'utf8')), 'hex'), of_tombstone, is_named)
    on conflict (tenant_id, thread_sha256) do update set tombstone_id = of_tombstone, until = 'infinity';
    perform from threads t
    where t.thread_id = of_thread and t.tenant_id in (whose.tenant_id, '8a661eeb-3717-555f-a61f-ba30761344c1') for update;
    if not found then
        return 0;
    end if;
    delete from checkpoint_writes where thread_id = of_thread;
    get diagnostics counted = row_count;
    gone := gone + counted;
    delete from checkpoint_blobs where thread_id = of_thread;
    get diagnostics counted = row_count;
    gone := gone + counted;
    delete from checkpoints where thread_id = of_thread;
    get diagnostics counted = row_count;
    gone := gone + counted;
    delete from threads where thread_id = of_thread;
    return gone;
end $$;

-- Whether a thread was erased.
create function brain.is_erased_thread(of_tenant uuid, of_thread text) returns boolean
language sql stable
as $$
    select exists (select from brain.erased_threads where tenant_id = of_tenant
                   and thread_sha256 = encode(sha256(convert_to(of_thread, 'utf8')), 'hex') and until > now())
$$;

-- A conversation that was erased does not begin again while a run of before might go on with it.
create function brain.refuse_erased_session() returns trigger
language plpgsql
as $$
begin
    if brain.is_erased_thread(new.tenant_id, new.session_id::text) then
        raise exception using errcode = 'BR410', message = 'this conversation was erased';
    end if;
    return new;
end $$;
create trigger refuse_erased_session before insert on brain.sessions
    for each row execute function brain.refuse_erased_session();

-- As before, and refuses a thread that was erased.
create or replace function checkpoint.enter_thread(of_tenant uuid, of_thread text) returns void
language plpgsql set search_path = checkpoint, brain, pg_temp
as $$
begin
    perform set_config('brain.tenant_id', of_tenant::text, true);
    if is_erased_thread(of_tenant, of_thread) then
        raise exception using errcode = 'BR410', message = 'this thread was erased';
    end if;
    if exists (select from threads where tenant_id = of_tenant and thread_id = of_thread) then
        return;
    end if;
    insert into threads (tenant_id, thread_id) values (of_tenant, of_thread) on conflict (thread_id) do nothing;
    if not exists (select from threads where tenant_id = of_tenant and thread_id = of_thread) then
        raise insufficient_privilege using message = 'the thread belongs to another tenant';
    end if;
end $$;

-- Untie what others have in the person's groups from what goes: citations of their turns, replies to others that repeat what
-- they said there, and receipts that quote it. Returns how many rows went.
create function brain.untie_erased(of_tombstone uuid) returns bigint
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    whose constant brain.tombstones := reach_erased(of_tombstone);
    scope_before constant text := coalesce(current_setting('brain.scope', true), '');
    channel text;
    gone uuid[];
    said uuid[];
    untied bigint := 0;
    counted bigint;
begin
    foreach channel in array array(select groups_of_erased(whose)) loop
        perform set_config('brain.scope', channel, true);
        gone := array(
            select e.event_id from conversation_events e
            where e.tenant_id = whose.tenant_id and e.scope = channel and e.role = 'assistant' and e.user_id <> whose.user_id
              and exists (select from memory_items i
                          where i.tenant_id = whose.tenant_id and i.scope = channel and i.user_id = whose.user_id
                            and length(i.object) > 1 and strpos(lower(e.text), lower(i.object)) > 0));
        said := array(
            select i.item_id from memory_items i
            where i.tenant_id = whose.tenant_id and i.scope = channel and i.user_id = whose.user_id
            union all
            select x.source_id from recall_index x
            where x.tenant_id = whose.tenant_id and x.scope = channel and x.user_id = whose.user_id
            union all
            select e.event_id from conversation_events e
            where e.tenant_id = whose.tenant_id and e.scope = channel and e.user_id = whose.user_id);
        with lost as (
            delete from memory_receipts r
            where r.tenant_id = whose.tenant_id and r.scope = channel and r.user_id <> whose.user_id
              and (r.memory_id = any(said) or r.receipt_type = 'retrieval')
            returning *
        )
        insert into erased_receipts (tenant_id, receipt_id, tombstone_id, receipt_type, lane, utilized, utilization_signal,
                                     user_feedback_signal, created_at)
        select tenant_id, receipt_id, of_tombstone, receipt_type, lane, utilized, utilization_signal, user_feedback_signal,
               created_at
        from lost;
        get diagnostics counted = row_count;
        untied := untied + counted;
        delete from memory_citations c using conversation_events e
        where e.tenant_id = whose.tenant_id and e.scope = channel and (e.user_id = whose.user_id or e.event_id = any(gone))
          and c.tenant_id = whose.tenant_id and c.event_id = e.event_id and c.scope = channel;
        get diagnostics counted = row_count;
        untied := untied + counted;
        update memory_items set superseded_by = null
        where tenant_id = whose.tenant_id and scope = channel and superseded_by in (
            select item_id from memory_items
            where tenant_id = whose.tenant_id and scope = channel and user_id = whose.user_id);
        delete from memory_conflicts f using memory_items i
        where i.tenant_id = whose.tenant_id and i.scope = channel and i.user_id = whose.user_id
          and f.tenant_id = whose.tenant_id and i.item_id in (f.held_id, f.new_id) and f.scope = channel;
        update memory_versions set operator = '' where tenant_id = whose.tenant_id and scope = channel and operator = whose.user_name;
        update memory_conflicts set opened_by = '' where tenant_id = whose.tenant_id and scope = channel and opened_by = whose.user_name;
        update memory_conflicts set settled_by = ''
        where tenant_id = whose.tenant_id and scope = channel and settled_by = whose.user_name;
        update documents set author = '', reason = ''
        where tenant_id = whose.tenant_id and scope = channel and author = whose.user_name;
        update document_versions set author = '', reason = ''
        where tenant_id = whose.tenant_id and scope = channel and author = whose.user_name;
        update audit_log set operator = '', reason = '', salt = null
        where tenant_id = whose.tenant_id and scope = channel and operator = whose.user_name;
        delete from replaced_replies r using conversation_events e
        where e.tenant_id = whose.tenant_id and e.scope = channel and (e.user_id = whose.user_id or e.event_id = any(gone))
          and r.tenant_id = whose.tenant_id and e.event_id in (r.event_id, r.replaced_by) and r.scope = channel;
        delete from recall_index
        where tenant_id = whose.tenant_id and lane = 'turn' and (source_id = any(gone) or event_id = any(gone));
        with lost as (
            delete from conversation_events where tenant_id = whose.tenant_id and event_id = any(gone)
            returning event_id, role, occurred_at
        )
        insert into erased_events (tenant_id, event_id, tombstone_id, role, occurred_at)
        select whose.tenant_id, event_id, of_tombstone, role, occurred_at from lost;
        get diagnostics counted = row_count;
        untied := untied + counted;
    end loop;
    perform set_config('brain.scope', scope_before, true);
    return untied;
end $$;

-- Delete at most ``most`` of the person's rows, of one kind at a time, in the order of their dependence; of turns and receipts
-- their skeletons stay. Returns the kind and how many went; nothing when there is nothing left.
create function brain.erase_rows(of_tombstone uuid, most integer) returns table (kind text, erased bigint)
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    whose constant brain.tombstones := reach_erased(of_tombstone);
    chosen constant text := ' where ctid = any(array(select ctid from brain.%1$I'
        ' where tenant_id = $1 and user_id = $2 and ($3::text is null or scope = $3) limit $4))';
    target text;
begin
    update memory_items set superseded_by = null
    where tenant_id = whose.tenant_id and user_id = whose.user_id and superseded_by is not null
      and (whose.scope is null or scope = whose.scope);
    foreach target in array array['recall_index', 'memory_receipts', 'memory_conflicts', 'memory_citations', 'memory_versions',
        'memory_items', 'note_entries', 'document_versions', 'documents', 'session_summaries', 'replaced_replies',
        'conversation_events', 'operations', 'chat_exchanges', 'sessions', 'store_texts', 'store_items', 'store_versions',
        'recall_removals'] loop
        if target = 'conversation_events' then
            execute format(
                'with gone as (delete from brain.%1$I' || chosen || ' returning tenant_id, event_id, role, occurred_at)'
                ' insert into brain.erased_events (tenant_id, event_id, tombstone_id, role, occurred_at)'
                ' select tenant_id, event_id, $5, role, occurred_at from gone', target)
            using whose.tenant_id, whose.user_id, whose.scope, most, of_tombstone;
        elsif target = 'memory_receipts' then
            execute format(
                'with gone as (delete from brain.%1$I' || chosen || ' returning *)'
                ' insert into brain.erased_receipts (tenant_id, receipt_id, tombstone_id, receipt_type, lane, score, utilized,'
                ' utilization_signal, user_feedback_signal, created_at)'
                ' select tenant_id, receipt_id, $5, receipt_type, lane,'
                ' case jsonb_typeof(details -> ''candidate_score'') when ''number'''
                ' then (details ->> ''candidate_score'')::float8 end,'
                ' utilized, utilization_signal, user_feedback_signal, created_at from gone', target)
            using whose.tenant_id, whose.user_id, whose.scope, most, of_tombstone;
        else
            execute format('delete from brain.%1$I' || chosen, target)
            using whose.tenant_id, whose.user_id, whose.scope, most;
        end if;
        get diagnostics erased = row_count;
        if erased > 0 then
            kind := target;
            return next;
            return;
        end if;
    end loop;
end $$;

-- What knows the person by name or id beside their rows: jobs, keys, names, and the audit, whose entries go on under the
-- tombstone's own id, without their salt: nobody can guess what the chain committed to. Where one compartment is erased, name and keys stay. The
-- tombstone itself forgets the name. Returns how many rows of which kind.
create function brain.erase_name(of_tombstone uuid) returns table (kind text, erased bigint)
language plpgsql security definer set search_path = brain, queue, public, pg_temp
as $$
declare
    whose constant brain.tombstones := reach_erased(of_tombstone);
    scope_before constant text := coalesce(current_setting('brain.scope', true), '');
    user_before constant text := coalesce(current_setting('brain.user_id', true), '');
begin
    delete from queue.procrastinate_jobs j
    where j.args ->> 'tenant_id' = whose.tenant_id::text and j.args ->> 'user_id' = whose.user_id::text
      and (whose.scope is null or j.args ->> 'scope' = whose.scope) and j.task_name <> 'erase' and j.status <> 'doing';
    get diagnostics erased = row_count;
    kind := 'jobs';
    return next;
    delete from queue.accepted_turns t
    where t.tenant_id = whose.tenant_id and t.user_id = whose.user_id and (whose.scope is null or t.scope = whose.scope);
    perform set_config('brain.scope', 'erased', true), set_config('brain.user_id', of_tombstone::text, true);
    update audit_log set user_id = of_tombstone, scope = 'erased', operator = '', reason = '', trace_id = '', salt = null
    where tenant_id = whose.tenant_id and user_id = whose.user_id and (whose.scope is null or scope = whose.scope);
    get diagnostics erased = row_count;
    kind := 'audit_entries';
    return next;
    update tombstones set user_name = null where tenant_id = whose.tenant_id and tombstone_id = of_tombstone;
    if whose.scope is null and whose.user_name is not null then
        perform set_config('brain.scope', 'group:', true);
        update audit_log set operator = '', reason = '', salt = null
        where tenant_id = whose.tenant_id and scope = 'group:' and operator = whose.user_name;
        update legal_holds set user_id = of_tombstone, reason = 'erased'
        where tenant_id = whose.tenant_id and user_id = whose.user_id and lifted_at is not null;
        delete from api_keys k where k.tenant_id = whose.tenant_id and k.user_name = whose.user_name;
        get diagnostics erased = row_count;
        kind := 'keys';
        return next;
        delete from names n where n.tenant_id = whose.tenant_id and n.kind = 'user' and n.name_id = whose.user_id;
        get diagnostics erased = row_count;
        kind := 'names';
        return next;
    end if;
    perform set_config('brain.scope', scope_before, true), set_config('brain.user_id', user_before, true);
end $$;

-- The tombstones of all tenants, by id, and whether the list outside the database has them.
create function brain.known_tombstones() returns table (tombstone_id uuid, listed boolean)
language sql stable security definer set search_path = brain, public, pg_temp
as $$ select tombstone_id, listed from brain.tombstones $$;

-- How many rows of the person there still are, table by table: every table that knows people by their id is asked, also one
-- that came later. Tables without any are absent.
create function brain.count_residue(of_tombstone uuid) returns table (kind text, counted bigint)
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    whose constant brain.tombstones := reach_erased(of_tombstone);
begin
    for kind in
        select c.table_schema || '.' || c.table_name from information_schema.columns c
        join information_schema.tables t using (table_schema, table_name)
        where c.table_schema in ('brain', 'queue') and c.column_name = 'user_id' and t.table_type = 'BASE TABLE'
          and c.table_name not in ('tombstones', 'legal_holds')
    loop
        execute format('select count(*) from %s where tenant_id = $1 and user_id = $2', kind)
            || case when whose.scope is null then ' and $3 is null' else ' and scope = $3' end
        into counted using whose.tenant_id, whose.user_id, whose.scope;
        if counted > 0 then
            return next;
        end if;
    end loop;
    select count(*) into counted from names n
    where whose.scope is null and n.tenant_id = whose.tenant_id and n.kind = 'user' and n.name_id = whose.user_id;
    if counted > 0 then
        kind := 'brain.names';
        return next;
    end if;
end $$;

-- The end: nothing of the tombstone says whose it was, and conversations may have their names again when no run of before goes
-- on. Refused while anything is left.
create function brain.complete_erasure(of_tombstone uuid, runs_end interval, proof jsonb) returns void
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    whose constant brain.tombstones := reach_erased(of_tombstone);
begin
    if exists (select from count_residue(of_tombstone)) then
        raise check_violation using message = 'something of this person is still there';
    end if;
    update erased_threads set until = now() + runs_end
    where tenant_id = whose.tenant_id and tombstone_id = of_tombstone and named;
    update tombstones set state = 'completed', completed_at = clock_timestamp(), user_id = null, user_name = null,
        scope = case when scope is not null then 'erased' end, certificate = proof
    where tenant_id = whose.tenant_id and tombstone_id = of_tombstone;
    perform audit_erasure(of_tombstone, 'erasure_completed');
end $$;

-- The tombstones of all tenants whose deadline comes near, and what is to be told of each; none is told twice of the same.
create function brain.alert_erasures(at timestamptz) returns table (tenant_id uuid, tombstone_id uuid, alert text, due_at timestamptz)
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
#variable_conflict use_column
declare
    tenant_before constant text := coalesce(current_setting('brain.tenant_id', true), '');
    near tombstones;
begin
    for near in select * from tombstones t where t.user_id is not null and t.warn_at <= at order by t.due_at limit 1000 loop
        alert := case when near.due_at <= at then 'escalated' when near.critical_at <= at then 'critical' else 'warn' end;
        continue when alert = near.alerted;
        perform set_config('brain.tenant_id', near.tenant_id::text, true);
        update tombstones t set alerted = alert,
            state = case when alert = 'escalated' and t.state in ('queued', 'processing', 'retry_pending')
                         then 'escalated' else t.state end
        where t.tenant_id = near.tenant_id and t.tombstone_id = near.tombstone_id;
        tenant_id := near.tenant_id;
        tombstone_id := near.tombstone_id;
        due_at := near.due_at;
        return next;
    end loop;
    perform set_config('brain.tenant_id', tenant_before, true);
end $$;
