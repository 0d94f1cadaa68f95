-- A person forgets, corrects and withholds in the conversation itself.

-- How far a turn may be read. 'all': like any other. 'session': off the record, read in its own session's window and
-- nowhere else. 'log': a request to forget and its reply, which repeat what was forgotten; kept in the log alone.
alter table brain.conversation_events
    add column visibility text not null default 'all' check (visibility in ('all', 'session', 'log'));

-- What a conversation carries from one turn to the next: a question that waits for its answer, and whether the talk is
-- off the record.
alter table brain.sessions add column carried jsonb not null default '{}';

-- Whether a turn says something that was forgotten, as before, and now also the reply right after a turn that a
-- forgotten memory was taken from: it answers what is gone, in words of its own.
alter function brain.says_forgotten(uuid, uuid) rename to repeats_forgotten;

create function brain.says_forgotten(of_tenant uuid, of_event uuid) returns boolean
language sql stable
as $$
    select brain.repeats_forgotten(of_tenant, of_event) or exists (
        select from brain.conversation_events e
        join brain.conversation_events s
             on s.tenant_id = e.tenant_id and s.session_id = e.session_id and s.position = e.position - 1
        join brain.memory_citations c on c.tenant_id = s.tenant_id and c.event_id = s.event_id
        join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
        where e.tenant_id = of_tenant and e.event_id = of_event and e.role = 'assistant' and i.status = 'deleted'
          and brain.repeats_forgotten(of_tenant, s.event_id)
    )
$$;

-- The turns of one owner that a memory was taken from, the replies right after them, and those that hold its words.
create or replace function brain.turns_saying(of_tenant uuid, of_scope text, of_memory uuid) returns setof uuid
language sql stable
as $$
    with said as materialized (
        select c.event_id from brain.memory_citations c
        where c.tenant_id = of_tenant and c.scope = of_scope and c.item_id = of_memory
        union
        select r.event_id
        from brain.memory_citations c
        join brain.conversation_events s on s.tenant_id = of_tenant and s.event_id = c.event_id
        join brain.conversation_events r
             on r.tenant_id = of_tenant and r.session_id = s.session_id and r.position = s.position + 1
        where c.tenant_id = of_tenant and c.scope = of_scope and c.item_id = of_memory and r.role = 'assistant'
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

-- Which characters of a turn were forgotten: pairs of start and end, in code points.
create function brain.forgotten_spans(of_tenant uuid, of_event uuid) returns jsonb
language sql stable
as $$
    select coalesce(jsonb_agg(jsonb_build_array(c.span_start, c.span_end) order by c.span_start), '[]')
    from brain.memory_citations c
    join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
    where c.tenant_id = of_tenant and i.tenant_id = of_tenant and c.event_id = of_event and i.status = 'deleted'
$$;
