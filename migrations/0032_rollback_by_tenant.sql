-- A rolled back turn takes the jobs of its own tenant with it, where two tenants know a user and a session by the same ids.

-- As before; only the deletion of waiting jobs names the tenant.
create or replace function brain.take_back(of_tenant uuid, of_operation uuid, of_run text) returns setof brain.conversation_events
language plpgsql security definer set search_path = queue, brain, public, pg_temp
as $$
declare
    turn brain.operations;
    gone uuid[];
    shown_again uuid[];
begin
    -- A reply that is being written holds this row: afterwards it is seen here, or finds no turn that it belongs to.
    select * into turn from brain.operations
    where tenant_id = of_tenant and operation_id = of_operation
      and tenant_id = brain.current_tenant() and scope = brain.current_scope()
      and (user_id = brain.current_user_id() or scope like 'group:%')
    for update;
    if not found then
        return;
    end if;
    delete from queue.accepted_turns
    where tenant_id = of_tenant and operation_id = of_operation and run_id = of_run;
    gone := array(select event_id from brain.conversation_events
                  where tenant_id = of_tenant and operation_id = of_operation and run_id = of_run);
    if exists (select from brain.memory_citations where tenant_id = of_tenant and event_id = any(gone))
       or (turn.status not in ('accepted', 'queued')
           and exists (select from brain.conversation_events
                       where tenant_id = of_tenant and event_id = any(gone) and role = 'user')) then
        return;
    end if;
    delete from brain.recall_index
    where tenant_id = of_tenant and lane = 'turn' and (source_id = any(gone) or event_id = any(gone));
    delete from brain.memory_receipts
    where tenant_id = of_tenant and operation_id = of_operation and run_id = of_run;
    with again as (
        delete from brain.replaced_replies
        where tenant_id = of_tenant and (replaced_by = any(gone) or event_id = any(gone))
        returning event_id
    )
    select array_agg(event_id) into shown_again from again where event_id <> all(gone);
    delete from brain.conversation_events where tenant_id = of_tenant and event_id = any(gone);
    delete from brain.operations o
    where o.tenant_id = of_tenant and o.operation_id = of_operation
      and not exists (select from brain.conversation_events e
                      where e.tenant_id = of_tenant and e.operation_id = of_operation);
    delete from queue.procrastinate_jobs j
    where j.tenant_id = of_tenant and j.lock in (turn.user_id::text, 'correct:' || turn.user_id) and j.status = 'todo'
      and j.task_name in ('evolve', 'correct') and j.args ->> 'session_id' = turn.session_id::text
      and not exists (select from brain.operations o
                      where o.tenant_id = of_tenant and o.session_id = turn.session_id and o.user_id = turn.user_id
                        and o.status = 'queued');
    delete from brain.sessions s
    where s.tenant_id = of_tenant and s.session_id = turn.session_id
      and not exists (select from brain.conversation_events e
                      where e.tenant_id = of_tenant and e.session_id = turn.session_id);
    return query select * from brain.conversation_events
                 where tenant_id = of_tenant and event_id = any(shown_again) and indexed;
end $$;
