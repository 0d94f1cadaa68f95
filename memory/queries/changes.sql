-- What has changed in a recall index since it was last read, for a process that keeps it ready.

-- name: recall_snapshot
-- What a reading made now can see; which rows were taken away since an earlier one, up to a page of them; and whether the
-- server is an earlier copy of the one that was read.
select pg_current_snapshot()::text as snapshot,
    pg_snapshot_xmax(%(seen)s::pg_snapshot) > pg_snapshot_xmax(pg_current_snapshot()) as earlier,
    array(
        select source_id from brain.recall_removals
        where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id between %(user_low)s and %(user_high)s
            and removed_by >= pg_snapshot_xmin(%(seen)s::pg_snapshot)
            and not pg_visible_in_snapshot(removed_by, %(seen)s::pg_snapshot)
        limit %(page)s
    ) as removed;

-- name: recall_changes
-- A page of a person's rows that an earlier snapshot did not see as they are now; the snapshot 1:1: has seen none. A row
-- that is written while the pages are turned moves to the end, so none is missed.
select
    source_id, lane, text, session_id, position, role, speaker, category, observed_at, valid_at, invalid_at,
    recorded_at, retired_at, active, confidence, provenance, epistemic_type, verified, last_validated_at,
    injected_count, positive_count, derived_from,
    written_by::text as written_by, array_send(words) as words, array_send(grams) as grams, length, embedding_model,
    halfvec_send(embedding) as embedding
from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id between %(user_low)s and %(user_high)s
    and written_by >= pg_snapshot_xmin(%(since)s::pg_snapshot)
    and not pg_visible_in_snapshot(written_by, %(since)s::pg_snapshot)
    and (written_by, source_id) > (%(after_writer)s::xid8, %(after_source)s::uuid)
    and not staged
order by written_by, source_id
limit %(page)s;
