-- Where a tenant lives, when one PostgreSQL is not enough: each database says which tenants it serves, and the first one (home)
-- also where the others are. While nobody lives elsewhere the table is empty and every tenant is served.

-- The state of a tenant in this database. "here": it came from another one. "leaving": it is being copied from here, and whoever
-- acts for it holds a lock that the move can ask for. "arriving": it is being copied to here, and nobody is served. "gone": it
-- lives elsewhere. The row of nobody (all zeros) stands for every tenant without one: a cell serves only who came to it.
create table brain.tenant_cells (
    tenant_id uuid primary key,
    state text not null check (state in ('here', 'leaving', 'arriving', 'gone')),
    -- At home: the cell in which the tenant lives, for one that is gone or arriving.
    cell text check (cell ~ '^[a-z][a-z0-9_-]{0,30}$'),
    -- The transaction by which the tenant came to be served here: whoever kept its rows from before reads them anew.
    arrived_by xid8 not null default pg_current_xact_id(),
    changed_at timestamptz not null default clock_timestamp()
);
alter table brain.tenant_cells enable row level security;
alter table brain.tenant_cells force row level security;
create policy own_tenant on brain.tenant_cells for select
    using (tenant_id = (select brain.current_tenant()) or tenant_id = '00000000-0000-0000-0000-000000000000');
create policy maintenance on brain.tenant_cells
    using ((select brain.acts_as_owner())) with check ((select brain.acts_as_owner()));

-- Rows of a tenant that is leaving which were written since they were copied.
create table brain.moved_rows (
    tenant_id uuid not null,
    change_id bigint generated always as identity,
    table_name text not null,
    row_key jsonb not null,
    primary key (tenant_id, change_id)
);
call brain.secure_tenant('brain.moved_rows');
alter table brain.moved_rows alter column row_key set statistics 0;
create policy maintenance on brain.moved_rows
    using ((select brain.acts_as_owner())) with check ((select brain.acts_as_owner()));

-- What a move takes for itself when it holds a tenant, and everybody else shares.
create function brain.move_lock(of_tenant uuid) returns bigint
language sql immutable parallel safe
as $$ select hashtextextended('brain tenant ' || of_tenant, 0) $$;

-- Go on only where the tenant is served; while it is leaving, wait until the move lets go. The lock comes before the second look:
-- who waited for it sees what the move did.
create function brain.enter_cell(of_tenant uuid) returns void
language plpgsql
as $$
declare
    nobody constant uuid := '00000000-0000-0000-0000-000000000000';
    standing text;
begin
    if of_tenant = nobody then
        return;
    end if;
    select c.state into standing from brain.tenant_cells c
    where c.tenant_id in (of_tenant, nobody) order by c.tenant_id desc limit 1;
    if standing = 'leaving' then
        perform pg_advisory_xact_lock_shared(brain.move_lock(of_tenant));
        select c.state into standing from brain.tenant_cells c
        where c.tenant_id in (of_tenant, nobody) order by c.tenant_id desc limit 1;
    end if;
    if standing in ('arriving', 'gone') then
        raise exception using errcode = 'BR421', message = 'this tenant is served by another cell';
    end if;
end $$;

-- In which cell a tenant lives; null: at home. Asked before anybody acts for it.
create function brain.find_cell(of_tenant uuid) returns text
language sql stable security definer set search_path = brain, pg_temp
as $$ select cell from tenant_cells where tenant_id = of_tenant and state in ('arriving', 'gone') $$;

-- Trigger of a move on a table, for the rows of one tenant: arguments are the tenant and the columns of the key. Whoever writes
-- without having said for whom (what looks across tenants) is held and refused here.
create function brain.follow_move() returns trigger
language plpgsql security definer set search_path = brain, pg_temp
as $$
declare
    whose constant uuid := tg_argv[0];
    written jsonb;
begin
    perform pg_advisory_xact_lock_shared(move_lock(whose));
    if exists (select from tenant_cells where tenant_id = whose and state = 'gone') then
        raise exception using errcode = 'BR421', message = 'this tenant is served by another cell';
    end if;
    if tg_op = 'DELETE' then written := to_jsonb(old); else written := to_jsonb(new); end if;
    insert into moved_rows (tenant_id, table_name, row_key)
    select whose, tg_table_schema || '.' || tg_table_name, jsonb_object_agg(k, written -> k) from unnest(tg_argv[1:]) k;
    if tg_op = 'DELETE' then return old; end if;
    return new;
end $$;

-- Trigger of a move on the queue: what waits is put under a name that no worker serves, until it has come to the other cell.
create function brain.hold_jobs() returns trigger
language plpgsql security definer set search_path = brain, pg_temp
as $$
begin
    perform pg_advisory_xact_lock_shared(move_lock(tg_argv[0]::uuid));
    if exists (select from tenant_cells where tenant_id = tg_argv[0]::uuid and state = 'gone') then
        raise exception using errcode = 'BR421', message = 'this tenant is served by another cell';
    end if;
    if new.status = 'todo' and new.queue_name not like 'moving:%' then
        new.queue_name := 'moving:' || new.queue_name;
    end if;
    return new;
end $$;

-- As before, in a database that serves the tenant.
create or replace function brain.act_as(of_tenant uuid, of_scope text, of_user uuid) returns void
language plpgsql
as $$
begin
    perform set_config('brain.tenant_id', of_tenant::text, true), set_config('brain.scope', of_scope, true),
        set_config('brain.user_id', of_user::text, true);
    perform brain.enter_cell(of_tenant);
    perform pg_advisory_xact_lock_shared(hashtextextended('brain person ' || of_user, 0));
    if exists (select from brain.tombstones t
               where t.tenant_id = of_tenant and t.user_id = of_user and (t.scope is null or t.scope = of_scope)) then
        raise exception using errcode = 'BR410', message = 'this person is being erased';
    end if;
end $$;

create or replace function checkpoint.enter_thread(of_tenant uuid, of_thread text) returns void
language plpgsql set search_path = checkpoint, brain, pg_temp
as $$
begin
    perform set_config('brain.tenant_id', of_tenant::text, true);
    perform enter_cell(of_tenant);
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

-- Say for whom threads are read, to the end of the transaction.
create function checkpoint.act_for_tenant(of_tenant uuid) returns void
language plpgsql set search_path = checkpoint, brain, pg_temp
as $$
begin
    perform set_config('brain.tenant_id', of_tenant::text, true);
    perform enter_cell(of_tenant);
end $$;
