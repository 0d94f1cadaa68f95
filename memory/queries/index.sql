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

-- name: drop_row
-- What was forgotten is in no reading any more, whichever time is asked about.
delete from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and source_id = %(memory_id)s and lane = 'fact';

-- name: hide_cited_turns
-- The turns that said it are not recalled either, unless another living memory rests on them.
delete from brain.recall_index x
using brain.memory_citations c
where c.tenant_id = %(tenant_id)s and c.scope = %(scope)s and c.item_id = %(memory_id)s
  and x.tenant_id = c.tenant_id and x.source_id = c.event_id and x.lane = 'turn'
  and not exists (select from brain.memory_citations o
                  join brain.memory_items i on i.tenant_id = o.tenant_id and i.item_id = o.item_id
                  where o.tenant_id = c.tenant_id and o.event_id = c.event_id and i.status = 'active');

-- name: cited_turns
-- The turns that a memory rests on, as the index needs them.
select e.event_id, e.session_id, e.position, e.role, e.speaker, e.text, e.sha256, e.occurred_at, e.time_zone,
       e.reference, e.user_id
from brain.memory_citations c
join brain.conversation_events e on e.tenant_id = c.tenant_id and e.event_id = c.event_id
where c.tenant_id = %(tenant_id)s and c.scope = %(scope)s and c.item_id = %(memory_id)s and e.indexed
limit 200;

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
-- The log in pages, for deriving the index again. Replies made without a model were never indexed, and turns on which
-- only forgotten memories rest stay hidden.
select e.event_id, e.session_id, e.position, e.role, e.speaker, e.text, e.sha256, e.occurred_at, e.time_zone, e.reference,
       e.user_id
from brain.conversation_events e
where e.tenant_id = %(tenant_id)s and e.scope = %(scope)s and (e.user_id = %(user_id)s or %(is_group)s)
  and e.indexed and e.event_id > %(after)s
  and (not exists (select from brain.memory_citations c
                   join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
                   where c.tenant_id = %(tenant_id)s and i.tenant_id = %(tenant_id)s and c.event_id = e.event_id
                     and i.status = 'deleted')
       or exists (select from brain.memory_citations c
                  join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
                  where c.tenant_id = %(tenant_id)s and i.tenant_id = %(tenant_id)s and c.event_id = e.event_id
                    and i.status = 'active'))
order by e.event_id
limit %(limit)s;

-- name: items_page
-- The memories in pages, for deriving the index again.
select item_id as memory_id, user_id, item_type as memory_type, content, valid_at, invalid_at, confidence,
       source_sessions, superseded_by, version, provenance, epistemic_type, subject, predicate, object, negated,
       category, slot, status, stale, certainty, observed_at, created_at, updated_at, last_validated_at
from brain.memory_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and item_id > %(after)s and status <> 'deleted'
order by item_id
limit %(limit)s;

-- name: rows_without_vector
-- What still waits for a vector, oldest first.
select source_id, lane, speaker, text, observed_at
from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and embedding_model = 'none' and not staged
order by recorded_at
limit %(limit)s;

-- name: vector_dimensions
-- How long this person's vectors of a model are; a model that changed its length is refused.
select vector_dims(embedding) as dimensions
from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and embedding_model = %(embedding_model)s
limit 1;

-- name: save_vectors
-- Vectors that a model made; a row that changed its words meanwhile is gone and gets its own later.
update brain.recall_index x
set embedding = u.embedding::halfvec, embedding_model = %(embedding_model)s
from unnest(%(source_ids)s::uuid[], %(lanes)s::text[], %(texts)s::text[], %(embeddings)s::text[])
         as u (source_id, lane, text, embedding)
where x.tenant_id = %(tenant_id)s and x.scope = %(scope)s and x.source_id = u.source_id and x.lane = u.lane
  and x.embedding_model = 'none' and x.text = u.text;
