SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET client_min_messages = warning;
CREATE SCHEMA brain;
CREATE SCHEMA checkpoint;
CREATE SCHEMA queue;
CREATE TYPE queue.procrastinate_job_event_type AS ENUM (
    'deferred',
    'started',
    'deferred_for_retry',
    'failed',
    'succeeded',
    'cancelled',
    'abort_requested',
    'aborted',
    'scheduled',
    'retried'
);
CREATE TYPE queue.procrastinate_job_status AS ENUM (
    'todo',
    'doing',
    'succeeded',
    'failed',
    'cancelled',
    'aborting',
    'aborted'
);
CREATE TYPE queue.procrastinate_job_to_defer_v1 AS (
	queue_name character varying,
	task_name character varying,
	priority integer,
	lock text,
	queueing_lock text,
	args jsonb,
	scheduled_at timestamp with time zone
);
CREATE FUNCTION brain.current_scope() RETURNS text
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ select nullif(current_setting('brain.scope', true), '') $$;
CREATE FUNCTION brain.current_tenant() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ select nullif(current_setting('brain.tenant_id', true), '')::uuid $$;
CREATE FUNCTION brain.current_user_id() RETURNS uuid
    LANGUAGE sql STABLE PARALLEL SAFE
    AS $$ select nullif(current_setting('brain.user_id', true), '')::uuid $$;
CREATE FUNCTION brain.enqueue_evolution(of_tenant uuid, of_scope text, of_user uuid, of_session uuid, urgency integer, pause double precision) RETURNS void
    LANGUAGE plpgsql
    AS $$
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
CREATE FUNCTION brain.is_overtaken(of_tenant uuid, of_event uuid) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select coalesce(bool_or(said.over) and not bool_or(said.living and not said.over), false)
    from (
        select i.status = 'active' as living,
               case when i.status = 'active' then coalesce(i.provenance -> 'overruled' ? of_event::text, false)
                    else not coalesce(i.provenance -> 'ended_by' ? of_event::text, false) end as over
        from brain.memory_citations c
        join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
        where c.tenant_id = of_tenant and i.tenant_id = of_tenant and c.event_id = of_event and i.status <> 'deleted'
    ) said
$$;
CREATE FUNCTION brain.note_removals() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    insert into brain.recall_removals (tenant_id, scope, user_id, source_id)
    select distinct tenant_id, scope, user_id, source_id from removed where not staged
    on conflict do nothing;
    delete from brain.recall_removals
    where ctid = any (array(
        with owners as materialized (select distinct tenant_id, scope, user_id from removed)
        select o.ctid from owners join brain.recall_removals o using (tenant_id, scope, user_id)
        where o.removed_at < now() - interval '1 day'
        for update of o skip locked
    ));
    return null;
end $$;
CREATE FUNCTION brain.note_writer() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    new.written_by := pg_current_xact_id();
    return new;
end $$;
CREATE FUNCTION brain.recall_changes(of_tenant uuid, of_scope text, of_user uuid, user_low uuid, user_high uuid, since pg_snapshot, seen pg_snapshot, after_writer xid8, after_source uuid, page integer) RETURNS TABLE(snapshot text, earlier boolean, removed uuid[], source_id uuid, lane text, text text, session_id uuid, "position" integer, role text, speaker text, category text, observed_at timestamp with time zone, valid_at timestamp with time zone, invalid_at timestamp with time zone, recorded_at timestamp with time zone, retired_at timestamp with time zone, active boolean, confidence real, provenance text, epistemic_type text, verified boolean, last_validated_at timestamp with time zone, injected_count integer, positive_count integer, derived_from uuid[], written_by text, words bytea, grams bytea, length integer, embedding_model text, embedding bytea)
    LANGUAGE plpgsql
    AS $$
#variable_conflict use_column
begin
    perform set_config('brain.tenant_id', of_tenant::text, true), set_config('brain.scope', of_scope, true),
        set_config('brain.user_id', of_user::text, true);
    snapshot := pg_current_snapshot();
    earlier := pg_snapshot_xmax(seen) > pg_snapshot_xmax(snapshot::pg_snapshot);
    removed := array(
        select r.source_id from brain.recall_removals r
        where r.tenant_id = of_tenant and r.scope = of_scope and r.user_id between user_low and user_high
            and r.removed_by >= pg_snapshot_xmin(seen) and not pg_visible_in_snapshot(r.removed_by, seen)
        limit page
    );
    derived_from := '{}';
    return next;
    return query
    select
        null::text, null::boolean, null::uuid[],
        i.source_id, i.lane, i.text, i.session_id, i.position, i.role, i.speaker, i.category,
        i.observed_at, i.valid_at, i.invalid_at, i.recorded_at,
        i.retired_at, i.active, i.confidence, i.provenance, i.epistemic_type, i.verified,
        i.last_validated_at, i.injected_count, i.positive_count, i.derived_from,
        i.written_by::text, array_send(i.words), array_send(i.grams), i.length, i.embedding_model,
        halfvec_send(i.embedding)
    from brain.recall_index i
    where i.tenant_id = of_tenant and i.scope = of_scope and i.user_id between user_low and user_high
        and i.written_by >= pg_snapshot_xmin(since) and not pg_visible_in_snapshot(i.written_by, since)
        and (i.written_by, i.source_id) > (after_writer, after_source)
        and not i.staged
    order by i.written_by, i.source_id
    limit page;
end $$;
CREATE FUNCTION brain.says_forgotten(of_tenant uuid, of_event uuid) RETURNS boolean
    LANGUAGE sql STABLE
    AS $$
    select exists (
        select from brain.memory_citations c
        join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
        where c.tenant_id = of_tenant and i.tenant_id = of_tenant and c.event_id = of_event and i.status = 'deleted'
          and not exists (select from brain.memory_citations l
                          join brain.memory_items o on o.tenant_id = l.tenant_id and o.item_id = l.item_id
                          where l.tenant_id = of_tenant and o.tenant_id = of_tenant and l.event_id = of_event
                            and o.status = 'active' and strpos(lower(o.content), lower(i.object)) > 0)
    ) or exists (
        select from brain.conversation_events e
        join brain.memory_items i on i.tenant_id = e.tenant_id and i.scope = e.scope and i.status = 'deleted'
             and (i.user_id = e.user_id or e.scope like 'group:%')
        where e.tenant_id = of_tenant and i.tenant_id = of_tenant and e.event_id = of_event and e.role = 'assistant'
          and exists (select from brain.memory_versions v
                      where v.tenant_id = of_tenant and v.item_id = i.item_id
                        and length(v.snapshot ->> 'object') > 1
                        and strpos(lower(e.text), lower(v.snapshot ->> 'object')) > 0)
          and (exists (select from brain.memory_citations c
                       join brain.conversation_events s on s.tenant_id = c.tenant_id and s.event_id = c.event_id
                       where c.tenant_id = of_tenant and s.tenant_id = of_tenant and c.item_id = i.item_id
                         and s.session_id = e.session_id)
               or exists (select from brain.memory_receipts r
                          where r.tenant_id = of_tenant and r.operation_id = e.operation_id
                            and r.receipt_type = 'injection' and r.memory_id = i.item_id))
          and not exists (select from brain.memory_items o
                          where o.tenant_id = of_tenant and o.scope = i.scope and o.user_id = i.user_id
                            and o.status = 'active' and strpos(lower(o.content), lower(i.object)) > 0)
    )
$$;
CREATE PROCEDURE brain.secure(IN target regclass)
    LANGUAGE plpgsql
    AS $$
begin
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    execute format(
        'create policy own_rows on %s'
        ' using (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())'
        '   and (user_id = (select brain.current_user_id()) or scope like ''group:%%''))'
        ' with check (tenant_id = (select brain.current_tenant()) and scope = (select brain.current_scope())'
        '   and (user_id = (select brain.current_user_id()) or scope like ''group:%%''))',
        target);
end $$;
CREATE PROCEDURE brain.secure_tenant(IN target regclass)
    LANGUAGE plpgsql
    AS $$
begin
    execute format('alter table %s enable row level security', target);
    execute format('alter table %s force row level security', target);
    execute format(
        'create policy own_tenant on %s'
        ' using (tenant_id = (select brain.current_tenant()))'
        ' with check (tenant_id = (select brain.current_tenant()))',
        target);
end $$;
CREATE FUNCTION brain.turns_saying(of_tenant uuid, of_scope text, of_memory uuid) RETURNS SETOF uuid
    LANGUAGE sql STABLE
    AS $$
    select c.event_id from brain.memory_citations c
    where c.tenant_id = of_tenant and c.scope = of_scope and c.item_id = of_memory
    union
    select e.event_id
    from brain.memory_items i
    join brain.sessions s on s.tenant_id = of_tenant and s.scope = of_scope
         and (s.user_id = i.user_id or of_scope like 'group:%')
    join brain.conversation_events e on e.tenant_id = of_tenant and e.session_id = s.session_id and e.role = 'assistant'
    where i.tenant_id = of_tenant and i.scope = of_scope and i.item_id = of_memory
      and exists (select from brain.memory_versions v
                  where v.tenant_id = of_tenant and v.item_id = of_memory
                    and strpos(lower(e.text), lower(v.snapshot ->> 'object')) > 0)
$$;
CREATE FUNCTION queue.announce_next_job() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
begin
    if exists (select from queue.procrastinate_jobs j
               where j.lock = old.lock and j.status = 'todo' and (j.scheduled_at is null or j.scheduled_at <= now())) then
        perform pg_notify('procrastinate_queue_v1#' || old.queue_name,
                          json_build_object('type', 'job_inserted', 'job_id', old.id)::text);
    end if;
    return null;
end $$;
CREATE FUNCTION queue.procrastinate_cancel_job_v1(job_id bigint, abort boolean, delete_job boolean) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
BEGIN
    IF delete_job THEN
        DELETE FROM procrastinate_jobs
        WHERE id = job_id AND status = 'todo'
        RETURNING id INTO _job_id;
    END IF;
    IF _job_id IS NULL THEN
        IF abort THEN
            UPDATE procrastinate_jobs
            SET abort_requested = true,
                status = CASE status
                    WHEN 'todo' THEN 'cancelled'::procrastinate_job_status ELSE status
                END
            WHERE id = job_id AND status IN ('todo', 'doing')
            RETURNING id INTO _job_id;
        ELSE
            UPDATE procrastinate_jobs
            SET status = 'cancelled'::procrastinate_job_status
            WHERE id = job_id AND status = 'todo'
            RETURNING id INTO _job_id;
        END IF;
    END IF;
    RETURN _job_id;
END;
$$;
CREATE FUNCTION queue.procrastinate_defer_jobs_v1(jobs queue.procrastinate_job_to_defer_v1[]) RETURNS bigint[]
    LANGUAGE plpgsql
    AS $$
DECLARE
    job_ids bigint[];
BEGIN
    WITH inserted_jobs AS (
        INSERT INTO procrastinate_jobs (queue_name, task_name, priority, lock, queueing_lock, args, scheduled_at)
        SELECT (job).queue_name,
               (job).task_name,
               (job).priority,
               (job).lock,
               (job).queueing_lock,
               (job).args,
               (job).scheduled_at
        FROM unnest(jobs) AS job
        RETURNING id
    )
    SELECT array_agg(id) FROM inserted_jobs INTO job_ids;

    RETURN job_ids;
END;
$$;
CREATE FUNCTION queue.procrastinate_defer_periodic_job_v2(_queue_name character varying, _lock character varying, _queueing_lock character varying, _task_name character varying, _priority integer, _periodic_id character varying, _defer_timestamp bigint, _args jsonb) RETURNS bigint
    LANGUAGE plpgsql
    AS $$
DECLARE
	_job_id bigint;
	_defer_id bigint;
BEGIN
    INSERT
        INTO procrastinate_periodic_defers (task_name, periodic_id, defer_timestamp)
        VALUES (_task_name, _periodic_id, _defer_timestamp)
        ON CONFLICT DO NOTHING
        RETURNING id into _defer_id;

    IF _defer_id IS NULL THEN
        RETURN NULL;
    END IF;

    UPDATE procrastinate_periodic_defers
        SET job_id = (
            SELECT COALESCE((
                SELECT unnest(procrastinate_defer_jobs_v1(
                    ARRAY[
                        ROW(
                            _queue_name,
                            _task_name,
                            _priority,
                            _lock,
                            _queueing_lock,
                            _args,
                            NULL::timestamptz
                        )
                    ]::procrastinate_job_to_defer_v1[]
                ))
            ), NULL)
        )
        WHERE id = _defer_id
        RETURNING job_id INTO _job_id;

    DELETE
        FROM procrastinate_periodic_defers
        USING (
            SELECT id
            FROM procrastinate_periodic_defers
            WHERE procrastinate_periodic_defers.task_name = _task_name
            AND procrastinate_periodic_defers.periodic_id = _periodic_id
            AND procrastinate_periodic_defers.defer_timestamp < _defer_timestamp
            ORDER BY id
            FOR UPDATE
        ) to_delete
        WHERE procrastinate_periodic_defers.id = to_delete.id;

    RETURN _job_id;
END;
$$;
CREATE TABLE queue.procrastinate_jobs (
    id bigint NOT NULL,
    queue_name character varying(128) NOT NULL,
    task_name character varying(128) NOT NULL,
    priority integer DEFAULT 0 NOT NULL,
    lock text,
    queueing_lock text,
    args jsonb DEFAULT '{}'::jsonb NOT NULL,
    status queue.procrastinate_job_status DEFAULT 'todo'::queue.procrastinate_job_status NOT NULL,
    scheduled_at timestamp with time zone,
    attempts integer DEFAULT 0 NOT NULL,
    abort_requested boolean DEFAULT false NOT NULL,
    worker_id bigint,
    CONSTRAINT check_not_todo_abort_requested CHECK ((NOT ((status = 'todo'::queue.procrastinate_job_status) AND (abort_requested = true))))
);
CREATE FUNCTION queue.procrastinate_fetch_job_v2(target_queue_names character varying[], p_worker_id bigint) RETURNS queue.procrastinate_jobs
    LANGUAGE plpgsql
    AS $$
DECLARE
	found_jobs procrastinate_jobs;
