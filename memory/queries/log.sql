-- name: follow_branch
-- The thread goes on from this turn, if a client wants it to. Null when it ended there anyway; else when it went on from
-- there before. A run that is tried again has moved the thread already.
select brain.follow_branch(
           %(tenant_id)s, %(scope)s,
           case when %(forks)s and not exists (
               select from brain.conversation_events e
               where e.tenant_id = %(tenant_id)s and e.operation_id = known.operation_id and e.run_id = %(run_id)s
           ) then %(thread_id)s end,
           coalesce(known.operation_id, %(parent_id)s), %(from_start)s, %(last_at)s) as went_on_at,
       %(thread_id)s as thread_id
from (select 1) as always
left join brain.find_turn(%(tenant_id)s, %(scope)s, %(user_id)s, %(session_id)s, %(turn_key)s, %(run_id)s,
                          %(turn_sha256)s) known on true;

-- name: return_to_turn
-- The thread goes on from within this turn, whose words are in the log, if a client wants it to.
select brain.follow_branch(o.tenant_id, o.scope, case when %(forks)s then o.thread_id end, o.operation_id, false,
                           %(last_at)s) as went_on_at,
       o.thread_id
from brain.operations o
where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and o.operation_id = %(of_turn)s;

-- name: thread_behind
-- What was said in a thread behind a turn, newest first: on the line to its head, and as far as it may be read.
select e.event_id, e.session_id, e.position, e.role, e.speaker, e.text, e.sha256, e.occurred_at, e.time_zone, e.reference,
       e.broken_off, e.visibility <> 'all' as withheld,
       case when e.content_schema_version > 1 then e.content - 0 end as blocks
from brain.operations o
join brain.conversation_events e on e.tenant_id = %(tenant_id)s and e.operation_id = o.operation_id
where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and (o.user_id = %(user_id)s or %(is_group)s)
  and o.thread_id = %(thread_id)s and o.left_at is null
  and (%(behind)s::uuid is null
       or (o.created_at, o.operation_id) > (select b.created_at, b.operation_id from brain.operations b
                                            where b.tenant_id = %(tenant_id)s and b.operation_id = %(behind)s::uuid))
  and e.visibility <> 'log' and not brain.says_forgotten(%(tenant_id)s, e.event_id)
  and not exists (select from brain.replaced_replies p where p.tenant_id = %(tenant_id)s and p.event_id = e.event_id)
order by o.created_at desc, o.operation_id desc, e.position desc
limit 200;

-- name: session_endings
-- The last two messages of the person in each of the conversations that were used last, and the reply to the newest.
-- What was brought along from elsewhere was no conversation with Brain.
select s.name, array_remove(array[w.words[2], w.words[1]], null) as words,
       coalesce((select e.text from brain.conversation_events e
                 where e.tenant_id = %(tenant_id)s and e.session_id = s.session_id and e.position > w.position
                   and e.role = 'assistant' and not brain.is_left(e.tenant_id, e.operation_id)
                 order by e.position desc
                 limit 1), '') as reply
from (
    select session_id, name, last_at from brain.sessions t
    where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s
      and name = coalesce(%(name)s::text, name)
      and not exists (select from brain.operations o
                      where o.tenant_id = %(tenant_id)s and o.session_id = t.session_id and o.import_id is not null)
    order by last_at desc
    limit %(limit)s
) s
cross join lateral (
    select array_agg(text order by position desc) as words, max(position) as position
    from (
        select e.text, e.position from brain.conversation_events e
        where e.tenant_id = %(tenant_id)s and e.session_id = s.session_id and e.role = 'user'
          and not brain.is_left(e.tenant_id, e.operation_id)
        order by e.position desc
        limit 2
    ) newest
) w
where w.words is not null
order by s.last_at desc;

-- name: unindexed_turns
-- What was said on the line of a thread and is not in the index, though it may be recalled.
select e.event_id, e.session_id, e.position, e.role, e.speaker, e.text, e.sha256, e.occurred_at, e.time_zone, e.reference,
       e.broken_off, e.user_id
from brain.operations o
join brain.conversation_events e on e.tenant_id = %(tenant_id)s and e.operation_id = o.operation_id
where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and o.thread_id = %(thread_id)s and o.left_at is null
  and e.indexed and e.visibility = 'all' and not brain.says_forgotten(%(tenant_id)s, e.event_id)
  and not exists (select from brain.replaced_replies p where p.tenant_id = %(tenant_id)s and p.event_id = e.event_id)
  and not exists (select from brain.recall_index x
                  where x.tenant_id = %(tenant_id)s and x.lane = 'turn'
                    and (x.source_id = e.event_id or x.event_id = e.event_id))
order by e.event_id
limit 1000;

