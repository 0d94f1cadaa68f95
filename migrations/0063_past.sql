-- A person's past brought from other assistants: which file was read, and what of the log came with it. Nothing is drawn from
-- such words; they are evidence of their own date, and go again as one.

create table brain.past_imports (
    tenant_id uuid not null,
    import_id uuid not null,
    scope text not null,
    user_id uuid not null,
    file_name text not null,
    -- Of the file's bytes: the same file goes on where it stopped, and adds nothing when it was done.
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    format text not null,
    state text not null default 'running' check (state in ('running', 'done', 'removing')),
    counts jsonb not null default '{}',
    started_at timestamptz not null,
    finished_at timestamptz,
    primary key (tenant_id, import_id)
);
create unique index past_imports_once on brain.past_imports (tenant_id, scope, user_id, sha256);
alter table brain.past_imports alter column file_name set statistics 0, alter column sha256 set statistics 0,
    alter column counts set statistics 0;

call brain.secure('brain.past_imports');
-- As every table of people since erasing: a person who is being erased is closed, and the functions that erase reach the rows.
alter policy own_rows on brain.past_imports
    using (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())
        and (user_id = (select brain.current_user_id())
             or scope like 'group:%' and user_id <> all ((select brain.fenced_users())::uuid[])))
    with check (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())
        and (user_id = (select brain.current_user_id())
             or scope like 'group:%' and user_id <> all ((select brain.fenced_users())::uuid[])));
create policy erasure on brain.past_imports using ((select brain.acts_as_owner())
    and tenant_id = (select brain.current_tenant())
    and user_id = (select nullif(current_setting('brain.erasing_user', true), '')::uuid));

-- By which import a part of the log came; null for what was said to Brain.
alter table brain.operations add column import_id uuid,
    add foreign key (tenant_id, import_id) references brain.past_imports (tenant_id, import_id);
create index operations_of_import on brain.operations (tenant_id, import_id) where import_id is not null;
create index imported_sessions on brain.operations (tenant_id, session_id) where import_id is not null;

-- The list of tables that erasing deletes from, one longer, whatever else was added to it.
do $$
declare
    before constant text := pg_get_functiondef('brain.erase_rows(uuid, integer)'::regprocedure);
    after constant text := replace(before, '''recall_removals''', '''past_imports'', ''recall_removals''');
begin
    if after = before then
        raise exception 'erase_rows has no list that begins where it should';
    end if;
    execute after;
end $$;

-- Take an import back: at most ``most`` of its turns with all that was made of them, then what is left of it. Returns how many
-- turns went; none when nothing is left. Whose import it is, row-level security holds, also for the owner.
create function brain.remove_past(of_import uuid, most integer) returns integer
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    asking constant uuid := current_tenant();
    said uuid[];
    found_rows uuid[];
    talks uuid[];
begin
    perform from past_imports where tenant_id = asking and import_id = of_import and state = 'removing' for update;
    if not found then
        return 0;
    end if;
    said := array(
        select e.event_id from operations o
        join conversation_events e on e.tenant_id = asking and e.operation_id = o.operation_id
        where o.tenant_id = asking and o.import_id = of_import
        limit most);
    if cardinality(said) > 0 then
        found_rows := said || array(
            select x.source_id from recall_index x where x.tenant_id = asking and x.event_id = any(said));
        delete from recall_index where tenant_id = asking and lane = 'turn' and source_id = any(found_rows);
        delete from memory_receipts where tenant_id = asking and receipt_type = 'injection'
            and memory_id = any(found_rows) and scope = current_scope();
        delete from memory_citations where tenant_id = asking and event_id = any(said);
        delete from conversation_events where tenant_id = asking and event_id = any(said);
        return cardinality(said);
    end if;
    talks := array(select distinct session_id from operations where tenant_id = asking and import_id = of_import);
    delete from operations where tenant_id = asking and import_id = of_import;
    delete from session_summaries b where b.tenant_id = asking and b.session_id = any(talks)
        and not exists (select from conversation_events e where e.tenant_id = asking and e.session_id = b.session_id);
    delete from sessions s where s.tenant_id = asking and s.session_id = any(talks)
        and not exists (select from conversation_events e where e.tenant_id = asking and e.session_id = s.session_id)
        and not exists (select from operations o where o.tenant_id = asking and o.session_id = s.session_id);
    delete from past_imports where tenant_id = asking and import_id = of_import;
    return 0;
end $$;
revoke all on function brain.remove_past(uuid, integer) from public;

-- Whether a text holds words, in large letters or small, and not as a part of longer ones. Words of fewer bytes than ``fewest``
-- tell too little. Between Chinese signs nothing marks where a word ends.
create function brain.holds_words(told text, words text, fewest integer) returns boolean
language sql immutable parallel safe
as $$
    select case when octet_length(words) < fewest or strpos(lower(told), lower(words)) = 0 then false
    else lower(told) ~ (case when ascii(words) > 11903 then '' else '(?:^|[^[:alnum:]]|[\u2E80-\uFFEF])' end
                        || regexp_replace(lower(words), '([^[:alnum:][:space:]])', '\\\1', 'g')
                        || case when ascii(right(words, 1)) > 11903 then '' else '(?:$|[^[:alnum:]]|[\u2E80-\uFFEF])' end)
    end
$$;

-- The words of a text that tell something, in small letters; a Chinese clause is one.
create function brain.telling_words(words text) returns text[]
language sql immutable parallel safe
as $$
    select array(select distinct word from regexp_split_to_table(lower(words), '[^[:alnum:]]+') as word
                 where octet_length(word) > 2)
$$;

