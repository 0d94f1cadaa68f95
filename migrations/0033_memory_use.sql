-- A person sets how a memory is used: 'pinned' stands in every prompt, 'excluded' in none, and no reading finds it. What
-- is excluded is kept whole and comes back as it was.

alter table brain.memory_items
    add column use text not null default 'auto' check (use in ('auto', 'pinned', 'excluded'));

create index items_pinned on brain.memory_items (tenant_id, scope, user_id) where use = 'pinned' and status = 'active';
drop index if exists brain.items_forgotten;
create index items_withheld on brain.memory_items (tenant_id, scope, user_id)
    where status = 'deleted' or use = 'excluded';

-- Whether a turn says something that may not be read. As before, now also of excluded memories, unless it is asked for
-- what was forgotten alone: only that is ever removed.
drop function brain.says_forgotten(uuid, uuid);
drop function brain.repeats_forgotten(uuid, uuid);

create function brain.repeats_forgotten(of_tenant uuid, of_event uuid, or_excluded boolean default true) returns boolean
language sql stable
as $$
    select exists (
        select from brain.memory_citations c
        join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
        where c.tenant_id = of_tenant and i.tenant_id = of_tenant and c.event_id = of_event
          and (i.status = 'deleted' or i.use = 'excluded') and (or_excluded or i.status = 'deleted')
          and not exists (select from brain.memory_citations l
                          join brain.memory_items o on o.tenant_id = l.tenant_id and o.item_id = l.item_id
                          where l.tenant_id = of_tenant and o.tenant_id = of_tenant and l.event_id = of_event
                            and o.status = 'active' and not (or_excluded and o.use = 'excluded')
                            and strpos(lower(o.content), lower(i.object)) > 0)
    ) or exists (
        select from brain.conversation_events e
        join brain.memory_items i on i.tenant_id = e.tenant_id and i.scope = e.scope
             and (i.status = 'deleted' or i.use = 'excluded') and (or_excluded or i.status = 'deleted')
             and (i.user_id = e.user_id or e.scope like 'group:%')
        where e.tenant_id = of_tenant and i.tenant_id = of_tenant and e.event_id = of_event and e.role = 'assistant'
          and exists (select from brain.memory_versions v
                      where v.tenant_id = of_tenant and v.item_id = i.item_id
                        and length(v.snapshot ->> 'object') > 1
                        and strpos(lower(e.text), lower(v.snapshot ->> 'object')) > 0)
          and (exists (select from brain.memory_citations c
                       join brain.conversation_events s on s.tenant_id = c.tenant_id and s.event_id = c.event_id
                       where c.tenant_id = of_tenant and s.tenant_id = of_tenant and c.item_id = i.item_id
                         and s.session_id = e.session_id)
               or exists (select from brain.memory_receipts r
                          where r.tenant_id = of_tenant and r.operation_id = e.operation_id
                            and r.receipt_type = 'injection' and r.memory_id = i.item_id))
          and not exists (select from brain.memory_items o
                          where o.tenant_id = of_tenant and o.scope = i.scope and o.user_id = i.user_id
                            and o.status = 'active' and not (or_excluded and o.use = 'excluded')
                            and strpos(lower(o.content), lower(i.object)) > 0)
    )
$$;

create function brain.says_forgotten(of_tenant uuid, of_event uuid, or_excluded boolean default true) returns boolean
language sql stable
as $$
    select brain.repeats_forgotten(of_tenant, of_event, or_excluded) or exists (
        select from brain.conversation_events e
        join brain.conversation_events s
             on s.tenant_id = e.tenant_id and s.session_id = e.session_id and s.position = e.position - 1
        join brain.memory_citations c on c.tenant_id = s.tenant_id and c.event_id = s.event_id
        join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
        where e.tenant_id = of_tenant and e.event_id = of_event and e.role = 'assistant'
          and (i.status = 'deleted' or i.use = 'excluded') and (or_excluded or i.status = 'deleted')
          and brain.repeats_forgotten(of_tenant, s.event_id, or_excluded)
    )
$$;

-- Which characters of a turn nothing is drawn from: pairs of start and end, in code points.
create or replace function brain.forgotten_spans(of_tenant uuid, of_event uuid) returns jsonb
language sql stable
as $$
    select coalesce(jsonb_agg(jsonb_build_array(c.span_start, c.span_end) order by c.span_start), '[]')
    from brain.memory_citations c
    join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
    where c.tenant_id = of_tenant and i.tenant_id = of_tenant and c.event_id = of_event
      and (i.status = 'deleted' or i.use = 'excluded')
$$;
