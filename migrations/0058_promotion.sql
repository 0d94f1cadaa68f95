-- Promotion: what several people of a tenant told by themselves may become something that the organisation knows. A count that
-- only the owner can make proposes it, without saying who told it; a person decides; and it is withdrawn when one of those who
-- told it is erased or objects.

-- The planner keeps no samples of words and names.
create table brain.promotion_proposals (
    tenant_id uuid not null,
    proposal_id uuid not null,
    -- A sentence in which nobody is named; empty once it is withdrawn.
    text text not null,
    topic text not null,
    people integer not null,
    sessions integer not null,
    told integer not null,
    status text not null default 'proposed' check (status in ('proposed', 'approved', 'rejected', 'withdrawn')),
    proposed_at timestamptz not null,
    decided_by text not null default '',
    decided_at timestamptz,
    withdrawn_at timestamptz,
    -- How often the status changed, and whether knowledge is known to agree with it.
    revision integer not null default 0,
    settled boolean not null default true,
    entry_id text,
    primary key (tenant_id, proposal_id),
    check ((status = 'withdrawn') = (text = '')),
    check ((status = 'withdrawn') = (withdrawn_at is not null))
);
alter table brain.promotion_proposals alter column text set statistics 0, alter column decided_by set statistics 0;

-- Which memories a proposal rests on, and whose. The application may not look at it: it would tell who said what.
create table brain.promotion_sources (
    tenant_id uuid not null,
    proposal_id uuid not null,
    memory_id uuid not null,
    scope text not null,
    user_id uuid not null,
    primary key (tenant_id, proposal_id, memory_id),
    foreign key (tenant_id, proposal_id) references brain.promotion_proposals (tenant_id, proposal_id)
);
create index promotion_sources_of_person on brain.promotion_sources (tenant_id, user_id);
create index promotion_sources_of_memory on brain.promotion_sources (tenant_id, memory_id);

-- Who does not want to be counted. ``scope`` is empty: an objection holds in every compartment.
create table brain.promotion_objections (
    tenant_id uuid not null,
    user_id uuid not null,
    scope text not null default '' check (scope = ''),
    objected_at timestamptz not null,
    primary key (tenant_id, user_id)
);

call brain.secure_tenant('brain.promotion_proposals');
call brain.secure_tenant('brain.promotion_sources');
call brain.secure_tenant('brain.promotion_objections');
create policy maintenance on brain.memory_items for select using ((select brain.acts_as_owner()));

-- One change of a tenant's proposals at a time: whatever changes them begins with it, and takes no person's lock afterwards.
create function brain.lock_promotions(of_tenant uuid) returns void
language sql
as $$ select pg_advisory_xact_lock(hashtextextended('brain promotions ' || of_tenant, 0)) $$;

-- Memories that may be counted. Only the owner reads other people's words by it, for the count.
create function brain.countable_memories(of_tenant uuid, since timestamptz, least_confidence double precision)
returns table (memory_id uuid, user_id uuid, scope text, sessions uuid[], content text, topic text, told_at timestamptz)
language sql stable set search_path = brain, pg_temp
as $$
    select i.item_id, i.user_id, i.scope, i.source_sessions, i.content, i.category,
           greatest(i.observed_at, i.last_validated_at)
    from brain.memory_items i
    where i.tenant_id = of_tenant and i.status = 'active' and not i.stale and i.use <> 'excluded'
      and i.item_type in ('fact', 'preference') and coalesce(i.epistemic_type, 'preference') in ('fact', 'preference')
      and i.confidence >= least_confidence and i.subject = 'user'
      and (i.invalid_at is null or i.invalid_at > now())
      and greatest(i.observed_at, i.last_validated_at) >= since
      and not exists (select from brain.promotion_objections o where o.tenant_id = of_tenant and o.user_id = i.user_id)
      and not exists (select from brain.tombstones t where t.tenant_id = of_tenant and t.user_id = i.user_id)
$$;

-- Tenants in which at least so many people have memories.
create function brain.tenants_of_several(people integer) returns table (tenant_id uuid)
language sql stable set search_path = brain, pg_temp
as $$
    select i.tenant_id from brain.memory_items i group by i.tenant_id having count(distinct i.user_id) >= people
