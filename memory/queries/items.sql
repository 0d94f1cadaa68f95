-- name: lock_slot
-- One writer per slot at a time; released with the transaction.
select pg_advisory_xact_lock(hashtextextended(%(tenant_id)s::text || %(user_id)s::text || %(slot)s, 0)) is null as locked;

-- name: lock_cited_turns
-- One writer at a time of what rests on these turns, behind the slot; released with the transaction.
select count(pg_advisory_xact_lock(hashtextextended(%(tenant_id)s::text || turn.id, 1))) as locked
from (select id::text from unnest(%(event_ids)s::uuid[]) as id order by id limit 200) as turn;

-- name: memories_on_words
-- The active memories of this person that rest on any of these words.
select i.item_id as memory_id
from brain.memory_items i
where i.tenant_id = %(tenant_id)s and i.scope = %(scope)s and i.user_id = %(user_id)s and i.status = 'active'
  and i.item_id in (
      select c.item_id from brain.memory_citations c
      join unnest(%(event_ids)s::uuid[], %(starts)s::integer[], %(ends)s::integer[]) as d (event_id, span_start, span_end)
          on d.event_id = c.event_id and c.span_start < d.span_end and c.span_end > d.span_start
      where c.tenant_id = %(tenant_id)s and c.event_id = any(%(event_ids)s))
order by i.item_id
limit 200;

-- name: write_receipt_by_key
-- The answer that this idempotency key already got.
select receipt_id, memory_id, created_at as written_at, details ->> 'status' as status,
       coalesce(details ->> 'trace_id', '') as trace_id
from brain.memory_receipts
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s
  and idempotency_key = %(idempotency_key)s
limit 1;

-- name: memories_beside
-- What an assertion is compared with: the active memories of its slot, those of the slot that were taken from the same
-- turn whatever became of them, those of the slot that were taken back by something said later than the assertion, the
-- one that it replaces by name, and those forgotten, excluded or put right by a person that rest on the same words.
select item_id as memory_id, user_id, item_type as memory_type, content, valid_at, invalid_at, confidence,
       source_sessions, superseded_by, version, provenance, epistemic_type, subject, predicate, object, negated,
       category, slot, status, stale, certainty, observed_at, created_at, updated_at, last_validated_at, use
from brain.memory_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s
  and (slot = %(slot)s or (item_id = %(replaces_memory)s and status = 'active') or status = 'deleted'
       or use = 'excluded' or provenance -> 'reworded' is not null)
  and item_id in (
      select i.item_id from brain.memory_items i
      where i.tenant_id = %(tenant_id)s and i.scope = %(scope)s and i.user_id = %(user_id)s and i.slot = %(slot)s
        and i.status = 'active'
      union all
      select c.item_id from brain.memory_citations c
      where c.tenant_id = %(tenant_id)s and c.event_id = any(%(event_ids)s)
        and (exists (select from unnest(%(event_ids)s::uuid[], %(starts)s::integer[], %(ends)s::integer[])
                              as d (event_id, span_start, span_end)
                     where d.event_id = c.event_id and c.span_start < d.span_end and c.span_end > d.span_start)
             or exists (select from brain.memory_items i
                        where i.tenant_id = %(tenant_id)s and i.item_id = c.item_id and i.slot = %(slot)s))
      union all
      select i.item_id from brain.memory_items i
      left join brain.memory_items s on s.tenant_id = %(tenant_id)s and s.item_id = i.superseded_by
      where i.tenant_id = %(tenant_id)s and i.scope = %(scope)s and i.user_id = %(user_id)s and i.slot = %(slot)s
        and i.status in ('superseded', 'retracted') and i.updated_at > %(observed_at)s
        and coalesce(s.observed_at, (i.provenance ->> 'ended_at')::timestamptz, i.invalid_at) > %(observed_at)s
      union all
      select %(replaces_memory)s::uuid)
order by observed_at desc, item_id desc
limit 200
for update;

-- name: memories_in_place
-- What stands where a restored memory would stand: the living ones of its slot, and the one that had superseded it.
select item_id as memory_id, user_id, item_type as memory_type, content, valid_at, invalid_at, confidence,
       source_sessions, superseded_by, version, provenance, epistemic_type, subject, predicate, object, negated,
       category, slot, status, stale, certainty, observed_at, created_at, updated_at, last_validated_at, use
from brain.memory_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and status = 'active'
  and (slot = %(slot)s or item_id = %(superseded_by)s) and item_id <> %(memory_id)s
order by observed_at desc, item_id desc
limit 200
for update;

-- name: memories_doubted_by
-- Living memories of this person that one of these turns leaves in doubt, wholly or in part.
select item_id as memory_id, user_id, item_type as memory_type, content, valid_at, invalid_at, confidence,
       source_sessions, superseded_by, version, provenance, epistemic_type, subject, predicate, object, negated,
       category, slot, status, stale, certainty, observed_at, created_at, updated_at, last_validated_at, use
