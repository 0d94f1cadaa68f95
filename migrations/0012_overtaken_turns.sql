-- A turn that says what has since been replaced or taken back stays in the log and the index, but it is overtaken: what
-- is asked of the present must not hear it above the memory that took its place.

-- Whether every memory that rests on a turn says by now that it is over. A memory that has ended speaks against its turns,
-- except against the one that ended it; a living one speaks for them, except against those that said it in other words
-- before a person corrected it. The store in memory follows the same rule.
create function brain.is_overtaken(of_tenant uuid, of_event uuid) returns boolean
language sql stable
as $$
    select coalesce(bool_or(said.over) and not bool_or(said.living and not said.over), false)
    from (
        select i.status = 'active' as living,
               case when i.status = 'active' then coalesce(i.provenance -> 'overruled' ? of_event::text, false)
                    else not coalesce(i.provenance -> 'ended_by' ? of_event::text, false) end as over
        from brain.memory_citations c
        join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
        where c.tenant_id = of_tenant and i.tenant_id = of_tenant and c.event_id = of_event and i.status <> 'deleted'
    ) said
$$;

revoke all on function brain.is_overtaken(uuid, uuid) from public;
grant execute on function brain.is_overtaken(uuid, uuid) to :app_role;
