-- Who may see a row. Each transaction says once who is asking; the policies below compare every row with that.
-- An unset or empty setting is NULL, equals nothing, and so shows nothing.

create function brain.current_tenant() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('brain.tenant_id', true), '')::uuid $$;

create function brain.current_scope() returns text
language sql stable parallel safe
as $$ select nullif(current_setting('brain.scope', true), '') $$;

create function brain.current_user_id() returns uuid
language sql stable parallel safe
as $$ select nullif(current_setting('brain.user_id', true), '')::uuid $$;

-- For tables with tenant_id, scope and user_id. A group's rows are the group's: each of its speakers may see and
-- continue them. What may be seen may be written, nothing else. The sub-selects make PostgreSQL evaluate each setting
-- once per statement, not once per row.
create procedure brain.secure(target regclass)
language plpgsql
as $$
begin
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    execute format(
        'create policy own_rows on %s'
        ' using (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())'
        '   and (user_id = (select brain.current_user_id()) or scope like ''group:%%''))'
        ' with check (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())'
        '   and (user_id = (select brain.current_user_id()) or scope like ''group:%%''))',
        target);
end $$;

-- For tables that belong to a tenant as a whole.
create procedure brain.secure_tenant(target regclass)
language plpgsql
as $$
begin
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    execute format(
        'create policy own_tenant on %s'
        ' using (tenant_id = (select brain.current_tenant()))'
        ' with check (tenant_id = (select brain.current_tenant()))',
        target);
end $$;

revoke all on all functions in schema brain from public;
revoke all on all procedures in schema brain from public;
grant execute on function brain.current_tenant(), brain.current_scope(), brain.current_user_id() to :app_role;
