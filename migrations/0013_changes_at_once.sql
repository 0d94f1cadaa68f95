-- What has changed in a person's recall index, in one statement that says who asks by itself. Every question of
-- somebody who is talking begins with it; a second statement that only names the asker would cost more than its answer.

-- The first row tells by which snapshot this reading was made, whether the server is an earlier copy of the one that
-- was read, and a page of the rows that were taken away since the snapshot seen. Then follows a page of the rows that
-- an earlier snapshot (since) did not see as they are now; the snapshot 1:1: has seen none. The snapshot is taken
-- before the rows are read: what is written in between is read twice, never missed, and a row that is written while the
-- pages are turned moves to the end. Which rows make a page is found first, so that the others are not packed for
-- nothing. Who asks is set to the end of the transaction, so the statement travels alone; row-level security judges by
-- it.
create function brain.recall_changes(
    of_tenant uuid, of_scope text, of_user uuid, user_low uuid, user_high uuid,
    since pg_snapshot, seen pg_snapshot, after_writer xid8, after_source uuid, page integer
) returns table (
    snapshot text, earlier boolean, removed uuid[],
    source_id uuid, lane text, "text" text, session_id uuid, "position" integer, role text, speaker text, category text,
    observed_at timestamptz, valid_at timestamptz, invalid_at timestamptz, recorded_at timestamptz,
    retired_at timestamptz, active boolean, confidence real, provenance text, epistemic_type text, verified boolean,
    last_validated_at timestamptz, injected_count integer, positive_count integer, derived_from uuid[],
    written_by text, words bytea, grams bytea, length integer, embedding_model text, embedding bytea
)
language plpgsql
as $$
#variable_conflict use_column
begin
    perform set_config('brain.tenant_id', of_tenant::text, true), set_config('brain.scope', of_scope, true),
        set_config('brain.user_id', of_user::text, true);
    snapshot := pg_current_snapshot();
    earlier := pg_snapshot_xmax(seen) > pg_snapshot_xmax(snapshot::pg_snapshot);
    removed := array(
        select r.source_id from brain.recall_removals r
        where r.tenant_id = of_tenant and r.scope = of_scope and r.user_id between user_low and user_high
            and r.removed_by >= pg_snapshot_xmin(seen) and not pg_visible_in_snapshot(r.removed_by, seen)
        limit page
    );
    -- Every row is read as a searchable thing, whose sources are never null.
    derived_from := '{}';
    return next;
    return query
    select
        null::text, null::boolean, null::uuid[],
        i.source_id, i.lane, i.text, i.session_id, i.position, i.role, i.speaker, i.category,
        i.observed_at, i.valid_at, i.invalid_at, i.recorded_at,
        i.retired_at, i.active, i.confidence, i.provenance, i.epistemic_type, i.verified,
        i.last_validated_at, i.injected_count, i.positive_count, i.derived_from,
        i.written_by::text, array_send(i.words), array_send(i.grams), i.length, i.embedding_model,
        halfvec_send(i.embedding)
    from brain.recall_index i
    where i.tenant_id = of_tenant and i.ctid = any (array(
        select p.ctid from brain.recall_index p
        where p.tenant_id = of_tenant and p.scope = of_scope and p.user_id between user_low and user_high
            and p.written_by >= pg_snapshot_xmin(since) and not pg_visible_in_snapshot(p.written_by, since)
            and (p.written_by, p.source_id) > (after_writer, after_source)
            and not p.staged
        order by p.written_by, p.source_id
        limit page
    ))
    order by i.written_by, i.source_id;
end $$;

revoke all on function brain.recall_changes(
    uuid, text, uuid, uuid, uuid, pg_snapshot, pg_snapshot, xid8, uuid, integer
) from public;
grant execute on function brain.recall_changes(
    uuid, text, uuid, uuid, uuid, pg_snapshot, pg_snapshot, xid8, uuid, integer
) to :app_role;