$$;

-- Propose what these memories say, if they may still be counted and are not proposed already; whether it was.
create function brain.propose_promotion(
    of_tenant uuid, proposal uuid, sentence text, about text, memories uuid[], since timestamptz,
    least_confidence double precision, least_people integer, least_sessions integer, least_told integer, at timestamptz
) returns boolean
language plpgsql set search_path = brain, pg_temp
as $$
declare
    people integer;
    sessions integer;
    told integer;
begin
    perform lock_promotions(of_tenant);
    if exists (select from promotion_sources s
               join promotion_proposals p on p.tenant_id = s.tenant_id and p.proposal_id = s.proposal_id
               where s.tenant_id = of_tenant and s.memory_id = any(memories) and p.status <> 'withdrawn') then
        return false;
    end if;
    select count(distinct m.user_id), count(distinct each), count(distinct (m.memory_id, each)) into people, sessions, told
    from countable_memories(of_tenant, since, least_confidence) m cross join unnest(m.sessions) each
    where m.memory_id = any(memories);
    if people < least_people or sessions < least_sessions or told < least_told
        or (select count(*) from countable_memories(of_tenant, since, least_confidence) m
            where m.memory_id = any(memories)) < cardinality(memories) then
        return false;
    end if;
    insert into promotion_proposals (tenant_id, proposal_id, text, topic, people, sessions, told, proposed_at)
    values (of_tenant, proposal, sentence, about, people, sessions, told, at);
    insert into promotion_sources (tenant_id, proposal_id, memory_id, scope, user_id)
    select of_tenant, proposal, m.memory_id, m.scope, m.user_id
    from countable_memories(of_tenant, since, least_confidence) m where m.memory_id = any(memories);
    return true;
end $$;

-- Withdraw proposals, whatever became of them. Their words go; whose memories they rested on is forgotten.
create function brain.withdraw_promotions(of_tenant uuid, proposals uuid[], at timestamptz) returns bigint
language plpgsql set search_path = brain, pg_temp
as $$
declare
    withdrawn bigint;
begin
    delete from promotion_sources s where s.tenant_id = of_tenant and s.proposal_id = any(proposals);
    update promotion_proposals p set text = '', topic = '', status = 'withdrawn', withdrawn_at = at,
        revision = p.revision + 1, settled = p.settled and p.status <> 'approved'
    where p.tenant_id = of_tenant and p.proposal_id = any(proposals) and p.status <> 'withdrawn';
    get diagnostics withdrawn = row_count;
    return withdrawn;
end $$;

-- Withdraw what rests on a memory that was forgotten or excluded, and what too few still say; how many went.
create function brain.recheck_promotions(of_tenant uuid, least_people integer, at timestamptz) returns bigint
language plpgsql set search_path = brain, pg_temp
as $$
declare
    gone uuid[];
    few uuid[];
begin
    perform lock_promotions(of_tenant);
    gone := array(
        select s.proposal_id from promotion_sources s
        left join memory_items i on i.tenant_id = s.tenant_id and i.item_id = s.memory_id
        where s.tenant_id = of_tenant and (i.item_id is null or i.status = 'deleted' or i.use = 'excluded')
        -- Whose sources a restored backup lacks, because their people were erased.
        union
        select p.proposal_id from promotion_proposals p
        where p.tenant_id = of_tenant and p.status <> 'withdrawn'
          and p.people > (select count(distinct s.user_id) from promotion_sources s
                          where s.tenant_id = of_tenant and s.proposal_id = p.proposal_id));
    few := array(
        select s.proposal_id from promotion_sources s
        left join memory_items i on i.tenant_id = s.tenant_id and i.item_id = s.memory_id and i.status = 'active'
            and coalesce(i.epistemic_type, 'preference') in ('fact', 'preference')
        where s.tenant_id = of_tenant
        group by s.proposal_id having count(distinct i.user_id) < least_people);
    return withdraw_promotions(of_tenant, gone || few, at);
end $$;

