-- A thread is a tree of turns. Its head is the newest accepted turn, and memory learns from the line that leads there;
-- turns on other branches are left behind until a run goes on from them.

alter table brain.operations
    -- The thread that the turn was said in, and the turn before it there; null where nothing is known of a thread.
    add column thread_id text,
    add column parent_id uuid,
    -- When the thread went on without this turn; null while it counts.
    add column left_at timestamptz;
create index operations_of_thread on brain.operations (tenant_id, thread_id, created_at) where thread_id is not null;
create index operations_left_behind on brain.operations (tenant_id, operation_id) where left_at is not null;

-- A memory that rests only on turns that were left behind is 'left'; its provenance says what it was before.
alter table brain.memory_items drop constraint memory_items_status_check;
alter table brain.memory_items add constraint memory_items_status_check
    check (status in ('active', 'superseded', 'retracted', 'archived', 'deleted', 'left'));

-- The turn that has these words already: the same message of the thread, or the same words of the same run.
create function brain.find_turn(
    of_tenant uuid, of_scope text, of_user uuid, of_session uuid, turn_key text, of_run text, turn_sha256 text
) returns table (operation_id uuid, "position" integer)
language sql stable
as $$
    select operation_id, position
    from (
        select operation_id, position from brain.conversation_events
        where tenant_id = of_tenant and scope = of_scope and user_id = of_user
          and idempotency_key = turn_key and session_id = of_session
        union all
        select operation_id, position from brain.conversation_events
        where tenant_id = of_tenant and run_id = of_run and session_id = of_session and role = 'user'
          and sha256 = turn_sha256
    ) known
    order by position
    limit 1
$$;

create function brain.is_left(of_tenant uuid, of_operation uuid) returns boolean
language sql stable
as $$
    select exists (select from brain.operations
                   where tenant_id = of_tenant and operation_id = of_operation and left_at is not null)
$$;

-- Make a turn the head of its thread: turns that do not lead to it are left behind, those that do count again. A turn
-- whose run has not ended is left alone. Without a turn the thread begins anew. Returns null when the head stays; else
-- the moment when the thread went on from that turn before.
create function brain.follow_branch(
    of_tenant uuid, of_scope text, of_thread text, of_turn uuid, of_start boolean, at timestamptz
) returns timestamptz
language plpgsql
as $$
declare
    head uuid;
    went_on_at timestamptz;
    path uuid[];
    moved uuid[];
begin
    if of_thread is null or not exists (
        select from brain.operations
        where tenant_id = of_tenant and scope = of_scope and thread_id = of_thread
          and (operation_id = of_turn or of_turn is null and of_start)
    ) then
        return null;
    end if;
    select operation_id into head from brain.operations
    where tenant_id = of_tenant and scope = of_scope and thread_id = of_thread and left_at is null
    order by created_at desc, operation_id desc
    limit 1;
    if head is not distinct from of_turn then
        return null;
    end if;
    select coalesce(min(created_at), (select left_at from brain.operations
                                      where tenant_id = of_tenant and operation_id = of_turn))
    into went_on_at from brain.operations
    where tenant_id = of_tenant and scope = of_scope and thread_id = of_thread
      and parent_id is not distinct from of_turn;
    with recursive line as (
        select operation_id, parent_id from brain.operations
        where tenant_id = of_tenant and scope = of_scope and thread_id = of_thread and operation_id = of_turn
        union
        select o.operation_id, o.parent_id
        from line join brain.operations o on o.tenant_id = of_tenant and o.operation_id = line.parent_id
        where o.scope = of_scope and o.thread_id = of_thread
    )
    select coalesce(array_agg(operation_id), '{}') into path from line;
    with changed as (
        update brain.operations
        set left_at = case when operation_id = any(path) then null else at end
        where tenant_id = of_tenant and scope = of_scope and thread_id = of_thread
          and (operation_id = any(path)) = (left_at is not null)
          and (operation_id = any(path) or status <> 'accepted')
        returning operation_id
    )
    select array_agg(operation_id) into moved from changed;
    -- What was said on a branch that was left is recalled no more; on one that is taken up again, the caller indexes it.
    delete from brain.recall_index x
    using brain.conversation_events e
    where e.tenant_id = of_tenant and e.operation_id = any(moved) and not e.operation_id = any(path)
      and x.tenant_id = of_tenant and x.scope = of_scope and x.lane = 'turn'
      and (x.source_id = e.event_id or x.event_id = e.event_id);
    -- A block that stands for any of them waits to be worded anew.
    with withdrawn as (
        update brain.session_summaries b
        set withdrawn = true, text = '', sources = '{}'
        where b.tenant_id = of_tenant and b.scope = of_scope
          and exists (select from brain.conversation_events e
                      where e.tenant_id = of_tenant and e.operation_id = any(moved) and e.session_id = b.session_id
                        and e.position between b.first_position and b.last_position)
        returning b.summary_id
    )
    delete from brain.recall_index x
    using withdrawn w
    where x.tenant_id = of_tenant and x.scope = of_scope and x.lane = 'summary' and x.source_id = w.summary_id;
    return case when moved is not null then coalesce(went_on_at, at) end;
end $$;
