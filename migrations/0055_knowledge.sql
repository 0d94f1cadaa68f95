-- What an organisation knows, beside what its people told: entries linked to a small graph, and who bookmarked which.
-- Nothing here refers to a person's memory, and the role that reads it may read nothing else.

-- How often a tenant's knowledge was changed: whoever keeps it in a process asks this first.
create table brain.knowledge_state (
    tenant_id uuid primary key,
    version bigint not null,
    written_by xid8 not null
);

create table brain.knowledge_entries (
    tenant_id uuid not null,
    entry_id uuid not null,
    -- A tone steers how Brain speaks and stands in every prompt; a fact stands where it bears on the question.
    kind text not null default 'fact' check (kind in ('fact', 'tone')),
    text text not null check (length(text) between 1 and 8000),
    topic text not null default '',
    owner text not null default '',
    -- For whom it is; empty for everybody.
    org_tier text not null default '',
    role text not null default '',
    brand text not null default '',
    platform text not null default '',
    language text not null default '',
    valid_from timestamptz,
    valid_until timestamptz,
    -- Where it comes from, and which place there: reading the same place again changes this entry and adds none.
    source text not null default '',
    source_key text not null default '',
    content_sha256 bytea not null,
    revision integer not null default 1 check (revision >= 1),
    author text not null default '',
    reason text not null default '',
    created_at timestamptz not null default now(),
    updated_at timestamptz not null default now(),
    removed_at timestamptz,
    -- The tenant's version that this row came with; a trigger sets it.
    changed_in bigint not null default 0,
    words integer[] not null default '{}',
    grams integer[] not null default '{}',
    length integer not null default 0,
    embedding_model text not null default 'none',
    embedding halfvec,
    primary key (tenant_id, entry_id),
    check ((embedding is null) = (embedding_model = 'none'))
) with (toast_tuple_target = 4080);
create unique index knowledge_entries_of_source on brain.knowledge_entries (tenant_id, source, source_key)
    where source_key <> '';
create index knowledge_entries_changed on brain.knowledge_entries (tenant_id, changed_in, entry_id);
create index knowledge_entries_newest on brain.knowledge_entries (tenant_id, updated_at desc, entry_id)
    where removed_at is null;

-- What an entry said before; what it says now stands in its row.
create table brain.knowledge_versions (
    tenant_id uuid not null,
    entry_id uuid not null,
    revision integer not null,
    snapshot jsonb not null,
    author text not null,
    reason text not null,
    recorded_at timestamptz not null,
    primary key (tenant_id, entry_id, revision),
    foreign key (tenant_id, entry_id) references brain.knowledge_entries on delete cascade
);

create table brain.knowledge_entities (
    tenant_id uuid not null,
    entity_id uuid not null,
    name text not null check (length(name) between 1 and 200),
    primary key (tenant_id, entity_id)
);

-- "Subject relation object", as an entry says it.
create table brain.knowledge_relations (
    tenant_id uuid not null,
    entry_id uuid not null,
    subject_id uuid not null,
    relation text not null check (length(relation) between 1 and 200),
    object_id uuid not null,
    primary key (tenant_id, entry_id, subject_id, relation, object_id),
    foreign key (tenant_id, entry_id) references brain.knowledge_entries on delete cascade,
    foreign key (tenant_id, subject_id) references brain.knowledge_entities,
    foreign key (tenant_id, object_id) references brain.knowledge_entities
);
create index knowledge_relations_of_subject on brain.knowledge_relations (tenant_id, subject_id);
create index knowledge_relations_of_object on brain.knowledge_relations (tenant_id, object_id);

-- A person's own references to entries. Nothing is copied, so that what is edited is read as it stands.
create table brain.bookmarks (
    tenant_id uuid not null,
    scope text not null,
    user_id uuid not null,
    bookmark_id uuid not null,
    entry_id uuid not null,
    -- The entry as it stood when it was bookmarked.
    revision integer not null,
    created_at timestamptz not null,
    primary key (tenant_id, bookmark_id)
);
create unique index bookmarks_of_person on brain.bookmarks (tenant_id, scope, user_id, entry_id);

