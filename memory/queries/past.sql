-- name: begin_past_import
-- A file is read for the first time; the same one again goes on with what is there.
insert into brain.past_imports (tenant_id, import_id, scope, user_id, file_name, sha256, format, started_at)
values (%(tenant_id)s, %(import_id)s, %(scope)s, %(user_id)s, %(file_name)s, %(sha256)s, %(format)s, %(at)s)
on conflict (tenant_id, scope, user_id, sha256) do nothing;

-- name: past_import_of_file
-- The person's import of a file, by the hash of its bytes.
select import_id, file_name, sha256, format, state, counts, started_at, finished_at
from brain.past_imports
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and sha256 = %(sha256)s;

-- name: newest_past_imports
-- What a person brought along, the newest first.
select import_id, file_name, sha256, format, state, counts, started_at, finished_at
from brain.past_imports
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s
order by started_at desc, import_id desc
limit %(limit)s;

-- name: known_messages
-- Which messages are in the person's log already.
select idempotency_key from brain.conversation_events
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s
  and idempotency_key = any(%(keys)s::text[]);

-- name: brought_along
-- Which of these turns came with an import.
select e.event_id from brain.conversation_events e
join brain.operations o on o.tenant_id = e.tenant_id and o.operation_id = e.operation_id
where e.tenant_id = %(tenant_id)s and o.tenant_id = %(tenant_id)s and e.scope = %(scope)s and e.user_id = %(user_id)s
  and e.event_id = any(%(event_ids)s::uuid[]) and o.import_id is not null
limit 1000;

-- name: finish_past_import
-- A file was read to its end. One that is being taken back meanwhile stays so.
update brain.past_imports
set state = 'done', finished_at = %(at)s,
    counts = %(counts)s || jsonb_build_object('messages', (
        select count(*) from brain.operations o
        join brain.conversation_events e on e.tenant_id = %(tenant_id)s and e.operation_id = o.operation_id
        where o.tenant_id = %(tenant_id)s and o.import_id = %(import_id)s))
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and import_id = %(import_id)s
  and state = 'running';

-- name: begin_past_removal
-- From now on an import is being taken back; the audit says so once.
with begun as (
    update brain.past_imports p
    set state = 'removing'
    from brain.past_imports before
    where p.tenant_id = %(tenant_id)s and p.scope = %(scope)s and p.user_id = %(user_id)s and p.import_id = %(import_id)s
      and before.tenant_id = %(tenant_id)s and before.import_id = p.import_id
    returning p.import_id, before.state as state_before
), noted as (
    insert into brain.audit_log (tenant_id, scope, user_id, action, target_id, reason, operator, recorded_at)
    select %(tenant_id)s, %(scope)s, %(user_id)s, 'past_removed', import_id, 'asked for', %(operator)s, %(at)s
    from begun where state_before <> 'removing'
)
select import_id from begun;

-- name: remove_past
-- Take a part of an import back; whose it is, row-level security says.
select brain.remove_past(%(import_id)s, %(most)s) as removed;

-- name: hide_repeated_past
-- What was forgotten before it was brought along is not recalled: of one operation, or of a whole import what was
-- forgotten since it began.
delete from brain.recall_index x
using brain.operations o, brain.conversation_events e
where o.tenant_id = %(tenant_id)s and e.tenant_id = %(tenant_id)s and e.operation_id = o.operation_id
  and (o.operation_id = %(operation_id)s::uuid or o.import_id = %(import_id)s::uuid)
  and x.tenant_id = %(tenant_id)s and x.scope = %(scope)s and x.lane = 'turn'
  and (x.source_id = e.event_id or x.event_id = e.event_id)
  and exists (select from brain.memory_items
              where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s
                and (status = 'deleted' or use = 'excluded')
                and (%(import_id)s::uuid is null or updated_at >= (
                    select started_at from brain.past_imports
                    where tenant_id = %(tenant_id)s and import_id = %(import_id)s)))
  and brain.says_forgotten(%(tenant_id)s, e.event_id);
