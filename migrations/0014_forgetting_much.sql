-- Forgetting takes time in proportion to what goes: the same as before, asked in an order that does not multiply.

-- What is outdated is looked up by whose rows went, once: without statistics the planner compared every row that went
-- with every other, and the index of a person with ten thousand rows could not be cleared within a statement's bound.
create or replace function brain.note_removals() returns trigger
language plpgsql
as $$
begin
    insert into brain.recall_removals (tenant_id, scope, user_id, source_id)
    select distinct tenant_id, scope, user_id, source_id from removed where not staged
    on conflict do nothing;
    -- The rows are locked, so each stands still at its ctid.
    delete from brain.recall_removals
    where ctid = any (array(
        with owners as materialized (select distinct tenant_id, scope, user_id from removed)
        select o.ctid from owners join brain.recall_removals o using (tenant_id, scope, user_id)
        where o.removed_at < now() - interval '1 day'
        for update of o skip locked
    ));
    return null;
end $$;

-- Materialized: else the planner asks of every reply that a person ever got whether it says something forgotten, which
-- takes long, before it looks for the words of this memory, which is quick.
create or replace function brain.turns_saying(of_tenant uuid, of_scope text, of_memory uuid) returns setof uuid
language sql stable
as $$
    with said as materialized (
        select c.event_id from brain.memory_citations c
        where c.tenant_id = of_tenant and c.scope = of_scope and c.item_id = of_memory
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