from brain.memory_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and status = 'active'
  and (provenance -> 'doubted_by' ?| %(event_ids)s::text[]
       or exists (select from jsonb_array_elements(provenance -> 'parts_over') as part
                  where part -> 'events' ?| %(event_ids)s::text[]))
order by observed_at desc, item_id desc
limit 200
for update;

-- name: item_by_id
-- One memory of this person, whatever its status.
select item_id as memory_id, user_id, item_type as memory_type, content, valid_at, invalid_at, confidence,
       source_sessions, superseded_by, version, provenance, epistemic_type, subject, predicate, object, negated,
       category, slot, status, stale, certainty, observed_at, created_at, updated_at, last_validated_at, use
from brain.memory_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and item_id = %(memory_id)s
limit 1;

-- name: items_by_id
-- Several memories of this person, whatever their status.
select item_id as memory_id, user_id, item_type as memory_type, content, valid_at, invalid_at, confidence,
       source_sessions, superseded_by, version, provenance, epistemic_type, subject, predicate, object, negated,
       category, slot, status, stale, certainty, observed_at, created_at, updated_at, last_validated_at, use
from brain.memory_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and item_id = any(%(memory_ids)s)
limit 1000;

-- name: items_of_person
-- A person's memories, newest first.
select item_id as memory_id, user_id, item_type as memory_type, content, valid_at, invalid_at, confidence,
       source_sessions, superseded_by, version, provenance, epistemic_type, subject, predicate, object, negated,
       category, slot, status, stale, certainty, observed_at, created_at, updated_at, last_validated_at, use
from brain.memory_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and (%(include_inactive)s or status = 'active')
  and (%(after_at)s::timestamptz is null or (updated_at, item_id) < (%(after_at)s::timestamptz, %(after_id)s::uuid))
order by updated_at desc, item_id desc
limit %(limit)s;

-- name: items_to_move
-- Memories that count although all the turns they rest on were left behind, and those that do not although one of them
-- counts again. The turn that ended a memory is none that it rests on.
select i.item_id as memory_id, i.user_id, i.item_type as memory_type, i.content, i.valid_at, i.invalid_at, i.confidence,
       i.source_sessions, i.superseded_by, i.version, i.provenance, i.epistemic_type, i.subject, i.predicate, i.object,
       i.negated, i.category, i.slot, i.status, i.stale, i.certainty, i.observed_at, i.created_at, i.updated_at,
       i.last_validated_at, i.use
from brain.memory_items i
join (
    select m.item_id, bool_and(o.left_at is not null) as behind
    from brain.memory_items m
    join brain.memory_citations c on c.tenant_id = m.tenant_id and c.item_id = m.item_id
    join brain.conversation_events e on e.tenant_id = c.tenant_id and e.event_id = c.event_id
    join brain.operations o on o.tenant_id = e.tenant_id and o.operation_id = e.operation_id
    where m.tenant_id = %(tenant_id)s and m.scope = %(scope)s and (m.user_id = %(user_id)s or %(is_group)s)
      and m.status <> 'deleted' and not coalesce(m.provenance -> 'ended_by' ? c.event_id::text, false)
    group by m.item_id
) rests on rests.item_id = i.item_id
where i.tenant_id = %(tenant_id)s and i.scope = %(scope)s and rests.behind = (i.status <> 'left')
order by i.item_id
limit 1000
for update of i;

-- name: endings_to_settle
-- Memories that ended, or had ended, by something that was left behind.
select i.item_id as memory_id, i.user_id, i.item_type as memory_type, i.content, i.valid_at, i.invalid_at, i.confidence,
       i.source_sessions, i.superseded_by, i.version, i.provenance, i.epistemic_type, i.subject, i.predicate, i.object,
       i.negated, i.category, i.slot, i.status, i.stale, i.certainty, i.observed_at, i.created_at, i.updated_at,
       i.last_validated_at, i.use
from brain.memory_items i
left join brain.memory_items s on s.tenant_id = %(tenant_id)s and s.item_id = i.superseded_by
where i.tenant_id = %(tenant_id)s and i.scope = %(scope)s and (i.user_id = %(user_id)s or %(is_group)s)
  and (i.status = 'superseded' and s.status = 'left'
       or i.status = 'retracted' and exists (select from jsonb_array_elements_text(i.provenance -> 'ended_by') as by (event)
                                             join brain.conversation_events e
                                                  on e.tenant_id = %(tenant_id)s and e.event_id = by.event::uuid
                                             where brain.is_left(e.tenant_id, e.operation_id))
       or i.status = 'active' and i.provenance ? 'endings_left')
order by i.item_id
limit 1000
for update of i;