-- In which words a memory was said and is kept; and its object, unless a living memory holds that too.
create function brain.words_of_memory(of_tenant uuid, of_memory uuid, or_excluded boolean default true)
returns table (words text, is_object boolean, telling text[])
language sql stable
as $$
    select said.words, said.is_object, brain.telling_words(said.words)
    from (
        select v.snapshot ->> 'content', false from brain.memory_versions v
        where v.tenant_id = of_tenant and v.item_id = of_memory
        union
        select substr(s.text, c.span_start + 1, c.span_end - c.span_start), false
        from brain.memory_citations c
        join brain.conversation_events s on s.tenant_id = c.tenant_id and s.event_id = c.event_id
        where c.tenant_id = of_tenant and s.tenant_id = of_tenant and c.item_id = of_memory
        union
        select v.snapshot ->> 'object', true
        from brain.memory_items i
        join brain.memory_versions v on v.tenant_id = i.tenant_id and v.item_id = i.item_id
        where i.tenant_id = of_tenant and v.tenant_id = of_tenant and i.item_id = of_memory
          and length(v.snapshot ->> 'object') > 1
          and not exists (select from brain.memory_items o
                          where o.tenant_id = of_tenant and o.scope = i.scope and o.user_id = i.user_id
                            and o.status = 'active' and not (or_excluded and o.use = 'excluded')
                            and strpos(lower(o.content), lower(v.snapshot ->> 'object')) > 0)
    ) said (words, is_object)
$$;

-- Whether a text says what such words say: by the very words, by two thirds of those that tell something, or by the object.
create function brain.says_words(told text, words text, is_object boolean, telling text[]) returns boolean
language sql immutable parallel safe
as $$
    select case
        when is_object then brain.holds_words(told, words, 4)
        when brain.holds_words(told, rtrim(words, ' .!?。！？'), 8) then true
        when cardinality(telling) < 2 then false
        when (select count(*) from unnest(telling) as word where strpos(lower(told), word) > 0) * 3 < cardinality(telling) * 2
            then false
        else (select count(*) from unnest(brain.telling_words(told)) as word where word = any(telling)) * 3
             >= cardinality(telling) * 2
    end
$$;

-- Forgetting reaches what was brought along, which no memory cites: whether such a message says a memory.
create function brain.past_says(told text, of_tenant uuid, of_memory uuid, or_excluded boolean default true) returns boolean
language sql stable
as $$
    select exists (select from brain.words_of_memory(of_tenant, of_memory, or_excluded) m
                   where brain.says_words(told, m.words, m.is_object, m.telling))
$$;

-- The messages of a person's past that say a memory. One that lacks at most a third of the words holds one of the longest, by
-- which the others are passed over.
create function brain.past_saying(of_tenant uuid, of_scope text, of_memory uuid) returns setof uuid
language sql stable
as $$
    with searched as materialized (
        select m.words, m.is_object, m.telling, array(
            select '%' || regexp_replace(lower(word), '([\\%_])', '\\\1', 'g') || '%'
            from unnest(case when m.is_object or cardinality(m.telling) < 2 then array[rtrim(m.words, ' .!?。！？')]
                             else m.telling end) as word
            order by length(word) desc, word
            limit case when m.is_object then 1 else cardinality(m.telling) / 3 + 1 end) as marks
        from brain.words_of_memory(of_tenant, of_memory) m
    ), marked as materialized (
        select e.event_id, e.text
        from brain.memory_items i
        join brain.past_imports b on b.tenant_id = of_tenant and b.scope = of_scope and b.user_id = i.user_id
        join brain.operations a on a.tenant_id = of_tenant and a.import_id = b.import_id
        join brain.conversation_events e on e.tenant_id = of_tenant and e.operation_id = a.operation_id
        where i.tenant_id = of_tenant and i.scope = of_scope and i.item_id = of_memory
          and lower(e.text) like any (array(select unnest(s.marks) from searched s))
    )
    select e.event_id from marked e
    where exists (select from searched s where brain.says_words(e.text, s.words, s.is_object, s.telling))
$$;

-- As before (0033), and of what was brought along by its words; a reply that was drawn from such a message goes with it.
create or replace function brain.repeats_forgotten(of_tenant uuid, of_event uuid, or_excluded boolean default true)
returns boolean
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
                            and r.receipt_type = 'injection' and r.memory_id = i.item_id)
               or exists (select from brain.memory_receipts r
                          join brain.conversation_events p on p.tenant_id = r.tenant_id and p.event_id = r.memory_id
                          join brain.operations a on a.tenant_id = p.tenant_id and a.operation_id = p.operation_id
                          where r.tenant_id = of_tenant and p.tenant_id = of_tenant and a.tenant_id = of_tenant
                            and r.operation_id = e.operation_id and r.receipt_type = 'injection'
                            and a.import_id is not null and brain.past_says(p.text, of_tenant, i.item_id, or_excluded)))
          and not exists (select from brain.memory_items o
                          where o.tenant_id = of_tenant and o.scope = i.scope and o.user_id = i.user_id
                            and o.status = 'active' and not (or_excluded and o.use = 'excluded')
                            and strpos(lower(o.content), lower(i.object)) > 0)
    ) or exists (
        select from brain.conversation_events e
        join brain.operations a on a.tenant_id = e.tenant_id and a.operation_id = e.operation_id
        join brain.memory_items i on i.tenant_id = e.tenant_id and i.scope = e.scope and i.user_id = e.user_id
             and (i.status = 'deleted' or i.use = 'excluded') and (or_excluded or i.status = 'deleted')
        where e.tenant_id = of_tenant and a.tenant_id = of_tenant and i.tenant_id = of_tenant and e.event_id = of_event
          and a.import_id is not null and brain.past_says(e.text, of_tenant, i.item_id, or_excluded)
    )
$$;