call brain.secure_tenant('brain.knowledge_state');
call brain.secure_tenant('brain.knowledge_entries');
call brain.secure_tenant('brain.knowledge_versions');
call brain.secure_tenant('brain.knowledge_entities');
call brain.secure_tenant('brain.knowledge_relations');
call brain.secure('brain.bookmarks');
alter policy own_rows on brain.bookmarks
    using (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())
        and (user_id = (select brain.current_user_id())
            or scope like 'group:%' and user_id <> all ((select brain.fenced_users())::uuid[])))
    with check (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())
        and (user_id = (select brain.current_user_id())
            or scope like 'group:%' and user_id <> all ((select brain.fenced_users())::uuid[])));
create policy erasure on brain.bookmarks using ((select brain.acts_as_owner())
    and tenant_id = (select brain.current_tenant())
    and user_id = (select nullif(current_setting('brain.erasing_user', true), '')::uuid));

-- The tenant's version in this transaction, one more than before it. The row stays locked until the end, so that versions are
-- seen in their order: who has read all up to one has missed nothing.
create function brain.next_knowledge_version(of_tenant uuid) returns bigint
language plpgsql
as $$
declare
    now_at bigint;
begin
    insert into brain.knowledge_state as s (tenant_id, version, written_by) values (of_tenant, 1, pg_current_xact_id())
    on conflict (tenant_id) do update set version = s.version + 1, written_by = excluded.written_by
        where s.written_by <> excluded.written_by
    returning version into now_at;
    if now_at is null then
        select version into strict now_at from brain.knowledge_state where tenant_id = of_tenant;
    end if;
    return now_at;
end $$;

create function brain.follow_knowledge() returns trigger
language plpgsql
as $$
begin
    new.changed_in := brain.next_knowledge_version(new.tenant_id);
    if tg_op = 'UPDATE' and new.revision <> old.revision then
        insert into brain.knowledge_versions (tenant_id, entry_id, revision, snapshot, author, reason, recorded_at)
        values (old.tenant_id, old.entry_id, old.revision,
                to_jsonb(old) - '{tenant_id,entry_id,revision,author,reason,words,grams,length,embedding,embedding_model,content_sha256,changed_in}'::text[],
                old.author, old.reason, old.updated_at);
    end if;
    return new;
end $$;
create trigger follow_knowledge before insert or update on brain.knowledge_entries
    for each row execute function brain.follow_knowledge();

-- An erased person is named as nobody's author. Returns nothing: the words are the organisation's, and stay.
create function brain.forget_knowledge_author(of_tenant uuid, named text) returns void
language sql
as $$
    update brain.knowledge_entries set author = '' where tenant_id = of_tenant and author = named;
    update brain.knowledge_versions set author = '' where tenant_id = of_tenant and author = named;
$$;

-- Erasing a person takes their bookmarks and their name as an author with it. The functions are changed where they stand, because
-- other migrations may have changed them as well.
do $$
declare
    body text := pg_get_functiondef('brain.erase_rows(uuid, integer)'::regprocedure);
    place text := '''chat_exchanges'', ''sessions''';
begin
    if position(place in body) = 0 then
        raise exception 'brain.erase_rows does not name the tables that it did';
    end if;
    execute replace(body, place, '''chat_exchanges'', ''bookmarks'', ''sessions''');
    body := pg_get_functiondef('brain.erase_name(uuid)'::regprocedure);
    place := 'update tombstones set user_name = null';
    if position(place in body) = 0 then
        raise exception 'brain.erase_name does not forget the name as it did';
    end if;
    execute replace(body, place, 'if whose.scope is null then perform brain.forget_knowledge_author(whose.tenant_id, whose.user_name);'
        || ' end if; ' || place);
end $$;

-- No statistics are kept of words and names.
alter table brain.knowledge_entries
    alter column text set statistics 0,
    alter column owner set statistics 0,
    alter column author set statistics 0,
    alter column reason set statistics 0,
    alter column source_key set statistics 0,
    alter column content_sha256 set statistics 0,
    alter column words set statistics 0,
    alter column grams set statistics 0,
    alter column embedding set statistics 0;
alter table brain.knowledge_versions
    alter column snapshot set statistics 0,
    alter column author set statistics 0,
    alter column reason set statistics 0;
alter table brain.knowledge_entities alter column name set statistics 0;