-- name: open_session
-- All that a turn needs to know of its session, in one round trip. The window begins where the last block ends, so
-- that nothing is told twice and nothing is lost between them. What was forgotten is not in it; by its hashes a thread
-- that holds those messages as well lets go of them; those about excluded memories it passes over. A pinned memory that no recall brought awaits no reaction. A turn that was accepted before, by a try of the same run that did
-- not end well or because its reply is wanted again, sees neither itself nor what came after it. Turns that their thread
-- has left behind are not in it.
select coalesce(s.entity_slots, '{}') as entity_slots,
       coalesce(s.carried, '{}') as carried,
       coalesce(g.hashes, '{}') as gone,
       coalesce(g.withheld, '{}') as withheld,
       coalesce(o.position, s.next_position, 0) as turns,
       greatest(coalesce(coalesce(o.position, s.next_position) - c.reached - 1, o.position, s.next_position, 0), 0)
           as unsummarised,
       coalesce(w.events, '[]') as events,
       coalesce(b.texts, '{}') as summaries,
       coalesce(i.injected, '[]') as injected,
       coalesce(d.documents, '[]') as documents,
       coalesce(p.pinned, '[]') as pinned,
       coalesce(r.wishes, '[]') as wishes,
       coalesce(m.tokens, 0) as tokens_spent,
       k.contract,
       a.soul,
       x.running as experiment,
       brain.pauses_remembering(
           %(tenant_id)s, %(scope)s, %(user_id)s, %(session_id)s,
           coalesce((select min(recorded_at) from brain.conversation_events
                     where tenant_id = %(tenant_id)s and operation_id = o.operation_id and role = 'user'), now()))
           as paused
from (select 1) as always
left join brain.sessions s
    on s.tenant_id = %(tenant_id)s and s.scope = %(scope)s and s.session_id = %(session_id)s
