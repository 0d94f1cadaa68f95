-- name: index_new_turns
-- Make turns findable in the transaction that logs them, long ones as their passages; a turn the log refused as a repeat,
-- or that is withheld, is not indexed. No memory rests on a new turn, so each weighs its whole.
insert into brain.recall_index (tenant_id, scope, user_id, source_id, lane, session_id, position, role, speaker, text,
                                event_id, span_start, span_end, about,
                                words, grams, length, observed_at, valid_at, recorded_at)
select e.tenant_id, e.scope, e.user_id, u.source_id, 'turn', e.session_id, e.position, e.role, e.speaker,
       u.text, case when u.span_start is not null then e.event_id end, u.span_start, u.span_end, u.about,
       u.words::integer[], u.grams::integer[], u.length, e.occurred_at, e.occurred_at, e.occurred_at
from unnest(%(source_ids)s::uuid[], %(event_ids)s::uuid[], %(span_starts)s::integer[], %(span_ends)s::integer[],
            %(texts)s::text[], %(abouts)s::text[], %(words)s::text[], %(grams)s::text[], %(lengths)s::integer[])
         as u (source_id, event_id, span_start, span_end, text, about, words, grams, length)
join brain.conversation_events e on e.tenant_id = %(tenant_id)s and e.event_id = u.event_id
where e.indexed
on conflict do nothing;

-- name: index_turns
-- Make logged turns findable again, long ones as their passages, or derive their rows anew; each weighs what it weighed.
insert into brain.recall_index (tenant_id, scope, user_id, source_id, lane, session_id, position, role, speaker, text,
                                event_id, span_start, span_end, about,
                                words, grams, length, observed_at, valid_at, recorded_at, confidence, epistemic_type)
select e.tenant_id, e.scope, e.user_id, u.source_id, 'turn', e.session_id, e.position, e.role, e.speaker,
       u.text, case when u.span_start is not null then e.event_id end, u.span_start, u.span_end, u.about,
       u.words::integer[], u.grams::integer[], u.length, e.occurred_at, e.occurred_at, e.occurred_at,
       case said.standing when 'over' then %(over_confidence)s when 'partly' then %(partly_confidence)s else 1 end,
       case said.standing when 'over' then 'outdated' end
from unnest(%(source_ids)s::uuid[], %(event_ids)s::uuid[], %(span_starts)s::integer[], %(span_ends)s::integer[],
            %(texts)s::text[], %(abouts)s::text[], %(words)s::text[], %(grams)s::text[], %(lengths)s::integer[])
         as u (source_id, event_id, span_start, span_end, text, about, words, grams, length)
join brain.conversation_events e on e.tenant_id = %(tenant_id)s and e.event_id = u.event_id
cross join lateral (
    select case when held = 'holds' and exists (
               select from brain.memory_citations c
               join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
               where c.tenant_id = %(tenant_id)s and c.event_id = e.event_id
                 and i.status = 'active' and i.provenance ?| array['doubted_by', 'parts_over']) then 'partly' else held end as standing
    from brain.standing_of(%(tenant_id)s, e.event_id) as held) said
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

-- name: lock_turns
-- Transactions that weigh the same turns wait for one another, and see what the one before has changed.
select source_id from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and lane = 'turn'
  and (source_id = any(%(event_ids)s) or event_id = any(%(event_ids)s))
order by source_id
for update;

-- name: weigh_turns
-- A turn that says what is over, or what something newer leaves in doubt, is believed less, with all its passages; one
-- whose memories all live again, as much as any.
update brain.recall_index x
set confidence = said.confidence, epistemic_type = case said.standing when 'over' then 'outdated' end
from (select event_id, standing,
             case standing when 'over' then %(over_confidence)s when 'partly' then %(partly_confidence)s else 1 end::real
                 as confidence
      from unnest(%(event_ids)s::uuid[]) as u (event_id)
      cross join lateral (
          select case when held = 'holds' and exists (
                     select from brain.memory_citations c
                     join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
                     where c.tenant_id = %(tenant_id)s and c.event_id = u.event_id
                       and i.status = 'active' and i.provenance ?| array['doubted_by', 'parts_over']) then 'partly' else held end as standing
          from brain.standing_of(%(tenant_id)s, u.event_id) as held) as told) said
