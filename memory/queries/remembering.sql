-- When a person does not want to be remembered.

-- name: end_pauses
-- What is said from now on is remembered again, as far as another pause does not cover it. One that began in the future
-- did so before the clock was set back.
update brain.remembering_pauses
set ends_at = greatest(since, now())
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s
  and session_id is not distinct from %(session_id)s::uuid and (ends_at is null or ends_at > greatest(since, now()))
returning pause_id;

-- name: begin_pause
-- For good without minutes. The same id begins once.
insert into brain.remembering_pauses (tenant_id, scope, user_id, pause_id, session_id, since, ends_at)
values (%(tenant_id)s, %(scope)s, %(user_id)s, %(pause_id)s, %(session_id)s::uuid, now(),
        now() + make_interval(mins => %(minutes)s::integer))
on conflict do nothing;

-- name: known_pause
-- Whether this pause began before.
select pause_id from brain.remembering_pauses
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and pause_id = %(pause_id)s;

-- name: return_to_record
-- A conversation that was off the record is on it again.
update brain.sessions
set carried = carried - 'off_record'
where tenant_id = %(tenant_id)s and scope = %(scope)s and session_id = %(session_id)s and carried ? 'off_record';

-- name: current_pauses
-- Pauses that go on.
select pause_id, session_id, since, ends_at from brain.remembering_pauses
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s
  and (ends_at is null or ends_at > greatest(since, now()))
order by since desc, pause_id desc
limit 100;

-- name: pause_covers
-- Whether a conversation was not to be remembered at a moment.
select brain.pauses_remembering(%(tenant_id)s, %(scope)s, %(user_id)s, %(session_id)s, %(at)s) as covered;