left join lateral (
    select operation_id, position from brain.conversation_events
    where tenant_id = %(tenant_id)s and operation_id = %(of_turn)s and session_id = s.session_id
    union all
    select operation_id, position
    from brain.find_turn(%(tenant_id)s, %(scope)s, %(user_id)s, s.session_id, %(turn_key)s, %(run_id)s, %(turn_sha256)s)
    order by position
    limit 1
) o on true
left join lateral (
    select max(last_position) as reached from brain.session_summaries
    where tenant_id = %(tenant_id)s and session_id = s.session_id and (o.position is null or last_position < o.position)
) c on true
left join lateral (
    select array_agg(event_id) as ids, array_agg(sha256) filter (where forgotten) as hashes,
           array_agg(sha256) filter (where not forgotten) as withheld
    from (
        select e.event_id, e.sha256,
               e.visibility = 'log' or brain.says_forgotten(e.tenant_id, e.event_id, or_excluded => false) as forgotten
        from brain.conversation_events e
        cross join (
            select exists (select from brain.memory_items
                           where tenant_id = %(tenant_id)s and scope = %(scope)s
                             and (user_id = %(user_id)s or %(is_group)s)
                             and (status = 'deleted' or use = 'excluded')) as anything
        ) forgotten
        where e.tenant_id = %(tenant_id)s and e.session_id = s.session_id
          and (e.visibility = 'log'
               or (forgotten.anything
                   -- What is no reply says something forgotten only where such a memory was taken from it; to ask that
                   -- of every turn of a long session first is much quicker.
                   and (e.role = 'assistant'
                        or exists (select from brain.memory_citations m
                                   join brain.memory_items i on i.tenant_id = m.tenant_id and i.item_id = m.item_id
                                   where m.tenant_id = %(tenant_id)s and i.tenant_id = %(tenant_id)s
                                     and m.event_id = e.event_id and (i.status = 'deleted' or i.use = 'excluded')))
                   and brain.says_forgotten(e.tenant_id, e.event_id)))
        order by e.position desc
        limit 500
    ) hidden
) g on true
left join lateral (
    select jsonb_agg(to_jsonb(e) order by e.position) as events
    from (
        select event_id, session_id, position, role, speaker, text, sha256, occurred_at, time_zone, reference,
               broken_off, visibility <> 'all' as withheld,
               case when content_schema_version > 1 then content - 0 end as blocks
        from brain.conversation_events e
        where tenant_id = %(tenant_id)s and session_id = s.session_id and position > coalesce(c.reached, -1)
          and event_id <> all(coalesce(g.ids, '{}'))
          and (o.position is null or position < o.position) and not brain.is_left(e.tenant_id, e.operation_id)
          and not exists (select from brain.replaced_replies p
                          where p.tenant_id = %(tenant_id)s and p.event_id = e.event_id)
        order by position desc
        limit %(window)s
    ) e
) w on true
left join lateral (
    select operation_id, run_id from brain.conversation_events e
    where tenant_id = %(tenant_id)s and session_id = s.session_id
      and (o.position is null or position < o.position) and not brain.is_left(e.tenant_id, e.operation_id)
    order by position desc
    limit 1
) l on true
left join lateral (
    select array_agg(text order by block) as texts
    from (
        select block, text from brain.session_summaries
        where tenant_id = %(tenant_id)s and session_id = s.session_id and text <> '' and not withdrawn
          and (o.position is null or last_position < o.position)
        order by block desc
        limit 5
    ) latest
) b on true
left join lateral (
    select jsonb_agg(jsonb_build_object('receipt_id', r.receipt_id, 'memory_id', r.memory_id, 'lane', r.lane,
                                        'text', r.details ->> 'text')) as injected
    from (
        select receipt_id, memory_id, lane, details
        from brain.memory_receipts
        where tenant_id = %(tenant_id)s and operation_id = l.operation_id and receipt_type = 'injection'
          and run_id is not distinct from l.run_id
          and user_feedback_signal is null and details ->> 'context_position' is not null
          and (details ->> 'decision_reason' = 'pinned' and details -> 'signals' = '{}') is not true
        limit 20
    ) r
) i on true
left join lateral (
    select json_agg(row_to_json(standing)) as documents
    from (
        select document_id, kind, name, front, body, version, sha256, updated_at, author, reason
        from brain.documents
        where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
          and document_id = any(%(document_ids)s)
        limit 8
    ) standing
) d on true
left join lateral (
    select json_agg(snapshot order by pinned_at desc, item_id desc) as pinned
    from (
        select i.item_id, v.snapshot, since.pinned_at
        from brain.memory_items i
        join brain.memory_versions v
             on v.tenant_id = i.tenant_id and v.item_id = i.item_id and v.version = i.version
        cross join lateral (
            select max(recorded_at) as pinned_at from brain.memory_versions
            where tenant_id = %(tenant_id)s and item_id = i.item_id and change = 'set_use'
        ) since
        where i.tenant_id = %(tenant_id)s and i.scope = %(scope)s and (i.user_id = %(user_id)s or %(is_group)s)
          and i.use = 'pinned' and i.status = 'active'
        order by since.pinned_at desc, i.item_id desc
        limit 50
    ) pins
) p on true
left join lateral (
    select json_agg(snapshot order by observed_at desc, item_id desc) as wishes
    from (
        select i.item_id, i.observed_at, v.snapshot
        from brain.memory_items i
        join brain.memory_versions v
             on v.tenant_id = i.tenant_id and v.item_id = i.item_id and v.version = i.version
        where i.tenant_id = %(tenant_id)s and i.scope = %(scope)s and (i.user_id = %(user_id)s or %(is_group)s)
          and i.category in ('answers', 'name') and i.status = 'active' and i.use <> 'excluded'
        order by i.observed_at desc, i.item_id desc
        limit 10
    ) told
) r on true
left join lateral (
    select sum(input_tokens + output_tokens)::bigint as tokens from brain.token_ledger
    where tenant_id = %(tenant_id)s and day = %(day)s::date
) m on true
left join lateral (
    select jsonb_build_object('version', version, 'text', text, 'sha256', sha256) as contract
    from brain.contract_versions
    where tenant_id = %(tenant_id)s
    order by version desc
    limit 1
) k on true
left join lateral (
    select json_build_object('version', version, 'text', text, 'sha256', sha256, 'activated_at', activated_at) as soul
    from brain.soul_versions
    where tenant_id = %(tenant_id)s and status = 'active'
    limit 1
) a on true
left join lateral (
    select jsonb_build_object(
               'experiment_id', e.experiment_id, 'name', e.name, 'variants', e.variants, 'guard', e.guard,
               'started_at', e.started_at, 'place', brain.experiment_place(e.salt, e.experiment_id, %(user_id)s),
               'counts', coalesce((select jsonb_agg(to_jsonb(c) - 'tenant_id' - 'experiment_id')
                                   from brain.experiment_counts c
                                   where c.tenant_id = %(tenant_id)s and c.experiment_id = e.experiment_id), '[]'))
               as running
    from brain.experiments e
    where e.tenant_id = %(tenant_id)s and e.ended_at is null
) x on true;

-- name: remember_names
-- The names that people came with, kept for display; ids are made from them.
insert into brain.names (tenant_id, name_id, kind, name)
values (%(tenant_id)s, %(tenant_id)s, 'tenant', %(tenant_name)s), (%(tenant_id)s, %(user_id)s, 'user', %(user_name)s)
on conflict do nothing;

-- name: hold_turn
-- A reply is written to a turn that is still there, or not at all: a rollback of its run waits, or was first.
select operation_id from brain.operations
where tenant_id = %(tenant_id)s and operation_id = %(operation_id)s
for update;