where x.tenant_id = %(tenant_id)s and x.scope = %(scope)s and x.lane = 'turn'
  and (x.source_id = said.event_id or x.event_id = said.event_id) and x.confidence <> said.confidence;

-- name: hide_cited_turns
-- The turns and replies that said it are not recalled either, nor what was brought along.
delete from brain.recall_index x
using (select brain.turns_saying(%(tenant_id)s, %(scope)s, %(memory_id)s)
       union select brain.past_saying(%(tenant_id)s, %(scope)s, %(memory_id)s)) as said (event_id)
where x.tenant_id = %(tenant_id)s and x.scope = %(scope)s and x.lane = 'turn'
  and (x.source_id = said.event_id or x.event_id = said.event_id)
  and brain.says_forgotten(%(tenant_id)s, said.event_id);

-- name: cited_turns
-- The turns and replies of a memory that are hidden and may be read again, as the index needs them; those that are not
-- hidden keep their vectors.
select e.event_id, e.session_id, e.position, e.role, e.speaker, e.text, e.sha256, e.occurred_at, e.time_zone,
       e.reference, e.broken_off, e.user_id
from (select brain.turns_saying(%(tenant_id)s, %(scope)s, %(memory_id)s)
      union select brain.past_saying(%(tenant_id)s, %(scope)s, %(memory_id)s)) as said (event_id)
join brain.conversation_events e on e.tenant_id = %(tenant_id)s and e.event_id = said.event_id
where e.indexed and e.event_id > %(after)s and not brain.says_forgotten(%(tenant_id)s, e.event_id)
  and not brain.is_left(%(tenant_id)s, e.operation_id)
  and not exists (select from brain.recall_index x
                  where x.tenant_id = %(tenant_id)s and x.lane = 'turn'
                    and (x.source_id = e.event_id or x.event_id = e.event_id))
order by e.event_id
limit %(limit)s;

-- name: refresh_row
-- A memory whose words stay keeps its vectors; all else follows the memory.
update brain.recall_index
set role = %(role)s, speaker = %(speaker)s, about = %(about)s, category = %(category)s, valid_at = %(valid_at)s, invalid_at = %(invalid_at)s,
    retired_at = %(retired_at)s, active = %(active)s, confidence = %(confidence)s, provenance = %(provenance)s, epistemic_type = %(epistemic_type)s,
    verified = %(verified)s, last_validated_at = %(last_validated_at)s, derived_from = %(derived_from)s
where tenant_id = %(tenant_id)s and scope = %(scope)s and source_id = %(source_id)s and lane = 'fact';

-- name: index_fact
-- A memory that is not in the index under these words waits there for its vector.
insert into brain.recall_index (tenant_id, scope, user_id, source_id, lane, session_id, role, speaker, category, text,
                                about, words, grams, length, observed_at, valid_at, invalid_at, recorded_at, retired_at,
                                active, confidence, provenance, epistemic_type, verified, last_validated_at,
                                derived_from)
select %(tenant_id)s, %(scope)s, %(user_id)s, %(source_id)s, 'fact', %(session_id)s, %(role)s, %(speaker)s,
       %(category)s, %(text)s, %(about)s, %(words)s::integer[], %(grams)s::integer[], %(length)s, %(observed_at)s, %(valid_at)s,
       %(invalid_at)s, %(recorded_at)s, %(retired_at)s, %(active)s, %(confidence)s, %(provenance)s,
       %(epistemic_type)s, %(verified)s, %(last_validated_at)s, %(derived_from)s
where not exists (select from brain.recall_index
                  where tenant_id = %(tenant_id)s and source_id = %(source_id)s and lane = 'fact');

-- name: clear_index
-- Forget this person's whole index; the log and the memories hold everything it is made of.
delete from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s);

-- name: log_page
-- The log in pages, for deriving the index again. Replies made without a model were never indexed, and what says
-- something forgotten stays hidden; that is asked of the page alone, because it takes a while.
select e.event_id, e.session_id, e.position, e.role, e.speaker, e.text, e.sha256, e.occurred_at, e.time_zone, e.reference,
       e.broken_off, e.user_id, brain.says_forgotten(e.tenant_id, e.event_id) as forgotten
