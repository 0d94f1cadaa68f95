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
alter table brain.past_imports alter column file_name set statistics 0, alter column sha256 set statistics 0;

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
