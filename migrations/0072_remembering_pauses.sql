-- When a person does not want to be remembered: from ``since`` to ``ends_at`` (null: for good), everywhere or in one conversation.
-- A turn that was said in between teaches nothing, now or later; so pauses that are over stay.
create table brain.remembering_pauses (
    tenant_id uuid not null,
    scope text not null,
    user_id uuid not null,
    pause_id uuid not null,
    -- Null: in every conversation.
    session_id uuid,
    since timestamptz not null default now(),
    ends_at timestamptz,
    primary key (tenant_id, scope, user_id, pause_id),
    check (ends_at >= since)
);

call brain.secure('brain.remembering_pauses');
-- As every table of people since erasing: a person who is being erased is closed, and the functions that erase reach the rows.
alter policy own_rows on brain.remembering_pauses
    using (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())
        and (user_id = (select brain.current_user_id())
             or scope like 'group:%' and user_id <> all ((select brain.fenced_users())::uuid[])))
    with check (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())
        and (user_id = (select brain.current_user_id())
             or scope like 'group:%' and user_id <> all ((select brain.fenced_users())::uuid[])));
create policy erasure on brain.remembering_pauses using ((select brain.acts_as_owner())
    and tenant_id = (select brain.current_tenant())
    and user_id = (select nullif(current_setting('brain.erasing_user', true), '')::uuid));

-- Whether a person did not want to be remembered in a conversation at a moment.
create function brain.pauses_remembering(of_tenant uuid, of_scope text, of_user uuid, of_session uuid, at timestamptz)
    returns boolean
language sql stable
as $$
    select exists (select from brain.remembering_pauses p
                   where p.tenant_id = of_tenant and p.scope = of_scope and p.user_id = of_user
                     and (p.session_id is null or p.session_id = of_session)
                     and p.since <= at and (p.ends_at is null or p.ends_at > at))
$$;

-- The list of tables that erasing deletes from, one longer, whatever else was added to it.
do $$
declare
    before constant text := pg_get_functiondef('brain.erase_rows(uuid, integer)'::regprocedure);
    after constant text := replace(before, '''past_imports''', '''remembering_pauses'', ''past_imports''');
begin
    if after = before then
        raise exception 'erase_rows has no list that names what it did';
    end if;
    execute after;
end $$;
