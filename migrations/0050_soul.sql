-- SOUL: how the agent is in one organisation, as a document with versions. It belongs to the tenant and names nobody; who did
-- what with it stands beside it, and goes with the person.

create table brain.soul_versions (
    tenant_id uuid not null,
    version integer not null check (version >= 0),
    status text not null check (status in ('proposed', 'active', 'superseded', 'rolled_back', 'vetoed')),
    origin text not null check (origin in ('bootstrap', 'import', 'proposal', 'rollback')),
    text text not null,
    sha256 text not null,
    -- The version that was active when this one was made.
    parent integer,
    -- The version whose text came back with this one.
    restores integer,
    -- Why it is not active any more, or never was.
    reason text not null default '' check (reason in ('', 'evaluation', 'overtaken', 'person', 'watch', 'erased')),
    evaluation jsonb,
    created_at timestamptz not null,
    decided_at timestamptz,
    activated_at timestamptz,
    -- Whether its replies are still compared with those of before, and how many there were at the last look.
    watched boolean not null default false,
    looked_at bigint not null default 0,
    primary key (tenant_id, version),
    foreign key (tenant_id, parent) references brain.soul_versions (tenant_id, version),
    foreign key (tenant_id, restores) references brain.soul_versions (tenant_id, version),
    check ((status in ('active', 'superseded', 'rolled_back')) <= (activated_at is not null))
);
create unique index soul_versions_active on brain.soul_versions (tenant_id) where status = 'active';
create index soul_versions_watched on brain.soul_versions (tenant_id) where watched;

-- Who did what. What a person gave as intent and evidence stands here: the evidence until it is decided, the intent as long as
-- the person does. ``key_sha256``: an idempotency key together with the person and the act.
create table brain.soul_acts (
    tenant_id uuid not null,
    act_id uuid not null default gen_random_uuid(),
    version integer not null,
    act text not null check (act in ('bootstrap', 'import', 'propose', 'apply', 'veto', 'rollback', 'pause', 'resume')),
    scope text not null,
    user_id uuid not null,
    intent text not null default '',
    evidence text,
    key_sha256 text,
    done_at timestamptz not null,
    primary key (tenant_id, act_id),
    foreign key (tenant_id, version) references brain.soul_versions (tenant_id, version)
);
create unique index soul_acts_key on brain.soul_acts (tenant_id, key_sha256) where key_sha256 is not null;
create index soul_acts_of_version on brain.soul_acts (tenant_id, version, act);
create index soul_acts_of_person on brain.soul_acts (tenant_id, user_id, act, done_at);

create table brain.soul_pauses (
    tenant_id uuid primary key,
    paused_at timestamptz not null
);

-- How replies were taken, counted by the version that made them, in a few parts so that people do not queue for one row.
create table brain.soul_reactions (
    tenant_id uuid not null,
    version integer not null,
    part smallint not null check (part between 0 and 15),
    replies bigint not null,
    negative bigint not null check (negative <= replies),
    primary key (tenant_id, version, part)
) with (fillfactor = 50);

-- The planner keeps no samples of words.
alter table brain.soul_acts alter column intent set statistics 0, alter column evidence set statistics 0,
    alter column key_sha256 set statistics 0, alter column act set statistics 0;
alter table brain.soul_versions alter column text set statistics 0, alter column evaluation set statistics 0,
    alter column reason set statistics 0, alter column origin set statistics 0;

call brain.secure_tenant('brain.soul_versions');
call brain.secure_tenant('brain.soul_acts');
call brain.secure_tenant('brain.soul_pauses');
call brain.secure_tenant('brain.soul_reactions');
create policy maintenance on brain.soul_versions for select using ((select brain.acts_as_owner()));

-- A version goes forward only, and says what it said; an erasure may empty one that never was active.
create function brain.follow_soul() returns trigger
language plpgsql
as $$
begin
    if new.text <> old.text and (new.text <> '' or old.activated_at is not null) then
        raise check_violation using message = 'a version of SOUL says what it said';
    end if;
    if new.status <> old.status and (old.status, new.status) not in (
        ('proposed', 'active'), ('proposed', 'vetoed'), ('active', 'superseded'), ('active', 'rolled_back'),
        ('active', 'vetoed'), ('superseded', 'vetoed')) then
        raise check_violation using message = format('a version of SOUL does not go from %s to %s', old.status, new.status);
    end if;
    return new;
end $$;
create trigger follow_soul before update on brain.soul_versions for each row execute function brain.follow_soul();

-- The tenants of all whose active version is watched.
create function brain.watched_souls() returns table (tenant_id uuid)
language sql stable security definer set search_path = brain, public, pg_temp
as $$ select tenant_id from brain.soul_versions where watched and status = 'active' $$;

-- What SOUL knows of a person who is erased: proposals of theirs that nobody decided end, texts that never were active go, and
-- their acts go on under the tombstone's id. Returns how many acts.
create function brain.erase_soul_traces(of_tombstone uuid) returns bigint
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    whose constant brain.tombstones := reach_erased(of_tombstone);
    proposed integer[] := array(
        select a.version from soul_acts a
        where a.tenant_id = whose.tenant_id and a.user_id = whose.user_id and a.act = 'propose'
          and (whose.scope is null or a.scope = whose.scope));
    renamed bigint;
begin
    update soul_versions v
    set text = '', sha256 = '', evaluation = null,
        reason = case when status = 'proposed' then 'erased' else reason end,
        decided_at = case when status = 'proposed' then clock_timestamp() else decided_at end,
        status = case when status = 'proposed' then 'vetoed' else status end
    where v.tenant_id = whose.tenant_id and v.version = any(proposed) and v.activated_at is null;
    update soul_acts a
    set user_id = of_tombstone, scope = 'erased', intent = '', evidence = null, key_sha256 = null
    where a.tenant_id = whose.tenant_id and a.user_id = whose.user_id and (whose.scope is null or a.scope = whose.scope);
    get diagnostics renamed = row_count;
    return renamed;
end $$;
