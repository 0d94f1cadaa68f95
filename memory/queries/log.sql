-- name: open_session
-- All that a turn needs to know of its session, in one round trip. The window begins where the last block ends, so
-- that nothing is told twice and nothing is lost between them. What was forgotten is not in it; by its hashes a thread
-- that holds those messages as well lets go of them.
select coalesce(s.entity_slots, '{}') as entity_slots,
       coalesce(s.carried, '{}') as carried,
       coalesce(g.hashes, '{}') as gone,
       coalesce(s.next_position, 0) as turns,
       coalesce(s.next_position - c.reached - 1, s.next_position, 0) as unsummarised,
       coalesce(w.events, '[]') as events,
       coalesce(b.texts, '{}') as summaries,
       coalesce(i.injected, '[]') as injected,
       coalesce(d.documents, '[]') as documents,
       coalesce(m.tokens, 0) as tokens_spent
from (select 1) as always
left join brain.sessions s
    on s.tenant_id = %(tenant_id)s and s.scope = %(scope)s and s.session_id = %(session_id)s
left join lateral (
    select max(last_position) as reached from brain.session_summaries
    where tenant_id = %(tenant_id)s and session_id = s.session_id
) c on true
left join lateral (
    select array_agg(event_id) as ids, array_agg(sha256) as hashes
    from (
        select e.event_id, e.sha256
        from brain.conversation_events e
        cross join (
            select exists (select from brain.memory_items
                           where tenant_id = %(tenant_id)s and scope = %(scope)s
                             and (user_id = %(user_id)s or %(is_group)s) and status = 'deleted') as anything
        ) forgotten
        where e.tenant_id = %(tenant_id)s and e.session_id = s.session_id
          and (e.visibility = 'log' or (forgotten.anything and brain.says_forgotten(e.tenant_id, e.event_id)))
        order by e.position desc
        limit 500
    ) hidden
) g on true
left join lateral (
    select jsonb_agg(to_jsonb(e) order by e.position) as events
    from (
        select event_id, session_id, position, role, speaker, text, sha256, occurred_at, time_zone, reference
        from brain.conversation_events
        where tenant_id = %(tenant_id)s and session_id = s.session_id and position > coalesce(c.reached, -1)
          and event_id <> all(coalesce(g.ids, '{}'))
        order by position desc
        limit %(window)s
    ) e
) w on true
left join lateral (
    select operation_id from brain.conversation_events
    where tenant_id = %(tenant_id)s and session_id = s.session_id
    order by position desc
    limit 1
) l on true
left join lateral (
    select array_agg(text order by block) as texts
    from (
        select block, text from brain.session_summaries
        where tenant_id = %(tenant_id)s and session_id = s.session_id and text <> '' and not withdrawn
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
          and user_feedback_signal is null and details ->> 'context_position' is not null
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
    select sum(input_tokens + output_tokens)::bigint as tokens from brain.token_ledger
    where tenant_id = %(tenant_id)s and day = %(day)s::date
) m on true;

-- name: remember_names
-- The names that people came with, kept for display; ids are made from them.
insert into brain.names (tenant_id, name_id, kind, name)
values (%(tenant_id)s, %(tenant_id)s, 'tenant', %(tenant_name)s), (%(tenant_id)s, %(user_id)s, 'user', %(user_name)s)
on conflict do nothing;

-- name: log_events
-- Append a turn to its session: the session row hands out the positions and serialises concurrent turns.
with session as (
    insert into brain.sessions as s (tenant_id, session_id, scope, user_id, name, next_position, entity_slots,
                                     carried, started_at, last_at, expires_at)
    values (%(tenant_id)s, %(session_id)s, %(scope)s, %(user_id)s, %(session_name)s, cardinality(%(event_ids)s::uuid[]),
            %(entity_slots)s, coalesce(%(carried)s::jsonb, '{}'), %(first_at)s, %(last_at)s::timestamptz, %(last_at)s::timestamptz + make_interval(secs => %(keep_for)s))
    on conflict (tenant_id, session_id) do update
        set next_position = s.next_position + excluded.next_position,
            entity_slots = s.entity_slots || excluded.entity_slots,
            carried = coalesce(%(carried)s::jsonb, s.carried),
            last_at = greatest(s.last_at, excluded.last_at),
            expires_at = greatest(s.expires_at, excluded.expires_at),
            status = 'active',
            archived_at = null
    returning next_position - cardinality(%(event_ids)s::uuid[]) as first_position
)
insert into brain.conversation_events (tenant_id, event_id, scope, user_id, session_id, position, operation_id, role,
                                       speaker, content, content_schema_version, text, sha256, occurred_at, time_zone,
                                       reference, idempotency_key, indexed, visibility)
select %(tenant_id)s, u.event_id, %(scope)s, %(user_id)s, %(session_id)s, session.first_position + u.ordinal - 1,
       %(operation_id)s, u.role, u.speaker, jsonb_build_array(jsonb_build_object('type', 'text', 'text', u.text)),
       %(content_schema_version)s, u.text, u.sha256, u.occurred_at, u.time_zone, u.reference, u.idempotency_key,
       u.indexed, u.visibility
from session,
     unnest(%(event_ids)s::uuid[], %(roles)s::text[], %(speakers)s::text[], %(texts)s::text[], %(sha256s)s::text[],
            %(times)s::timestamptz[], %(time_zones)s::text[], %(event_references)s::text[], %(idempotency_keys)s::text[],
            %(indexed)s::boolean[], %(visibilities)s::text[])
         with ordinality as u (event_id, role, speaker, text, sha256, occurred_at, time_zone, reference,
                               idempotency_key, indexed, visibility, ordinal)
on conflict (tenant_id, scope, user_id, idempotency_key) where idempotency_key is not null do nothing;

-- name: open_operation
-- Give an accepted turn a name that can be asked for; a turn that added nothing gets none. One that is settled waits
-- for nobody.
insert into brain.operations (tenant_id, operation_id, scope, user_id, session_id, created_at, status, reason,
                              finished_at)
select %(tenant_id)s, %(operation_id)s, %(scope)s, %(user_id)s, %(session_id)s, %(last_at)s,
       case when %(settled)s = '' then 'queued' else 'nothing' end, nullif(%(settled)s, ''),
       case when %(settled)s <> '' then %(last_at)s end
where exists (select from brain.conversation_events e
              where e.tenant_id = %(tenant_id)s and e.operation_id = %(operation_id)s);

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
  and j.queueing_lock = 'evolve:' || o.session_id || ':' || o.user_id and j.status = 'todo'
  and j.scheduled_at is not null;

-- name: hasten_job
-- Nobody goes on talking in the session of this turn: its job need not wait for a pause.
update queue.procrastinate_jobs j
set scheduled_at = null
from brain.operations o
where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and o.user_id = %(user_id)s
  and o.operation_id = %(operation_id)s
  and j.queueing_lock = 'evolve:' || o.session_id || ':' || o.user_id and j.status = 'todo'
  and j.scheduled_at is not null;

-- name: enqueue_correction
-- A correction waits neither for its person's other jobs nor for a place among them: a small job of its own carries it out
-- by rules. The session's job reads the turn as well, and finds it done.
select queue.procrastinate_defer_jobs_v1(array[
    row('corrections', 'correct', %(priority)s::integer, 'correct:' || o.user_id, null,
        jsonb_build_object('tenant_id', o.tenant_id, 'scope', o.scope, 'user_id', o.user_id,
                           'session_id', o.session_id), null)::queue.procrastinate_job_to_defer_v1]) as enqueued
from brain.operations o
where o.tenant_id = %(tenant_id)s and o.operation_id = %(operation_id)s and o.status = 'queued';

-- name: waiting_turns
-- What one person said in a session and nobody has looked at: whole operations, oldest first, up to so many turns. The
-- memories that stood in their prompts come along, so that repeating them is not taken for news. What was forgotten since
-- is marked in the turns that wait, and absent from those before.
with asked as (
    select o.operation_id, said.first_position, row_number() over oldest as place, sum(said.turns) over oldest as reached
    from brain.operations o
    cross join lateral (
        select min(e.position) as first_position, count(*) as turns
        from brain.conversation_events e
        where e.tenant_id = %(tenant_id)s and e.operation_id = o.operation_id
    ) said
    where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and o.user_id = %(user_id)s
      and o.session_id = %(session_id)s and o.status = 'queued'
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
               e.time_zone, e.reference, brain.forgotten_spans(e.tenant_id, e.event_id) as forgotten
        from batch
        join brain.conversation_events e on e.tenant_id = %(tenant_id)s and e.operation_id = batch.operation_id
    ) t
) said on true
left join lateral (
    select jsonb_agg(to_jsonb(t) order by t.position) as events
    from (
        select event_id, session_id, position, role, speaker, text, sha256, occurred_at, time_zone, reference
        from brain.conversation_events
        where tenant_id = %(tenant_id)s and session_id = %(session_id)s
          and position < (select min(first_position) from batch)
          and visibility = 'all' and not brain.says_forgotten(tenant_id, event_id)
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
-- Why each memory was used, or not. The details are plain JSON.
insert into brain.memory_receipts (tenant_id, receipt_id, scope, user_id, session_id, operation_id, thread_id,
                                   receipt_type, memory_id, lane, details, details_schema_version, utilized,
                                   utilization_signal, created_at)
select %(tenant_id)s, u.receipt_id, %(scope)s, %(user_id)s, %(session_id)s, %(operation_id)s, %(thread_id)s,
       u.receipt_type, u.memory_id, u.lane, u.details, %(schema_version)s, u.utilized, u.utilization_signal, %(last_at)s
from unnest(%(receipt_ids)s::uuid[], %(receipt_types)s::text[], %(memory_ids)s::uuid[], %(lanes)s::text[],
            %(details)s::jsonb[], %(utilized)s::boolean[], %(utilization_signals)s::text[])
         as u (receipt_id, receipt_type, memory_id, lane, details, utilized, utilization_signal);

-- name: save_reactions
-- How the user took what was injected one turn ago.
update brain.memory_receipts r
set user_feedback_signal = u.signal, utilized = coalesce(u.utilized, r.utilized)
from unnest(%(receipt_ids)s::uuid[], %(signals)s::text[], %(utilized)s::boolean[]) as u (receipt_id, signal, utilized)
where r.tenant_id = %(tenant_id)s and r.scope = %(scope)s and r.receipt_id = u.receipt_id;

-- name: count_reactions
-- Injections and welcome ones, per memory: what the frequency factor of ranking reads.
update brain.recall_index x
set injected_count = x.injected_count + 1, positive_count = x.positive_count + u.positive
from unnest(%(memory_ids)s::uuid[], %(positives)s::integer[]) as u (memory_id, positive)
where x.tenant_id = %(tenant_id)s and x.scope = %(scope)s and (x.user_id = %(user_id)s or %(is_group)s)
  and x.source_id = u.memory_id;

-- name: events_by_id
-- Logged turns by id; those of others do not exist here.
select event_id, session_id, position, role, speaker, text, sha256, occurred_at, time_zone, reference
from brain.conversation_events
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and event_id = any(%(event_ids)s)
order by session_id, position
limit 1000;

-- name: events_of_operation
-- What one operation wrote.
select event_id, session_id, position, role, speaker, text, sha256, occurred_at, time_zone, reference
from brain.conversation_events
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and operation_id = %(operation_id)s
order by position
limit 10000;

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

-- name: operation_by_id
-- What became of an accepted turn.
select operation_id, status, reason, memory_ids, created_at, finished_at
from brain.operations
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and operation_id = %(operation_id)s
limit 1;

-- name: backlog
-- How many sessions' jobs wait for a worker: of one tenant, and of everybody. The queue belongs to the installation.
select count(*) filter (where w.tenant_id = %(tenant_id)s::text) as tenant, count(*) as everybody
from (
    select args ->> 'tenant_id' as tenant_id
    from queue.procrastinate_jobs
    where status = 'todo' and task_name = 'evolve'
    limit %(most)s
) w;

-- name: finish_operations
-- Record how operations ended.
update brain.operations o
set status = u.status, reason = u.reason, memory_ids = u.memory_ids, finished_at = %(at)s
from jsonb_to_recordset(%(ends)s) as u (operation_id uuid, status text, reason text, memory_ids uuid[])
where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and (o.user_id = %(user_id)s or %(is_group)s)
  and o.operation_id = u.operation_id;

-- name: bury_operations
-- Whatever waits in a session that cannot be looked at.
update brain.operations
set status = 'dead_letter', reason = %(reason)s, finished_at = %(at)s
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and session_id = %(session_id)s
  and status = 'queued'
returning operation_id;

-- name: reopen_operations
-- Dead letters of a session wait again: whoever replays their job wants them looked at.
update brain.operations
set status = 'queued', reason = null, finished_at = null
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and session_id = %(session_id)s
  and status = 'dead_letter'
returning operation_id;

-- name: free_queueing_lock
-- A job that will be tried again must not stand in the way of the one that waits meanwhile.
update queue.procrastinate_jobs set queueing_lock = null where id = %(job_id)s and queueing_lock is not null;

-- name: archive_session
-- Close a session.
update brain.sessions
set status = 'archived', archived_at = %(at)s
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and session_id = %(session_id)s and status = 'active'
returning session_id;
