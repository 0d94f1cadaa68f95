-- name: end_panel_session
-- Somebody signs out; twice is once.
insert into brain.ended_panel_sessions (tenant_id, session_sha256, until)
values (%(tenant_id)s, %(session_sha256)s, %(until)s)
on conflict do nothing;

-- name: drop_ended_panel_sessions
-- Forget sessions of the asking tenant that are over by themselves.
delete from brain.ended_panel_sessions where tenant_id = %(tenant_id)s and until <= %(at)s;

-- name: panel_session_has_ended
-- Whether somebody signed out of a session.
select exists (select from brain.ended_panel_sessions
               where tenant_id = %(tenant_id)s and session_sha256 = %(session_sha256)s) as ended;
