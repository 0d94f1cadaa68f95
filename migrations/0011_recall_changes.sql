-- What has changed in a person's recall index since it was last read: a process that keeps the index of somebody who is
-- talking asks only for that, under the same row-level security as any other reading.

-- Which transaction wrote a row last. What a snapshot cannot see yet is what changed since; clocks and counters would
-- miss a transaction that began before another and ended after it.
alter table brain.recall_index add column written_by xid8 not null default pg_current_xact_id();

create function brain.note_writer() returns trigger
language plpgsql
as $$
begin
    new.written_by := pg_current_xact_id();
    return new;
end $$;

create trigger note_writer before update on brain.recall_index
for each row execute function brain.note_writer();

drop index brain.recall_index_of_person;
create index recall_index_of_person on brain.recall_index (tenant_id, scope, user_id, written_by);

-- Which rows of a person were taken away, and by which transaction. Nothing here is ever waited for: each transaction adds
-- lines of its own. Who has not asked for a day must read everything anyway.
create table brain.recall_removals (
    tenant_id uuid not null,
    scope text not null,
    user_id uuid not null,
    removed_by xid8 not null default pg_current_xact_id(),
    source_id uuid not null,
    removed_at timestamptz not null default now(),
    primary key (tenant_id, scope, user_id, removed_by, source_id)
);
call brain.secure('brain.recall_removals');
grant select, insert, update, delete on brain.recall_removals to :app_role;

create function brain.note_removals() returns trigger
language plpgsql
as $$
begin
    insert into brain.recall_removals (tenant_id, scope, user_id, source_id)
    select distinct tenant_id, scope, user_id, source_id from removed where not staged
    on conflict do nothing;
    delete from brain.recall_removals r
    using (select o.tenant_id, o.scope, o.user_id, o.removed_by, o.source_id
           from brain.recall_removals o
           where (o.tenant_id, o.scope, o.user_id) in (select distinct tenant_id, scope, user_id from removed)
             and o.removed_at < now() - interval '1 day'
           for update skip locked) as outdated
    where r.tenant_id = outdated.tenant_id and r.scope = outdated.scope and r.user_id = outdated.user_id
      and r.removed_by = outdated.removed_by and r.source_id = outdated.source_id;
    return null;
end $$;

create trigger note_removals after delete on brain.recall_index
referencing old table as removed
for each statement execute function brain.note_removals();

revoke all on function brain.note_writer(), brain.note_removals() from public;
