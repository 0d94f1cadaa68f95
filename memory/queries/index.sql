-- name: index_turns
-- Make logged turns findable in the transaction that logs them; a turn the log refused as a repeat is not indexed.
insert into brain.recall_index (tenant_id, scope, user_id, source_id, lane, session_id, position, role, speaker, text,
                                words, grams, length, observed_at, valid_at, recorded_at)
select e.tenant_id, e.scope, e.user_id, e.event_id, 'turn', e.session_id, e.position, e.role, e.speaker, e.text,
       u.words::integer[], u.grams::integer[], u.length, e.occurred_at, e.occurred_at, e.occurred_at
from unnest(%(source_ids)s::uuid[], %(words)s::text[], %(grams)s::text[], %(lengths)s::integer[])
         as u (event_id, words, grams, length)
join brain.conversation_events e on e.tenant_id = %(tenant_id)s and e.event_id = u.event_id
on conflict do nothing;

-- name: drop_outdated_row
-- What the index holds of a memory under an older wording, with its vectors.
delete from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and source_id = %(source_id)s and lane = 'fact'
  and text <> %(text)s;

-- name: refresh_row
-- A memory whose words stay keeps its vectors; all else follows the memory.
update brain.recall_index
set category = %(category)s, valid_at = %(valid_at)s, invalid_at = %(invalid_at)s, retired_at = %(retired_at)s,
    active = %(active)s, confidence = %(confidence)s, provenance = %(provenance)s, epistemic_type = %(epistemic_type)s,
    verified = %(verified)s, last_validated_at = %(last_validated_at)s, derived_from = %(derived_from)s
where tenant_id = %(tenant_id)s and scope = %(scope)s and source_id = %(source_id)s and lane = 'fact';

-- name: index_fact
-- A memory that is not in the index under these words waits there for its vector.
insert into brain.recall_index (tenant_id, scope, user_id, source_id, lane, session_id, role, speaker, category, text,
                                words, grams, length, observed_at, valid_at, invalid_at, recorded_at, retired_at,
                                active, confidence, provenance, epistemic_type, verified, last_validated_at,
                                derived_from)
select %(tenant_id)s, %(scope)s, %(user_id)s, %(source_id)s, 'fact', %(session_id)s, %(role)s, %(speaker)s,
       %(category)s, %(text)s, %(words)s::integer[], %(grams)s::integer[], %(length)s, %(observed_at)s, %(valid_at)s,
       %(invalid_at)s, %(recorded_at)s, %(retired_at)s, %(active)s, %(confidence)s, %(provenance)s,
       %(epistemic_type)s, %(verified)s, %(last_validated_at)s, %(derived_from)s
where not exists (select from brain.recall_index
                  where tenant_id = %(tenant_id)s and source_id = %(source_id)s and lane = 'fact');

-- name: clear_index
-- Forget this person's whole index; the log and the memories hold everything it is made of.
delete from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s);

-- name: log_page
-- The log in pages, for deriving the index again. Replies made without a model were never indexed.
select e.event_id, e.session_id, e.position, e.role, e.speaker, e.text, e.sha256, e.occurred_at, e.time_zone, e.reference,
       e.user_id
from brain.conversation_events e
where e.tenant_id = %(tenant_id)s and e.scope = %(scope)s and (e.user_id = %(user_id)s or %(is_group)s)
  and e.indexed and e.event_id > %(after)s
order by e.event_id
limit %(limit)s;

-- name: items_page
-- The memories in pages, for deriving the index again.
select item_id as memory_id, user_id, item_type as memory_type, content, valid_at, invalid_at, confidence,
       source_sessions, superseded_by, version, provenance, epistemic_type, subject, predicate, object, negated,
       category, slot, status, stale, certainty, observed_at, created_at, updated_at, last_validated_at
from brain.memory_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and item_id > %(after)s
order by item_id
limit %(limit)s;