-- name: left_behind
-- The memories and turns of a person that do not count now.
select coalesce((select array_agg(item_id) from brain.memory_items
                 where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
                   and status = 'left'), '{}') as memories,
       coalesce((select array_agg(e.event_id::text)
                 from brain.operations o
                 join brain.conversation_events e on e.tenant_id = o.tenant_id and e.operation_id = o.operation_id
                 where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and (o.user_id = %(user_id)s or %(is_group)s)
                   and o.left_at is not null), '{}') as events;

-- name: insert_item
-- A new memory.
insert into brain.memory_items (tenant_id, item_id, scope, user_id, item_type, subject, predicate, object, negated,
                                content, category, slot, status, stale, confidence, certainty, epistemic_type,
                                provenance, source_sessions, superseded_by, version, observed_at, valid_at, invalid_at,
                                last_validated_at, created_at, updated_at, use)
values (%(tenant_id)s, %(memory_id)s, %(scope)s, %(user_id)s, %(memory_type)s, %(subject)s, %(predicate)s, %(object)s,
        %(negated)s, %(content)s, %(category)s, %(slot)s, %(status)s, %(stale)s, %(confidence)s, %(certainty)s,
        %(epistemic_type)s, %(provenance)s, %(source_sessions)s, %(superseded_by)s, %(version)s, %(observed_at)s,
        %(valid_at)s, %(invalid_at)s, %(last_validated_at)s, %(created_at)s, %(updated_at)s, %(use)s);

-- name: update_item
-- The next version of a memory; a writer that saw an older one changes nothing.
update brain.memory_items
set item_type = %(memory_type)s, subject = %(subject)s, predicate = %(predicate)s, slot = %(slot)s,
    content = %(content)s, object = %(object)s, negated = %(negated)s, category = %(category)s, status = %(status)s,
    stale = %(stale)s, confidence = %(confidence)s, certainty = %(certainty)s, epistemic_type = %(epistemic_type)s,
    provenance = %(provenance)s, source_sessions = %(source_sessions)s, superseded_by = %(superseded_by)s,
    version = %(version)s, valid_at = %(valid_at)s, invalid_at = %(invalid_at)s,
    last_validated_at = %(last_validated_at)s, updated_at = %(updated_at)s, use = %(use)s
where tenant_id = %(tenant_id)s and scope = %(scope)s and item_id = %(memory_id)s and version = %(version)s - 1
returning item_id;

-- name: insert_version
-- What the memory looked like after this change, who changed it and why.
insert into brain.memory_versions (tenant_id, item_id, version, scope, user_id, change, snapshot, reason, operator,
                                   trace_id, recorded_at)
values (%(tenant_id)s, %(memory_id)s, %(version)s, %(scope)s, %(user_id)s, %(change)s, %(snapshot)s, %(reason)s,
        %(operator)s, %(trace_id)s, %(at)s);

-- name: insert_citations
-- The turns a memory rests on.
insert into brain.memory_citations (tenant_id, item_id, event_id, span_start, span_end, sha256, scope, user_id)
select %(tenant_id)s, %(memory_id)s, u.event_id, u.span_start, u.span_end, u.sha256, %(scope)s, %(user_id)s
from unnest(%(event_ids)s::uuid[], %(starts)s::integer[], %(ends)s::integer[], %(sha256s)s::text[])
         as u (event_id, span_start, span_end, sha256)
on conflict do nothing;

-- name: drop_citations
-- What a memory rested on; its versions still tell.
delete from brain.memory_citations
where tenant_id = %(tenant_id)s and scope = %(scope)s and item_id = %(memory_id)s;

-- name: enqueue_repair
-- A memory whose evidence no longer matches asks for it to be looked at again, in the transaction that noticed.
select queue.procrastinate_defer_jobs_v1(array[
    row('evolution', 'repair', 0, %(user_id)s::text, null,
        jsonb_build_object('tenant_id', %(tenant_id)s::uuid, 'scope', %(scope)s::text, 'user_id', %(user_id)s::uuid,
                           'memory_id', %(memory_id)s::uuid), null)::queue.procrastinate_job_to_defer_v1]);

-- name: insert_audit
-- Who did what to which memory, and why.
insert into brain.audit_log (tenant_id, scope, user_id, action, source_id, target_id, reason, operator, trace_id,
                             recorded_at)
values (%(tenant_id)s, %(scope)s, %(user_id)s, %(action)s, %(source_id)s, %(memory_id)s, %(reason)s, %(operator)s,
        %(trace_id)s, %(at)s);

-- name: audited_since
-- How often something was done in a scope from a moment on.
select count(*) as refusals
from brain.audit_log
where tenant_id = %(tenant_id)s and scope = %(scope)s and action = %(action)s and recorded_at >= %(since)s;

