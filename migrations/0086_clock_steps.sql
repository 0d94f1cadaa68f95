-- A clock that is set back leaves times in the future behind, and nothing may wait for them.

-- As before, and a process that was heard of in the future was heard of now: one that is dead is forgotten after ten
-- seconds, and what it held of a tenant's share is free.
create or replace function brain.keep_serving(process uuid) returns integer
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    others integer;
begin
    insert into brain.serving_processes as p (process_id, seen_at) values (process, clock_timestamp())
    on conflict (process_id) do update set seen_at = excluded.seen_at;
    update brain.serving_processes set seen_at = clock_timestamp()
    where process_id in (select s.process_id from brain.serving_processes s
                         where s.seen_at > clock_timestamp() for update skip locked);
    delete from brain.serving_processes
    where process_id in (select s.process_id from brain.serving_processes s
                         where s.seen_at < clock_timestamp() - interval '1 hour' for update skip locked);
    select count(*) into others from brain.serving_processes s
    where s.process_id <> process and s.seen_at > clock_timestamp() - brain.serving_patience();
    return others;
end $$;

-- The same for the queue: the jobs of a worker that is dead are taken over, and a job that was planned before the clock was
-- set back is due.
create function queue.follow_clock() returns void
language sql security definer set search_path = queue, brain, pg_temp
as $$
    update procrastinate_workers set last_heartbeat = now()
    where id in (select w.id from procrastinate_workers w where w.last_heartbeat > now() for update skip locked);
    update procrastinate_jobs set scheduled_at = now()
    where id in (select j.id from procrastinate_jobs j
                 where j.status = 'todo' and j.scheduled_at > now()
                   and exists (select from procrastinate_events e
                               where e.job_id = j.id and e.type <> 'scheduled' and e.at > now())
                 for update skip locked)
$$;

-- The time of what comes behind something else: now, unless the clock was set back since; by more than a day it was wrong before.
create function brain.time_behind(before timestamptz, at timestamptz) returns timestamptz
language sql immutable parallel safe
as $$
    select case when at < before and before - at < interval '1 day' then before + interval '1 microsecond' else at end
$$;

-- As before, and a pause that began in the future has begun: the clock was set back since, and what is said meanwhile is not
-- remembered.
create or replace function brain.pauses_remembering(
    of_tenant uuid, of_scope text, of_user uuid, of_session uuid, at timestamptz
) returns boolean
language sql stable
as $$
    select exists (select from brain.remembering_pauses p
                   where p.tenant_id = of_tenant and p.scope = of_scope and p.user_id = of_user
                     and (p.session_id is null or p.session_id = of_session)
                     and (p.since <= at and (p.ends_at is null or p.ends_at > at)
                          or p.since > now() and (p.ends_at is null or p.ends_at > p.since)))
$$;
