-- A long turn stands in the index as passages of a few sentences, a short one as itself. A passage is a pair of places in
-- its turn; its id is made of turn, start and end. Turns that were indexed whole before stay whole until the index of
-- their person is derived again (brain rebuild): row-level security hides them from whoever migrates.

alter table brain.recall_index
    -- The turn that a passage is of; null where a row is the whole of what it was made of.
    add column event_id uuid,
    -- Where it begins and ends in the turn's text, in code points, the end not included.
    add column span_start integer,
    add column span_end integer,
    -- The headings and the lead-in that it stands under.
    add column about text not null default '',
    add constraint recall_index_passage check (
        (event_id is null and span_start is null and span_end is null)
        or (event_id is not null and lane = 'turn' and span_start >= 0 and span_end > span_start));

-- All passages of a turn, to hide or weigh them together.
create index recall_index_of_turn on brain.recall_index (tenant_id, event_id) where event_id is not null;

-- As before, and of passages where they stand.
drop function brain.recall_changes(uuid, text, uuid, uuid, uuid, pg_snapshot, pg_snapshot, xid8, uuid, integer);
create function brain.recall_changes(
    of_tenant uuid, of_scope text, of_user uuid, user_low uuid, user_high uuid,
    since pg_snapshot, seen pg_snapshot, after_writer xid8, after_source uuid, page integer
) returns table (
    snapshot text, earlier boolean, removed uuid[],
    source_id uuid, lane text, "text" text, session_id uuid, "position" integer, role text, speaker text, category text,
    event_id uuid, span_start integer, span_end integer, about text,
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
        i.event_id, i.span_start, i.span_end, i.about,
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