-- name: log_events
-- Append to a session what it does not have yet: the session row hands out the positions and serialises concurrent
-- turns. A reply needs its turn; what the same run said before in the same words, and what broke off in a run that has
-- replied, is known. Words that are accepted were said behind those before them, whatever the clock says; while the talk
-- is off the record, or while the person does not want to be remembered, they are so, whatever becomes of their run.
with fresh as materialized (
    select u.*, row_number() over (order by u.ordinal) - 1 as place
    from unnest(%(event_ids)s::uuid[], %(roles)s::text[], %(speakers)s::text[], %(texts)s::text[], %(sha256s)s::text[],
                %(times)s::timestamptz[], %(time_zones)s::text[], %(event_references)s::text[],
                %(idempotency_keys)s::text[], %(indexed)s::boolean[], %(visibilities)s::text[],
                %(broken_off)s::boolean[], %(blocks)s::jsonb[], %(content_schema_versions)s::smallint[])
             with ordinality as u (event_id, role, speaker, text, sha256, occurred_at, time_zone, reference,
                                   idempotency_key, indexed, visibility, broken_off, blocks, content_schema_version,
                                   ordinal)
    where not exists (select from brain.conversation_events k
                      where k.tenant_id = %(tenant_id)s and k.scope = %(scope)s and k.user_id = %(user_id)s
                        and k.idempotency_key = u.idempotency_key)
      and (not %(accepted)s
           or exists (select from brain.operations o
                      where o.tenant_id = %(tenant_id)s and o.operation_id = %(operation_id)s
                        and o.scope = %(scope)s and o.session_id = %(session_id)s))
      and not exists (select from brain.conversation_events k
                      where k.tenant_id = %(tenant_id)s and k.run_id = %(run_id)s and k.session_id = %(session_id)s
                        and k.role = u.role
                        and (case when u.role = 'user' then k.sha256 = u.sha256 else u.broken_off end))
), session as (
    insert into brain.sessions as s (tenant_id, session_id, scope, user_id, name, next_position, entity_slots,
                                     carried, started_at, last_at, expires_at)
    select %(tenant_id)s, %(session_id)s, %(scope)s, %(user_id)s, %(session_name)s, count(*), %(entity_slots)s,
           coalesce(%(carried)s::jsonb, '{}'), %(first_at)s, %(last_at)s::timestamptz,
           %(last_at)s::timestamptz + make_interval(secs => %(keep_for)s)
    from fresh
    having count(*) > 0
    on conflict (tenant_id, session_id) do update
        set next_position = s.next_position + excluded.next_position,
            entity_slots = s.entity_slots || excluded.entity_slots,
            carried = coalesce(%(carried)s::jsonb, s.carried),
            last_at = case when %(heeds_record)s then brain.time_behind(s.last_at, excluded.last_at)
                           else greatest(s.last_at, excluded.last_at) end,
            expires_at = greatest(s.expires_at, excluded.expires_at),
            status = 'active',
            archived_at = null
    returning next_position - (select count(*) from fresh) as first_position, last_at,
              %(heeds_record)s and (coalesce((s.carried ->> 'off_record')::boolean, false)
                  or brain.pauses_remembering(%(tenant_id)s, %(scope)s, %(user_id)s, %(session_id)s, now())) as withheld
)
insert into brain.conversation_events (tenant_id, event_id, scope, user_id, session_id, position, operation_id, role,
                                       speaker, content, content_schema_version, text, sha256, occurred_at, time_zone,
                                       reference, idempotency_key, indexed, visibility, broken_off, run_id)
select %(tenant_id)s, u.event_id, %(scope)s, %(user_id)s, %(session_id)s, session.first_position + u.place,
       %(operation_id)s, u.role, u.speaker, jsonb_build_array(jsonb_build_object('type', 'text', 'text', u.text)) || u.blocks,
       u.content_schema_version, u.text, u.sha256,
       case when %(heeds_record)s then session.last_at else u.occurred_at end, u.time_zone, u.reference, u.idempotency_key,
       u.indexed and not session.withheld, case when session.withheld then 'session' else u.visibility end,
       u.broken_off, %(run_id)s
from session, fresh u
on conflict (tenant_id, scope, user_id, idempotency_key) where idempotency_key is not null do nothing;

-- name: withhold_words
-- How far a person's words may be read is known when their turn ends.
update brain.conversation_events
set visibility = %(visibility)s, indexed = false
where tenant_id = %(tenant_id)s and operation_id = %(operation_id)s and role = 'user'
  and scope = %(scope)s and session_id = %(session_id)s;

-- name: hide_withheld
-- Nothing is recalled from words that are off the record, or that repeat what was forgotten.
delete from brain.recall_index x
using brain.conversation_events e
where e.tenant_id = %(tenant_id)s and e.operation_id = %(operation_id)s and e.role = 'user' and e.visibility <> 'all'
  and x.tenant_id = %(tenant_id)s and x.scope = %(scope)s and x.lane = 'turn'
  and (x.source_id = e.event_id or x.event_id = e.event_id);

-- name: carry_on
-- What a turn leaves for the session's next one, whether or not it was answered.
update brain.sessions s
set carried = %(carried)s
from brain.operations o
where o.tenant_id = %(tenant_id)s and o.operation_id = %(operation_id)s
  and s.tenant_id = %(tenant_id)s and s.scope = %(scope)s and s.session_id = o.session_id
  and s.session_id = %(session_id)s;