BEGIN
    WITH candidate AS (
        SELECT jobs.*
            FROM procrastinate_jobs AS jobs
            WHERE
                -- reject the job if its lock has earlier or higher priority jobs
                NOT EXISTS (
                    SELECT 1
                        FROM procrastinate_jobs AS other_jobs
                        WHERE
                            jobs.lock IS NOT NULL
                            AND other_jobs.lock = jobs.lock
                            AND (
                                -- job with same lock is already running
                                other_jobs.status = 'doing'
                                OR
                                -- job with same lock is waiting and has higher priority (or same priority but was queued first)
                                (
                                    other_jobs.status = 'todo'
                                    AND (
                                        other_jobs.priority > jobs.priority
                                        OR (
                                        other_jobs.priority = jobs.priority
                                        AND other_jobs.id < jobs.id
                                        )
                                    )
                                )
                            )
                )
                AND jobs.status = 'todo'
                AND (target_queue_names IS NULL OR jobs.queue_name = ANY( target_queue_names ))
                AND (jobs.scheduled_at IS NULL OR jobs.scheduled_at <= now())
            ORDER BY jobs.priority DESC, jobs.id ASC LIMIT 1
            FOR UPDATE OF jobs SKIP LOCKED
    )
    UPDATE procrastinate_jobs
        SET status = 'doing', worker_id = p_worker_id
        FROM candidate
        WHERE procrastinate_jobs.id = candidate.id
        RETURNING procrastinate_jobs.* INTO found_jobs;

 RETURN found_jobs;
END;
$$;
CREATE FUNCTION queue.procrastinate_finish_job_v1(job_id bigint, end_status queue.procrastinate_job_status, delete_job boolean) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
BEGIN
    IF end_status NOT IN ('succeeded', 'failed', 'aborted') THEN
        RAISE 'End status should be either "succeeded", "failed" or "aborted" (job id: %)', job_id;
    END IF;
    IF delete_job THEN
        DELETE FROM procrastinate_jobs
        WHERE id = job_id AND status IN ('todo', 'doing')
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = end_status,
            abort_requested = false,
            attempts = CASE status
                WHEN 'doing' THEN attempts + 1 ELSE attempts
            END
        WHERE id = job_id AND status IN ('todo', 'doing')
        RETURNING id INTO _job_id;
    END IF;
    IF _job_id IS NULL THEN
        RAISE 'Job was not found or not in "doing" or "todo" status (job id: %)', job_id;
    END IF;
END;
$$;
CREATE FUNCTION queue.procrastinate_notify_queue_abort_job_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    payload TEXT;
BEGIN
    SELECT json_build_object('type', 'abort_job_requested', 'job_id', NEW.id)::text INTO payload;
	PERFORM pg_notify('procrastinate_queue_v1#' || NEW.queue_name, payload);
	PERFORM pg_notify('procrastinate_any_queue_v1', payload);
	RETURN NEW;
END;
$$;
CREATE FUNCTION queue.procrastinate_notify_queue_job_inserted_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
DECLARE
    payload TEXT;
BEGIN
    SELECT json_build_object('type', 'job_inserted', 'job_id', NEW.id)::text INTO payload;
	PERFORM pg_notify('procrastinate_queue_v1#' || NEW.queue_name, payload);
	PERFORM pg_notify('procrastinate_any_queue_v1', payload);
	RETURN NEW;
END;
$$;
CREATE FUNCTION queue.procrastinate_prune_stalled_workers_v1(seconds_since_heartbeat double precision) RETURNS TABLE(worker_id bigint)
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN QUERY
    DELETE FROM procrastinate_workers
    WHERE last_heartbeat < NOW() - (seconds_since_heartbeat || 'SECOND')::INTERVAL
    RETURNING procrastinate_workers.id;
END;
$$;
CREATE FUNCTION queue.procrastinate_register_worker_v1() RETURNS TABLE(worker_id bigint)
    LANGUAGE plpgsql
    AS $$
BEGIN
    RETURN QUERY
    INSERT INTO procrastinate_workers DEFAULT VALUES
    RETURNING procrastinate_workers.id;
END;
$$;
CREATE FUNCTION queue.procrastinate_retry_job_v1(job_id bigint, retry_at timestamp with time zone, new_priority integer, new_queue_name character varying, new_lock character varying) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
    _abort_requested boolean;
BEGIN
    SELECT abort_requested FROM procrastinate_jobs
    WHERE id = job_id AND status = 'doing'
    FOR UPDATE
    INTO _abort_requested;
    IF _abort_requested THEN
        UPDATE procrastinate_jobs
        SET status = 'failed'::procrastinate_job_status
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = 'todo'::procrastinate_job_status,
            attempts = attempts + 1,
            scheduled_at = retry_at,
            priority = COALESCE(new_priority, priority),
            queue_name = COALESCE(new_queue_name, queue_name),
            lock = COALESCE(new_lock, lock)
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    END IF;

    IF _job_id IS NULL THEN
        RAISE 'Job was not found or not in "doing" status (job id: %)', job_id;
    END IF;
END;
$$;
CREATE FUNCTION queue.procrastinate_retry_job_v2(job_id bigint, retry_at timestamp with time zone, new_priority integer, new_queue_name character varying, new_lock character varying) RETURNS void
    LANGUAGE plpgsql
    AS $$
DECLARE
    _job_id bigint;
    _abort_requested boolean;
    _current_status procrastinate_job_status;
BEGIN
    SELECT status, abort_requested FROM procrastinate_jobs
    WHERE id = job_id AND status IN ('doing', 'failed')
    FOR UPDATE
    INTO _current_status, _abort_requested;
    IF _current_status = 'doing' AND _abort_requested THEN
        UPDATE procrastinate_jobs
        SET status = 'failed'::procrastinate_job_status
        WHERE id = job_id AND status = 'doing'
        RETURNING id INTO _job_id;
    ELSE
        UPDATE procrastinate_jobs
        SET status = 'todo'::procrastinate_job_status,
            attempts = attempts + 1,
            scheduled_at = retry_at,
            priority = COALESCE(new_priority, priority),
            queue_name = COALESCE(new_queue_name, queue_name),
            lock = COALESCE(new_lock, lock)
        WHERE id = job_id AND status IN ('doing', 'failed')
        RETURNING id INTO _job_id;
    END IF;

    IF _job_id IS NULL THEN
        RAISE 'Job was not found or has an invalid status to retry (job id: %)', job_id;
    END IF;

END;
$$;
CREATE FUNCTION queue.procrastinate_trigger_abort_requested_events_procedure_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type)
        VALUES (NEW.id, 'abort_requested'::procrastinate_job_event_type);
    RETURN NEW;
END;
$$;
CREATE FUNCTION queue.procrastinate_trigger_function_scheduled_events_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type, at)
        VALUES (NEW.id, 'scheduled'::procrastinate_job_event_type, NEW.scheduled_at);

	RETURN NEW;
END;
$$;
CREATE FUNCTION queue.procrastinate_trigger_function_status_events_insert_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    INSERT INTO procrastinate_events(job_id, type)
        VALUES (NEW.id, 'deferred'::procrastinate_job_event_type);
	RETURN NEW;
END;
$$;
CREATE FUNCTION queue.procrastinate_trigger_function_status_events_update_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    WITH t AS (
        SELECT CASE
            WHEN OLD.status = 'todo'::procrastinate_job_status
                AND NEW.status = 'doing'::procrastinate_job_status
                THEN 'started'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'todo'::procrastinate_job_status
                THEN 'deferred_for_retry'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'failed'::procrastinate_job_status
                THEN 'failed'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'succeeded'::procrastinate_job_status
                THEN 'succeeded'::procrastinate_job_event_type
            WHEN OLD.status = 'todo'::procrastinate_job_status
                AND (
                    NEW.status = 'cancelled'::procrastinate_job_status
                    OR NEW.status = 'failed'::procrastinate_job_status
                    OR NEW.status = 'succeeded'::procrastinate_job_status
                )
                THEN 'cancelled'::procrastinate_job_event_type
            WHEN OLD.status = 'doing'::procrastinate_job_status
                AND NEW.status = 'aborted'::procrastinate_job_status
                THEN 'aborted'::procrastinate_job_event_type
            WHEN OLD.status = 'failed'::procrastinate_job_status
                AND NEW.status = 'todo'::procrastinate_job_status
                THEN 'retried'::procrastinate_job_event_type
            ELSE NULL
        END as event_type
    )
    INSERT INTO procrastinate_events(job_id, type)
        SELECT NEW.id, t.event_type
        FROM t
        WHERE t.event_type IS NOT NULL;
	RETURN NEW;
END;
$$;
CREATE FUNCTION queue.procrastinate_unlink_periodic_defers_v1() RETURNS trigger
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE procrastinate_periodic_defers
    SET job_id = NULL
    WHERE job_id = OLD.id;
    RETURN OLD;
