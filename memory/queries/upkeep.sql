-- Upkeep reads a person's living memories with how they fared, and finds what says the same several times.

-- name: living_page
-- Active memories that are not excluded from use, in pages, each with the newest turn it rests on and with how the replies that drew on it were taken
-- since it says what it says. Receipts of a memory are few; an index leads from the memory to them.
select i.item_id as memory_id, i.user_id, i.item_type as memory_type, i.content, i.valid_at, i.invalid_at, i.confidence,
       i.source_sessions, i.superseded_by, i.version, i.provenance, i.epistemic_type, i.subject, i.predicate, i.object,
       i.negated, i.category, i.slot, i.status, i.stale, i.certainty, i.observed_at, i.created_at, i.updated_at,
       i.last_validated_at, i.use,
       greatest(i.observed_at, said.at, worded.restored_at) as said_at,
       worded.last_change, coalesce(worded.since, i.created_at) as since,
       taken.uses, taken.welcome, taken.corrected, taken.corrected_in_a_row, taken.welcome_at
from (
    select * from brain.memory_items
    where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
      and status = 'active' and use <> 'excluded' and item_id > %(after)s
    order by item_id
    limit %(limit)s
) i
left join lateral (
    select max(e.occurred_at) as at
    from brain.memory_citations c
    join brain.conversation_events e on e.tenant_id = c.tenant_id and e.event_id = c.event_id
    where c.tenant_id = %(tenant_id)s and e.tenant_id = %(tenant_id)s and c.item_id = i.item_id
) said on true
left join lateral (
    select max(v.recorded_at) filter (where v.change in ('create', 'correct', 'restore')) as since,
           max(v.recorded_at) filter (where v.change = 'restore') as restored_at,
           (array_agg(v.change order by v.version desc))[1] as last_change
    from brain.memory_versions v
    where v.tenant_id = %(tenant_id)s and v.item_id = i.item_id
) worded on true
left join lateral (
    select count(*) as uses,
           count(*) filter (where used.signal = 'affirm') as welcome,
           count(*) filter (where used.signal = 'correct') as corrected,
           count(*) filter (where used.signal = 'correct' and used.created_at > coalesce(used.welcomed, '-infinity'))
               as corrected_in_a_row,
           max(used.welcomed) as welcome_at
    from (
        select r.user_feedback_signal as signal, r.created_at,
               max(r.created_at) filter (where r.user_feedback_signal = 'affirm') over () as welcomed
        from brain.memory_receipts r
        where r.tenant_id = %(tenant_id)s and r.scope = %(scope)s and r.memory_id = i.item_id
          and r.receipt_type = 'injection' and r.user_feedback_signal is not null
          and r.utilization_signal in ('keyword_match', 'reference_phrase')
          and r.created_at >= coalesce(worded.since, i.created_at)
    ) used
) taken on true
order by i.item_id;

-- name: alike_memories
-- Pairs of one slot, both for or both against, that say nearly the same. Vectors of one model are compared by cosine,
-- anything else by the words that both share. Bounded to what changed last: a slot of thousands would be millions of pairs.
with own as materialized (
    select i.item_id, i.user_id, i.slot, i.negated, x.words, x.embedding, x.embedding_model
    from (
        select item_id, user_id, slot, negated from brain.memory_items
        where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
          and status = 'active' and use = 'auto' and not stale
        order by updated_at desc, item_id desc
        limit 1000
    ) i
    join brain.recall_index x on x.tenant_id = %(tenant_id)s and x.source_id = i.item_id and x.lane = 'fact'
      and not x.staged
)
select a.item_id as a, b.item_id as b, near.similarity
from own a
join own b on b.slot = a.slot and b.negated = a.negated and b.user_id = a.user_id and b.item_id > a.item_id
cross join lateral (
    select case when a.embedding_model <> 'none' and a.embedding_model = b.embedding_model
        then 1 - (a.embedding <=> b.embedding)
        else 2.0::float8 * cardinality(a.words & b.words) / greatest(cardinality(a.words) + cardinality(b.words), 1)
    end as similarity
) near
where near.similarity > %(over)s
order by near.similarity desc, a.item_id, b.item_id
limit %(limit)s;

-- name: lock_item_slot
-- One writer per slot at a time, as when a memory is written: the slot is the one that this memory stands in.
select pg_advisory_xact_lock(hashtextextended(i.tenant_id::text || i.user_id::text || i.slot, 0)) is null as locked
from brain.memory_items i
where i.tenant_id = %(tenant_id)s and i.scope = %(scope)s and i.item_id = %(memory_id)s;

-- name: inherit_citations
-- A consolidated memory rests on all that the memories rest on in whose place it stands.
insert into brain.memory_citations (tenant_id, item_id, event_id, span_start, span_end, sha256, scope, user_id)
select c.tenant_id, %(memory_id)s, c.event_id, c.span_start, c.span_end, c.sha256, c.scope, %(user_id)s
from brain.memory_citations c
where c.tenant_id = %(tenant_id)s and c.scope = %(scope)s and c.item_id = any(%(members)s::uuid[])
on conflict do nothing;