-- name: replace_replies
-- A reply that is given again stands for the earlier ones to the same words, of which nothing is recalled any more; one
-- that broke off stands only for such ones.
with replaced as (
    insert into brain.replaced_replies (tenant_id, event_id, scope, user_id, replaced_by)
    select e.tenant_id, e.event_id, e.scope, e.user_id, given.event_id
    from brain.conversation_events given
    join brain.conversation_events e on e.tenant_id = given.tenant_id and e.operation_id = given.operation_id
         and e.role = 'assistant' and e.event_id <> given.event_id and (e.broken_off or not given.broken_off)
    where given.tenant_id = %(tenant_id)s and e.tenant_id = %(tenant_id)s
      and given.event_id = any(%(event_ids)s::uuid[]) and given.role = 'assistant'
    on conflict do nothing
    returning event_id
)
delete from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and lane = 'turn'
  and (source_id = any(array(select event_id from replaced)) or event_id = any(array(select event_id from replaced)));

-- name: open_operation
-- Give an accepted turn a name that can be asked for; a turn that added nothing gets none. One that does not fork
-- follows the newest of its thread, also where no checkpoint has that one, and is newer, whatever the clock says.
with newest as (
    select operation_id, created_at from brain.operations
    where tenant_id = %(tenant_id)s and scope = %(scope)s and thread_id = %(thread_id)s and left_at is null
    order by created_at desc, operation_id desc
    limit 1
)
insert into brain.operations (tenant_id, operation_id, scope, user_id, session_id, status, created_at, thread_id,
                              import_id, parent_id)
select %(tenant_id)s, %(operation_id)s, %(scope)s, %(user_id)s, %(session_id)s, 'accepted',
       brain.time_behind((select created_at from newest), %(last_at)s), %(thread_id)s, %(import_id)s,
       coalesce((select operation_id from newest where not %(forks)s), %(parent_id)s)
where exists (select from brain.conversation_events e
              where e.tenant_id = %(tenant_id)s and e.operation_id = %(operation_id)s)
on conflict do nothing;

-- name: accept_turn
-- The turn that these words belong to, new or known, with its events so far and whether it was answered; its run is
-- noted, so that it can be taken back, and so that its turn is found again if nothing is heard of the run any more.
with turn as materialized (
    select operation_id
    from (
        select operation_id, position from brain.conversation_events
        where tenant_id = %(tenant_id)s and event_id = any(%(event_ids)s::uuid[])
        union all
        select operation_id, position
        from brain.find_turn(%(tenant_id)s, %(scope)s, %(user_id)s, %(session_id)s, %(turn_key)s, %(run_id)s,
                             %(turn_sha256)s)
    ) known
    order by position
    limit 1
), noted as (
    insert into queue.accepted_turns (run_id, tenant_id, operation_id, scope, user_id, session_id, accepted_at)
    select coalesce(%(run_id)s, ''), %(tenant_id)s, operation_id, %(scope)s, %(user_id)s, %(session_id)s, %(last_at)s
    from turn
    on conflict do nothing
)
select turn.operation_id, array_agg(e.event_id) as events, min(e.occurred_at) filter (where e.role = 'user') as began_at,
       (array_agg(case when e.visibility = 'log' or brain.says_forgotten(e.tenant_id, e.event_id) then '' else e.text end
                  order by e.position desc)
        filter (where e.role = 'assistant' and not e.broken_off
                and not exists (select from brain.replaced_replies p
                                where p.tenant_id = %(tenant_id)s and p.event_id = e.event_id)))[1] as answer,
       coalesce(bool_or(e.run_id = %(run_id)s) filter (where e.role = 'user'), false) as is_of_run,
       (select parent_id from brain.operations
        where tenant_id = %(tenant_id)s and operation_id = turn.operation_id) as follows,
       (select operation_id from brain.operations
        where tenant_id = %(tenant_id)s and scope = %(scope)s and thread_id = %(thread_id)s and left_at is null
        order by created_at desc, operation_id desc
        limit 1) as newest
from turn
join brain.conversation_events e on e.tenant_id = %(tenant_id)s and e.operation_id = turn.operation_id
group by turn.operation_id;

-- name: release_turns
-- Memory may look at a turn whose run has ended, and at those before it in the session of which nothing was heard. One
-- that is settled waits for nobody.
update brain.operations o
set status = case when o.operation_id = ended.operation_id and %(settled)s <> '' then 'nothing' else 'queued' end,
    reason = case when o.operation_id = ended.operation_id then nullif(%(settled)s, '') end,
    finished_at = case when o.operation_id = ended.operation_id and %(settled)s <> '' then ended.created_at end
from brain.operations ended
where ended.tenant_id = %(tenant_id)s and ended.operation_id = %(operation_id)s
  and o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and o.user_id = %(user_id)s
  and o.session_id = ended.session_id and o.created_at <= ended.created_at and o.status = 'accepted';