END;
$$;
CREATE FUNCTION queue.procrastinate_unregister_worker_v1(worker_id bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    DELETE FROM procrastinate_workers
    WHERE id = worker_id;
END;
$$;
CREATE FUNCTION queue.procrastinate_update_heartbeat_v1(worker_id bigint) RETURNS void
    LANGUAGE plpgsql
    AS $$
BEGIN
    UPDATE procrastinate_workers
    SET last_heartbeat = NOW()
    WHERE id = worker_id;
END;
$$;
CREATE TABLE brain.audit_log (
    tenant_id uuid NOT NULL,
    audit_id uuid DEFAULT gen_random_uuid() NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    action text NOT NULL,
    source_id uuid,
    target_id uuid,
    reason text NOT NULL,
    operator text NOT NULL,
    trace_id text DEFAULT ''::text NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY brain.audit_log FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.conversation_events (
    tenant_id uuid NOT NULL,
    event_id uuid NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    "position" integer NOT NULL,
    operation_id uuid NOT NULL,
    role text NOT NULL,
    speaker text NOT NULL,
    content jsonb NOT NULL,
    content_schema_version smallint DEFAULT 1 NOT NULL,
    text text NOT NULL,
    sha256 text NOT NULL,
    occurred_at timestamp with time zone NOT NULL,
    time_zone text NOT NULL,
    reference text,
    idempotency_key text,
    indexed boolean DEFAULT true NOT NULL,
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT conversation_events_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text, 'tool'::text, 'system'::text])))
);
ALTER TABLE ONLY brain.conversation_events FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.document_versions (
    tenant_id uuid NOT NULL,
    document_id uuid NOT NULL,
    version integer NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    front json NOT NULL,
    body text NOT NULL,
    sha256 text NOT NULL,
    author text NOT NULL,
    reason text NOT NULL,
    updated_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY brain.document_versions FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.documents (
    tenant_id uuid NOT NULL,
    document_id uuid NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    front json DEFAULT '{}'::json NOT NULL,
    body text NOT NULL,
    version integer NOT NULL,
    sha256 text NOT NULL,
    author text NOT NULL,
    reason text NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT documents_body_check CHECK ((octet_length(body) <= 65536)),
    CONSTRAINT documents_kind_check CHECK ((kind = ANY (ARRAY['daily_note'::text, 'memory'::text, 'user_profile'::text, 'group_profile'::text]))),
    CONSTRAINT documents_version_check CHECK ((version >= 1))
);
ALTER TABLE ONLY brain.documents FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.memory_citations (
    tenant_id uuid NOT NULL,
    item_id uuid NOT NULL,
    event_id uuid NOT NULL,
    span_start integer NOT NULL,
    span_end integer NOT NULL,
    sha256 text NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    CONSTRAINT memory_citations_check CHECK ((span_end >= span_start))
);
ALTER TABLE ONLY brain.memory_citations FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.memory_conflicts (
    tenant_id uuid NOT NULL,
    conflict_id uuid NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    kind text NOT NULL,
    held_id uuid NOT NULL,
    new_id uuid NOT NULL,
    status text DEFAULT 'open'::text NOT NULL,
    opened_at timestamp with time zone NOT NULL,
    opened_by text NOT NULL,
    settled_at timestamp with time zone,
    settled_by text,
    CONSTRAINT memory_conflicts_kind_check CHECK ((kind = ANY (ARRAY['contradiction'::text, 'outdated'::text, 'inconsistent'::text, 'duplicate'::text]))),
    CONSTRAINT memory_conflicts_status_check CHECK ((status = ANY (ARRAY['open'::text, 'kept'::text, 'merged'::text, 'discarded'::text])))
);
ALTER TABLE ONLY brain.memory_conflicts FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.memory_items (
    tenant_id uuid NOT NULL,
    item_id uuid NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    item_type text NOT NULL,
    subject text NOT NULL,
    predicate text NOT NULL,
    object text NOT NULL,
    negated boolean NOT NULL,
    content text NOT NULL,
    category text NOT NULL,
    slot text NOT NULL,
    status text NOT NULL,
    stale boolean DEFAULT false NOT NULL,
    confidence real NOT NULL,
    certainty real NOT NULL,
    epistemic_type text,
    provenance jsonb NOT NULL,
    source_sessions uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    superseded_by uuid,
    version integer NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    valid_at timestamp with time zone NOT NULL,
    invalid_at timestamp with time zone,
    last_validated_at timestamp with time zone,
    created_at timestamp with time zone NOT NULL,
    updated_at timestamp with time zone NOT NULL,
    CONSTRAINT memory_items_certainty_check CHECK (((certainty >= (0)::double precision) AND (certainty <= (1)::double precision))),
    CONSTRAINT memory_items_check CHECK (((invalid_at IS NULL) OR (invalid_at >= valid_at))),
    CONSTRAINT memory_items_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT memory_items_epistemic_type_check CHECK ((epistemic_type = ANY (ARRAY['fact'::text, 'opinion'::text, 'preference'::text, 'outdated'::text]))),
    CONSTRAINT memory_items_status_check CHECK ((status = ANY (ARRAY['active'::text, 'superseded'::text, 'retracted'::text, 'archived'::text, 'deleted'::text]))),
    CONSTRAINT memory_items_version_check CHECK ((version >= 1))
);
ALTER TABLE ONLY brain.memory_items FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.memory_receipts (
    tenant_id uuid NOT NULL,
    receipt_id uuid NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid,
    operation_id uuid,
    thread_id text,
    receipt_type text NOT NULL,
    memory_id uuid,
    lane text,
    details jsonb NOT NULL,
    details_schema_version smallint NOT NULL,
    utilized boolean,
    utilization_signal text,
    user_feedback_signal text,
    idempotency_key text,
    created_at timestamp with time zone NOT NULL,
    CONSTRAINT memory_receipts_receipt_type_check CHECK ((receipt_type = ANY (ARRAY['retrieval'::text, 'injection'::text, 'write'::text])))
);
ALTER TABLE ONLY brain.memory_receipts FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.memory_versions (
    tenant_id uuid NOT NULL,
    item_id uuid NOT NULL,
    version integer NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    change text NOT NULL,
    snapshot jsonb NOT NULL,
    reason text NOT NULL,
    operator text NOT NULL,
    trace_id text DEFAULT ''::text NOT NULL,
    recorded_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY brain.memory_versions FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.names (
    tenant_id uuid NOT NULL,
    name_id uuid NOT NULL,
    kind text NOT NULL,
    name text NOT NULL,
    CONSTRAINT names_kind_check CHECK ((kind = ANY (ARRAY['tenant'::text, 'user'::text])))
);
ALTER TABLE ONLY brain.names FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.note_entries (
    tenant_id uuid NOT NULL,
    entry_id uuid NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    document_id uuid NOT NULL,
    recorded_at timestamp with time zone NOT NULL
);
ALTER TABLE ONLY brain.note_entries FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.operations (
    tenant_id uuid NOT NULL,
    operation_id uuid NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    session_id uuid NOT NULL,
    status text DEFAULT 'queued'::text NOT NULL,
    reason text,
    memory_ids uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    created_at timestamp with time zone NOT NULL,
    finished_at timestamp with time zone,
    CONSTRAINT operations_status_check CHECK ((status = ANY (ARRAY['queued'::text, 'stored'::text, 'nothing'::text, 'dead_letter'::text])))
);
ALTER TABLE ONLY brain.operations FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.recall_index (
    tenant_id uuid NOT NULL,
    user_id uuid NOT NULL,
    source_id uuid NOT NULL,
    observed_at timestamp with time zone NOT NULL,
    valid_at timestamp with time zone NOT NULL,
    recorded_at timestamp with time zone NOT NULL,
    confidence real DEFAULT 1 NOT NULL,
    length integer DEFAULT 0 NOT NULL,
    injected_count integer DEFAULT 0 NOT NULL,
    positive_count integer DEFAULT 0 NOT NULL,
    active boolean DEFAULT true NOT NULL,
    verified boolean DEFAULT true NOT NULL,
    staged boolean DEFAULT false NOT NULL,
    asks boolean GENERATED ALWAYS AS ((text ~ '[?？]'::text)) STORED NOT NULL,
    session_id uuid,
    "position" integer,
    invalid_at timestamp with time zone,
    retired_at timestamp with time zone,
    last_validated_at timestamp with time zone,
    scope text NOT NULL,
    lane text NOT NULL,
    embedding_model text DEFAULT 'none'::text NOT NULL,
    speaker text DEFAULT ''::text NOT NULL,
    words integer[] DEFAULT '{}'::integer[] NOT NULL,
    grams integer[] DEFAULT '{}'::integer[] NOT NULL,
    embedding public.halfvec,
    role text DEFAULT 'user'::text NOT NULL,
    category text DEFAULT ''::text NOT NULL,
    provenance text DEFAULT 'observation'::text NOT NULL,
    epistemic_type text,
    derived_from uuid[] DEFAULT '{}'::uuid[] NOT NULL,
    text text NOT NULL,
    written_by xid8 DEFAULT pg_current_xact_id() NOT NULL,
    CONSTRAINT recall_index_check CHECK (((invalid_at IS NULL) OR (invalid_at >= valid_at))),
    CONSTRAINT recall_index_check1 CHECK (((embedding IS NULL) = (embedding_model = 'none'::text))),
    CONSTRAINT recall_index_confidence_check CHECK (((confidence >= (0)::double precision) AND (confidence <= (1)::double precision))),
    CONSTRAINT recall_index_epistemic_type_check CHECK ((epistemic_type = ANY (ARRAY['fact'::text, 'opinion'::text, 'preference'::text, 'outdated'::text]))),
    CONSTRAINT recall_index_lane_check CHECK ((lane = ANY (ARRAY['turn'::text, 'fact'::text, 'summary'::text, 'document'::text]))),
    CONSTRAINT recall_index_provenance_check CHECK ((provenance = ANY (ARRAY['observation'::text, 'analysis'::text, 'confirmed_by_user'::text]))),
    CONSTRAINT recall_index_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text, 'tool'::text, 'system'::text])))
)
WITH (toast_tuple_target='4080');
ALTER TABLE ONLY brain.recall_index FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.recall_removals (
    tenant_id uuid NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    removed_by xid8 DEFAULT pg_current_xact_id() NOT NULL,
    source_id uuid NOT NULL,
    removed_at timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE ONLY brain.recall_removals FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.schema_migrations (
    name text NOT NULL,
    sha256 text NOT NULL,
    applied_at timestamp with time zone DEFAULT now() NOT NULL
);
CREATE TABLE brain.session_summaries (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    block integer NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    text text NOT NULL,
    sources uuid[] NOT NULL,
    created_at timestamp with time zone DEFAULT now() NOT NULL,
    summary_id uuid NOT NULL,
    first_position integer NOT NULL,
    last_position integer NOT NULL,
    started_at timestamp with time zone NOT NULL,
    ended_at timestamp with time zone NOT NULL,
    withdrawn boolean DEFAULT false NOT NULL,
    CONSTRAINT session_summaries_check CHECK ((last_position >= first_position)),
    CONSTRAINT session_summaries_check1 CHECK ((ended_at >= started_at))
);
ALTER TABLE ONLY brain.session_summaries FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.sessions (
    tenant_id uuid NOT NULL,
    session_id uuid NOT NULL,
    scope text NOT NULL,
    user_id uuid NOT NULL,
    name text NOT NULL,
    status text DEFAULT 'active'::text NOT NULL,
    next_position integer DEFAULT 0 NOT NULL,
    entity_slots jsonb DEFAULT '{}'::jsonb NOT NULL,
    started_at timestamp with time zone NOT NULL,
    last_at timestamp with time zone NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    archived_at timestamp with time zone,
    CONSTRAINT sessions_status_check CHECK ((status = ANY (ARRAY['active'::text, 'archived'::text])))
);
ALTER TABLE ONLY brain.sessions FORCE ROW LEVEL SECURITY;
CREATE TABLE brain.token_ledger (
    tenant_id uuid NOT NULL,
    day date NOT NULL,
    purpose text NOT NULL,
    role text NOT NULL,
    part smallint NOT NULL,
    calls bigint NOT NULL,
    estimated_calls bigint NOT NULL,
    input_tokens bigint NOT NULL,
    output_tokens bigint NOT NULL,
    CONSTRAINT token_ledger_part_check CHECK (((part >= 0) AND (part <= 15))),
    CONSTRAINT token_ledger_purpose_check CHECK ((purpose = ANY (ARRAY['turn'::text, 'evolution'::text, 'upkeep'::text]))),
    CONSTRAINT token_ledger_role_check CHECK ((role = ANY (ARRAY['chat'::text, 'fast'::text])))
)
WITH (fillfactor='50');
ALTER TABLE ONLY brain.token_ledger FORCE ROW LEVEL SECURITY;
CREATE TABLE checkpoint.checkpoint_blobs (
    thread_id text NOT NULL,
    checkpoint_ns text DEFAULT ''::text NOT NULL,
    channel text NOT NULL,
    version text NOT NULL,
    type text NOT NULL,
    blob bytea
);
CREATE TABLE checkpoint.checkpoint_migrations (
    v integer NOT NULL
);
CREATE TABLE checkpoint.checkpoint_writes (
    thread_id text NOT NULL,
    checkpoint_ns text DEFAULT ''::text NOT NULL,
    checkpoint_id text NOT NULL,
    task_id text NOT NULL,
    idx integer NOT NULL,
    channel text NOT NULL,
    type text,
    blob bytea NOT NULL,
    task_path text DEFAULT ''::text NOT NULL
);
CREATE TABLE checkpoint.checkpoints (
    thread_id text NOT NULL,
    checkpoint_ns text DEFAULT ''::text NOT NULL,
    checkpoint_id text NOT NULL,
    parent_checkpoint_id text,
    type text,
    checkpoint jsonb NOT NULL,
    metadata jsonb DEFAULT '{}'::jsonb NOT NULL
);
CREATE TABLE queue.job_failures (
    job_id bigint NOT NULL,
    reason text NOT NULL,
    failed_at timestamp with time zone NOT NULL
);
CREATE TABLE queue.procrastinate_events (
    id bigint NOT NULL,
    job_id bigint NOT NULL,
    type queue.procrastinate_job_event_type,
    at timestamp with time zone DEFAULT now()
);
CREATE SEQUENCE queue.procrastinate_events_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE queue.procrastinate_events_id_seq OWNED BY queue.procrastinate_events.id;
CREATE SEQUENCE queue.procrastinate_jobs_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE queue.procrastinate_jobs_id_seq OWNED BY queue.procrastinate_jobs.id;
CREATE TABLE queue.procrastinate_periodic_defers (
    id bigint NOT NULL,
    task_name character varying(128) NOT NULL,
    defer_timestamp bigint,
    job_id bigint,
    periodic_id character varying(128) DEFAULT ''::character varying NOT NULL
);
CREATE SEQUENCE queue.procrastinate_periodic_defers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;
ALTER SEQUENCE queue.procrastinate_periodic_defers_id_seq OWNED BY queue.procrastinate_periodic_defers.id;
CREATE TABLE queue.procrastinate_workers (
    id bigint NOT NULL,
    last_heartbeat timestamp with time zone DEFAULT now() NOT NULL
);
ALTER TABLE queue.procrastinate_workers ALTER COLUMN id ADD GENERATED ALWAYS AS IDENTITY (
    SEQUENCE NAME queue.procrastinate_workers_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);
ALTER TABLE ONLY queue.procrastinate_events ALTER COLUMN id SET DEFAULT nextval('queue.procrastinate_events_id_seq'::regclass);
ALTER TABLE ONLY queue.procrastinate_jobs ALTER COLUMN id SET DEFAULT nextval('queue.procrastinate_jobs_id_seq'::regclass);
ALTER TABLE ONLY queue.procrastinate_periodic_defers ALTER COLUMN id SET DEFAULT nextval('queue.procrastinate_periodic_defers_id_seq'::regclass);
INSERT INTO brain.audit_log (tenant_id, audit_id, scope, user_id, action, source_id, target_id, reason, operator, trace_id, recorded_at) VALUES
	('00000000-0000-0000-0000-00000000000a', 'fedebbf3-d5cf-4cfb-8ea9-5ac8f87dc46c', 'main', '00000000-0000-0000-0000-00000000000b', 'append', NULL, '01a2027f-633f-77ec-a96c-785dc937a23c', 'she said so', 'user', '', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', 'ed9bd463-04bc-4e13-a5df-49949353d345', 'main', '00000000-0000-0000-0000-00000000000b', 'append', NULL, '01a2027f-634c-764f-b579-61e0ade7cf41', 'she said so', 'user', '', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', '74320031-da93-4e04-bfde-08923ab9c1a0', 'main', '00000000-0000-0000-0000-00000000000b', 'supersede', NULL, '01a2027f-6354-7032-bb46-71d5d85e4cdb', 'she said so', 'user', '', '2026-03-01 12:30:00+00'),
	('00000000-0000-0000-0000-00000000000a', '9f806a80-5f07-494e-9845-df2f6944f7cf', 'main', '00000000-0000-0000-0000-00000000000b', 'supersede', '01a2027f-6354-7032-bb46-71d5d85e4cdb', '01a2027f-633f-77ec-a96c-785dc937a23c', 'she said so', 'user', '', '2026-03-01 12:30:00+00'),
	('00000000-0000-0000-0000-00000000000a', 'b92414b6-f5c9-4f93-adf8-ea636ecdfa11', 'main', '00000000-0000-0000-0000-00000000000b', 'append', NULL, '01a2027f-635b-7538-a601-29f1e213e7fa', 'she said so', 'user', '', '2026-03-01 12:41:00+00'),
	('00000000-0000-0000-0000-00000000000a', 'e6c9d4cc-0dd0-419f-8840-5b5261a4f286', 'main', '00000000-0000-0000-0000-00000000000b', 'forget', NULL, '01a2027f-635b-7538-a601-29f1e213e7fa', 'she said so', 'user', '', '2026-03-01 12:42:00+00'),
	('00000000-0000-0000-0000-00000000000a', '8a0f8cf0-0704-4843-b7b6-e29a225d0f7b', 'main', '00000000-0000-0000-0000-00000000000c', 'append', NULL, '01a2027f-63cf-73ca-89e3-d107682bd2c4', 'she said so', 'user', '', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', '40c877ed-7265-4c93-83b0-aaff5be54e35', 'main', '00000000-0000-0000-0000-00000000000c', 'append_conflict', NULL, '01a2027f-63da-7428-8920-1be47ae23357', 'she said so', 'user', '', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', '9d6148a5-9259-4db4-abd5-0961a4df725e', 'main', '00000000-0000-0000-0000-00000000000c', 'document_save', NULL, 'f969fbf5-c4b3-5d49-934a-89f6a39cc272', 'she said so', 'user', '', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', 'fba8b932-f1a1-455e-b74d-7cfec572ca8a', 'main', '00000000-0000-0000-0000-00000000000c', 'document_save', NULL, 'f969fbf5-c4b3-5d49-934a-89f6a39cc272', 'she said so', 'user', '', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', 'e7a219e9-6fb9-40aa-9019-eb4baaad2b51', 'main', '00000000-0000-0000-0000-00000000000c', 'document_append', NULL, 'd84e09c7-1337-5d23-8983-a08a8edcd1e0', 'she said so', 'user', '', '2026-03-01 12:00:00+00');
INSERT INTO brain.conversation_events (tenant_id, event_id, scope, user_id, session_id, "position", operation_id, role, speaker, content, content_schema_version, text, sha256, occurred_at, time_zone, reference, idempotency_key, indexed, recorded_at) VALUES
	('00000000-0000-0000-0000-00000000000a', '83d1e5ef-d136-4f3d-bd19-7ead5ea832bd', 'main', '00000000-0000-0000-0000-00000000000b', 'b18b2522-9193-4666-b965-4c818f736e7e', 0, 'd9bee996-206e-4ee1-85e3-74d7b8472e4d', 'user', 'user', '[{"text": "I live in Paris and I like green tea", "type": "text"}]', 1, 'I live in Paris and I like green tea', '3291bf9b32137c818356b65c46c419b841c427495565bbdcb86da4846341503a', '2026-03-01 12:00:00+00', 'UTC', NULL, 'k-one', true, '2026-11-22 09:03:52.606636+00'),
	('00000000-0000-0000-0000-00000000000a', '78e47827-c2d6-4dcc-b284-1c8cae537b09', 'main', '00000000-0000-0000-0000-00000000000b', 'b18b2522-9193-4666-b965-4c818f736e7e', 1, 'a6337541-3ee6-4a8d-87fb-1e23936f0925', 'user', 'user', '[{"text": "I moved to Lyon", "type": "text"}]', 1, 'I moved to Lyon', 'fc792304fba32316f139f6b504de39b216ba8c6b055f85726c543608cbd047a0', '2026-03-01 12:30:00+00', 'UTC', NULL, NULL, true, '2026-11-22 09:03:52.631305+00'),
	('00000000-0000-0000-0000-00000000000a', 'f5d44897-0507-42bd-bd1a-48808a657090', 'main', '00000000-0000-0000-0000-00000000000b', 'b18b2522-9193-4666-b965-4c818f736e7e', 2, 'a6337541-3ee6-4a8d-87fb-1e23936f0925', 'assistant', 'brain', '[{"text": "Noted: Lyon it is", "type": "text"}]', 1, 'Noted: Lyon it is', '6bba4e5f70ea580de275c8cdd2017124e05167d52074ad66795ecbde48169aa1', '2026-03-01 12:31:00+00', 'UTC', NULL, NULL, true, '2026-11-22 09:03:52.631305+00'),
	('00000000-0000-0000-0000-00000000000a', '2d1b8c7c-ef8f-4ad9-80ce-c070767adb7f', 'main', '00000000-0000-0000-0000-00000000000b', 'b18b2522-9193-4666-b965-4c818f736e7e', 3, 'f7beeeb6-f059-40be-8101-32331c162148', 'user', 'user', '[{"text": "My safe opens with 4711", "type": "text"}]', 1, 'My safe opens with 4711', 'b3677b1673dd6fc7a20407c16a0869c50148860819c5f464e72d0453497a4661', '2026-03-01 12:40:00+00', 'UTC', NULL, NULL, true, '2026-11-22 09:03:52.635694+00'),
	('00000000-0000-0000-0000-00000000000a', '5120149d-fb36-4013-a03f-472d613a5672', 'group:kitchen', '00000000-0000-0000-0000-00000000000b', '0e4c0c6d-83c8-41e5-aaaa-cf1b15501195', 0, 'a6cc28c7-0688-4ee6-acc2-6f0d1de3f60b', 'user', 'user', '[{"text": "We meet on Fridays", "type": "text"}]', 1, 'We meet on Fridays', 'adaf1c2aceaa401ea36a287b856c7230e08678ef38a396b6c2b0922f82019d40', '2026-03-01 12:00:00+00', 'UTC', NULL, NULL, true, '2026-11-22 09:03:52.698101+00'),
	('00000000-0000-0000-0000-00000000000a', '2e86b821-e812-4499-ab7e-14f02e4014c3', 'main', '00000000-0000-0000-0000-00000000000c', 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', 0, 'bf81ea65-bed7-4c79-b318-0a15f244f713', 'user', 'user', '[{"text": "My safe opens with 4711", "type": "text"}]', 1, 'My safe opens with 4711', 'b3677b1673dd6fc7a20407c16a0869c50148860819c5f464e72d0453497a4661', '2026-03-01 12:00:00+00', 'UTC', NULL, NULL, true, '2026-11-22 09:03:52.780264+00'),
	('00000000-0000-0000-0000-00000000000a', 'a519160d-f803-4406-ad2e-6a0ac8fe05c5', 'main', '00000000-0000-0000-0000-00000000000c', 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', 1, '81294758-6a83-4b3b-b150-8d0a43be8fd2', 'user', 'user', '[{"text": "Or was it 4712?", "type": "text"}]', 1, 'Or was it 4712?', 'a713dbd66e519a195b30c96d5a23655bd8754dd4d4180acd10ab27577e3fb4bd', '2026-03-01 12:01:00+00', 'UTC', NULL, NULL, true, '2026-11-22 09:03:52.792774+00'),
	('00000000-0000-0000-0000-00000000000a', '28aa2199-1739-4d00-bc3d-467a4fcda595', 'main', '00000000-0000-0000-0000-00000000000c', 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', 2, 'c67b509a-1190-4077-b730-1355b7ad47f5', 'user', 'user', '[{"text": "Thanks", "type": "text"}]', 1, 'Thanks', 'bb47b8ff5f623996f8f46b80933095a90e29a5bb4442ac09498c9e9e8fc1cbf4', '2026-03-01 12:00:00+00', 'UTC', NULL, NULL, true, '2026-11-22 09:03:52.800013+00');
INSERT INTO brain.document_versions (tenant_id, document_id, version, scope, user_id, front, body, sha256, author, reason, updated_at) VALUES
	('00000000-0000-0000-0000-00000000000a', 'f969fbf5-c4b3-5d49-934a-89f6a39cc272', 1, 'main', '00000000-0000-0000-0000-00000000000c', '{}', 'Has a safe.
', '11e99a59865a9a99e24bd91b20a07fc3487199bfd940fb33160d825a7154e4b6', 'user', 'she said so', '2026-03-01 12:00:00+00');
INSERT INTO brain.documents (tenant_id, document_id, scope, user_id, kind, name, front, body, version, sha256, author, reason, updated_at) VALUES
	('00000000-0000-0000-0000-00000000000a', 'f969fbf5-c4b3-5d49-934a-89f6a39cc272', 'main', '00000000-0000-0000-0000-00000000000c', 'user_profile', 'profile', '{}', 'Has two safes.
', 2, 'e8532a102b93672f3d02602addffa55df2a275ed08f15b293f4b4b1dba71bc63', 'user', 'she said so', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', 'd84e09c7-1337-5d23-8983-a08a8edcd1e0', 'main', '00000000-0000-0000-0000-00000000000c', 'daily_note', '2026-03-01', '{}', '## 12:00 (conversation, scope: main)
A safe.
', 1, '587193793186f7ab3d08e2c78b56fa6c54e0dfba0710f5d1da5a200c8f6ce711', 'user', 'she said so', '2026-03-01 12:00:00+00');
INSERT INTO brain.memory_citations (tenant_id, item_id, event_id, span_start, span_end, sha256, scope, user_id) VALUES
	('00000000-0000-0000-0000-00000000000a', '01a2027f-633f-77ec-a96c-785dc937a23c', '83d1e5ef-d136-4f3d-bd19-7ead5ea832bd', 0, 15, '3291bf9b32137c818356b65c46c419b841c427495565bbdcb86da4846341503a', 'main', '00000000-0000-0000-0000-00000000000b'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-634c-764f-b579-61e0ade7cf41', '83d1e5ef-d136-4f3d-bd19-7ead5ea832bd', 20, 36, '3291bf9b32137c818356b65c46c419b841c427495565bbdcb86da4846341503a', 'main', '00000000-0000-0000-0000-00000000000b'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-6354-7032-bb46-71d5d85e4cdb', '78e47827-c2d6-4dcc-b284-1c8cae537b09', 0, 15, 'fc792304fba32316f139f6b504de39b216ba8c6b055f85726c543608cbd047a0', 'main', '00000000-0000-0000-0000-00000000000b'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-635b-7538-a601-29f1e213e7fa', '2d1b8c7c-ef8f-4ad9-80ce-c070767adb7f', 0, 23, 'b3677b1673dd6fc7a20407c16a0869c50148860819c5f464e72d0453497a4661', 'main', '00000000-0000-0000-0000-00000000000b'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-63cf-73ca-89e3-d107682bd2c4', '2e86b821-e812-4499-ab7e-14f02e4014c3', 19, 23, 'b3677b1673dd6fc7a20407c16a0869c50148860819c5f464e72d0453497a4661', 'main', '00000000-0000-0000-0000-00000000000c'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-63da-7428-8920-1be47ae23357', 'a519160d-f803-4406-ad2e-6a0ac8fe05c5', 10, 14, 'a713dbd66e519a195b30c96d5a23655bd8754dd4d4180acd10ab27577e3fb4bd', 'main', '00000000-0000-0000-0000-00000000000c');
INSERT INTO brain.memory_conflicts (tenant_id, conflict_id, scope, user_id, kind, held_id, new_id, status, opened_at, opened_by, settled_at, settled_by) VALUES
	('00000000-0000-0000-0000-00000000000a', '01a2027f-63db-7360-a6e0-49075b313c97', 'main', '00000000-0000-0000-0000-00000000000c', 'inconsistent', '01a2027f-63cf-73ca-89e3-d107682bd2c4', '01a2027f-63da-7428-8920-1be47ae23357', 'open', '2026-03-01 12:00:00+00', 'user', NULL, NULL);
INSERT INTO brain.memory_items (tenant_id, item_id, scope, user_id, item_type, subject, predicate, object, negated, content, category, slot, status, stale, confidence, certainty, epistemic_type, provenance, source_sessions, superseded_by, version, observed_at, valid_at, invalid_at, last_validated_at, created_at, updated_at) VALUES
	('00000000-0000-0000-0000-00000000000a', '01a2027f-634c-764f-b579-61e0ade7cf41', 'main', '00000000-0000-0000-0000-00000000000b', 'preference', 'user', 'likes', 'green tea', false, 'The user likes green tea', 'drink', 'user|likes', 'active', false, 0.9, 0.9, NULL, '{"level": "confirmed_by_user", "events": ["83d1e5ef-d136-4f3d-bd19-7ead5ea832bd"]}', '{}', NULL, 1, '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', NULL, '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-6354-7032-bb46-71d5d85e4cdb', 'main', '00000000-0000-0000-0000-00000000000b', 'preference', 'user', 'likes', 'Lyon', false, 'The user lives in Lyon', 'home', 'user|lives_in', 'active', false, 0.9, 0.9, NULL, '{"level": "confirmed_by_user", "events": ["78e47827-c2d6-4dcc-b284-1c8cae537b09"]}', '{}', NULL, 1, '2026-03-01 12:30:00+00', '2026-03-01 12:30:00+00', NULL, '2026-03-01 12:30:00+00', '2026-03-01 12:30:00+00', '2026-03-01 12:30:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-633f-77ec-a96c-785dc937a23c', 'main', '00000000-0000-0000-0000-00000000000b', 'preference', 'user', 'likes', 'Paris', false, 'The user lives in Paris', 'home', 'user|lives_in', 'superseded', false, 0.9, 0.9, NULL, '{"level": "confirmed_by_user", "events": ["83d1e5ef-d136-4f3d-bd19-7ead5ea832bd"]}', '{}', '01a2027f-6354-7032-bb46-71d5d85e4cdb', 2, '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:30:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:30:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-635b-7538-a601-29f1e213e7fa', 'main', '00000000-0000-0000-0000-00000000000b', 'preference', 'user', 'likes', '4711', false, 'The user''s safe opens with 4711', 'home', 'user|safe', 'deleted', false, 0.9, 0.9, NULL, '{"level": "confirmed_by_user", "events": ["2d1b8c7c-ef8f-4ad9-80ce-c070767adb7f"]}', '{}', NULL, 2, '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:42:00+00', '2026-03-01 12:41:00+00', '2026-03-01 12:41:00+00', '2026-03-01 12:42:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-63cf-73ca-89e3-d107682bd2c4', 'main', '00000000-0000-0000-0000-00000000000c', 'preference', 'user', 'likes', '4711', false, 'The user likes 4711', 'drink', 'user|safe', 'active', false, 0.9, 0.9, NULL, '{"level": "confirmed_by_user", "events": ["2e86b821-e812-4499-ab7e-14f02e4014c3"]}', '{}', NULL, 1, '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', NULL, '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-63da-7428-8920-1be47ae23357', 'main', '00000000-0000-0000-0000-00000000000c', 'preference', 'user', 'likes', '4712', false, 'The user likes 4712', 'drink', 'user|safe', 'active', false, 0.6, 0.9, NULL, '{"level": "observation", "events": ["a519160d-f803-4406-ad2e-6a0ac8fe05c5"]}', '{}', NULL, 1, '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', NULL, NULL, '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00');
INSERT INTO brain.memory_receipts (tenant_id, receipt_id, scope, user_id, session_id, operation_id, thread_id, receipt_type, memory_id, lane, details, details_schema_version, utilized, utilization_signal, user_feedback_signal, idempotency_key, created_at) VALUES
	('00000000-0000-0000-0000-00000000000a', '01a2027f-6340-7514-93de-204d285a51b8', 'main', '00000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, 'write', '01a2027f-633f-77ec-a96c-785dc937a23c', 'fact', '{"action": "append", "status": "accepted"}', 3, NULL, NULL, NULL, 'w1', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-634c-764f-b579-61e178e75ac3', 'main', '00000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, 'write', '01a2027f-634c-764f-b579-61e0ade7cf41', 'fact', '{"action": "append", "status": "accepted"}', 3, NULL, NULL, NULL, 'w2', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-6355-738a-9007-812fb6086c84', 'main', '00000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, 'write', '01a2027f-6354-7032-bb46-71d5d85e4cdb', 'fact', '{"action": "supersede", "status": "accepted"}', 3, NULL, NULL, NULL, 'w3', '2026-03-01 12:30:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-635c-7517-9bce-c41cd973b17f', 'main', '00000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, 'write', '01a2027f-635b-7538-a601-29f1e213e7fa', 'fact', '{"action": "append", "status": "accepted"}', 3, NULL, NULL, NULL, 'w4', '2026-03-01 12:41:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-636d-71db-90e8-1157b5782dd5', 'main', '00000000-0000-0000-0000-00000000000b', NULL, NULL, NULL, 'write', '01a2027f-635b-7538-a601-29f1e213e7fa', 'fact', '{"action": "forget", "status": "accepted"}', 3, NULL, NULL, NULL, 'f1', '2026-03-01 12:42:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-63cf-73ca-89e3-d1080637c595', 'main', '00000000-0000-0000-0000-00000000000c', NULL, NULL, NULL, 'write', '01a2027f-63cf-73ca-89e3-d107682bd2c4', 'fact', '{"action": "append", "status": "accepted"}', 3, NULL, NULL, NULL, '4711', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-63db-7360-a6e0-49062e3d97d8', 'main', '00000000-0000-0000-0000-00000000000c', NULL, NULL, NULL, 'write', '01a2027f-63da-7428-8920-1be47ae23357', 'fact', '{"action": "append_conflict", "status": "accepted"}', 3, NULL, NULL, NULL, '4712', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', '9483788e-4886-47b4-9275-02da189d43a5', 'main', '00000000-0000-0000-0000-00000000000c', 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', 'c67b509a-1190-4077-b730-1355b7ad47f5', NULL, 'injection', '01a2027f-63cf-73ca-89e3-d107682bd2c4', 'fact', '{"text": "tea", "candidate_score": 0.5, "context_position": 0}', 3, false, NULL, NULL, NULL, '2026-03-01 12:00:00+00');
INSERT INTO brain.memory_versions (tenant_id, item_id, version, scope, user_id, change, snapshot, reason, operator, trace_id, recorded_at) VALUES
	('00000000-0000-0000-0000-00000000000a', '01a2027f-633f-77ec-a96c-785dc937a23c', 1, 'main', '00000000-0000-0000-0000-00000000000b', 'create', '{"slot": "user|lives_in", "stale": false, "object": "Paris", "status": "active", "content": "The user lives in Paris", "negated": false, "subject": "user", "user_id": "00000000-0000-0000-0000-00000000000b", "version": 1, "category": "home", "valid_at": "2026-03-01T12:00:00+00:00", "certainty": 0.9, "memory_id": "01a2027f-633f-77ec-a96c-785dc937a23c", "predicate": "likes", "confidence": 0.9, "created_at": "2026-03-01T12:00:00+00:00", "invalid_at": null, "provenance": {"level": "confirmed_by_user", "events": ["83d1e5ef-d136-4f3d-bd19-7ead5ea832bd"]}, "updated_at": "2026-03-01T12:00:00+00:00", "memory_type": "preference", "observed_at": "2026-03-01T12:00:00+00:00", "superseded_by": null, "epistemic_type": null, "source_sessions": [], "last_validated_at": "2026-03-01T12:00:00+00:00"}', 'she said so', 'user', '', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-634c-764f-b579-61e0ade7cf41', 1, 'main', '00000000-0000-0000-0000-00000000000b', 'create', '{"slot": "user|likes", "stale": false, "object": "green tea", "status": "active", "content": "The user likes green tea", "negated": false, "subject": "user", "user_id": "00000000-0000-0000-0000-00000000000b", "version": 1, "category": "drink", "valid_at": "2026-03-01T12:00:00+00:00", "certainty": 0.9, "memory_id": "01a2027f-634c-764f-b579-61e0ade7cf41", "predicate": "likes", "confidence": 0.9, "created_at": "2026-03-01T12:00:00+00:00", "invalid_at": null, "provenance": {"level": "confirmed_by_user", "events": ["83d1e5ef-d136-4f3d-bd19-7ead5ea832bd"]}, "updated_at": "2026-03-01T12:00:00+00:00", "memory_type": "preference", "observed_at": "2026-03-01T12:00:00+00:00", "superseded_by": null, "epistemic_type": null, "source_sessions": [], "last_validated_at": "2026-03-01T12:00:00+00:00"}', 'she said so', 'user', '', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-6354-7032-bb46-71d5d85e4cdb', 1, 'main', '00000000-0000-0000-0000-00000000000b', 'create', '{"slot": "user|lives_in", "stale": false, "object": "Lyon", "status": "active", "content": "The user lives in Lyon", "negated": false, "subject": "user", "user_id": "00000000-0000-0000-0000-00000000000b", "version": 1, "category": "home", "valid_at": "2026-03-01T12:30:00+00:00", "certainty": 0.9, "memory_id": "01a2027f-6354-7032-bb46-71d5d85e4cdb", "predicate": "likes", "confidence": 0.9, "created_at": "2026-03-01T12:30:00+00:00", "invalid_at": null, "provenance": {"level": "confirmed_by_user", "events": ["78e47827-c2d6-4dcc-b284-1c8cae537b09"]}, "updated_at": "2026-03-01T12:30:00+00:00", "memory_type": "preference", "observed_at": "2026-03-01T12:30:00+00:00", "superseded_by": null, "epistemic_type": null, "source_sessions": [], "last_validated_at": "2026-03-01T12:30:00+00:00"}', 'she said so', 'user', '', '2026-03-01 12:30:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-633f-77ec-a96c-785dc937a23c', 2, 'main', '00000000-0000-0000-0000-00000000000b', 'supersede', '{"slot": "user|lives_in", "stale": false, "object": "Paris", "status": "superseded", "content": "The user lives in Paris", "negated": false, "subject": "user", "user_id": "00000000-0000-0000-0000-00000000000b", "version": 2, "category": "home", "valid_at": "2026-03-01T12:00:00+00:00", "certainty": 0.9, "memory_id": "01a2027f-633f-77ec-a96c-785dc937a23c", "predicate": "likes", "confidence": 0.9, "created_at": "2026-03-01T12:00:00+00:00", "invalid_at": "2026-03-01T12:30:00+00:00", "provenance": {"level": "confirmed_by_user", "events": ["83d1e5ef-d136-4f3d-bd19-7ead5ea832bd"]}, "updated_at": "2026-03-01T12:30:00+00:00", "memory_type": "preference", "observed_at": "2026-03-01T12:00:00+00:00", "superseded_by": "01a2027f-6354-7032-bb46-71d5d85e4cdb", "epistemic_type": null, "source_sessions": [], "last_validated_at": "2026-03-01T12:00:00+00:00"}', 'she said so', 'user', '', '2026-03-01 12:30:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-635b-7538-a601-29f1e213e7fa', 1, 'main', '00000000-0000-0000-0000-00000000000b', 'create', '{"slot": "user|safe", "stale": false, "object": "4711", "status": "active", "content": "The user''s safe opens with 4711", "negated": false, "subject": "user", "user_id": "00000000-0000-0000-0000-00000000000b", "version": 1, "category": "home", "valid_at": "2026-03-01T12:00:00+00:00", "certainty": 0.9, "memory_id": "01a2027f-635b-7538-a601-29f1e213e7fa", "predicate": "likes", "confidence": 0.9, "created_at": "2026-03-01T12:41:00+00:00", "invalid_at": null, "provenance": {"level": "confirmed_by_user", "events": ["2d1b8c7c-ef8f-4ad9-80ce-c070767adb7f"]}, "updated_at": "2026-03-01T12:41:00+00:00", "memory_type": "preference", "observed_at": "2026-03-01T12:00:00+00:00", "superseded_by": null, "epistemic_type": null, "source_sessions": [], "last_validated_at": "2026-03-01T12:41:00+00:00"}', 'she said so', 'user', '', '2026-03-01 12:41:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-635b-7538-a601-29f1e213e7fa', 2, 'main', '00000000-0000-0000-0000-00000000000b', 'forget', '{"slot": "user|safe", "stale": false, "object": "4711", "status": "deleted", "content": "The user''s safe opens with 4711", "negated": false, "subject": "user", "user_id": "00000000-0000-0000-0000-00000000000b", "version": 2, "category": "home", "valid_at": "2026-03-01T12:00:00+00:00", "certainty": 0.9, "memory_id": "01a2027f-635b-7538-a601-29f1e213e7fa", "predicate": "likes", "confidence": 0.9, "created_at": "2026-03-01T12:41:00+00:00", "invalid_at": "2026-03-01T12:42:00+00:00", "provenance": {"level": "confirmed_by_user", "events": ["2d1b8c7c-ef8f-4ad9-80ce-c070767adb7f"]}, "updated_at": "2026-03-01T12:42:00+00:00", "memory_type": "preference", "observed_at": "2026-03-01T12:00:00+00:00", "superseded_by": null, "epistemic_type": null, "source_sessions": [], "last_validated_at": "2026-03-01T12:41:00+00:00"}', 'she said so', 'user', '', '2026-03-01 12:42:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-63cf-73ca-89e3-d107682bd2c4', 1, 'main', '00000000-0000-0000-0000-00000000000c', 'create', '{"slot": "user|safe", "stale": false, "object": "4711", "status": "active", "content": "The user likes 4711", "negated": false, "subject": "user", "user_id": "00000000-0000-0000-0000-00000000000c", "version": 1, "category": "drink", "valid_at": "2026-03-01T12:00:00+00:00", "certainty": 0.9, "memory_id": "01a2027f-63cf-73ca-89e3-d107682bd2c4", "predicate": "likes", "confidence": 0.9, "created_at": "2026-03-01T12:00:00+00:00", "invalid_at": null, "provenance": {"level": "confirmed_by_user", "events": ["2e86b821-e812-4499-ab7e-14f02e4014c3"]}, "updated_at": "2026-03-01T12:00:00+00:00", "memory_type": "preference", "observed_at": "2026-03-01T12:00:00+00:00", "superseded_by": null, "epistemic_type": null, "source_sessions": [], "last_validated_at": "2026-03-01T12:00:00+00:00"}', 'she said so', 'user', '', '2026-03-01 12:00:00+00'),
	('00000000-0000-0000-0000-00000000000a', '01a2027f-63da-7428-8920-1be47ae23357', 1, 'main', '00000000-0000-0000-0000-00000000000c', 'create', '{"slot": "user|safe", "stale": false, "object": "4712", "status": "active", "content": "The user likes 4712", "negated": false, "subject": "user", "user_id": "00000000-0000-0000-0000-00000000000c", "version": 1, "category": "drink", "valid_at": "2026-03-01T12:00:00+00:00", "certainty": 0.9, "memory_id": "01a2027f-63da-7428-8920-1be47ae23357", "predicate": "likes", "confidence": 0.6, "created_at": "2026-03-01T12:00:00+00:00", "invalid_at": null, "provenance": {"level": "observation", "events": ["a519160d-f803-4406-ad2e-6a0ac8fe05c5"]}, "updated_at": "2026-03-01T12:00:00+00:00", "memory_type": "preference", "observed_at": "2026-03-01T12:00:00+00:00", "superseded_by": null, "epistemic_type": null, "source_sessions": [], "last_validated_at": null}', 'she said so', 'user', '', '2026-03-01 12:00:00+00');
INSERT INTO brain.names (tenant_id, name_id, kind, name) VALUES
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000a', 'tenant', 'acme'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000b', 'user', 'ann'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000c', 'user', 'ann');
INSERT INTO brain.note_entries (tenant_id, entry_id, scope, user_id, document_id, recorded_at) VALUES
	('00000000-0000-0000-0000-00000000000a', 'ba68ed43-237b-502c-b4d3-97d1c1beb9d5', 'main', '00000000-0000-0000-0000-00000000000c', 'd84e09c7-1337-5d23-8983-a08a8edcd1e0', '2026-03-01 12:00:00+00');
INSERT INTO brain.operations (tenant_id, operation_id, scope, user_id, session_id, status, reason, memory_ids, created_at, finished_at) VALUES
	('00000000-0000-0000-0000-00000000000a', 'd9bee996-206e-4ee1-85e3-74d7b8472e4d', 'main', '00000000-0000-0000-0000-00000000000b', 'b18b2522-9193-4666-b965-4c818f736e7e', 'queued', NULL, '{}', '2026-03-01 12:00:00+00', NULL),
	('00000000-0000-0000-0000-00000000000a', 'a6337541-3ee6-4a8d-87fb-1e23936f0925', 'main', '00000000-0000-0000-0000-00000000000b', 'b18b2522-9193-4666-b965-4c818f736e7e', 'queued', NULL, '{}', '2026-03-01 12:31:00+00', NULL),
	('00000000-0000-0000-0000-00000000000a', 'f7beeeb6-f059-40be-8101-32331c162148', 'main', '00000000-0000-0000-0000-00000000000b', 'b18b2522-9193-4666-b965-4c818f736e7e', 'queued', NULL, '{}', '2026-03-01 12:40:00+00', NULL),
	('00000000-0000-0000-0000-00000000000a', 'a6cc28c7-0688-4ee6-acc2-6f0d1de3f60b', 'group:kitchen', '00000000-0000-0000-0000-00000000000b', '0e4c0c6d-83c8-41e5-aaaa-cf1b15501195', 'queued', NULL, '{}', '2026-03-01 12:00:00+00', NULL),
	('00000000-0000-0000-0000-00000000000a', 'bf81ea65-bed7-4c79-b318-0a15f244f713', 'main', '00000000-0000-0000-0000-00000000000c', 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', 'queued', NULL, '{}', '2026-03-01 12:00:00+00', NULL),
	('00000000-0000-0000-0000-00000000000a', '81294758-6a83-4b3b-b150-8d0a43be8fd2', 'main', '00000000-0000-0000-0000-00000000000c', 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', 'queued', NULL, '{}', '2026-03-01 12:01:00+00', NULL),
	('00000000-0000-0000-0000-00000000000a', 'c67b509a-1190-4077-b730-1355b7ad47f5', 'main', '00000000-0000-0000-0000-00000000000c', 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', 'queued', NULL, '{}', '2026-03-01 12:00:00+00', NULL);
INSERT INTO brain.recall_index (tenant_id, user_id, source_id, observed_at, valid_at, recorded_at, confidence, length, injected_count, positive_count, active, verified, staged, session_id, "position", invalid_at, retired_at, last_validated_at, scope, lane, embedding_model, speaker, words, grams, embedding, role, category, provenance, epistemic_type, derived_from, text, written_by) VALUES
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000b', '83d1e5ef-d136-4f3d-bd19-7ead5ea832bd', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', 1, 9, 0, 0, true, true, false, 'b18b2522-9193-4666-b965-4c818f736e7e', 0, NULL, NULL, NULL, 'main', 'turn', 'none', 'user', '{-1051483310,-628590204,-526174808,133827628,284633263,1044369230,1194983422,1669455271,1810349757}', '{-1316654444,-427892138,1255146292,1913162759}', NULL, 'user', '', 'observation', NULL, '{}', 'I live in Paris and I like green tea', '3588'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000b', 'f5d44897-0507-42bd-bd1a-48808a657090', '2026-03-01 12:31:00+00', '2026-03-01 12:31:00+00', '2026-03-01 12:31:00+00', 1, 6, 0, 0, true, true, false, 'b18b2522-9193-4666-b965-4c818f736e7e', 2, NULL, NULL, NULL, 'main', 'turn', 'none', 'brain', '{-1567811083,-628590204,284633263,785063086,1688626316,1810349757}', '{-1339853722,-642487337,730334709,759833372}', NULL, 'assistant', '', 'observation', NULL, '{}', 'Noted: Lyon it is', '3590'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000b', '01a2027f-6354-7032-bb46-71d5d85e4cdb', '2026-03-01 12:30:00+00', '2026-03-01 12:30:00+00', '2026-03-01 12:30:00+00', 0.9, 5, 0, 0, true, true, false, NULL, NULL, NULL, NULL, '2026-03-01 12:30:00+00', 'main', 'fact', 'none', 'user', '{-1051483310,-526174808,484896561,785063086,1044369230}', '{-2005521047,-1873275087,-1668801206,-211911704}', NULL, 'user', 'home', 'confirmed_by_user', NULL, '{78e47827-c2d6-4dcc-b284-1c8cae537b09}', 'The user lives in Lyon', '3594'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000b', '5120149d-fb36-4013-a03f-472d613a5672', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', 1, 6, 0, 0, true, true, false, '0e4c0c6d-83c8-41e5-aaaa-cf1b15501195', 0, NULL, NULL, NULL, 'group:kitchen', 'turn', 'none', 'user', '{-2067386321,-824923617,-628590204,-526174808,284633263,1810349757}', '{-2063459044,-1175366520,-222930509}', NULL, 'user', '', 'observation', NULL, '{}', 'We meet on Fridays', '3597'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000c', '2e86b821-e812-4499-ab7e-14f02e4014c3', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', 1, 7, 0, 0, true, true, false, 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', 0, NULL, NULL, NULL, 'main', 'turn', 'none', 'user', '{-2053462122,-918527931,-628590204,-526174808,284633263,1810349757,1922354030}', '{-1918877266,1492382110}', NULL, 'user', '', 'observation', NULL, '{}', 'My safe opens with 4711', '3608'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000c', '01a2027f-63cf-73ca-89e3-d107682bd2c4', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', 0.9, 5, 0, 0, true, true, false, NULL, NULL, NULL, NULL, '2026-03-01 12:00:00+00', 'main', 'fact', 'none', 'user', '{-2053462122,-1051483310,-622943524,-526174808}', '{-1668801206,-1166704410,-393455577,-211911704}', NULL, 'user', 'drink', 'confirmed_by_user', NULL, '{2e86b821-e812-4499-ab7e-14f02e4014c3}', 'The user likes 4711', '3610'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000c', 'a519160d-f803-4406-ad2e-6a0ac8fe05c5', '2026-03-01 12:01:00+00', '2026-03-01 12:01:00+00', '2026-03-01 12:01:00+00', 1, 5, 0, 0, true, true, false, 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', 1, NULL, NULL, NULL, 'main', 'turn', 'none', 'user', '{-628590204,-526174808,284633263,479458860,1810349757}', '{}', NULL, 'user', '', 'observation', NULL, '{}', 'Or was it 4712?', '3611'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000c', '01a2027f-63da-7428-8920-1be47ae23357', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', 0.6, 5, 0, 0, true, true, false, NULL, NULL, NULL, NULL, NULL, 'main', 'fact', 'none', 'user', '{-1051483310,-622943524,-526174808,479458860}', '{-1668801206,-1166704410,-393455577,-211911704}', NULL, 'user', 'drink', 'observation', NULL, '{a519160d-f803-4406-ad2e-6a0ac8fe05c5}', 'The user likes 4712', '3612'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000c', '28aa2199-1739-4d00-bc3d-467a4fcda595', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', 1, 5, 0, 0, true, true, false, 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', 2, NULL, NULL, NULL, 'main', 'turn', 'none', 'user', '{-1953901795,-628590204,-526174808,284633263,1810349757}', '{-650396060,413487487}', NULL, 'user', '', 'observation', NULL, '{}', 'Thanks', '3613'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000c', '66f3a88e-9cd3-550c-aede-496bbd4fcf06', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', 0.8, 1, 0, 0, true, true, false, 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', NULL, NULL, NULL, NULL, 'main', 'summary', 'none', 'summary', '{1922354030}', '{}', NULL, 'assistant', 'conversation', 'analysis', NULL, '{2e86b821-e812-4499-ab7e-14f02e4014c3}', 'A safe', '3614'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000c', '248e2a30-16ea-5be6-a8f8-5da54c3fb61e', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', 0.8, 2, 0, 0, true, true, false, NULL, NULL, NULL, NULL, NULL, 'main', 'document', 'none', 'profile', '{-53641101,1922354030}', '{1373939446,1380739344}', NULL, 'assistant', 'user_profile', 'analysis', NULL, '{}', 'Has two safes.', '3616'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000c', '9243ce9f-6b72-5ad2-b916-c07d62738909', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', 0.8, 7, 0, 0, true, true, false, NULL, NULL, NULL, NULL, NULL, 'main', 'document', 'none', '2026-03-01', '{-770167163,-680191323,-674252834,-254119603,121819669,131014944,1922354030}', '{-1678773473,-567119908,-206737477,-151862613,430355254,705918142,928843447}', NULL, 'assistant', 'daily_note', 'analysis', NULL, '{}', '12:00 (conversation, scope: main)
A safe.', '3617'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000b', '01a2027f-633f-77ec-a96c-785dc937a23c', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', 0.9, 5, 0, 0, false, true, false, NULL, NULL, '2026-03-01 12:30:00+00', '2026-03-01 12:30:00+00', '2026-03-01 12:00:00+00', 'main', 'fact', 'test:two', 'user', '{-1051483310,-526174808,484896561,1044369230,1194983422}', '{-2005521047,-1873275087,-1668801206,-427892138,-211911704,1255146292}', '[1,0]', 'user', 'home', 'confirmed_by_user', NULL, '{83d1e5ef-d136-4f3d-bd19-7ead5ea832bd}', 'The user lives in Paris', '3618'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000b', '01a2027f-634c-764f-b579-61e0ade7cf41', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', 0.9, 6, 0, 0, true, true, false, NULL, NULL, NULL, NULL, '2026-03-01 12:00:00+00', 'main', 'fact', 'test:two', 'user', '{-1051483310,-622943524,-526174808,133827628,1669455271}', '{-1668801206,-1316654444,-1166704410,-393455577,-211911704,1913162759}', '[1,0]', 'user', 'drink', 'confirmed_by_user', NULL, '{83d1e5ef-d136-4f3d-bd19-7ead5ea832bd}', 'The user likes green tea', '3618'),
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-00000000000b', '78e47827-c2d6-4dcc-b284-1c8cae537b09', '2026-03-01 12:30:00+00', '2026-03-01 12:30:00+00', '2026-03-01 12:30:00+00', 1, 6, 3, 2, true, true, false, 'b18b2522-9193-4666-b965-4c818f736e7e', 1, NULL, NULL, NULL, 'main', 'turn', 'none', 'user', '{-2112957287,-628590204,-526174808,284633263,785063086,1810349757}', '{-943662464,785315698}', NULL, 'user', '', 'observation', NULL, '{}', 'I moved to Lyon', '3619');
INSERT INTO brain.recall_removals (tenant_id, scope, user_id, removed_by, source_id, removed_at) VALUES
	('00000000-0000-0000-0000-00000000000a', 'main', '00000000-0000-0000-0000-00000000000b', '3596', '01a2027f-635b-7538-a601-29f1e213e7fa', '2026-11-22 09:03:52.671695+00'),
	('00000000-0000-0000-0000-00000000000a', 'main', '00000000-0000-0000-0000-00000000000b', '3596', '2d1b8c7c-ef8f-4ad9-80ce-c070767adb7f', '2026-11-22 09:03:52.671695+00'),
	('00000000-0000-0000-0000-00000000000a', 'main', '00000000-0000-0000-0000-00000000000c', '3616', '0336e803-b2f6-5dd1-9d91-f04ca3ebacc6', '2026-11-22 09:03:52.807737+00');
INSERT INTO brain.schema_migrations (name, sha256, applied_at) VALUES
	('queue/00.00.00_01_initial.sql', '6d7ba94c51af22f6cf437e01774a2de4d98666886f9c0597bfb24deb86546dfa', '2026-11-22 09:03:52.355343+00'),
	('queue/00.05.00_01_drop_started_at_column.sql', '8c36c1cbb9c2c2c4e29996d0839cfc0e674638dd59da73d22d5883a66c94a6d8', '2026-11-22 09:03:52.355343+00'),
	('queue/00.05.00_02_drop_started_at_column.sql', '62fab33b3996ef2bfab09a0502318c51cae1a186db58a2d803e1c341fcf6a149', '2026-11-22 09:03:52.355343+00'),
	('queue/00.05.00_03_drop_procrastinate_version_table.sql', 'e43a1e3cec48cf071140edce6828107b43ca6b7cfa8ae9dcd527a6fa99e40236', '2026-11-22 09:03:52.355343+00'),
	('queue/00.06.00_01_fix_procrastinate_fetch_job.sql', '4dac8738ebebc78b890b56db631018a3cd74089fc3a0e6004aaf7c6252779169', '2026-11-22 09:03:52.355343+00'),
	('queue/00.07.01_01_fix_trigger_status_events_insert.sql', 'e40c589ce32d0b3a0cc5d6b667da42f0fef066e51e6907fad196b1d8b83c9149', '2026-11-22 09:03:52.355343+00'),
	('queue/00.08.01_01_add_queueing_lock_column.sql', 'c8896579a44c9f258309f96c76b8c9415e1766dedfc4a8ca9158094438e6085b', '2026-11-22 09:03:52.355343+00'),
	('queue/00.10.00_01_close_fetch_job_race_condition.sql', '0be9e8dfa820f435482a2066fc68e6f44f92d7ca9a90226443c4be448de0fc32', '2026-11-22 09:03:52.355343+00'),
	('queue/00.10.00_02_add_defer_job_function.sql', 'f49362754442068426b66872cd7f15bb1a9610909a5e8539edbccce79a78c8e8', '2026-11-22 09:03:52.355343+00'),
	('queue/00.11.00_03_add_procrastinate_periodic_defers.sql', '9cf251e931e905ce31d4e5b8bebea220c035b255e3ec0046ba7659d2a6ee9cb6', '2026-11-22 09:03:52.355343+00'),
	('queue/00.12.00_01_add_foreign_key_index.sql', 'd4b44b60e1c79891a52145a9804d1f942cdfb6c8717d575ef2b3fec26b70224f', '2026-11-22 09:03:52.355343+00'),
	('queue/00.14.00_01_add_locks_to_periodic_defer.sql', '7150bc363db295dd7f7114ceab63ae7d52dfece3b91b1735546e64f7b22c1638', '2026-11-22 09:03:52.355343+00'),
	('queue/00.15.02_01_fix_procrastinate_defer_periodic_job.sql', 'cee1ba5828128ff062cd73a7505e5f5a827aea9d09131049cdde8ed32af767f1', '2026-11-22 09:03:52.355343+00'),
	('queue/00.16.00_01_add_finish_job_and_retry_job_functions.sql', 'adc143a05e5d53d4e32513cfe389a6201cc47a8169723f7135429109d8b41264', '2026-11-22 09:03:52.355343+00'),
	('queue/00.17.00_01_add_trigger_on_job_deletion.sql', 'a5c49223abe0566e2952013d16089ffc3b29c1238642341632a3e245f22f0b92', '2026-11-22 09:03:52.355343+00'),
	('queue/00.17.00_02_delete_finished_jobs.sql', 'd777d6c03fab2e590f6ac5144ac7401762bb2ba1c2b83504392638427e556242', '2026-11-22 09:03:52.355343+00'),
	('queue/00.17.00_03_add_checks_to_finish_job.sql', '989c1d0a968ebc0f7a33bebfcab41c0e41fcbf4629d6ed67e40d32d0a5b31201', '2026-11-22 09:03:52.355343+00'),
	('queue/00.17.00_04_add_checks_to_retry_job.sql', '588340629e015ef0fef21d702a64b3031fe449d9676474850ca4425dc63fcd87', '2026-11-22 09:03:52.355343+00'),
	('queue/00.18.01_01_fix_finish_job_compat_issue.sql', '046d1a97cbf2d9fbfbb0fb3a1dd6dc271f0267e55843566acc1cee86eab41288', '2026-11-22 09:03:52.355343+00'),
	('queue/00.19.00_01_add_index_on_procrastinate_jobs.sql', '3a424d244f9af480f581b493c5d93fea60b03540e369797294518f128c9e6360', '2026-11-22 09:03:52.355343+00'),
	('queue/00.22.00_01_add_kwargs_to_defer_periodic_job.sql', 'ba2e550f46f912b420aec63b46462ede8291b66552369df567dc0b36360eae3f', '2026-11-22 09:03:52.355343+00'),
	('queue/00.23.00_01_null_locks_excluded.sql', '24c853edc002f63535d87bbc7bba5093f4e26bc7844b504c0786242aea698c16', '2026-11-22 09:03:52.355343+00'),
	('queue/01.00.00_01_remove_old_finish_job_function.sql', '2665cd1782a2ecb93a7f95e7bf4867335886d31f26acc15fc97be7c8957ae323', '2026-11-22 09:03:52.355343+00'),
	('queue/01.01.01_01_job_id_bigint.sql', '223e3f20475bc76efe3e00509f9ba2d8610e27a77da72a5fcb7dbc4bec357a8b', '2026-11-22 09:03:52.355343+00'),
	('queue/02.00.03_01_add_job_priority.sql', '34aa498b770d1f6a1bdda291a45866dae7cc2cb509f19d8e0445788b91191142', '2026-11-22 09:03:52.355343+00'),
	('queue/02.05.00_01_add_periodic_job_priority.sql', '997a8b9d61c5c93752521f7dd52c87799752fe2e0396b3f636c413b23c778280', '2026-11-22 09:03:52.355343+00'),
	('queue/02.06.00_01_add_cancel_states.sql', '28e8be115842d81d29a0e818338dc319a24be044b469e30df6f535977a25a498', '2026-11-22 09:03:52.355343+00'),
	('queue/02.08.00_01_add_additional_params_to_retry_job.sql', 'd3c9d446a79ff2a9f3030db01772c33a4c4dd3898151598d05f1979ea4e76319', '2026-11-22 09:03:52.355343+00'),
	('queue/02.14.01_01_add_indexes_for_fetch_job.sql', '66c0fdc9ea24569f14d2b2ebaf9f8309858e66141dd271d9bf61ecf56c362ada', '2026-11-22 09:03:52.355343+00'),
	('queue/03.00.00_01_pre_cancel_notification.sql', 'e79f3dc19f80de6f6c54aec9deb4548989b68ae38061a55b6ee3144e313c1ecd', '2026-11-22 09:03:52.355343+00'),
	('queue/03.00.00_50_post_cancel_notification.sql', 'd16fba7d14d5c699ceb81fd67a450422bd4b8337b1934b4eb00aa5438eddfbdf', '2026-11-22 09:03:52.355343+00'),
	('queue/03.01.00_01_pre_add_heartbeat.sql', 'f07b98da98e470881e629478f85f142b2f28a659f1ab53e0da1dc7fe917834b8', '2026-11-22 09:03:52.355343+00'),
	('queue/03.01.00_50_post_add_heartbeat.sql', '562472e1ccfd262792a57dcd771f918dae87b0dc038e3832172b3f1ccce69dc0', '2026-11-22 09:03:52.355343+00'),
	('queue/03.02.00_01_pre_batch_defer_jobs.sql', '1f8f957339ff8a455bfd27bdbdbda41daca3b19931a032cd2d9356620af93951', '2026-11-22 09:03:52.355343+00'),
	('queue/03.02.00_50_post_batch_defer_jobs.sql', '8fc1d2c94a057eab36cb074f920f8fab17cb23f8ccee708a64ea52804222ac67', '2026-11-22 09:03:52.355343+00'),
	('queue/03.03.00_01_pre_priority_lock_fetch_job.sql', '70731b65ba99a63962fd1adc6e1c9b3bef6a480a091f3d41d32c50b7ddc31441', '2026-11-22 09:03:52.355343+00'),
	('queue/03.04.00_01_pre_add_retry_failed_job_procedure.sql', '6883b7336508620ba856db4a78558158fe15c8e68b2ea05c60b468e73c311255', '2026-11-22 09:03:52.355343+00'),
	('queue/03.04.00_50_post_add_retry_failed_job_procedure.sql', 'b7938e0a0885d8d00d3f55647bcf141c3f2acac439070c1287734fcb3d98947b', '2026-11-22 09:03:52.355343+00'),
	('0001_roles_and_helpers.sql', '27d5c8b4cf0799681a81a6931dc930e2b97e34927e492e44447a4aafdf01598b', '2026-11-22 09:03:52.381007+00'),
	('0002_recall_index.sql', 'cb39acdf86e7832f15777d5ad44ee7835b4ea22a6c607093279843bcd75f9cb5', '2026-11-22 09:03:52.382606+00'),
	('0003_memory.sql', '3134f650608e41a0af45393c1b165a0569107deff4051841954b1eccfba932be', '2026-11-22 09:03:52.387505+00'),
	('0004_evolution.sql', '260193895562b03aad6480fbf5f04f74607d24c898cd09ada08b234eba67f7c4', '2026-11-22 09:03:52.429782+00'),
	('0005_documents.sql', '36eb63b42ef035e03048b4e2f3f276c3d23237a9288612847c29f69922c0f3e0', '2026-11-22 09:03:52.43803+00'),
	('0006_sessions.sql', 'f2f2851dd88938271d0bd0f261840db160e5254ecc16128b8caacc69a6d92d8d', '2026-11-22 09:03:52.454835+00'),
	('0007_upkeep.sql', 'f7d6d6eb9b8e5c17d26b7b3a23ba92d5eeaf1dffadc538448743bbf5d3634e8d', '2026-11-22 09:03:52.458717+00'),
	('0008_jobs.sql', 'a1873081a6a547469cda6fa6cf187393354ab53c06f408ebe8f9e8e1204a1ee9', '2026-11-22 09:03:52.462886+00'),
	('0009_ledger.sql', 'e596371a46100d3ab2052bdaa4b11d9aca2b19d803a8813298607f97619ef843', '2026-11-22 09:03:52.469691+00'),
	('0010_forgetting.sql', '89e69e8a1638ad1d16a3003777fad6caf419e5b3f48e7f7ccc0a417eb2fdf202', '2026-11-22 09:03:52.47755+00'),
	('0011_recall_changes.sql', '6afdb37171bc8b54962c9c24d1c16a49bc3f0c20bc7ce9f41ed67338dea8e50c', '2026-11-22 09:03:52.483551+00'),
	('0012_overtaken_turns.sql', 'a369ea95bc7b51dcba4ad86dc56eb7172ce8f4d310c91dfc38b5a09acb7c5b6a', '2026-11-22 09:03:52.493891+00');
INSERT INTO brain.schema_migrations (name, sha256, applied_at) VALUES
	('0013_changes_at_once.sql', 'f34a06601d3561fb7aa3862b70d617378fa1c8ded1d15ba25012e14e89266500', '2026-11-22 09:03:52.495557+00');
INSERT INTO brain.session_summaries (tenant_id, session_id, block, scope, user_id, text, sources, created_at, summary_id, first_position, last_position, started_at, ended_at, withdrawn) VALUES
	('00000000-0000-0000-0000-00000000000a', 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', 0, 'main', '00000000-0000-0000-0000-00000000000c', 'A safe', '{2e86b821-e812-4499-ab7e-14f02e4014c3}', '2026-03-01 12:00:00+00', '66f3a88e-9cd3-550c-aede-496bbd4fcf06', 0, 0, '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', false);
INSERT INTO brain.sessions (tenant_id, session_id, scope, user_id, name, status, next_position, entity_slots, started_at, last_at, expires_at, archived_at) VALUES
	('00000000-0000-0000-0000-00000000000a', 'b18b2522-9193-4666-b965-4c818f736e7e', 'main', '00000000-0000-0000-0000-00000000000b', 's1', 'active', 4, '{}', '2026-03-01 12:00:00+00', '2026-03-01 12:40:00+00', '2026-03-31 12:40:00+00', NULL),
	('00000000-0000-0000-0000-00000000000a', '0e4c0c6d-83c8-41e5-aaaa-cf1b15501195', 'group:kitchen', '00000000-0000-0000-0000-00000000000b', 's1', 'active', 1, '{}', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-31 12:00:00+00', NULL),
	('00000000-0000-0000-0000-00000000000a', 'd4119858-ed2c-4c17-8fa8-6ba189cb7c16', 'main', '00000000-0000-0000-0000-00000000000c', 's1', 'active', 3, '{}', '2026-03-01 12:00:00+00', '2026-03-01 12:01:00+00', '2026-03-31 12:01:00+00', NULL);
INSERT INTO brain.token_ledger (tenant_id, day, purpose, role, part, calls, estimated_calls, input_tokens, output_tokens) VALUES
	('00000000-0000-0000-0000-00000000000a', '2026-03-01', 'turn', 'chat', 12, 1, 0, 1, 1);
INSERT INTO checkpoint.checkpoint_migrations (v) VALUES
	(0),
	(1),
	(2),
	(3),
	(4),
	(5),
	(6),
	(7),
	(8),
	(9);
INSERT INTO queue.procrastinate_events (id, job_id, type, at) VALUES
	(1, 1, 'deferred', '2026-11-22 09:03:52.606636+00'),
	(2, 2, 'deferred', '2026-11-22 09:03:52.698101+00'),
	(3, 3, 'deferred', '2026-11-22 09:03:52.780264+00');
INSERT INTO queue.procrastinate_jobs (id, queue_name, task_name, priority, lock, queueing_lock, args, status, scheduled_at, attempts, abort_requested, worker_id) VALUES
	(1, 'evolution', 'evolve', 0, '00000000-0000-0000-0000-00000000000b', 'evolve:b18b2522-9193-4666-b965-4c818f736e7e:00000000-0000-0000-0000-00000000000b', '{"scope": "main", "user_id": "00000000-0000-0000-0000-00000000000b", "tenant_id": "00000000-0000-0000-0000-00000000000a", "session_id": "b18b2522-9193-4666-b965-4c818f736e7e"}', 'todo', NULL, 0, false, NULL),
	(2, 'evolution', 'evolve', 0, '00000000-0000-0000-0000-00000000000b', 'evolve:0e4c0c6d-83c8-41e5-aaaa-cf1b15501195:00000000-0000-0000-0000-00000000000b', '{"scope": "group:kitchen", "user_id": "00000000-0000-0000-0000-00000000000b", "tenant_id": "00000000-0000-0000-0000-00000000000a", "session_id": "0e4c0c6d-83c8-41e5-aaaa-cf1b15501195"}', 'todo', NULL, 0, false, NULL),
	(3, 'evolution', 'evolve', 0, '00000000-0000-0000-0000-00000000000c', 'evolve:d4119858-ed2c-4c17-8fa8-6ba189cb7c16:00000000-0000-0000-0000-00000000000c', '{"scope": "main", "user_id": "00000000-0000-0000-0000-00000000000c", "tenant_id": "00000000-0000-0000-0000-00000000000a", "session_id": "d4119858-ed2c-4c17-8fa8-6ba189cb7c16"}', 'todo', NULL, 0, false, NULL);
SELECT pg_catalog.setval('queue.procrastinate_events_id_seq', 3, true);
SELECT pg_catalog.setval('queue.procrastinate_jobs_id_seq', 3, true);
SELECT pg_catalog.setval('queue.procrastinate_periodic_defers_id_seq', 1, false);
SELECT pg_catalog.setval('queue.procrastinate_workers_id_seq', 1, false);
ALTER TABLE ONLY brain.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (tenant_id, audit_id);
ALTER TABLE ONLY brain.conversation_events
    ADD CONSTRAINT conversation_events_pkey PRIMARY KEY (tenant_id, event_id);
ALTER TABLE ONLY brain.conversation_events
    ADD CONSTRAINT conversation_events_tenant_id_session_id_position_key UNIQUE (tenant_id, session_id, "position");
ALTER TABLE ONLY brain.document_versions
    ADD CONSTRAINT document_versions_pkey PRIMARY KEY (tenant_id, document_id, version);
ALTER TABLE ONLY brain.documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (tenant_id, document_id);
ALTER TABLE ONLY brain.memory_citations
    ADD CONSTRAINT memory_citations_pkey PRIMARY KEY (tenant_id, item_id, event_id, span_start);
ALTER TABLE ONLY brain.memory_conflicts
    ADD CONSTRAINT memory_conflicts_pkey PRIMARY KEY (tenant_id, conflict_id);
ALTER TABLE ONLY brain.memory_conflicts
    ADD CONSTRAINT memory_conflicts_tenant_id_held_id_new_id_key UNIQUE (tenant_id, held_id, new_id);
ALTER TABLE ONLY brain.memory_items
    ADD CONSTRAINT memory_items_pkey PRIMARY KEY (tenant_id, item_id);
ALTER TABLE ONLY brain.memory_receipts
    ADD CONSTRAINT memory_receipts_pkey PRIMARY KEY (tenant_id, receipt_id);
ALTER TABLE ONLY brain.memory_versions
    ADD CONSTRAINT memory_versions_pkey PRIMARY KEY (tenant_id, item_id, version);
ALTER TABLE ONLY brain.names
    ADD CONSTRAINT names_pkey PRIMARY KEY (tenant_id, name_id);
ALTER TABLE ONLY brain.note_entries
    ADD CONSTRAINT note_entries_pkey PRIMARY KEY (tenant_id, entry_id);
ALTER TABLE ONLY brain.operations
    ADD CONSTRAINT operations_pkey PRIMARY KEY (tenant_id, operation_id);
ALTER TABLE ONLY brain.recall_index
    ADD CONSTRAINT recall_index_pkey PRIMARY KEY (tenant_id, source_id, lane, embedding_model);
ALTER TABLE ONLY brain.recall_removals
    ADD CONSTRAINT recall_removals_pkey PRIMARY KEY (tenant_id, scope, user_id, removed_by, source_id);
ALTER TABLE ONLY brain.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY brain.session_summaries
    ADD CONSTRAINT session_summaries_pkey PRIMARY KEY (tenant_id, session_id, block);
ALTER TABLE ONLY brain.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (tenant_id, session_id);
ALTER TABLE ONLY brain.token_ledger
    ADD CONSTRAINT token_ledger_pkey PRIMARY KEY (tenant_id, day, purpose, role, part);
ALTER TABLE ONLY checkpoint.checkpoint_blobs
    ADD CONSTRAINT checkpoint_blobs_pkey PRIMARY KEY (thread_id, checkpoint_ns, channel, version);
ALTER TABLE ONLY checkpoint.checkpoint_migrations
    ADD CONSTRAINT checkpoint_migrations_pkey PRIMARY KEY (v);
ALTER TABLE ONLY checkpoint.checkpoint_writes
    ADD CONSTRAINT checkpoint_writes_pkey PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx);
ALTER TABLE ONLY checkpoint.checkpoints
    ADD CONSTRAINT checkpoints_pkey PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id);
ALTER TABLE ONLY queue.job_failures
    ADD CONSTRAINT job_failures_pkey PRIMARY KEY (job_id);
ALTER TABLE ONLY queue.procrastinate_events
    ADD CONSTRAINT procrastinate_events_pkey PRIMARY KEY (id);
ALTER TABLE ONLY queue.procrastinate_jobs
    ADD CONSTRAINT procrastinate_jobs_pkey PRIMARY KEY (id);
ALTER TABLE ONLY queue.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY queue.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_unique UNIQUE (task_name, periodic_id, defer_timestamp);
ALTER TABLE ONLY queue.procrastinate_workers
    ADD CONSTRAINT procrastinate_workers_pkey PRIMARY KEY (id);
CREATE INDEX answered_receipts_of_memory ON brain.memory_receipts USING btree (tenant_id, memory_id) WHERE ((receipt_type = 'injection'::text) AND (user_feedback_signal IS NOT NULL));
CREATE INDEX citations_of_event ON brain.memory_citations USING btree (tenant_id, event_id);
CREATE INDEX documents_of_person ON brain.documents USING btree (tenant_id, scope, user_id, kind, name);
CREATE INDEX events_of_operation ON brain.conversation_events USING btree (tenant_id, operation_id);
CREATE UNIQUE INDEX events_once ON brain.conversation_events USING btree (tenant_id, scope, user_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX items_forgotten ON brain.memory_items USING btree (tenant_id, scope, user_id) WHERE (status = 'deleted'::text);
CREATE INDEX items_in_slot ON brain.memory_items USING btree (tenant_id, scope, user_id, slot) WHERE (status = 'active'::text);
CREATE INDEX items_of_person ON brain.memory_items USING btree (tenant_id, scope, user_id, updated_at);
CREATE INDEX items_replaced_by ON brain.memory_items USING btree (tenant_id, superseded_by) WHERE (superseded_by IS NOT NULL);
CREATE INDEX open_conflicts ON brain.memory_conflicts USING btree (tenant_id, scope, user_id, opened_at) WHERE (status = 'open'::text);
CREATE INDEX open_conflicts_of_newer ON brain.memory_conflicts USING btree (tenant_id, new_id) WHERE (status = 'open'::text);
CREATE INDEX operations_waiting ON brain.operations USING btree (tenant_id, scope, user_id, created_at) WHERE (status = 'queued'::text);
CREATE INDEX operations_waiting_in_session ON brain.operations USING btree (tenant_id, session_id) WHERE (status = 'queued'::text);
CREATE INDEX recall_index_of_person ON brain.recall_index USING btree (tenant_id, scope, user_id, written_by);
CREATE INDEX recall_index_without_vector ON brain.recall_index USING btree (tenant_id, recorded_at) WHERE (embedding_model = 'none'::text);
CREATE INDEX receipts_of_operation ON brain.memory_receipts USING btree (tenant_id, operation_id);
CREATE UNIQUE INDEX receipts_once ON brain.memory_receipts USING btree (tenant_id, scope, user_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX sessions_of_person ON brain.sessions USING btree (tenant_id, scope, user_id, last_at);
CREATE INDEX sessions_open ON brain.sessions USING btree (tenant_id, scope, user_id, expires_at) WHERE (status = 'active'::text);
CREATE INDEX summaries_of_person ON brain.session_summaries USING btree (tenant_id, scope, user_id, session_id, block);
CREATE INDEX checkpoint_blobs_thread_id_idx ON checkpoint.checkpoint_blobs USING btree (thread_id);
CREATE INDEX checkpoint_writes_thread_id_idx ON checkpoint.checkpoint_writes USING btree (thread_id);
CREATE INDEX checkpoints_thread_id_idx ON checkpoint.checkpoints USING btree (thread_id);
CREATE INDEX idx_procrastinate_jobs_worker_not_null ON queue.procrastinate_jobs USING btree (worker_id) WHERE ((worker_id IS NOT NULL) AND (status = 'doing'::queue.procrastinate_job_status));
CREATE INDEX idx_procrastinate_workers_last_heartbeat ON queue.procrastinate_workers USING btree (last_heartbeat);
CREATE INDEX jobs_of_a_lock ON queue.procrastinate_jobs USING btree (lock, priority DESC, id) WHERE (status = ANY (ARRAY['todo'::queue.procrastinate_job_status, 'doing'::queue.procrastinate_job_status]));
CREATE INDEX procrastinate_events_job_id_fkey_v1 ON queue.procrastinate_events USING btree (job_id);
CREATE INDEX procrastinate_jobs_id_lock_idx_v1 ON queue.procrastinate_jobs USING btree (id, lock) WHERE (status = ANY (ARRAY['todo'::queue.procrastinate_job_status, 'doing'::queue.procrastinate_job_status]));
CREATE UNIQUE INDEX procrastinate_jobs_lock_idx_v1 ON queue.procrastinate_jobs USING btree (lock) WHERE (status = 'doing'::queue.procrastinate_job_status);
CREATE INDEX procrastinate_jobs_priority_idx_v1 ON queue.procrastinate_jobs USING btree (priority DESC, id) WHERE (status = 'todo'::queue.procrastinate_job_status);
CREATE INDEX procrastinate_jobs_queue_name_idx_v1 ON queue.procrastinate_jobs USING btree (queue_name);
CREATE UNIQUE INDEX procrastinate_jobs_queueing_lock_idx_v1 ON queue.procrastinate_jobs USING btree (queueing_lock) WHERE (status = 'todo'::queue.procrastinate_job_status);
CREATE INDEX procrastinate_periodic_defers_job_id_fkey_v1 ON queue.procrastinate_periodic_defers USING btree (job_id);
CREATE TRIGGER note_removals AFTER DELETE ON brain.recall_index REFERENCING OLD TABLE AS removed FOR EACH STATEMENT EXECUTE FUNCTION brain.note_removals();
CREATE TRIGGER note_writer BEFORE UPDATE ON brain.recall_index FOR EACH ROW EXECUTE FUNCTION brain.note_writer();
CREATE TRIGGER announce_next_job AFTER DELETE OR UPDATE OF status ON queue.procrastinate_jobs FOR EACH ROW WHEN (((old.status = 'doing'::queue.procrastinate_job_status) AND (old.lock IS NOT NULL))) EXECUTE FUNCTION queue.announce_next_job();
CREATE TRIGGER procrastinate_jobs_notify_queue_job_aborted_v1 AFTER UPDATE OF abort_requested ON queue.procrastinate_jobs FOR EACH ROW WHEN (((old.abort_requested = false) AND (new.abort_requested = true) AND (new.status = 'doing'::queue.procrastinate_job_status))) EXECUTE FUNCTION queue.procrastinate_notify_queue_abort_job_v1();
CREATE TRIGGER procrastinate_jobs_notify_queue_job_inserted_v1 AFTER INSERT ON queue.procrastinate_jobs FOR EACH ROW WHEN ((new.status = 'todo'::queue.procrastinate_job_status)) EXECUTE FUNCTION queue.procrastinate_notify_queue_job_inserted_v1();
CREATE TRIGGER procrastinate_trigger_abort_requested_events_v1 AFTER UPDATE OF abort_requested ON queue.procrastinate_jobs FOR EACH ROW WHEN ((new.abort_requested = true)) EXECUTE FUNCTION queue.procrastinate_trigger_abort_requested_events_procedure_v1();
CREATE TRIGGER procrastinate_trigger_delete_jobs_v1 BEFORE DELETE ON queue.procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION queue.procrastinate_unlink_periodic_defers_v1();
CREATE TRIGGER procrastinate_trigger_scheduled_events_v1 AFTER INSERT OR UPDATE ON queue.procrastinate_jobs FOR EACH ROW WHEN (((new.scheduled_at IS NOT NULL) AND (new.status = 'todo'::queue.procrastinate_job_status))) EXECUTE FUNCTION queue.procrastinate_trigger_function_scheduled_events_v1();
CREATE TRIGGER procrastinate_trigger_status_events_insert_v1 AFTER INSERT ON queue.procrastinate_jobs FOR EACH ROW WHEN ((new.status = 'todo'::queue.procrastinate_job_status)) EXECUTE FUNCTION queue.procrastinate_trigger_function_status_events_insert_v1();
CREATE TRIGGER procrastinate_trigger_status_events_update_v1 AFTER UPDATE OF status ON queue.procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION queue.procrastinate_trigger_function_status_events_update_v1();
ALTER TABLE ONLY brain.conversation_events
    ADD CONSTRAINT conversation_events_tenant_id_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES brain.sessions(tenant_id, session_id);
ALTER TABLE ONLY brain.document_versions
    ADD CONSTRAINT document_versions_tenant_id_document_id_fkey FOREIGN KEY (tenant_id, document_id) REFERENCES brain.documents(tenant_id, document_id);
ALTER TABLE ONLY brain.memory_citations
    ADD CONSTRAINT memory_citations_tenant_id_event_id_fkey FOREIGN KEY (tenant_id, event_id) REFERENCES brain.conversation_events(tenant_id, event_id);
ALTER TABLE ONLY brain.memory_citations
    ADD CONSTRAINT memory_citations_tenant_id_item_id_fkey FOREIGN KEY (tenant_id, item_id) REFERENCES brain.memory_items(tenant_id, item_id);
ALTER TABLE ONLY brain.memory_conflicts
    ADD CONSTRAINT memory_conflicts_tenant_id_held_id_fkey FOREIGN KEY (tenant_id, held_id) REFERENCES brain.memory_items(tenant_id, item_id);
ALTER TABLE ONLY brain.memory_conflicts
    ADD CONSTRAINT memory_conflicts_tenant_id_new_id_fkey FOREIGN KEY (tenant_id, new_id) REFERENCES brain.memory_items(tenant_id, item_id);
ALTER TABLE ONLY brain.memory_items
    ADD CONSTRAINT memory_items_tenant_id_superseded_by_fkey FOREIGN KEY (tenant_id, superseded_by) REFERENCES brain.memory_items(tenant_id, item_id);
ALTER TABLE ONLY brain.memory_versions
    ADD CONSTRAINT memory_versions_tenant_id_item_id_fkey FOREIGN KEY (tenant_id, item_id) REFERENCES brain.memory_items(tenant_id, item_id);
ALTER TABLE ONLY brain.note_entries
    ADD CONSTRAINT note_entries_tenant_id_document_id_fkey FOREIGN KEY (tenant_id, document_id) REFERENCES brain.documents(tenant_id, document_id);
ALTER TABLE ONLY queue.job_failures
    ADD CONSTRAINT job_failures_job_id_fkey FOREIGN KEY (job_id) REFERENCES queue.procrastinate_jobs(id) ON DELETE CASCADE;
ALTER TABLE ONLY queue.procrastinate_events
    ADD CONSTRAINT procrastinate_events_job_id_fkey FOREIGN KEY (job_id) REFERENCES queue.procrastinate_jobs(id) ON DELETE CASCADE;
ALTER TABLE ONLY queue.procrastinate_jobs
    ADD CONSTRAINT procrastinate_jobs_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES queue.procrastinate_workers(id) ON DELETE SET NULL;
ALTER TABLE ONLY queue.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_job_id_fkey FOREIGN KEY (job_id) REFERENCES queue.procrastinate_jobs(id);
ALTER TABLE brain.audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.conversation_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.document_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.documents ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.memory_citations ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.memory_conflicts ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.memory_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.memory_receipts ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.memory_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.names ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.note_entries ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.operations ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON brain.audit_log USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.conversation_events USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.document_versions USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.documents USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.memory_citations USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.memory_conflicts USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.memory_items USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.memory_receipts USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.memory_versions USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.note_entries USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.operations USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.recall_index USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.recall_removals USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.session_summaries USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.sessions USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_tenant ON brain.names USING ((tenant_id = ( SELECT brain.current_tenant() AS current_tenant))) WITH CHECK ((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)));
CREATE POLICY own_tenant ON brain.token_ledger USING ((tenant_id = ( SELECT brain.current_tenant() AS current_tenant))) WITH CHECK ((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)));
ALTER TABLE brain.recall_index ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.recall_removals ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.session_summaries ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.sessions ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.token_ledger ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA brain TO brain_app;
GRANT USAGE ON SCHEMA checkpoint TO brain_app;
GRANT USAGE ON SCHEMA queue TO brain_app;
REVOKE ALL ON FUNCTION brain.current_scope() FROM PUBLIC;
GRANT ALL ON FUNCTION brain.current_scope() TO brain_app;
REVOKE ALL ON FUNCTION brain.current_tenant() FROM PUBLIC;
GRANT ALL ON FUNCTION brain.current_tenant() TO brain_app;
REVOKE ALL ON FUNCTION brain.current_user_id() FROM PUBLIC;
GRANT ALL ON FUNCTION brain.current_user_id() TO brain_app;
REVOKE ALL ON FUNCTION brain.enqueue_evolution(of_tenant uuid, of_scope text, of_user uuid, of_session uuid, urgency integer, pause double precision) FROM PUBLIC;
GRANT ALL ON FUNCTION brain.enqueue_evolution(of_tenant uuid, of_scope text, of_user uuid, of_session uuid, urgency integer, pause double precision) TO brain_app;
REVOKE ALL ON FUNCTION brain.is_overtaken(of_tenant uuid, of_event uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION brain.is_overtaken(of_tenant uuid, of_event uuid) TO brain_app;
REVOKE ALL ON FUNCTION brain.note_removals() FROM PUBLIC;
REVOKE ALL ON FUNCTION brain.note_writer() FROM PUBLIC;
REVOKE ALL ON FUNCTION brain.recall_changes(of_tenant uuid, of_scope text, of_user uuid, user_low uuid, user_high uuid, since pg_snapshot, seen pg_snapshot, after_writer xid8, after_source uuid, page integer) FROM PUBLIC;
GRANT ALL ON FUNCTION brain.recall_changes(of_tenant uuid, of_scope text, of_user uuid, user_low uuid, user_high uuid, since pg_snapshot, seen pg_snapshot, after_writer xid8, after_source uuid, page integer) TO brain_app;
REVOKE ALL ON FUNCTION brain.says_forgotten(of_tenant uuid, of_event uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION brain.says_forgotten(of_tenant uuid, of_event uuid) TO brain_app;
REVOKE ALL ON PROCEDURE brain.secure(IN target regclass) FROM PUBLIC;
REVOKE ALL ON PROCEDURE brain.secure_tenant(IN target regclass) FROM PUBLIC;
REVOKE ALL ON FUNCTION brain.turns_saying(of_tenant uuid, of_scope text, of_memory uuid) FROM PUBLIC;
GRANT ALL ON FUNCTION brain.turns_saying(of_tenant uuid, of_scope text, of_memory uuid) TO brain_app;
GRANT ALL ON FUNCTION queue.announce_next_job() TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_cancel_job_v1(job_id bigint, abort boolean, delete_job boolean) TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_defer_jobs_v1(jobs queue.procrastinate_job_to_defer_v1[]) TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_defer_periodic_job_v2(_queue_name character varying, _lock character varying, _queueing_lock character varying, _task_name character varying, _priority integer, _periodic_id character varying, _defer_timestamp bigint, _args jsonb) TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE queue.procrastinate_jobs TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_fetch_job_v2(target_queue_names character varying[], p_worker_id bigint) TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_finish_job_v1(job_id bigint, end_status queue.procrastinate_job_status, delete_job boolean) TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_notify_queue_abort_job_v1() TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_notify_queue_job_inserted_v1() TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_prune_stalled_workers_v1(seconds_since_heartbeat double precision) TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_register_worker_v1() TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_retry_job_v1(job_id bigint, retry_at timestamp with time zone, new_priority integer, new_queue_name character varying, new_lock character varying) TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_retry_job_v2(job_id bigint, retry_at timestamp with time zone, new_priority integer, new_queue_name character varying, new_lock character varying) TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_trigger_abort_requested_events_procedure_v1() TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_trigger_function_scheduled_events_v1() TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_trigger_function_status_events_insert_v1() TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_trigger_function_status_events_update_v1() TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_unlink_periodic_defers_v1() TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_unregister_worker_v1(worker_id bigint) TO brain_app;
GRANT ALL ON FUNCTION queue.procrastinate_update_heartbeat_v1(worker_id bigint) TO brain_app;
GRANT SELECT,INSERT ON TABLE brain.audit_log TO brain_app;
GRANT SELECT,INSERT ON TABLE brain.conversation_events TO brain_app;
GRANT SELECT,INSERT,DELETE ON TABLE brain.document_versions TO brain_app;
GRANT SELECT,INSERT,UPDATE ON TABLE brain.documents TO brain_app;
GRANT SELECT,INSERT,DELETE ON TABLE brain.memory_citations TO brain_app;
GRANT SELECT,INSERT,UPDATE ON TABLE brain.memory_conflicts TO brain_app;
GRANT SELECT,INSERT,UPDATE ON TABLE brain.memory_items TO brain_app;
GRANT SELECT,INSERT,UPDATE ON TABLE brain.memory_receipts TO brain_app;
GRANT SELECT,INSERT ON TABLE brain.memory_versions TO brain_app;
GRANT SELECT,INSERT ON TABLE brain.names TO brain_app;
GRANT SELECT,INSERT ON TABLE brain.note_entries TO brain_app;
GRANT SELECT,INSERT,UPDATE ON TABLE brain.operations TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE brain.recall_index TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE brain.recall_removals TO brain_app;
GRANT SELECT,INSERT ON TABLE brain.session_summaries TO brain_app;
GRANT UPDATE(text) ON TABLE brain.session_summaries TO brain_app;
GRANT UPDATE(sources) ON TABLE brain.session_summaries TO brain_app;
GRANT UPDATE(withdrawn) ON TABLE brain.session_summaries TO brain_app;
GRANT SELECT,INSERT,UPDATE ON TABLE brain.sessions TO brain_app;
GRANT SELECT,INSERT,UPDATE ON TABLE brain.token_ledger TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpoint.checkpoint_blobs TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpoint.checkpoint_migrations TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpoint.checkpoint_writes TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpoint.checkpoints TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE queue.job_failures TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE queue.procrastinate_events TO brain_app;
GRANT SELECT,USAGE ON SEQUENCE queue.procrastinate_events_id_seq TO brain_app;
GRANT SELECT,USAGE ON SEQUENCE queue.procrastinate_jobs_id_seq TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE queue.procrastinate_periodic_defers TO brain_app;
GRANT SELECT,USAGE ON SEQUENCE queue.procrastinate_periodic_defers_id_seq TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE queue.procrastinate_workers TO brain_app;
GRANT SELECT,USAGE ON SEQUENCE queue.procrastinate_workers_id_seq TO brain_app;
