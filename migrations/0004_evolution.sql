-- Behind the conversation: one waiting job per person and session, and contradictions that stay open until settled.

create index operations_waiting_in_session on brain.operations (tenant_id, session_id) where status = 'queued';

-- Ask for a session's new turns to be looked at, inside the transaction that logs them. A job that waits already does
-- it: the key share lock makes the workers' FOR UPDATE SKIP LOCKED pass over it until these turns are committed, so it
-- never begins without them. A job that has begun counts no more, and another one is queued behind it.
create function brain.enqueue_evolution(
    of_tenant uuid, of_scope text, of_user uuid, of_session uuid, urgency integer, pause double precision
) returns void
language plpgsql
as $$
declare
    one_waits constant text := 'evolve:' || of_session || ':' || of_user;
    due constant timestamptz := case when pause > 0 then clock_timestamp() + make_interval(secs => pause) end;
    waiting bigint;
begin
    loop
        select j.id into waiting from queue.procrastinate_jobs j
        where j.queueing_lock = one_waits and j.status = 'todo'
        for key share;
        if found then
            update queue.procrastinate_jobs j
            set priority = greatest(j.priority, urgency), scheduled_at = case when due is null then null else j.scheduled_at end
            where j.id = waiting and (j.priority < urgency or (due is null and j.scheduled_at is not null));
            return;
        end if;
        begin
            perform queue.procrastinate_defer_jobs_v1(array[
                row('evolution', 'evolve', urgency, of_user::text, one_waits,
                    jsonb_build_object('tenant_id', of_tenant, 'scope', of_scope, 'user_id', of_user,
                                       'session_id', of_session), due)::queue.procrastinate_job_to_defer_v1]);
            return;
        exception when unique_violation then
            -- Another turn of this session was first; its job is there now.
            continue;
        end;
    end loop;
end $$;
revoke all on function brain.enqueue_evolution(uuid, text, uuid, uuid, integer, double precision) from public;
grant execute on function brain.enqueue_evolution(uuid, text, uuid, uuid, integer, double precision) to :app_role;

-- Two memories that cannot both be true, where neither outweighs the other: both live on until one is chosen.
create table brain.memory_conflicts (
    tenant_id uuid not null,
    conflict_id uuid not null,
    scope text not null,
    user_id uuid not null,
    kind text not null check (kind in ('contradiction', 'outdated', 'inconsistent', 'duplicate')),
    held_id uuid not null,
    new_id uuid not null,
    status text not null default 'open' check (status in ('open', 'kept', 'merged', 'discarded')),
    opened_at timestamptz not null,
    opened_by text not null,
    settled_at timestamptz,
    settled_by text,
    primary key (tenant_id, conflict_id),
    unique (tenant_id, held_id, new_id),
    foreign key (tenant_id, held_id) references brain.memory_items (tenant_id, item_id),
    foreign key (tenant_id, new_id) references brain.memory_items (tenant_id, item_id)
);
create index open_conflicts on brain.memory_conflicts (tenant_id, scope, user_id, opened_at) where status = 'open';
create index open_conflicts_of_newer on brain.memory_conflicts (tenant_id, new_id) where status = 'open';

call brain.secure('brain.memory_conflicts');
grant select, insert, update on brain.memory_conflicts to :app_role;