-- name: abandoned_turns
-- Turns that were accepted before a moment, for somebody who sweeps up. Belongs to the installation; ids only.
select run_id, tenant_id, operation_id, scope, user_id, session_id from queue.abandoned_turns(%(before)s::timestamptz, %(limit)s::integer);

-- name: turns_of_runs
-- Whose turns these runs brought.
select run_id, tenant_id, operation_id, scope, user_id, session_id from queue.turns_of_runs(%(run_ids)s::text[]);

-- name: forget_acceptance
-- A turn counts for good: its run ended long ago.
delete from queue.accepted_turns
where tenant_id = %(tenant_id)s and operation_id = %(operation_id)s and run_id = %(run_id)s;

-- name: take_back
-- What a run that is rolled back brought was never said; returns replies that are no longer replaced.
select event_id, session_id, position, role, speaker, text, sha256, occurred_at, time_zone, reference, broken_off, user_id
from brain.take_back(%(tenant_id)s, %(operation_id)s, %(run_id)s);

-- name: enqueue_operation
-- The outbox: the job is part of the turn's own transaction. One person's jobs share a lock and run in order.
select brain.enqueue_evolution(o.tenant_id, o.scope, o.user_id, o.session_id, %(priority)s::integer,
                               %(pause)s::double precision) is null as enqueued
from brain.operations o
where o.tenant_id = %(tenant_id)s and o.operation_id = %(operation_id)s and o.status = 'queued';

-- name: postpone_job
-- One look per pause: while turns follow each other, the session's job waits for the last of them; for ten pauses at most.
update queue.procrastinate_jobs j
set scheduled_at = least(clock_timestamp() + make_interval(secs => %(pause)s::double precision),
                         (select min(e.at) from queue.procrastinate_events e where e.job_id = j.id)
                             + make_interval(secs => 10 * %(pause)s::double precision))
from brain.operations o
where o.tenant_id = %(tenant_id)s and o.operation_id = %(operation_id)s and %(pause)s::double precision > 0
  and j.queueing_lock = brain.evolution_lock(o.tenant_id, o.user_id, o.session_id) and j.status = 'todo'
  and j.scheduled_at is not null;

-- name: hasten_job
-- Nobody goes on talking in the session of this turn: its job need not wait for a pause.
update queue.procrastinate_jobs j
set scheduled_at = null
from brain.operations o
where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and o.user_id = %(user_id)s
  and o.operation_id = %(operation_id)s
  and j.queueing_lock = brain.evolution_lock(o.tenant_id, o.user_id, o.session_id) and j.status = 'todo'
  and j.scheduled_at is not null;

-- name: enqueue_correction
-- A correction waits neither for its person's other jobs nor for a place among them: a small job of its own carries it out
-- by rules. The session's job reads the turn as well, and finds it done.
select queue.procrastinate_defer_jobs_v1(array[
    row('corrections', 'correct', %(priority)s::integer, 'correct:' || o.user_id, null,
        jsonb_build_object('tenant_id', o.tenant_id, 'scope', o.scope, 'user_id', o.user_id,
                           'session_id', o.session_id), null)::queue.procrastinate_job_to_defer_v1]) as enqueued
from brain.operations o
where o.tenant_id = %(tenant_id)s and o.operation_id = %(operation_id)s and o.status = 'queued'
  and not exists (select from brain.memory_receipts r
                  where r.tenant_id = %(tenant_id)s and r.receipt_id = any(%(receipt_ids)s::uuid[]));

-- name: turns_to_read
-- What one person said in a session behind a position, and how memory's work on it stands: whole operations, oldest
-- first, up to so many turns. The memories that stood in their prompts come along, so that repeating them is not taken
-- for news. What was forgotten since is marked in these turns, and absent from those before.
with asked as (
    select o.operation_id, said.first_position, row_number() over oldest as place, sum(said.turns) over oldest as reached
    from brain.operations o
    cross join lateral (
        select min(e.position) as first_position, count(*) as turns
        from brain.conversation_events e
        where e.tenant_id = %(tenant_id)s and e.operation_id = o.operation_id
    ) said
    where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and o.user_id = %(user_id)s
      and o.session_id = %(session_id)s and o.left_at is null and said.first_position > %(behind)s
      and o.status = any(%(statuses)s) and (o.status <> 'nothing' or starts_with(o.reason, %(unremarkable)s))
    window oldest as (order by said.first_position, o.operation_id)
),
batch as (
    select operation_id, place, first_position from asked where place = 1 or reached <= %(most)s
)
select coalesce((select array_agg(operation_id order by place) from batch), '{}') as operations,
       (select count(*) from asked) > (select count(*) from batch) as more,
       coalesce(said.events, '[]') as said,
       coalesce(earlier.events, '[]') as before,
       coalesce(shown.texts, '{}') as recalled,
       coalesce(used.models, '{}') as models
