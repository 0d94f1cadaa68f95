-- What has changed in a recall index since it was last read, for a process that keeps it ready.

-- name: recall_changes
-- The one statement that says by itself who asks: a session that is nobody sends it, alone.
select * from brain.recall_changes(
    %(tenant_id)s, %(scope)s, %(user_id)s, %(user_low)s, %(user_high)s,
    %(since)s::pg_snapshot, %(seen)s::pg_snapshot, %(after_writer)s::xid8, %(after_source)s, %(page)s
);
