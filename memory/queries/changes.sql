-- What has changed in a recall index since it was last read, for a process that keeps it ready.

-- name: recall_changes
-- The one statement that says by itself who asks: a session that is nobody sends it, alone. The first row also tells the
-- timeline: a standby that took over counts transactions anew from where it was.
select c.*, case when c.snapshot is not null
        then ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int end as timeline
from brain.recall_changes(
    %(tenant_id)s, %(scope)s, %(user_id)s, %(user_low)s, %(user_high)s,
    %(since)s::pg_snapshot, %(seen)s::pg_snapshot, %(after_writer)s::xid8, %(after_source)s, %(page)s
) as c;

-- name: recall_marker
-- How far a copy of the database must have come to answer this person: to where the log is now, or was when the snapshot was
-- taken after which nothing of theirs has changed. The snapshot is older than the place in the log, so all that it sees
-- is there. Another timeline is another history: a standby has taken over, and may have missed what others saw.
select pg_current_snapshot()::text as snapshot, pg_current_wal_insert_lsn()::text as position,
    ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::int as timeline,
    (select count(*)::int from brain.tombstones where tenant_id = %(tenant_id)s) as erasures,
    exists (
        select from brain.recall_index i
        where i.tenant_id = %(tenant_id)s and i.scope = %(scope)s and i.user_id between %(user_low)s and %(user_high)s
            and i.written_by >= pg_snapshot_xmin(%(since)s::pg_snapshot)
            and not pg_visible_in_snapshot(i.written_by, %(since)s::pg_snapshot)
    ) or exists (
        select from brain.recall_removals r
        where r.tenant_id = %(tenant_id)s and r.scope = %(scope)s and r.user_id between %(user_low)s and %(user_high)s
            and r.removed_by >= pg_snapshot_xmin(%(since)s::pg_snapshot)
            and not pg_visible_in_snapshot(r.removed_by, %(since)s::pg_snapshot)
    ) as changed;

-- name: has_arrived
-- Whether this server is a copy that follows the same history and has come so far.
select pg_is_in_recovery() and pg_last_wal_replay_lsn() >= %(position)s::pg_lsn
    and (select timeline_id from pg_control_checkpoint()) = %(timeline)s as arrived;
