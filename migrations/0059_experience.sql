-- What the agent learns of how its tools end, for a whole tenant: counts under closed names, with no word of anybody. They are
-- counted anew from the receipts of turns, which go when their person is erased.

create table brain.agent_experiences (
    tenant_id uuid not null,
    -- retry:TOOL:CODE (called once more, it worked), instead:TOOL:CODE:OTHER (another tool worked), corrected:TOOL.
    lesson text not null check (lesson ~ '^(retry|instead|corrected)(:[A-Za-z][A-Za-z0-9_]{0,63}){1,3}$'),
    -- In how many conversations it was so and was not so, and of how many people.
    times integer not null check (times > 0),
    against integer not null check (against >= 0),
    people integer not null check (people > 0),
    last_seen timestamptz not null,
    -- Taken out by somebody; it does not come back by itself.
    removed boolean not null default false,
    primary key (tenant_id, lesson)
);
call brain.secure_tenant('brain.agent_experiences');

create index receipts_with_tools on brain.memory_receipts (tenant_id, created_at)
    where receipt_type = 'retrieval' and details -> 'tools' <> '[]'::jsonb;

-- How the calls of each turn ended, in their order, and whether the person then corrected the answer. Only the owner reads it,
-- for the count.
create function brain.tool_outcomes(of_tenant uuid, since timestamptz)
returns table (user_id uuid, session_id uuid, at timestamptz, tools jsonb, corrected boolean)
language sql stable set search_path = brain, pg_temp
as $$
    select r.user_id, r.session_id, r.created_at, r.details -> 'tools',
           exists (select from brain.memory_receipts i
                   where i.tenant_id = of_tenant and i.operation_id = r.operation_id and i.receipt_type = 'injection'
                     and i.user_feedback_signal = 'correct')
    from brain.memory_receipts r
    where r.tenant_id = of_tenant and r.receipt_type = 'retrieval' and r.details -> 'tools' <> '[]'::jsonb
      and r.created_at >= since and r.session_id is not null
      and not exists (select from brain.tombstones t where t.tenant_id = of_tenant and t.user_id = r.user_id)
$$;

-- Tenants that called tools since then, or have learnt something.
create function brain.tenants_with_tools(since timestamptz) returns table (tenant_id uuid)
language sql stable set search_path = brain, pg_temp
as $$
    select r.tenant_id from brain.memory_receipts r
    where r.receipt_type = 'retrieval' and r.details -> 'tools' <> '[]'::jsonb and r.created_at >= since
    union
    select e.tenant_id from brain.agent_experiences e
$$;
create policy maintenance on brain.agent_experiences for select using ((select brain.acts_as_owner()));

-- Keep what was counted in the place of what was counted before; what somebody took out stays out. Returns how many there are.
create function brain.keep_experiences(of_tenant uuid, counted jsonb) returns integer
language plpgsql set search_path = brain, pg_temp
as $$
declare
    kept integer;
begin
    perform pg_advisory_xact_lock(hashtextextended('brain experiences ' || of_tenant, 0));
    delete from agent_experiences e
    where e.tenant_id = of_tenant and not e.removed
      and not exists (select from jsonb_array_elements(counted) c where c ->> 'lesson' = e.lesson);
    insert into agent_experiences as e (tenant_id, lesson, times, against, people, last_seen)
    select of_tenant, c.lesson, c.times, c.against, c.people, c.last_seen
    from jsonb_to_recordset(counted) c (lesson text, times integer, against integer, people integer, last_seen timestamptz)
    on conflict (tenant_id, lesson) do update set times = excluded.times, against = excluded.against,
        people = excluded.people, last_seen = excluded.last_seen;
    select count(*) into kept from agent_experiences e where e.tenant_id = of_tenant and not e.removed;
    return kept;
end $$;
