-- What was forgotten stays out of sight wherever else it was said: in a turn that says other things as well, and in
-- Brain's own replies that repeated it.

create index items_forgotten on brain.memory_items (tenant_id, scope, user_id) where status = 'deleted';

-- Whether a turn says something that was forgotten: a memory taken from it was, and no living memory taken from it says
-- those words; or it is a reply that repeats a memory which was told in its session or stood in its prompt, and no
-- living memory of that person says those words. Nothing may be read or drawn from such a turn.
create function brain.says_forgotten(of_tenant uuid, of_event uuid) returns boolean
language sql stable
as $$
    select exists (
        select from brain.memory_citations c
        join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
        where c.tenant_id = of_tenant and i.tenant_id = of_tenant and c.event_id = of_event and i.status = 'deleted'
          and not exists (select from brain.memory_citations l
                          join brain.memory_items o on o.tenant_id = l.tenant_id and o.item_id = l.item_id
                          where l.tenant_id = of_tenant and o.tenant_id = of_tenant and l.event_id = of_event
                            and o.status = 'active' and strpos(lower(o.content), lower(i.object)) > 0)
    ) or exists (
        select from brain.conversation_events e
        join brain.memory_items i on i.tenant_id = e.tenant_id and i.scope = e.scope and i.status = 'deleted'
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
                            and o.status = 'active' and strpos(lower(o.content), lower(i.object)) > 0)
    )
$$;

-- The turns of one owner that a memory was taken from, and the replies that hold its words.
create function brain.turns_saying(of_tenant uuid, of_scope text, of_memory uuid) returns setof uuid
language sql stable
as $$
    select c.event_id from brain.memory_citations c
    where c.tenant_id = of_tenant and c.scope = of_scope and c.item_id = of_memory
    union
    select e.event_id
    from brain.memory_items i
    join brain.sessions s on s.tenant_id = of_tenant and s.scope = of_scope
         and (s.user_id = i.user_id or of_scope like 'group:%')
    join brain.conversation_events e on e.tenant_id = of_tenant and e.session_id = s.session_id and e.role = 'assistant'
    where i.tenant_id = of_tenant and i.scope = of_scope and i.item_id = of_memory
      and exists (select from brain.memory_versions v
                  where v.tenant_id = of_tenant and v.item_id = of_memory
                    and strpos(lower(e.text), lower(v.snapshot ->> 'object')) > 0)
$$;

revoke all on function brain.says_forgotten(uuid, uuid), brain.turns_saying(uuid, text, uuid) from public;
grant execute on function brain.says_forgotten(uuid, uuid), brain.turns_saying(uuid, text, uuid) to :app_role;
drop function brain.says_only_forgotten(uuid, uuid);