-- The person who asks is not counted from now on, and what was counted of them is withdrawn; or is counted again.
create function brain.object_to_promotion(objects boolean, at timestamptz) returns bigint
language plpgsql security definer set search_path = brain, pg_temp
as $$
declare
    whose constant uuid := current_user_id();
begin
    perform lock_promotions(current_tenant());
    if not objects then
        delete from promotion_objections o where o.tenant_id = current_tenant() and o.user_id = whose;
        return 0;
    end if;
    insert into promotion_objections (tenant_id, user_id, objected_at) values (current_tenant(), whose, at)
    on conflict do nothing;
    return withdraw_promotions(current_tenant(), array(
        select s.proposal_id from promotion_sources s where s.tenant_id = current_tenant() and s.user_id = whose), at);
end $$;

-- After knowledge has let go of an entry that came from a withdrawn proposal: no word of it stays, in no version either.
create function brain.purge_promoted(proposal uuid) returns void
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    origin constant text := 'promotion:' || proposal;
begin
    if not exists (select from promotion_proposals p
                   where p.tenant_id = current_tenant() and p.proposal_id = proposal and p.status = 'withdrawn') then
        return;
    end if;
    update knowledge_entries e set text = '•••', topic = '', words = '{}', grams = '{}', length = 0, embedding_model = 'none',
        embedding = null
    where e.tenant_id = current_tenant() and e.source = origin and e.removed_at is not null and e.text <> '•••';
    delete from knowledge_versions v using knowledge_entries e
    where e.tenant_id = current_tenant() and e.source = origin and e.removed_at is not null
      and v.tenant_id = e.tenant_id and v.entry_id = e.entry_id;
end $$;

-- Whether the person who asks has objected.
create function brain.objects_to_promotion() returns boolean
language sql stable security definer set search_path = brain, pg_temp
as $$
    select exists (select from brain.promotion_objections o
                   where o.tenant_id = brain.current_tenant() and o.user_id = brain.current_user_id())
$$;

-- Decide a proposal: empty when it does not wait for a decision any more. ``alone`` says that fewer than two others told it than
-- the one who decides; then nothing is approved.
create function brain.decide_promotion(proposal uuid, approves boolean, by text, at timestamptz)
returns table (decided boolean, alone boolean)
language plpgsql security definer set search_path = brain, pg_temp
as $$
begin
    perform lock_promotions(current_tenant());
    if not exists (select from promotion_proposals p
                   where p.tenant_id = current_tenant() and p.proposal_id = proposal and p.status = 'proposed') then
        return;
    end if;
    alone := approves and (select count(distinct s.user_id) < 2 from promotion_sources s
                           where s.tenant_id = current_tenant() and s.proposal_id = proposal
                             and s.user_id <> current_user_id());
    decided := not alone;
    if decided then
        update promotion_proposals p set status = case when approves then 'approved' else 'rejected' end, decided_by = by,
            decided_at = at, revision = p.revision + 1, settled = not approves
        where p.tenant_id = current_tenant() and p.proposal_id = proposal;
    end if;
    return next;
end $$;

-- Withdraw what a person told who is being erased, and forget their objection and their name; how many rows that were.
create function brain.withdraw_erased(of_tombstone uuid, at timestamptz) returns bigint
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    whose constant brain.tombstones := reach_erased(of_tombstone);
    withdrawn bigint;
    counted bigint;
begin
    perform lock_promotions(whose.tenant_id);
    withdrawn := withdraw_promotions(whose.tenant_id, array(
        select s.proposal_id from promotion_sources s
        where s.tenant_id = whose.tenant_id and s.user_id = whose.user_id
          and (whose.scope is null or s.scope = whose.scope)), at);
    if whose.scope is null then
        delete from promotion_objections o where o.tenant_id = whose.tenant_id and o.user_id = whose.user_id;
        get diagnostics counted = row_count;
        withdrawn := withdrawn + counted;
        update promotion_proposals p set decided_by = ''
        where p.tenant_id = whose.tenant_id and p.decided_by = whose.user_name;
        get diagnostics counted = row_count;
        withdrawn := withdrawn + counted;
    end if;
    return withdrawn;
end $$;