from (select 1) as always
left join lateral (
    select jsonb_agg(to_jsonb(t) order by t.position) as events
    from (
        select e.operation_id, e.event_id, e.session_id, e.position, e.role, e.speaker, e.text, e.sha256, e.occurred_at,
               e.time_zone, e.reference, e.broken_off, brain.forgotten_spans(e.tenant_id, e.event_id) as forgotten
        from batch
        join brain.conversation_events e on e.tenant_id = %(tenant_id)s and e.operation_id = batch.operation_id
        where e.visibility <> 'session' and not exists (select from brain.replaced_replies p
                          where p.tenant_id = %(tenant_id)s and p.event_id = e.event_id)
    ) t
) said on true
left join lateral (
    select jsonb_agg(to_jsonb(t) order by t.position) as events
    from (
        select event_id, session_id, position, role, speaker, text, sha256, occurred_at, time_zone, reference,
               broken_off
        from brain.conversation_events e
        where tenant_id = %(tenant_id)s and session_id = %(session_id)s
          and position < (select min(first_position) from batch)
          and visibility = 'all' and not brain.says_forgotten(tenant_id, event_id)
          and not brain.is_left(tenant_id, operation_id)
          and not exists (select from brain.replaced_replies p
                          where p.tenant_id = %(tenant_id)s and p.event_id = e.event_id)
        order by position desc
        limit 10
    ) t
) earlier on true
left join lateral (
    select jsonb_object_agg(t.operation_id, t.texts) as texts
    from (
        select r.operation_id, jsonb_agg(r.details ->> 'text') as texts
        from brain.memory_receipts r
        where r.tenant_id = %(tenant_id)s and r.operation_id in (select operation_id from batch)
          and r.receipt_type = 'injection' and r.lane <> 'turn' and r.details ->> 'context_position' is not null
        group by r.operation_id
    ) t
) shown on true
left join lateral (
    select jsonb_object_agg(t.operation_id, t.models) as models
    from (
        select r.operation_id,
               coalesce(jsonb_agg(distinct u.model order by u.model) filter (where u.model is not null), '[]') as models
        from brain.memory_receipts r
        left join lateral (
            select each ->> 'model' as model from jsonb_array_elements(r.details -> 'tokens') each
        ) u on true
        where r.tenant_id = %(tenant_id)s and r.operation_id in (select operation_id from batch)
          and r.receipt_type = 'retrieval'
        group by r.operation_id
    ) t
) used on true;

-- name: save_receipts
-- Why each memory was used, or not. The details are plain JSON. A turn that was taken back gets none.
insert into brain.memory_receipts (tenant_id, receipt_id, scope, user_id, session_id, operation_id, thread_id,
                                   run_id, receipt_type, memory_id, lane, details, details_schema_version, utilized,
                                   utilization_signal, created_at)
select %(tenant_id)s, u.receipt_id, %(scope)s, %(user_id)s, %(session_id)s, %(operation_id)s, %(thread_id)s, %(run_id)s,
       u.receipt_type, u.memory_id, u.lane, u.details, %(schema_version)s, u.utilized, u.utilization_signal, %(last_at)s
from unnest(%(receipt_ids)s::uuid[], %(receipt_types)s::text[], %(memory_ids)s::uuid[], %(lanes)s::text[],
            %(details)s::jsonb[], %(utilized)s::boolean[], %(utilization_signals)s::text[])
         as u (receipt_id, receipt_type, memory_id, lane, details, utilized, utilization_signal)
where not %(accepted)s
   or exists (select from brain.operations o
              where o.tenant_id = %(tenant_id)s and o.operation_id = %(operation_id)s and o.scope = %(scope)s)
on conflict (tenant_id, receipt_id) do nothing;

-- name: save_reactions
-- How the user took what was injected one turn ago.
update brain.memory_receipts r
set user_feedback_signal = u.signal, utilized = coalesce(u.utilized, r.utilized)
from unnest(%(receipt_ids)s::uuid[], %(signals)s::text[], %(utilized)s::boolean[]) as u (receipt_id, signal, utilized)
where r.tenant_id = %(tenant_id)s and r.scope = %(scope)s and r.receipt_id = u.receipt_id
  and r.user_feedback_signal is null;

-- name: count_reactions
-- Injections and welcome ones, per memory: what the frequency factor of ranking reads. Each counts once.
update brain.recall_index x
set injected_count = x.injected_count + 1, positive_count = x.positive_count + u.positive
from unnest(%(receipt_ids)s::uuid[], %(memory_ids)s::uuid[], %(positives)s::integer[])
         as u (receipt_id, memory_id, positive)
join brain.memory_receipts r on r.tenant_id = %(tenant_id)s and r.receipt_id = u.receipt_id
     and r.user_feedback_signal is null
where x.tenant_id = %(tenant_id)s and x.scope = %(scope)s and (x.user_id = %(user_id)s or %(is_group)s)
  and x.source_id = u.memory_id;

