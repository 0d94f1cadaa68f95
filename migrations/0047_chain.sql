-- A hash chain per tenant over what was audited and why memories were used. A link commits to a row without telling it: who
-- changes, leaves out or reorders rows or links breaks the chain, and who erases a row with its salt does not.

-- The salt of a commitment, and which transaction wrote the row. Rows of before have neither: nobody can vouch for them.
alter table brain.audit_log add column salt uuid, add column written_by xid8;
alter table brain.audit_log alter column salt set default gen_random_uuid(),
    alter column written_by set default pg_current_xact_id();
alter table brain.memory_receipts add column salt uuid, add column written_by xid8;
alter table brain.memory_receipts alter column salt set default gen_random_uuid(),
    alter column written_by set default pg_current_xact_id();
create index audit_log_by_writer on brain.audit_log (written_by, audit_id) where written_by is not null;
create index receipts_by_writer on brain.memory_receipts (written_by, receipt_id) where written_by is not null;

create table brain.chain_links (
    tenant_id uuid not null,
    "position" bigint not null check ("position" >= 1),
    kind text not null check (kind in ('audit', 'receipt')),
    row_id uuid not null,
    -- SHA-256 of the row's salt and its attested text.
    commitment bytea not null,
    -- SHA-256 of the hash before and all of this link; before the first stands that of the tenant's id.
    hash bytea not null,
    sealed_at timestamptz not null,
    primary key (tenant_id, "position")
);

-- Signed heads of the chain: the key is outside the database.
create table brain.chain_checkpoints (
    tenant_id uuid not null,
    "position" bigint not null,
    hash bytea not null,
    signed_at timestamptz not null,
    signature bytea not null,
    public_key bytea not null,
    primary key (tenant_id, "position"),
    foreign key (tenant_id, "position") references brain.chain_links (tenant_id, "position")
);

call brain.secure_tenant('brain.chain_links');
call brain.secure_tenant('brain.chain_checkpoints');
create policy maintenance on brain.audit_log for select using ((select brain.acts_as_owner()));
create policy maintenance on brain.memory_receipts for select using ((select brain.acts_as_owner()));
create policy maintenance on brain.chain_checkpoints for select using ((select brain.acts_as_owner()));
create policy maintenance on brain.chain_links
    using ((select brain.acts_as_owner())) with check ((select brain.acts_as_owner()));

-- How far has been sealed: all that the snapshot "since" sees. A pass that is under way seals what "target" sees beyond that, in
-- the order of writer and row. Transaction numbers count on one server only: the one named here.
create table brain.chain_progress (
    only_one boolean primary key default true check (only_one),
    system_identifier bigint not null,
    since pg_snapshot not null,
    target pg_snapshot,
    after_writer xid8 not null default '0',
    after_row uuid not null default '00000000-0000-0000-0000-000000000000'
);
insert into brain.chain_progress (system_identifier, since)
select system_identifier, pg_current_snapshot() from pg_control_system();

