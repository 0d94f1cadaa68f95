-- A turn that says several things, of which one is over, stands between one that holds and one that is overtaken: the
-- memories of what still holds speak for it, and asked about now it must not stand above what took the place of the
-- rest.

-- How a turn stands by the memories that rest on it: 'holds', 'partly' or 'over'. A memory that has ended speaks
-- against its turns, except against the one that ended it and against one that a living memory speaks for which came in
-- its place, at once or in the end; a living one speaks for them, except against those that said it in other words
-- before a person corrected it. The store in memory follows the same rule.
create function brain.standing_of(of_tenant uuid, of_event uuid) returns text
language sql stable
as $$
    with recursive spoken as (
        select i.item_id, i.superseded_by, i.status = 'active' as living,
               case when i.status = 'active' then coalesce(i.provenance -> 'overruled' ? of_event::text, false)
                    else not coalesce(i.provenance -> 'ended_by' ? of_event::text, false) end as over
        from brain.memory_citations c
        join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
        where c.tenant_id = of_tenant and i.tenant_id = of_tenant and c.event_id = of_event and i.status <> 'deleted'
    ), heirs as (
        select item_id, superseded_by as heir, 1 as links from spoken where superseded_by is not null
        union all
        select heirs.item_id, i.superseded_by, heirs.links + 1
        from heirs join brain.memory_items i on i.tenant_id = of_tenant and i.item_id = heirs.heir
        where i.superseded_by is not null and heirs.links < 20
    )
    select case when not coalesce(bool_or(over), false) then 'holds'
                when bool_or(living and not over) then 'partly' else 'over' end
    from spoken
    where living or not exists (select from heirs join spoken heir on heir.item_id = heirs.heir
                                where heirs.item_id = spoken.item_id and heir.living and not heir.over)
$$;

revoke all on function brain.standing_of(uuid, uuid) from public;
grant execute on function brain.standing_of(uuid, uuid) to :app_role;
drop function brain.is_overtaken(uuid, uuid);

-- Turns that were indexed before, as far as whoever migrates may see them; deriving an index again weighs the others.
update brain.recall_index x
set confidence = 0.6
from (select distinct c.tenant_id, c.event_id
      from brain.memory_citations c
      join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
      where i.status not in ('active', 'deleted') or i.provenance ? 'overruled') said
where x.tenant_id = said.tenant_id and x.source_id = said.event_id and x.lane = 'turn' and x.confidence = 1
    and brain.standing_of(x.tenant_id, x.source_id) = 'partly';