from brain.conversation_events e
where e.tenant_id = %(tenant_id)s and e.scope = %(scope)s and (e.user_id = %(user_id)s or %(is_group)s)
  and e.indexed and e.event_id > %(after)s and not brain.is_left(e.tenant_id, e.operation_id)
  and not exists (select from brain.replaced_replies p where p.tenant_id = %(tenant_id)s and p.event_id = e.event_id)
order by e.event_id
limit %(limit)s;

-- name: items_page
-- The memories in pages, for deriving the index again.
select item_id as memory_id, user_id, item_type as memory_type, content, valid_at, invalid_at, confidence,
       source_sessions, superseded_by, version, provenance, epistemic_type, subject, predicate, object, negated,
       category, slot, status, stale, certainty, observed_at, created_at, updated_at, last_validated_at, use
from brain.memory_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and item_id > %(after)s and status not in ('deleted', 'left') and use <> 'excluded'
order by item_id
limit %(limit)s;

-- name: count_uses
-- How often each row was injected and welcome since it says what it says, by the receipts: for an index derived again.
update brain.recall_index x
set (injected_count, positive_count) = (
    select count(*), count(*) filter (where r.user_feedback_signal = 'affirm')
    from brain.memory_receipts r
    where r.tenant_id = %(tenant_id)s and r.scope = %(scope)s and r.memory_id = x.source_id
      and r.receipt_type = 'injection' and r.user_feedback_signal is not null
      and r.created_at >= coalesce((select max(v.recorded_at) from brain.memory_versions v
                                    where v.tenant_id = %(tenant_id)s and v.item_id = x.source_id
                                      and v.change in ('create', 'correct', 'restore')), '-infinity'))
where x.tenant_id = %(tenant_id)s and x.scope = %(scope)s and (x.user_id = %(user_id)s or %(is_group)s)
  and exists (select from brain.memory_receipts r
              where r.tenant_id = %(tenant_id)s and r.scope = %(scope)s and r.memory_id = x.source_id
                and r.receipt_type = 'injection' and r.user_feedback_signal is not null);

-- name: lock_vectors
-- One writer of a person's vectors at a time: filling and switching must each see what the other left.
select pg_advisory_xact_lock(hashtextextended(
    concat_ws(' ', %(tenant_id)s::text, %(scope)s::text, case when not %(is_group)s then %(user_id)s::text end), 0));

-- name: rows_without_vector
-- What still waits for a vector of this model, oldest first. Nothing waits while another model serves this person:
-- two models' vectors side by side would rank by which of them a row happens to have.
select source_id, lane, speaker, text, observed_at, category, event_id, about,
       coalesce((select m.subject from brain.memory_items m
                 where x.lane = 'fact' and m.tenant_id = %(tenant_id)s and m.scope = %(scope)s
                   and m.item_id = x.source_id), '') as subject
from brain.recall_index x
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and embedding_model = 'none' and not staged
  and not exists (select from brain.recall_index o
                  where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and (o.user_id = %(user_id)s or %(is_group)s)
                    and not o.staged and o.embedding_model not in ('none', %(embedding_model)s))
order by recorded_at, source_id
limit %(limit)s;

-- name: vector_dimensions
-- How long this person's vectors of a model are; a model that changed its length is refused.
select vector_dims(embedding) as dimensions
from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and embedding_model = %(embedding_model)s
limit 1;

-- name: unstage_vectors
-- A row that gets its vector after all needs no staged one.
delete from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and staged and embedding_model = %(embedding_model)s
  and (source_id, lane) in (select * from unnest(%(source_ids)s::uuid[], %(lanes)s::text[]));

-- name: save_vectors
-- Vectors that a model made; a row that changed its words meanwhile is gone and gets its own later, and when the person
-- was switched to another model meanwhile, that one makes them.
with saved as (
    update brain.recall_index x
    set embedding = u.embedding::halfvec, embedding_model = %(embedding_model)s
    from unnest(%(source_ids)s::uuid[], %(lanes)s::text[], %(texts)s::text[], %(embeddings)s::text[])
             as u (source_id, lane, text, embedding)
    where x.tenant_id = %(tenant_id)s and x.scope = %(scope)s and x.source_id = u.source_id and x.lane = u.lane
      and x.embedding_model = 'none' and x.text = u.text
      and not exists (select from brain.recall_index o
                      where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s
                        and (o.user_id = %(user_id)s or %(is_group)s)
                        and not o.staged and o.embedding_model not in ('none', %(embedding_model)s))
    returning 1
)
select count(*) as rows from saved;

