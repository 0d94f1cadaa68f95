-- The one job that waits for a session is its tenant's own: two tenants may know the same user and session by the same ids.

-- The queueing lock of the job that looks at a session's new turns.
create function brain.evolution_lock(of_tenant uuid, of_user uuid, of_session uuid) returns text
language sql immutable parallel safe
as $$ select 'evolve:' || of_tenant::text || ':' || of_session::text || ':' || of_user::text $$;

-- What is queued already is found under its new name. One person's job keeps its place: only the name changes.
update queue.procrastinate_jobs
set queueing_lock = brain.evolution_lock(tenant_id, (args ->> 'user_id')::uuid, (args ->> 'session_id')::uuid)
where task_name = 'evolve' and queueing_lock = 'evolve:' || (args ->> 'session_id') || ':' || (args ->> 'user_id');

-- As before; only the lock names the tenant, and the function gives up after some attempts instead of going round until
-- the statement's timeout.
create or replace function brain.enqueue_evolution(
    of_tenant uuid, of_scope text, of_user uuid, of_session uuid, urgency integer, pause double precision
) returns void
language plpgsql
as $$
declare
    one_waits constant text := brain.evolution_lock(of_tenant, of_user, of_session);
    due constant timestamptz := case when pause > 0 then clock_timestamp() + make_interval(secs => pause) end;
    waiting bigint;
begin
    for attempt in 1..5 loop
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
    raise serialization_failure using message = 'other transactions keep queueing the job of this session';
end $$;
