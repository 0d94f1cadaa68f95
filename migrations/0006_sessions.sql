-- Summary blocks say which turns they stand for, so that window and blocks meet without a gap and without an overlap.

alter table brain.session_summaries
    add column summary_id uuid not null,
    add column first_position integer not null,
    add column last_position integer not null check (last_position >= first_position),
    add column started_at timestamptz not null,
    add column ended_at timestamptz not null check (ended_at >= started_at),
    -- Quotes what was forgotten since: in no reading until it is worded anew.
    add column withdrawn boolean not null default false;

create index summaries_of_person on brain.session_summaries (tenant_id, scope, user_id, session_id, block);
create index sessions_open on brain.sessions (tenant_id, scope, user_id, expires_at) where status = 'active';

-- Whether memories rest on a turn and all of them were forgotten: then nothing may be drawn from it again.
create function brain.says_only_forgotten(of_tenant uuid, of_event uuid) returns boolean
language sql stable
as $$
    select coalesce(bool_or(i.status = 'deleted') and not bool_or(i.status = 'active'), false)
    from brain.memory_citations c
    join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
    where c.tenant_id = of_tenant and i.tenant_id = of_tenant and c.event_id = of_event
$$;
revoke all on function brain.says_only_forgotten(uuid, uuid) from public;
grant execute on function brain.says_only_forgotten(uuid, uuid) to :app_role;

-- Written once and never changed, except for being withdrawn and worded anew.
grant update (text, sources, withdrawn) on brain.session_summaries to :app_role;