-- A moment as text that does not depend on settings and tells all moments apart.
create function brain.utc_text(moment timestamptz) returns text
language sql immutable parallel safe
as $$ select (to_jsonb(moment at time zone 'UTC') #>> '{}') || 'Z' $$;

-- What is attested of a row: the columns that never change. Changing one of them, or these texts, breaks every chain.
create function brain.attested_text(a brain.audit_log) returns text
language sql stable parallel safe
as $$
    select jsonb_build_object(
        'kind', 'audit', 'tenant_id', a.tenant_id, 'audit_id', a.audit_id, 'scope', a.scope, 'user_id', a.user_id,
        'action', a.action, 'source_id', a.source_id, 'target_id', a.target_id, 'reason', a.reason,
        'operator', a.operator, 'trace_id', a.trace_id, 'recorded_at', brain.utc_text(a.recorded_at))::text
$$;

create function brain.attested_text(r brain.memory_receipts) returns text
language sql stable parallel safe
as $$
    select jsonb_build_object(
        'kind', 'receipt', 'tenant_id', r.tenant_id, 'receipt_id', r.receipt_id, 'scope', r.scope, 'user_id', r.user_id,
        'session_id', r.session_id, 'operation_id', r.operation_id, 'thread_id', r.thread_id, 'run_id', r.run_id,
        'receipt_type', r.receipt_type, 'memory_id', r.memory_id, 'lane', r.lane, 'details', r.details,
        'details_schema_version', r.details_schema_version, 'idempotency_key', r.idempotency_key,
        'created_at', brain.utc_text(r.created_at))::text
$$;

create function brain.chain_commitment(salt uuid, attested text) returns bytea
language sql immutable parallel safe
as $$ select sha256(uuid_send(salt) || convert_to(attested, 'UTF8')) $$;

-- The hashes of successive links: each is that of the one before and the link's own bytes.
create function brain.chain_step(before bytea, head bytea, link bytea) returns bytea
language plpgsql immutable parallel safe
as $$ begin return sha256(coalesce(before, head) || link); end $$;

create aggregate brain.chain_hash(head bytea, link bytea) (sfunc = brain.chain_step, stype = bytea);

-- Append links for up to ``most`` rows of all tenants that are committed and not sealed yet, and return the new head of each
-- tenant with how many links it got. Who finds another sealer at work does nothing. A row is found by the transaction that wrote
-- it, so that one which commits late is found late and never missed. It has to be the first act of its transaction: rows that
-- the same transaction wrote could not be told from those of others.
create function brain.seal_chain(most integer)
returns table (tenant_id uuid, "position" bigint, hash bytea, sealed_at text, added bigint)
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
#variable_conflict use_column
declare
    progress brain.chain_progress;
    first_writer xid8;
    last_writer xid8;
    last_row uuid;
    found_rows bigint;
    is_new boolean;
    was_over boolean := false;
    at constant timestamptz := clock_timestamp();
begin
    if pg_current_xact_id_if_assigned() is not null then
        raise object_not_in_prerequisite_state using message = 'the chain is sealed in a transaction of its own';
    end if;
    if not pg_try_advisory_xact_lock(hashtextextended('brain.seal_chain', 0)) then
        return;
    end if;
    select * into strict progress from brain.chain_progress;
    -- A pass that turns out to be over is followed by a new one, so that nothing found is nothing left.
    loop
        is_new := progress.target is null;
        progress.target := coalesce(progress.target, pg_current_snapshot());
        first_writer := greatest(pg_snapshot_xmin(progress.since), progress.after_writer);
        with batch as (
            select b.writer, b.row_id from (
                (select a.written_by as writer, a.audit_id as row_id from brain.audit_log a
                 where a.written_by >= first_writer and (a.written_by, a.audit_id) > (progress.after_writer, progress.after_row)
                     and a.written_by < pg_snapshot_xmax(progress.target) and a.salt is not null
                     and not pg_visible_in_snapshot(a.written_by, progress.since)
                     and pg_visible_in_snapshot(a.written_by, progress.target)
                 order by a.written_by, a.audit_id limit most)
                union all
                (select r.written_by, r.receipt_id from brain.memory_receipts r
                 where r.written_by >= first_writer and (r.written_by, r.receipt_id) > (progress.after_writer, progress.after_row)
                     and r.written_by < pg_snapshot_xmax(progress.target) and r.salt is not null
                     and not pg_visible_in_snapshot(r.written_by, progress.since)
                     and pg_visible_in_snapshot(r.written_by, progress.target)
                 order by r.written_by, r.receipt_id limit most)
            ) b
            order by b.writer, b.row_id limit most
        )
        select (array_agg(writer order by writer desc, row_id desc))[1], (array_agg(row_id order by writer desc, row_id desc))[1],
               count(*)
        into last_writer, last_row, found_rows
        from batch;
        exit when found_rows > 0 or is_new;
        progress.since := progress.target;
        progress.target := null;
        progress.after_writer := '0';
        progress.after_row := '00000000-0000-0000-0000-000000000000';
        was_over := true;
    end loop;
    if found_rows > 0 then
        return query
        with batch as materialized (
            select a.tenant_id, a.written_by, a.audit_id as row_id, 'audit' as kind,
                   brain.chain_commitment(a.salt, brain.attested_text(a)) as commitment
            from brain.audit_log a
            where a.written_by between first_writer and last_writer and a.salt is not null
                and (a.written_by, a.audit_id) > (progress.after_writer, progress.after_row)
                and (a.written_by, a.audit_id) <= (last_writer, last_row)
                and not pg_visible_in_snapshot(a.written_by, progress.since)
                and pg_visible_in_snapshot(a.written_by, progress.target)
            union all
            select r.tenant_id, r.written_by, r.receipt_id, 'receipt',
                   brain.chain_commitment(r.salt, brain.attested_text(r))
            from brain.memory_receipts r
            where r.written_by between first_writer and last_writer and r.salt is not null
                and (r.written_by, r.receipt_id) > (progress.after_writer, progress.after_row)
                and (r.written_by, r.receipt_id) <= (last_writer, last_row)
                and not pg_visible_in_snapshot(r.written_by, progress.since)
                and pg_visible_in_snapshot(r.written_by, progress.target)
        ),
        heads as materialized (
            select t.tenant_id, coalesce(h."position", 0) as "position",
                   coalesce(h.hash, sha256(uuid_send(t.tenant_id))) as hash
            from (select distinct tenant_id from batch) t
            left join lateral (select l."position", l.hash from brain.chain_links l
                               where l.tenant_id = t.tenant_id order by l."position" desc limit 1) h on true
        ),
        placed as (
            select b.*, h.hash as head,
                   h."position" + row_number() over (partition by b.tenant_id order by b.written_by, b.row_id, b.kind)
                       as "position"
            from batch b join heads h using (tenant_id)
        ),
        links as (
            insert into brain.chain_links as l (tenant_id, "position", kind, row_id, commitment, hash, sealed_at)
            select p.tenant_id, p."position", p.kind, p.row_id, p.commitment,
                   brain.chain_hash(p.head, int8send(p."position") || uuid_send(p.row_id) || p.commitment
                                            || convert_to(brain.utc_text(at) || p.kind, 'UTF8'))
                       over (partition by p.tenant_id order by p."position"), at
            from placed p
            returning l.tenant_id, l."position", l.hash
        )
        select distinct on (l.tenant_id) l.tenant_id, l."position", l.hash, brain.utc_text(at),
               count(*) over (partition by l.tenant_id)
        from links l
        order by l.tenant_id, l."position" desc;
    end if;
    -- A pass that found less than it may has come to its target; nothing to do is not worth a transaction's number.
    if found_rows >= most then
        update brain.chain_progress
        set since = progress.since, target = progress.target, after_writer = last_writer, after_row = last_row;
    elsif found_rows > 0 or was_over then
        update brain.chain_progress
        set since = progress.target, target = null, after_writer = default, after_row = default;
    end if;
end $$;

-- After a dump is restored into another server: its rows are numbered by transactions that this server never had. What is
-- sealed counts as long written, all else as written now. Returns how many rows were numbered anew.
create function brain.adopt_chain() returns bigint
language plpgsql
as $$
declare
    -- Taken before this transaction has a number, which it therefore does not see.
    seen constant pg_snapshot := pg_current_snapshot();
    ahead constant xid8 := pg_snapshot_xmin(seen);
    here constant bigint := (select system_identifier from pg_control_system());
    moved bigint;
    renumbered bigint := 0;
begin
    if exists (select from brain.chain_progress where system_identifier = here) then
        return 0;
    end if;
    perform pg_advisory_xact_lock(hashtextextended('brain.seal_chain', 0));
    lock table brain.audit_log, brain.memory_receipts in exclusive mode;
    update brain.chain_progress
    set system_identifier = here, since = seen, target = null, after_writer = default, after_row = default;
    alter table brain.audit_log no force row level security;
    alter table brain.memory_receipts no force row level security;
    with known as (
        select a.tenant_id, a.audit_id, l.row_id is not null as sealed
        from brain.audit_log a
        left join brain.chain_links l on l.tenant_id = a.tenant_id and l.row_id = a.audit_id and l.kind = 'audit'
            and l.commitment = brain.chain_commitment(a.salt, brain.attested_text(a))
        where a.written_by is not null and (a.written_by >= ahead or l.row_id is null)
    )
    update brain.audit_log a set written_by = case when k.sealed then '3'::xid8 else pg_current_xact_id() end
    from known k where a.tenant_id = k.tenant_id and a.audit_id = k.audit_id;
    get diagnostics moved = row_count;
    renumbered := renumbered + moved;
    with known as (
        select r.tenant_id, r.receipt_id, l.row_id is not null as sealed
        from brain.memory_receipts r
        left join brain.chain_links l on l.tenant_id = r.tenant_id and l.row_id = r.receipt_id and l.kind = 'receipt'
            and l.commitment = brain.chain_commitment(r.salt, brain.attested_text(r))
        where r.written_by is not null and (r.written_by >= ahead or l.row_id is null)
    )
    update brain.memory_receipts r set written_by = case when k.sealed then '3'::xid8 else pg_current_xact_id() end
    from known k where r.tenant_id = k.tenant_id and r.receipt_id = k.receipt_id;
    get diagnostics moved = row_count;
    alter table brain.audit_log force row level security;
    alter table brain.memory_receipts force row level security;
    return renumbered + moved;
end $$;
