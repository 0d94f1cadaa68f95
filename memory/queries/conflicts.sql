-- name: open_conflict
-- Two memories that cannot both be true: told once, however often it is noticed; open again when a settled one is noticed
-- once more because a memory came back.
insert into brain.memory_conflicts (tenant_id, conflict_id, scope, user_id, kind, held_id, new_id, opened_at, opened_by)
values (%(tenant_id)s, %(conflict_id)s, %(scope)s, %(user_id)s, %(kind)s, %(held_id)s, %(new_id)s, %(at)s, %(operator)s)
on conflict (tenant_id, held_id, new_id) do update
set status = 'open', opened_at = excluded.opened_at, opened_by = excluded.opened_by, settled_at = null, settled_by = null
where brain.memory_conflicts.status = 'discarded';

-- name: settle_conflicts_of_ended
-- Where one of two memories has ended, nothing contradicts any more.
update brain.memory_conflicts
set status = 'discarded', settled_at = %(at)s, settled_by = %(operator)s
where tenant_id = %(tenant_id)s and scope = %(scope)s and status = 'open'
  and (held_id = %(memory_id)s or new_id = %(memory_id)s);

-- name: conflicts_of_person
-- A person's contradictions, oldest first.
select conflict_id, kind, status, held_id, new_id, opened_at, opened_by, settled_at, settled_by
from brain.memory_conflicts
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and (status = 'open' or %(include_settled)s)
  and (%(after_at)s::timestamptz is null or (opened_at, conflict_id) > (%(after_at)s::timestamptz, %(after_id)s::uuid))
order by opened_at, conflict_id
limit %(limit)s;

-- name: conflict_by_id
-- One contradiction. Whoever settles it holds the slots of its memories, and reads it again under them.
select conflict_id, kind, status, held_id, new_id, opened_at, opened_by, settled_at, settled_by
from brain.memory_conflicts
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and conflict_id = %(conflict_id)s
limit 1;

-- name: settle_conflict
-- How it ended, who said so and when.
update brain.memory_conflicts
set status = %(status)s, settled_at = %(at)s, settled_by = %(operator)s
where tenant_id = %(tenant_id)s and scope = %(scope)s and conflict_id = %(conflict_id)s;
