-- Counting a person's memories read those of the whole tenant: the plan that Brain's sessions keep for a statement has to serve a
-- tenant, a group and a person alike. Planned for whoever is asked about, it reads their rows alone.
create or replace function brain.count_memories(of_tenant uuid, of_scope text, of_user uuid, since timestamptz, at timestamptz)
returns table (of_group boolean, living bigint, outdated bigint, ended bigint, doubted bigint, over bigint, lasting bigint,
               replaced_often bigint, contested bigint, unsettled bigint)
language plpgsql stable set plan_cache_mode = 'force_custom_plan'
as $$
#variable_conflict use_column
begin
    return query
    with recursive alive as (
        select i.item_id, i.scope like 'group:%' as of_group, coalesce(i.epistemic_type = 'outdated', false) as outdated,
               coalesce(i.invalid_at < at and i.invalid_at > i.observed_at, false) as ended, i.stale as doubted,
               i.invalid_at is null as lasting
        from brain.memory_items i
        where i.tenant_id = of_tenant and (of_scope is null or i.scope = of_scope) and (of_user is null or i.user_id = of_user)
          and i.status = 'active' and i.use <> 'excluded' and i.created_at <= at
    ), chain as (
        select distinct a.item_id as head, a.item_id, 0 as links
        from alive a
        join brain.memory_items o on o.tenant_id = of_tenant and o.superseded_by = a.item_id
        where a.lasting and o.updated_at >= since
        union all
        select c.head, o.item_id, c.links + 1
        from chain c
        join brain.memory_items n on n.tenant_id = of_tenant and n.item_id = c.item_id
        join brain.memory_items o on o.tenant_id = of_tenant and o.superseded_by = c.item_id
        where c.links < 3 and not n.provenance ? 'consolidates'
    ), often as (
        select distinct head as item_id from chain where links >= 3
    ), contested as (
        select side.item_id
        from brain.memory_conflicts c cross join lateral (values (c.held_id), (c.new_id)) as side (item_id)
        where c.tenant_id = of_tenant and (of_scope is null or c.scope = of_scope) and (of_user is null or c.user_id = of_user)
          and c.status = 'open'
        group by side.item_id
    )
    select a.of_group, count(*), count(*) filter (where a.outdated), count(*) filter (where a.ended),
           count(*) filter (where a.doubted), count(*) filter (where a.outdated or a.ended or a.doubted),
           count(*) filter (where a.lasting), count(o.item_id), count(c.item_id) filter (where a.lasting),
           count(*) filter (where a.lasting and (o.item_id is not null or c.item_id is not null))
    from alive a left join often o using (item_id) left join contested c using (item_id)
    group by a.of_group;
end $$;