-- name: events_by_id
-- Logged turns by id; those of others do not exist here.
select event_id, session_id, position, role, speaker, text, sha256, occurred_at, time_zone, reference, broken_off,
       visibility <> 'all' as withheld
from brain.conversation_events
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and event_id = any(%(event_ids)s)
order by session_id, position
limit 1000;

-- name: events_of_operation
-- What one operation wrote.
select event_id, session_id, position, role, speaker, text, sha256, occurred_at, time_zone, reference, broken_off,
       case when content_schema_version > 1 then content - 0 end as blocks
from brain.conversation_events
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and operation_id = %(operation_id)s
order by position
limit 10000;

-- name: find_forgotten
-- Which of these memories and turns were forgotten, or may not be read for another reason; and whether any memory was
-- forgotten since a moment.
select coalesce(array_agg(u.id) filter (where u.id is not null), '{}') as ids,
       exists (select from brain.memory_items
               where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
                 and (status = 'deleted' or use = 'excluded') and updated_at > %(since)s) as anything
from (
    select id from unnest(%(ids)s::uuid[]) as asked (id)
    where exists (select from brain.memory_items
                  where tenant_id = %(tenant_id)s and scope = %(scope)s and item_id = id
                    and (status = 'deleted' or use = 'excluded'))
       or exists (select from brain.conversation_events
                  where tenant_id = %(tenant_id)s and scope = %(scope)s and event_id = id
                    and (visibility = 'log' or brain.says_forgotten(tenant_id, event_id)))
) u;

-- name: readable_operations
-- The turns whose words a person said on the record, and none of which were forgotten.
select operation_id
from brain.conversation_events
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and operation_id = any(%(operation_ids)s) and role = 'user'
group by operation_id
having bool_and(visibility = 'all' and not brain.says_forgotten(tenant_id, event_id))
limit 1000;

-- name: session_names
-- The names by which the sessions of some events were opened.
select session_id, name from brain.sessions
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and session_id = any(%(session_ids)s)
limit 1000;

-- name: receipts_of_operation
-- The receipts of one turn.
select receipt_id, receipt_type, details, memory_id, lane, utilized, utilization_signal, user_feedback_signal
from brain.memory_receipts
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and operation_id = %(operation_id)s
order by receipt_type desc, created_at, receipt_id
limit 200;

-- name: newest_turn_receipts
-- A person's turns that looked into memory, newest first: what each looked for and found.
select receipt_id, operation_id, session_id, details, created_at
from brain.memory_receipts
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and receipt_type = 'retrieval'
  and (%(after_at)s::timestamptz is null or (created_at, receipt_id) < (%(after_at)s::timestamptz, %(after_id)s::uuid))
order by created_at desc, receipt_id desc
limit %(limit)s;

-- name: newest_operations
-- A person's accepted turns, newest first, and what became of each.
select operation_id, status, reason, memory_ids, created_at, finished_at
from brain.operations
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and (%(after_at)s::timestamptz is null
       or (created_at, operation_id) < (%(after_at)s::timestamptz, %(after_id)s::uuid))
order by created_at desc, operation_id desc
limit %(limit)s;

-- name: operation_by_id
-- What became of an accepted turn.
select operation_id, status, reason, memory_ids, created_at, finished_at
from brain.operations
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and operation_id = %(operation_id)s
limit 1;

-- name: backlog
-- How many sessions' jobs wait for a worker: of one tenant, and of everybody. The queue belongs to the installation.
select tenant, everybody from queue.backlog(%(tenant_id)s::uuid, %(most)s::integer);

-- name: finish_operations
-- Record how operations ended. Some may have been left behind while they were looked at.
update brain.operations o
set status = u.status, reason = u.reason, memory_ids = u.memory_ids, finished_at = %(at)s
from jsonb_to_recordset(%(ends)s) as u (operation_id uuid, status text, reason text, memory_ids uuid[])
where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and (o.user_id = %(user_id)s or %(is_group)s)
  and o.operation_id = u.operation_id
returning o.thread_id, o.left_at is not null as is_left;

-- name: bury_operations
-- Whatever waits in a session that cannot be looked at.
update brain.operations
set status = 'dead_letter', reason = %(reason)s, finished_at = %(at)s
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and session_id = %(session_id)s
  and status = 'queued'
returning operation_id;

-- name: reopen_operations
-- Dead letters of a session wait again: the operator who replays their job wants them looked at.
update brain.operations
set status = 'queued', reason = null, finished_at = null
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and session_id = %(session_id)s
  and status = 'dead_letter'
returning operation_id;

-- name: free_queueing_lock
-- A job that will be tried again must not stand in the way of the one that waits meanwhile.
select queue.free_queueing_lock(%(job_id)s::bigint);

-- name: archive_session
-- Close a session.
update brain.sessions
set status = 'archived', archived_at = %(at)s
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and session_id = %(session_id)s and status = 'active'
returning session_id;
