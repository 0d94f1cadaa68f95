-- A person's references to what the organisation knows.

-- name: add_bookmark
-- Keep a reference, unless there are too many; the first one of an entry stands.
insert into brain.bookmarks (tenant_id, scope, user_id, bookmark_id, entry_id, revision, created_at)
select %(tenant_id)s::uuid, %(scope)s::text, %(user_id)s::uuid, %(bookmark_id)s::uuid, %(entry_id)s::uuid,
    %(revision)s::integer, %(created_at)s::timestamptz
where (select count(*) from brain.bookmarks b
       where b.tenant_id = %(tenant_id)s and b.scope = %(scope)s and b.user_id = %(user_id)s) < %(most)s
on conflict (tenant_id, scope, user_id, entry_id) do nothing

-- name: find_bookmark
-- The reference to an entry.
select b.bookmark_id, b.entry_id, b.revision, b.created_at
from brain.bookmarks b
where b.tenant_id = %(tenant_id)s and b.scope = %(scope)s and b.user_id = %(user_id)s and b.entry_id = %(entry_id)s

-- name: list_bookmarks
-- All references of a person, the newest first.
select b.bookmark_id, b.entry_id, b.revision, b.created_at
from brain.bookmarks b
where b.tenant_id = %(tenant_id)s and b.scope = %(scope)s and b.user_id = %(user_id)s
order by b.created_at desc, b.bookmark_id
limit %(most)s

-- name: remove_bookmark
-- Take a reference away.
delete from brain.bookmarks b
where b.tenant_id = %(tenant_id)s and b.scope = %(scope)s and b.user_id = %(user_id)s
    and b.bookmark_id = %(bookmark_id)s
returning b.bookmark_id, b.entry_id, b.revision, b.created_at
