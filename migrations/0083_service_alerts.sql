-- Alerts about how the service does: each begins once, is renewed while it lasts, and ends; a restart repeats none.

-- Of a tenant, or of the installation under the tenant of zeros. Of what burns ``value`` is how many times as fast as allowed.
create table brain.service_alerts (
    tenant_id uuid not null,
    alert_id uuid not null,
    name text not null check (name ~ '^[a-z][a-z0-9_]{0,63}$'),
    severity text not null check (severity in ('urgent', 'ticket')),
    value double precision not null,
    threshold double precision not null,
    samples bigint not null check (samples >= 0),
    began_at timestamptz not null,
    renewed_at timestamptz not null,
    ended_at timestamptz,
    primary key (tenant_id, alert_id)
);
alter table brain.service_alerts alter column name set statistics 0;
create unique index service_alerts_active on brain.service_alerts (tenant_id, name, severity) where ended_at is null;
create index service_alerts_ended on brain.service_alerts (tenant_id, ended_at) where ended_at is not null;
call brain.secure_tenant('brain.service_alerts');
create policy maintenance on brain.service_alerts for select using ((select brain.acts_as_owner()));

-- When something was last done for the whole installation. Whoever moves it on is the one to do it.
create table brain.last_done (
    act text primary key check (act ~ '^[a-z][a-z0-9_]{0,63}$'),
    done_at timestamptz not null,
    -- The next transaction at that time, on the server that this was.
    seen xid8
);

-- Whether nobody has done it within so many seconds; it counts as done then. A clock that was set back holds nobody up.
create function brain.claim_act(of_act text, pause double precision) returns boolean
language sql security definer set search_path = brain, pg_temp
as $$
    with claimed as (
        insert into brain.last_done as d (act, done_at) values (of_act, clock_timestamp())
        on conflict (act) do update set done_at = excluded.done_at
        where abs(extract(epoch from excluded.done_at - d.done_at)) >= pause
        returning d.act
    )
    select exists (select from claimed)
$$;

-- The tenants that have active alerts.
create function brain.tenants_with_alerts() returns table (tenant_id uuid)
language sql stable security definer set search_path = brain, pg_temp
as $$ select distinct a.tenant_id from brain.service_alerts a where a.ended_at is null $$;

-- How many tenants have an alert now, by name and severity, and how many seconds ago somebody looked.
create function brain.count_alerts() returns table (name text, severity text, alerts bigint, seconds double precision)
language sql stable security definer set search_path = brain, pg_temp
as $$
    select coalesce(a.name, ''), coalesce(a.severity, ''), count(a.alert_id),
           (select extract(epoch from now() - d.done_at)::float8 from brain.last_done d where d.act = 'burn')
    from (select) one left join brain.service_alerts a on a.ended_at is null
    group by a.name, a.severity
$$;

-- For how many seconds something that was committed has waited to be sealed. Each look remembers which transactions there had
-- been: what one of those wrote and is still not sealed at the next look is late, whatever time it bears. 0 where nothing is late.
create function brain.unsealed_seconds() returns double precision
language plpgsql security definer set search_path = brain, pg_temp
as $$
declare
    progress brain.chain_progress;
    before brain.last_done;
    next_writer constant xid8 := pg_snapshot_xmax(pg_current_snapshot());
begin
    select * into strict progress from brain.chain_progress;
    select * into before from brain.last_done d where d.act = 'seal';
    if before.seen <= next_writer and (exists (
        select from brain.audit_log a
        where a.written_by >= greatest(pg_snapshot_xmin(progress.since), progress.after_writer) and a.written_by < before.seen
          and (a.written_by, a.audit_id) > (progress.after_writer, progress.after_row) and a.salt is not null
          and not pg_visible_in_snapshot(a.written_by, progress.since)
    ) or exists (
        select from brain.memory_receipts r
        where r.written_by >= greatest(pg_snapshot_xmin(progress.since), progress.after_writer) and r.written_by < before.seen
          and (r.written_by, r.receipt_id) > (progress.after_writer, progress.after_row) and r.salt is not null
          and not pg_visible_in_snapshot(r.written_by, progress.since)
    )) then
        return greatest(extract(epoch from clock_timestamp() - before.done_at), 0);
    end if;
    insert into brain.last_done as d (act, done_at, seen) values ('seal', clock_timestamp(), next_writer)
    on conflict (act) do update set done_at = excluded.done_at, seen = excluded.seen;
    return 0;
end $$;

-- How many seconds ago something was last done for the whole installation; nothing where it never was.
create function brain.seconds_since(of_act text) returns double precision
language sql stable security definer set search_path = brain, pg_temp
as $$ select extract(epoch from now() - d.done_at)::float8 from brain.last_done d where d.act = of_act $$;
