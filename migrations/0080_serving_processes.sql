-- Several processes serve one database: who lives, what each tenant uses in all of them, and who carries out a decision.
-- None of it outlives a crash of the database, and all of it is written often: unlogged, and in no backup.

-- Belongs to nobody: the application asks through the functions below.
create unlogged table brain.serving_processes (
    process_id uuid primary key,
    seen_at timestamptz not null
) with (fillfactor = 50);

-- For how long a process counts that says nothing; each says that it lives every two seconds.
create function brain.serving_patience() returns interval
language sql immutable
as $$ select interval '10 seconds' $$;

-- A process says that it lives; how many others do. Those that have been silent for an hour are forgotten.
create function brain.keep_serving(process uuid) returns integer
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    others integer;
begin
    insert into brain.serving_processes as p (process_id, seen_at) values (process, clock_timestamp())
    on conflict (process_id) do update set seen_at = excluded.seen_at;
    delete from brain.serving_processes
    where process_id in (select s.process_id from brain.serving_processes s
                         where s.seen_at < clock_timestamp() - interval '1 hour' for update skip locked);
    select count(*) into others from brain.serving_processes s
    where s.process_id <> process and s.seen_at > clock_timestamp() - brain.serving_patience();
    return others;
end $$;

-- A process that ends says so: what it held is free at once.
create function brain.stop_serving(process uuid) returns void
language sql security definer set search_path = brain, public, pg_temp
as $$ delete from brain.serving_processes where process_id = process $$;

-- The process, if it lives.
create function brain.serving(process uuid) returns uuid
language sql stable strict security definer set search_path = brain, public, pg_temp
as $$
    select p.process_id from brain.serving_processes p
    where p.process_id = process and p.seen_at > clock_timestamp() - brain.serving_patience()
$$;

-- What a tenant may still ask for, and how many requests of it each process is answering: {process: count}.
create unlogged table brain.tenant_shares (
    tenant_id uuid primary key,
    tokens double precision not null,
    filled_at timestamptz not null,
    places jsonb not null default '{}'
) with (fillfactor = 50);
alter table brain.tenant_shares alter column places set statistics 0;
call brain.secure_tenant('brain.tenant_shares');

-- A process takes up to ``wanted`` places and requests of a tenant's share; it says how many places it holds already.
-- ``per_minute`` 0: as many as they like. ``at_most``: the bucket holds no more, as the process has counted by itself.
create function brain.take_share(
    of_tenant uuid, process uuid, running integer, wanted integer, per_minute integer, at_once integer,
    at_most double precision,
    out granted integer, out too_fast boolean, out seconds double precision)
language plpgsql volatile
as $$
declare
    share brain.tenant_shares;
    elsewhere integer;
    kept jsonb;
    rate constant double precision := per_minute / 60.0;
begin
    select * into share from brain.tenant_shares s where s.tenant_id = of_tenant for update;
    if not found then
        insert into brain.tenant_shares (tenant_id, tokens, filled_at) values (of_tenant, per_minute, clock_timestamp())
        on conflict do nothing;
        select * into share from brain.tenant_shares s where s.tenant_id = of_tenant for update;
    end if;
    share.tokens := least(per_minute, at_most,
        share.tokens + rate * greatest(0, extract(epoch from clock_timestamp() - share.filled_at)));
    select coalesce(jsonb_object_agg(p.key, p.value), '{}'), coalesce(sum(p.value::integer), 0) into kept, elsewhere
    from jsonb_each(share.places) p
    where p.key <> process::text and brain.serving(p.key::uuid) is not null;
    granted := greatest(0, least(wanted, at_once - elsewhere - running));
    too_fast := per_minute > 0 and share.tokens < granted;
    if too_fast then
        granted := floor(share.tokens);
        seconds := (1 - (share.tokens - granted)) / rate;
    end if;
    if running + granted > 0 then
        kept := kept || jsonb_build_object(process::text, running + granted);
    end if;
    update brain.tenant_shares s
    set tokens = share.tokens - case when per_minute > 0 then granted else 0 end, filled_at = clock_timestamp(),
        places = kept
    where s.tenant_id = of_tenant;
end $$;

-- Who carries out what a person decided: one process at a time, until it lets go, dies or takes too long.
create unlogged table brain.decisions_at_work (
    tenant_id uuid not null,
    decision_id uuid not null,
    process_id uuid not null,
    ends_at timestamptz not null,
    primary key (tenant_id, decision_id)
);
call brain.secure_tenant('brain.decisions_at_work');
