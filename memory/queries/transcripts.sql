-- name: transcript
-- A session as it was spoken, the last turns of it. What says something forgotten or is off the record has no words.
select * from (
    select e.event_id, e.session_id, e.position, e.role, e.speaker, e.sha256, e.occurred_at, e.time_zone, e.reference,
           e.broken_off, e.operation_id, shown.standing,
           case when shown.standing = 'withheld' then '' else e.text end as text,
           case when shown.standing <> 'withheld' and e.content_schema_version > 1 then e.content - 0 end as blocks,
           (select count(*) from brain.memory_receipts r
            where r.tenant_id = %(tenant_id)s and r.operation_id = e.operation_id and r.receipt_type = 'injection'
              and r.details ->> 'context_position' is not null) as memories
    from brain.conversation_events e
    cross join lateral (
        select case when e.visibility <> 'all' or brain.says_forgotten(e.tenant_id, e.event_id) then 'withheld'
                    when brain.is_left(e.tenant_id, e.operation_id) then 'left'
                    when exists (select from brain.replaced_replies p
                                 where p.tenant_id = %(tenant_id)s and p.event_id = e.event_id) then 'replaced'
                    else 'said' end as standing
    ) shown
    where e.tenant_id = %(tenant_id)s and e.scope = %(scope)s and (e.user_id = %(user_id)s or %(is_group)s)
      and e.session_id = %(session_id)s and e.position < coalesce(%(before)s::integer, 2147483647)
    order by e.position desc
    limit %(limit)s
) last
order by position;

-- name: last_operations
-- What became of a person's last turns. They are found by the newest sessions, which have an index.
with recent as (
    select session_id, name from brain.sessions
    where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
    order by last_at desc
    limit 100
), spoken as (
    select distinct e.operation_id, recent.session_id, recent.name
    from recent
    cross join lateral (
        select operation_id from brain.conversation_events
        where tenant_id = %(tenant_id)s and session_id = recent.session_id and (user_id = %(user_id)s or %(is_group)s)
        order by position desc
        limit 100
    ) e
)
select o.operation_id, o.status, o.reason, o.memory_ids, o.created_at, o.finished_at, spoken.session_id,
       spoken.name as session_name
from spoken
join brain.operations o on o.tenant_id = %(tenant_id)s and o.operation_id = spoken.operation_id
order by o.created_at desc, o.operation_id
limit %(limit)s;

-- name: uses_of_memory
-- The answers of a person's newest sessions for which a memory was a candidate. Receipts are found by their turns.
with recent as (
    select session_id, name from brain.sessions
    where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
    order by last_at desc
    limit 100
), spoken as (
    select distinct e.operation_id, recent.name
    from recent
    cross join lateral (
        select operation_id from brain.conversation_events
        where tenant_id = %(tenant_id)s and session_id = recent.session_id and (user_id = %(user_id)s or %(is_group)s)
        order by position desc
        limit 100
    ) e
)
select r.operation_id, spoken.name as session_name, r.created_at as at,
       coalesce((r.details ->> 'candidate_score')::double precision, 0) as score,
       coalesce(r.details ->> 'decision_reason', '') as decision_reason,
       r.details ->> 'context_position' is not null as used
from spoken
join brain.memory_receipts r on r.tenant_id = %(tenant_id)s and r.operation_id = spoken.operation_id
where r.receipt_type = 'injection' and r.memory_id = %(memory_id)s
order by r.created_at desc, r.receipt_id
limit %(limit)s;
