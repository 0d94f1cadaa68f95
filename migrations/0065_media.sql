-- What people attach to their messages: the bytes once per person, and which turns carry them. The log and the checkpoints
-- refer to them by their SHA-256.

create table brain.media (
    tenant_id uuid not null,
    scope text not null,
    user_id uuid not null,
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    media_type text not null,
    bytes bytea not null check (length(bytes) > 0),
    created_at timestamptz not null default now(),
    primary key (tenant_id, scope, user_id, sha256)
);
-- Pictures and sound are compressed already.
alter table brain.media alter column bytes set storage external, alter column bytes set statistics 0,
    alter column sha256 set statistics 0;

create table brain.media_uses (
    tenant_id uuid not null,
    event_id uuid not null,
    sha256 text not null,
    scope text not null,
    user_id uuid not null,
    primary key (tenant_id, event_id, sha256),
    foreign key (tenant_id, event_id) references brain.conversation_events (tenant_id, event_id) on delete cascade,
    foreign key (tenant_id, scope, user_id, sha256) references brain.media (tenant_id, scope, user_id, sha256)
);
alter table brain.media_uses alter column sha256 set statistics 0;
create index media_used on brain.media_uses (tenant_id, scope, user_id, sha256);

call brain.secure('brain.media');
call brain.secure('brain.media_uses');
-- As every table of people since erasing: a person who is being erased is closed, and the functions that erase reach the rows.
do $$
declare
    target text;
begin
    foreach target in array array['media', 'media_uses'] loop
        execute format(
            'alter policy own_rows on brain.%I'
            ' using (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())'
            '   and (user_id = (select brain.current_user_id())'
            '        or scope like ''group:%%'' and user_id <> all ((select brain.fenced_users())::uuid[])))'
            ' with check (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())'
            '   and (user_id = (select brain.current_user_id())'
            '        or scope like ''group:%%'' and user_id <> all ((select brain.fenced_users())::uuid[])))',
            target);
        execute format(
            'create policy erasure on brain.%I using ((select brain.acts_as_owner())'
            ' and tenant_id = (select brain.current_tenant())'
            ' and user_id = (select nullif(current_setting(''brain.erasing_user'', true), '''')::uuid))', target);
    end loop;
end $$;

-- Bytes go with the last turn that carries them. Their row is locked first: who carries them in another turn at this moment
-- holds it by the foreign key, and is seen afterwards.
create function brain.drop_unused_media() returns trigger
language plpgsql
as $$
begin
    perform from brain.media m
    where m.tenant_id = old.tenant_id and m.scope = old.scope and m.user_id = old.user_id and m.sha256 = old.sha256
    for update;
    delete from brain.media m
    where m.tenant_id = old.tenant_id and m.scope = old.scope and m.user_id = old.user_id and m.sha256 = old.sha256
      and not exists (select from brain.media_uses u
                      where u.tenant_id = old.tenant_id and u.scope = old.scope and u.user_id = old.user_id
                        and u.sha256 = old.sha256);
    return null;
end $$;
create trigger drop_unused_media after delete on brain.media_uses
    for each row execute function brain.drop_unused_media();

-- The list of tables that erasing deletes from, two longer, whatever else was added to it.
do $$
declare
    before constant text := pg_get_functiondef('brain.erase_rows(uuid, integer)'::regprocedure);
    after constant text := replace(before, '''replaced_replies''', '''media_uses'', ''media'', ''replaced_replies''');
begin
    if after = before then
        raise exception 'erase_rows has no list that names what it did';
    end if;
    execute after;
end $$;