-- name: rows_without_staged_vector
-- What another model, or none, serves so far and the coming model has not read yet.
select source_id, lane, speaker, text, observed_at, category, event_id, about,
       coalesce((select m.subject from brain.memory_items m
                 where x.lane = 'fact' and m.tenant_id = %(tenant_id)s and m.scope = %(scope)s
                   and m.item_id = x.source_id), '') as subject
from brain.recall_index x
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and not staged and embedding_model <> %(embedding_model)s
  and not exists (select from brain.recall_index s
                  where s.tenant_id = %(tenant_id)s and s.source_id = x.source_id and s.lane = x.lane
                    and s.embedding_model = %(embedding_model)s)
order by recorded_at, source_id
limit %(limit)s;

-- name: stage_vectors
-- Vectors of the coming model, beside the rows that are read meanwhile. A staged row carries nothing else that counts:
-- what is known about the memory goes on changing in the row that is read.
with staged as (
    insert into brain.recall_index (tenant_id, scope, user_id, source_id, lane, text, event_id, span_start, span_end,
                                    observed_at, valid_at, recorded_at, staged, embedding_model, embedding)
    select x.tenant_id, x.scope, x.user_id, x.source_id, x.lane, x.text, x.event_id, x.span_start, x.span_end,
           x.observed_at, x.observed_at, x.recorded_at, true, %(embedding_model)s, u.embedding::halfvec
    from unnest(%(source_ids)s::uuid[], %(lanes)s::text[], %(texts)s::text[], %(embeddings)s::text[])
             as u (source_id, lane, text, embedding)
    join brain.recall_index x on x.tenant_id = %(tenant_id)s and x.scope = %(scope)s and x.source_id = u.source_id
         and x.lane = u.lane and x.text = u.text and not x.staged
    where x.tenant_id = %(tenant_id)s and x.scope = %(scope)s
    on conflict do nothing
    returning 1
)
select count(*) as rows from staged;

-- name: join_by_hash
-- For a statement over all rows of a person: a planner that expects one row, as it does where it has no statistics yet,
-- would compare all with all.
select set_config('enable_nestloop', 'off', true);

-- name: switch_vectors
-- From now on the coming model serves this person: every row that is read takes its staged vector. A row that was
-- written or reworded since waits for its own; no vector of another model is left.
with staged as (
    delete from brain.recall_index
    where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s) and staged
    returning source_id, lane, text, embedding, embedding_model
),
switched as (
    update brain.recall_index x
    set embedding = s.embedding, embedding_model = coalesce(s.embedding_model, 'none')
    from brain.recall_index y
    left join staged s on s.source_id = y.source_id and s.lane = y.lane and s.text = y.text
         and s.embedding_model = %(embedding_model)s
    where y.tenant_id = %(tenant_id)s and y.scope = %(scope)s and (y.user_id = %(user_id)s or %(is_group)s)
      and not y.staged and y.embedding_model <> %(embedding_model)s
      and (s.source_id is not null or y.embedding_model <> 'none')
      and x.tenant_id = %(tenant_id)s and x.source_id = y.source_id and x.lane = y.lane
      and x.embedding_model = y.embedding_model and not x.staged
    returning x.embedding_model
)
select count(*) filter (where embedding_model = %(embedding_model)s) as rows from switched;

-- name: vector_counts
-- How many of this person's rows each model serves, and how many are staged for one.
select embedding_model as model, staged, count(*) as rows
from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
group by embedding_model, staged
order by embedding_model, staged
limit 1000;

-- name: most_used
-- The memories that were injected most often since they say what they say.
select source_id as memory_id, injected_count as uses
from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and lane = 'fact' and injected_count > 0
order by injected_count desc, source_id
limit %(limit)s;
