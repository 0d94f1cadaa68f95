-- Turns that a crash made their thread leave, before a crash was told from a fork.

-- name: left_by_mistake
-- What a person said that nobody left on purpose. Either a run was picked up again, which moved the head back to its own
-- turn: no turn began at that moment, and the one that became the head has replies of its first run alone. Or the turn's
-- checkpoint was lost, so that the next one followed an older turn, whose own checkpoint is still there: what is pruned
-- goes oldest first.
with recursive left_turns as (
    select operation_id, thread_id, parent_id, left_at from brain.operations
    where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s
      and thread_id is not null and left_at is not null
), ancestors as (
    select operation_id, thread_id, left_at, parent_id as ancestor from left_turns
    union
    select a.operation_id, a.thread_id, a.left_at, l.parent_id
    from ancestors a join left_turns l on l.operation_id = a.ancestor
), branches as (
    select a.operation_id, a.thread_id, o.operation_id as stem, began.operation_id as next, began.parent_id
    from ancestors a
    join brain.operations o on o.tenant_id = %(tenant_id)s and o.operation_id = a.ancestor and o.left_at is null
    left join brain.operations began on began.tenant_id = %(tenant_id)s and began.thread_id = a.thread_id
         and began.scope = %(scope)s and began.created_at = a.left_at
)
select b.operation_id, b.thread_id
from branches b
where (b.next is null
       and exists (select from brain.conversation_events e
                   where e.tenant_id = %(tenant_id)s and e.operation_id = b.stem and e.role = 'assistant')
       and (select count(distinct coalesce(e.run_id, e.event_id::text)) from brain.conversation_events e
            where e.tenant_id = %(tenant_id)s and e.operation_id = b.stem) = 1)
   or (b.parent_id = b.stem
       and not checkpoint.has_turn(b.thread_id, b.operation_id)
       and checkpoint.has_turn(b.thread_id, b.stem))
order by b.thread_id, b.operation_id
limit 10000;

-- name: bring_back
-- The turns count again.
update brain.operations set left_at = null
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s
  and operation_id = any(%(operation_ids)s::uuid[]);

-- name: mend_line
-- The turns of a thread that count follow each other.
update brain.operations o set parent_id = line.before
from (
    select operation_id, lag(operation_id) over (order by created_at, operation_id) as before
    from brain.operations
    where tenant_id = %(tenant_id)s and scope = %(scope)s and thread_id = %(thread_id)s and left_at is null
) line
where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and o.operation_id = line.operation_id
  and line.before is not null and o.parent_id is distinct from line.before;
