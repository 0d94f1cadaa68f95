-- What was said counts from the moment it was accepted: events carry the run that brought them, a turn is 'accepted'
-- until its run ends, and a run that is rolled back leaves nothing.

alter table brain.conversation_events
    -- The server's own name of the run; null for what was imported, and where nobody names runs.
    add column run_id text,
    -- A reply that was shown only so far.
    add column broken_off boolean not null default false;
create index events_of_run on brain.conversation_events (tenant_id, run_id) where run_id is not null;

alter table brain.memory_receipts add column run_id text;

alter table brain.operations drop constraint operations_status_check;
alter table brain.operations add constraint operations_status_check
    check (status in ('accepted', 'queued', 'stored', 'nothing', 'dead_letter'));
create index operations_accepted_in_session on brain.operations (tenant_id, session_id) where status = 'accepted';

-- Replies that were given again: they stay in the log, and nothing is recalled or drawn from them.
create table brain.replaced_replies (
    tenant_id uuid not null,
    event_id uuid not null,
    scope text not null,
    user_id uuid not null,
    replaced_by uuid not null,
    primary key (tenant_id, event_id),
    foreign key (tenant_id, event_id) references brain.conversation_events (tenant_id, event_id),
    foreign key (tenant_id, replaced_by) references brain.conversation_events (tenant_id, event_id)
);
create index replies_replaced_by on brain.replaced_replies (tenant_id, replaced_by);
call brain.secure('brain.replaced_replies');

-- Whose turn a run brought. Belongs to the installation, like the queue: a server that rolls a run back names the run
-- and nobody else, and turns whose process died are found here. Ids only; gone when the turn's run has long ended.
create table queue.accepted_turns (
    run_id text not null,
    tenant_id uuid not null,
    operation_id uuid not null,
    scope text not null,
    user_id uuid not null,
    session_id uuid not null,
    accepted_at timestamptz not null,
    primary key (tenant_id, operation_id, run_id)
);
create index accepted_turns_of_run on queue.accepted_turns (run_id) where run_id <> '';
create index accepted_turns_by_age on queue.accepted_turns (accepted_at);

-- The one exception to an append-only log: what a run brought is taken back when the run is rolled back, so that it was
-- never said. It is the only function that runs as the owner, so that the application cannot delete a turn in any other
-- way, and it looks by itself whether the turn is the asker's. What memory has looked at already stays. Returns the
-- replies that no other one replaces any more.
create function brain.take_back(of_tenant uuid, of_operation uuid, of_run text) returns setof brain.conversation_events
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
    where j.lock in (turn.user_id::text, 'correct:' || turn.user_id) and j.status = 'todo'
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