-- name: privileged_reads
-- Who else read a person's memory, the newest first.
select operator, reason, trace_id, recorded_at as at from brain.audit_log
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and action = %(action)s
order by recorded_at desc limit %(limit)s;

-- name: insert_write_receipt
-- The receipt of a write; its idempotency key answers the same request again.
insert into brain.memory_receipts (tenant_id, receipt_id, scope, user_id, receipt_type, memory_id, lane, details,
                                   details_schema_version, idempotency_key, created_at)
values (%(tenant_id)s, %(receipt_id)s, %(scope)s, %(user_id)s, 'write', %(memory_id)s, 'fact',
        jsonb_build_object('status', %(status)s::text, 'action', %(action)s::text, 'trace_id', %(trace_id)s::text),
        %(schema_version)s,
        %(idempotency_key)s, %(at)s);

-- name: versions_of_item
-- The history of a memory, oldest first.
select version, change, snapshot, reason, operator, recorded_at
from brain.memory_versions
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and item_id = %(memory_id)s
order by version
limit 1000;

-- name: recent_changes
-- What went within a day by this person's own memories, and what was noted at their word, each as it stood before; not
-- what was changed again since.
select v.item_id as memory_id, v.version, v.change, coalesce(b.snapshot ->> 'content', '') as before,
       v.snapshot ->> 'content' as after, v.operator, v.reason, v.trace_id, v.written_at as changed_at
from brain.memory_versions v
left join brain.memory_versions b on b.tenant_id = v.tenant_id and b.item_id = v.item_id and b.version = v.version - 1
where v.tenant_id = %(tenant_id)s and v.scope = %(scope)s and v.user_id = %(user_id)s
  and v.written_at > clock_timestamp() - make_interval(hours => %(hours)s)
  and (v.change = 'create' and v.reason = %(asked)s
       or v.change in ('forget', 'correct', 'supersede', 'retract') and b.snapshot ->> 'status' = 'active')
  and not exists (select from brain.memory_versions l
                  where l.tenant_id = v.tenant_id and l.item_id = v.item_id and l.version > v.version
                    and l.change in ('forget', 'correct', 'supersede', 'retract', 'restore', 'consolidate', 'archive'))
order by v.written_at desc, v.item_id
limit %(limit)s;

-- name: versions_as_of
-- Memories as they stood at a moment.
select distinct on (item_id) snapshot
from brain.memory_versions
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and item_id = any(%(memory_ids)s) and recorded_at <= %(as_of)s
order by item_id, version desc;

-- name: drawn_from_turns
-- What was taken from turns before, whatever became of it since.
select i.item_id as memory_id, i.user_id, i.item_type as memory_type, i.content, i.valid_at, i.invalid_at, i.confidence,
       i.source_sessions, i.superseded_by, i.version, i.provenance, i.epistemic_type, i.subject, i.predicate, i.object,
       i.negated, i.category, i.slot, i.status, i.stale, i.certainty, i.observed_at, i.created_at, i.updated_at,
       i.last_validated_at, i.use, c.event_id, c.span_start, c.span_end, c.sha256
from brain.memory_citations c
join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
where c.tenant_id = %(tenant_id)s and c.scope = %(scope)s and c.user_id = %(user_id)s
  and c.event_id = any(%(event_ids)s)
order by c.event_id, c.span_start, i.item_id
limit 1000;

-- name: touched_items
-- Which memories were begun by another than the first of these operators, changed by none of them, or stand in a conflict
-- that waits for the person.
select i.item_id
from brain.memory_items i
where i.tenant_id = %(tenant_id)s and i.scope = %(scope)s and i.user_id = %(user_id)s
  and i.item_id = any(%(memory_ids)s)
  and (exists (select from brain.memory_versions v
               where v.tenant_id = %(tenant_id)s and v.item_id = i.item_id
                 and (v.operator <> all(%(operators)s)
                      or v.version = 1 and v.operator <> (%(operators)s::text[])[1]))
       or exists (select from brain.memory_conflicts c
                  where c.tenant_id = %(tenant_id)s and i.item_id in (c.held_id, c.new_id) and c.status = 'open'))
limit 1000;

-- name: evidence_of_item
-- The cited turns with the hash of the turn as it stands now; comparing it is the reader's duty.
select c.event_id, substr(e.text, c.span_start + 1, c.span_end - c.span_start) as quote, e.speaker, e.occurred_at,
       c.sha256, c.sha256 = encode(sha256(convert_to(e.text, 'UTF8')), 'hex') as verified, e.reference
from brain.memory_citations c
join brain.conversation_events e on e.tenant_id = c.tenant_id and e.event_id = c.event_id
where c.tenant_id = %(tenant_id)s and c.scope = %(scope)s and (c.user_id = %(user_id)s or %(is_group)s)
  and c.item_id = %(memory_id)s
order by e.occurred_at, c.span_start
limit 200;
