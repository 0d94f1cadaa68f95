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
    recorded_at timestamp with time zone DEFAULT now() NOT NULL,
    CONSTRAINT conversation_events_role_check CHECK ((role = ANY (ARRAY['user'::text, 'assistant'::text, 'tool'::text, 'system'::text])))
);
ALTER TABLE ONLY brain.conversation_events FORCE ROW LEVEL SECURITY;
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
    CONSTRAINT memory_items_status_check CHECK ((status = ANY (ARRAY['active'::text, 'superseded'::text, 'retracted'::text, 'deleted'::text]))),
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
    scope text NOT NULL,
    user_id uuid NOT NULL,
    source_id uuid NOT NULL,
    lane text NOT NULL,
    embedding_model text DEFAULT 'none'::text NOT NULL,
    staged boolean DEFAULT false NOT NULL,
    session_id uuid,
    "position" integer,
    role text DEFAULT 'user'::text NOT NULL,
    speaker text DEFAULT ''::text NOT NULL,
    category text DEFAULT ''::text NOT NULL,
    text text NOT NULL,
    asks boolean GENERATED ALWAYS AS ((text ~ '[?？]'::text)) STORED NOT NULL,
    words integer[] DEFAULT '{}'::integer[] NOT NULL,
    grams integer[] DEFAULT '{}'::integer[] NOT NULL,
    length integer DEFAULT 0 NOT NULL,
    embedding public.halfvec,
    observed_at timestamp with time zone NOT NULL,
    valid_at timestamp with time zone NOT NULL,
    invalid_at timestamp with time zone,
    recorded_at timestamp with time zone NOT NULL,
    retired_at timestamp with time zone,
    active boolean DEFAULT true NOT NULL,
    confidence real DEFAULT 1 NOT NULL,
    provenance text DEFAULT 'observation'::text NOT NULL,
    epistemic_type text,
    verified boolean DEFAULT true NOT NULL,
    last_validated_at timestamp with time zone,
    injected_count integer DEFAULT 0 NOT NULL,
    positive_count integer DEFAULT 0 NOT NULL,
    derived_from uuid[] DEFAULT '{}'::uuid[] NOT NULL,
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
    created_at timestamp with time zone DEFAULT now() NOT NULL
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
INSERT INTO brain.conversation_events (tenant_id, event_id, scope, user_id, session_id, "position", operation_id, role, speaker, content, content_schema_version, text, sha256, occurred_at, time_zone, reference, idempotency_key, recorded_at) VALUES
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-0000000000e1', 'main', '00000000-0000-0000-0000-00000000000b', '00000000-0000-0000-0000-0000000000d1', 0, '00000000-0000-0000-0000-0000000000f1', 'user', 'ann', '[{"text": "I moved to Lyon", "type": "text"}]', 1, 'I moved to Lyon', 'fc792304fba32316f139f6b504de39b216ba8c6b055f85726c543608cbd047a0', '2026-03-01 12:00:00+00', 'UTC', NULL, NULL, '2026-03-01 12:00:01+00');
INSERT INTO brain.recall_index (tenant_id, scope, user_id, source_id, lane, embedding_model, staged, session_id, "position", role, speaker, category, text, words, grams, length, embedding, observed_at, valid_at, invalid_at, recorded_at, retired_at, active, confidence, provenance, epistemic_type, verified, last_validated_at, injected_count, positive_count, derived_from) VALUES
	('00000000-0000-0000-0000-00000000000a', 'main', '00000000-0000-0000-0000-00000000000b', '00000000-0000-0000-0000-0000000000e1', 'turn', 'none', false, '00000000-0000-0000-0000-0000000000d1', 0, 'user', 'ann', '', 'I moved to Lyon', '{1,2}', '{3}', 4, NULL, '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', NULL, '2026-03-01 12:00:00+00', NULL, true, 1, 'observation', NULL, true, NULL, 3, 2, '{}');
INSERT INTO brain.schema_migrations (name, sha256, applied_at) VALUES
	('0001_roles_and_helpers.sql', '27d5c8b4cf0799681a81a6931dc930e2b97e34927e492e44447a4aafdf01598b', '2026-11-22 09:03:39.443139+00'),
	('0002_recall_index.sql', 'da2f1eb24c03c2cb31da1d4dd719cf2753969d70c689042013f07b632ebf12b7', '2026-11-22 09:03:39.44657+00'),
	('0003_memory.sql', '921ef0a3de30803ea3ac677159ec2fbfeb97370959aad0d2ea1a979c939ff470', '2026-11-22 09:03:39.456704+00'),
	('queue/00.00.00_01_initial.sql', '6d7ba94c51af22f6cf437e01774a2de4d98666886f9c0597bfb24deb86546dfa', '2026-11-22 09:03:39.494284+00'),
	('queue/00.05.00_01_drop_started_at_column.sql', '8c36c1cbb9c2c2c4e29996d0839cfc0e674638dd59da73d22d5883a66c94a6d8', '2026-11-22 09:03:39.494284+00'),
	('queue/00.05.00_02_drop_started_at_column.sql', '62fab33b3996ef2bfab09a0502318c51cae1a186db58a2d803e1c341fcf6a149', '2026-11-22 09:03:39.494284+00'),
	('queue/00.05.00_03_drop_procrastinate_version_table.sql', 'e43a1e3cec48cf071140edce6828107b43ca6b7cfa8ae9dcd527a6fa99e40236', '2026-11-22 09:03:39.494284+00'),
	('queue/00.06.00_01_fix_procrastinate_fetch_job.sql', '4dac8738ebebc78b890b56db631018a3cd74089fc3a0e6004aaf7c6252779169', '2026-11-22 09:03:39.494284+00'),
	('queue/00.07.01_01_fix_trigger_status_events_insert.sql', 'e40c589ce32d0b3a0cc5d6b667da42f0fef066e51e6907fad196b1d8b83c9149', '2026-11-22 09:03:39.494284+00'),
	('queue/00.08.01_01_add_queueing_lock_column.sql', 'c8896579a44c9f258309f96c76b8c9415e1766dedfc4a8ca9158094438e6085b', '2026-11-22 09:03:39.494284+00'),
	('queue/00.10.00_01_close_fetch_job_race_condition.sql', '0be9e8dfa820f435482a2066fc68e6f44f92d7ca9a90226443c4be448de0fc32', '2026-11-22 09:03:39.494284+00'),
	('queue/00.10.00_02_add_defer_job_function.sql', 'f49362754442068426b66872cd7f15bb1a9610909a5e8539edbccce79a78c8e8', '2026-11-22 09:03:39.494284+00'),
	('queue/00.11.00_03_add_procrastinate_periodic_defers.sql', '9cf251e931e905ce31d4e5b8bebea220c035b255e3ec0046ba7659d2a6ee9cb6', '2026-11-22 09:03:39.494284+00'),
	('queue/00.12.00_01_add_foreign_key_index.sql', 'd4b44b60e1c79891a52145a9804d1f942cdfb6c8717d575ef2b3fec26b70224f', '2026-11-22 09:03:39.494284+00'),
	('queue/00.14.00_01_add_locks_to_periodic_defer.sql', '7150bc363db295dd7f7114ceab63ae7d52dfece3b91b1735546e64f7b22c1638', '2026-11-22 09:03:39.494284+00'),
	('queue/00.15.02_01_fix_procrastinate_defer_periodic_job.sql', 'cee1ba5828128ff062cd73a7505e5f5a827aea9d09131049cdde8ed32af767f1', '2026-11-22 09:03:39.494284+00'),
	('queue/00.16.00_01_add_finish_job_and_retry_job_functions.sql', 'adc143a05e5d53d4e32513cfe389a6201cc47a8169723f7135429109d8b41264', '2026-11-22 09:03:39.494284+00'),
	('queue/00.17.00_01_add_trigger_on_job_deletion.sql', 'a5c49223abe0566e2952013d16089ffc3b29c1238642341632a3e245f22f0b92', '2026-11-22 09:03:39.494284+00'),
	('queue/00.17.00_02_delete_finished_jobs.sql', 'd777d6c03fab2e590f6ac5144ac7401762bb2ba1c2b83504392638427e556242', '2026-11-22 09:03:39.494284+00'),
	('queue/00.17.00_03_add_checks_to_finish_job.sql', '989c1d0a968ebc0f7a33bebfcab41c0e41fcbf4629d6ed67e40d32d0a5b31201', '2026-11-22 09:03:39.494284+00'),
	('queue/00.17.00_04_add_checks_to_retry_job.sql', '588340629e015ef0fef21d702a64b3031fe449d9676474850ca4425dc63fcd87', '2026-11-22 09:03:39.494284+00'),
	('queue/00.18.01_01_fix_finish_job_compat_issue.sql', '046d1a97cbf2d9fbfbb0fb3a1dd6dc271f0267e55843566acc1cee86eab41288', '2026-11-22 09:03:39.494284+00'),
	('queue/00.19.00_01_add_index_on_procrastinate_jobs.sql', '3a424d244f9af480f581b493c5d93fea60b03540e369797294518f128c9e6360', '2026-11-22 09:03:39.494284+00'),
	('queue/00.22.00_01_add_kwargs_to_defer_periodic_job.sql', 'ba2e550f46f912b420aec63b46462ede8291b66552369df567dc0b36360eae3f', '2026-11-22 09:03:39.494284+00'),
	('queue/00.23.00_01_null_locks_excluded.sql', '24c853edc002f63535d87bbc7bba5093f4e26bc7844b504c0786242aea698c16', '2026-11-22 09:03:39.494284+00'),
	('queue/01.00.00_01_remove_old_finish_job_function.sql', '2665cd1782a2ecb93a7f95e7bf4867335886d31f26acc15fc97be7c8957ae323', '2026-11-22 09:03:39.494284+00'),
	('queue/01.01.01_01_job_id_bigint.sql', '223e3f20475bc76efe3e00509f9ba2d8610e27a77da72a5fcb7dbc4bec357a8b', '2026-11-22 09:03:39.494284+00'),
	('queue/02.00.03_01_add_job_priority.sql', '34aa498b770d1f6a1bdda291a45866dae7cc2cb509f19d8e0445788b91191142', '2026-11-22 09:03:39.494284+00'),
	('queue/02.05.00_01_add_periodic_job_priority.sql', '997a8b9d61c5c93752521f7dd52c87799752fe2e0396b3f636c413b23c778280', '2026-11-22 09:03:39.494284+00'),
	('queue/02.06.00_01_add_cancel_states.sql', '28e8be115842d81d29a0e818338dc319a24be044b469e30df6f535977a25a498', '2026-11-22 09:03:39.494284+00'),
	('queue/02.08.00_01_add_additional_params_to_retry_job.sql', 'd3c9d446a79ff2a9f3030db01772c33a4c4dd3898151598d05f1979ea4e76319', '2026-11-22 09:03:39.494284+00'),
	('queue/02.14.01_01_add_indexes_for_fetch_job.sql', '66c0fdc9ea24569f14d2b2ebaf9f8309858e66141dd271d9bf61ecf56c362ada', '2026-11-22 09:03:39.494284+00'),
	('queue/03.00.00_01_pre_cancel_notification.sql', 'e79f3dc19f80de6f6c54aec9deb4548989b68ae38061a55b6ee3144e313c1ecd', '2026-11-22 09:03:39.494284+00'),
	('queue/03.00.00_50_post_cancel_notification.sql', 'd16fba7d14d5c699ceb81fd67a450422bd4b8337b1934b4eb00aa5438eddfbdf', '2026-11-22 09:03:39.494284+00'),
	('queue/03.01.00_01_pre_add_heartbeat.sql', 'f07b98da98e470881e629478f85f142b2f28a659f1ab53e0da1dc7fe917834b8', '2026-11-22 09:03:39.494284+00'),
	('queue/03.01.00_50_post_add_heartbeat.sql', '562472e1ccfd262792a57dcd771f918dae87b0dc038e3832172b3f1ccce69dc0', '2026-11-22 09:03:39.494284+00'),
	('queue/03.02.00_01_pre_batch_defer_jobs.sql', '1f8f957339ff8a455bfd27bdbdbda41daca3b19931a032cd2d9356620af93951', '2026-11-22 09:03:39.494284+00'),
	('queue/03.02.00_50_post_batch_defer_jobs.sql', '8fc1d2c94a057eab36cb074f920f8fab17cb23f8ccee708a64ea52804222ac67', '2026-11-22 09:03:39.494284+00'),
	('queue/03.03.00_01_pre_priority_lock_fetch_job.sql', '70731b65ba99a63962fd1adc6e1c9b3bef6a480a091f3d41d32c50b7ddc31441', '2026-11-22 09:03:39.494284+00'),
	('queue/03.04.00_01_pre_add_retry_failed_job_procedure.sql', '6883b7336508620ba856db4a78558158fe15c8e68b2ea05c60b468e73c311255', '2026-11-22 09:03:39.494284+00'),
	('queue/03.04.00_50_post_add_retry_failed_job_procedure.sql', 'b7938e0a0885d8d00d3f55647bcf141c3f2acac439070c1287734fcb3d98947b', '2026-11-22 09:03:39.494284+00');
INSERT INTO brain.sessions (tenant_id, session_id, scope, user_id, name, status, next_position, entity_slots, started_at, last_at, expires_at, archived_at) VALUES
	('00000000-0000-0000-0000-00000000000a', '00000000-0000-0000-0000-0000000000d1', 'main', '00000000-0000-0000-0000-00000000000b', 's1', 'active', 1, '{}', '2026-03-01 12:00:00+00', '2026-03-01 12:00:00+00', '2026-03-02 12:00:00+00', NULL);
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
SELECT pg_catalog.setval('queue.procrastinate_events_id_seq', 1, false);
SELECT pg_catalog.setval('queue.procrastinate_jobs_id_seq', 1, false);
SELECT pg_catalog.setval('queue.procrastinate_periodic_defers_id_seq', 1, false);
SELECT pg_catalog.setval('queue.procrastinate_workers_id_seq', 1, false);
ALTER TABLE ONLY brain.audit_log
    ADD CONSTRAINT audit_log_pkey PRIMARY KEY (tenant_id, audit_id);
ALTER TABLE ONLY brain.conversation_events
    ADD CONSTRAINT conversation_events_pkey PRIMARY KEY (tenant_id, event_id);
ALTER TABLE ONLY brain.conversation_events
    ADD CONSTRAINT conversation_events_tenant_id_session_id_position_key UNIQUE (tenant_id, session_id, "position");
ALTER TABLE ONLY brain.memory_citations
    ADD CONSTRAINT memory_citations_pkey PRIMARY KEY (tenant_id, item_id, event_id, span_start);
ALTER TABLE ONLY brain.memory_items
    ADD CONSTRAINT memory_items_pkey PRIMARY KEY (tenant_id, item_id);
ALTER TABLE ONLY brain.memory_receipts
    ADD CONSTRAINT memory_receipts_pkey PRIMARY KEY (tenant_id, receipt_id);
ALTER TABLE ONLY brain.memory_versions
    ADD CONSTRAINT memory_versions_pkey PRIMARY KEY (tenant_id, item_id, version);
ALTER TABLE ONLY brain.names
    ADD CONSTRAINT names_pkey PRIMARY KEY (tenant_id, name_id);
ALTER TABLE ONLY brain.operations
    ADD CONSTRAINT operations_pkey PRIMARY KEY (tenant_id, operation_id);
ALTER TABLE ONLY brain.recall_index
    ADD CONSTRAINT recall_index_pkey PRIMARY KEY (tenant_id, source_id, lane, embedding_model);
ALTER TABLE ONLY brain.schema_migrations
    ADD CONSTRAINT schema_migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY brain.session_summaries
    ADD CONSTRAINT session_summaries_pkey PRIMARY KEY (tenant_id, session_id, block);
ALTER TABLE ONLY brain.sessions
    ADD CONSTRAINT sessions_pkey PRIMARY KEY (tenant_id, session_id);
ALTER TABLE ONLY checkpoint.checkpoint_blobs
    ADD CONSTRAINT checkpoint_blobs_pkey PRIMARY KEY (thread_id, checkpoint_ns, channel, version);
ALTER TABLE ONLY checkpoint.checkpoint_migrations
    ADD CONSTRAINT checkpoint_migrations_pkey PRIMARY KEY (v);
ALTER TABLE ONLY checkpoint.checkpoint_writes
    ADD CONSTRAINT checkpoint_writes_pkey PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx);
ALTER TABLE ONLY checkpoint.checkpoints
    ADD CONSTRAINT checkpoints_pkey PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id);
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
CREATE INDEX citations_of_event ON brain.memory_citations USING btree (tenant_id, event_id);
CREATE INDEX events_of_operation ON brain.conversation_events USING btree (tenant_id, operation_id);
CREATE UNIQUE INDEX events_once ON brain.conversation_events USING btree (tenant_id, scope, user_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX items_in_slot ON brain.memory_items USING btree (tenant_id, scope, user_id, slot) WHERE (status = 'active'::text);
CREATE INDEX items_of_person ON brain.memory_items USING btree (tenant_id, scope, user_id, updated_at);
CREATE INDEX recall_index_of_person ON brain.recall_index USING btree (tenant_id, scope, user_id);
CREATE INDEX recall_index_without_vector ON brain.recall_index USING btree (tenant_id, recorded_at) WHERE (embedding_model = 'none'::text);
CREATE INDEX receipts_of_operation ON brain.memory_receipts USING btree (tenant_id, operation_id);
CREATE UNIQUE INDEX receipts_once ON brain.memory_receipts USING btree (tenant_id, scope, user_id, idempotency_key) WHERE (idempotency_key IS NOT NULL);
CREATE INDEX sessions_of_person ON brain.sessions USING btree (tenant_id, scope, user_id, last_at);
CREATE INDEX checkpoint_blobs_thread_id_idx ON checkpoint.checkpoint_blobs USING btree (thread_id);
CREATE INDEX checkpoint_writes_thread_id_idx ON checkpoint.checkpoint_writes USING btree (thread_id);
CREATE INDEX checkpoints_thread_id_idx ON checkpoint.checkpoints USING btree (thread_id);
CREATE INDEX idx_procrastinate_jobs_worker_not_null ON queue.procrastinate_jobs USING btree (worker_id) WHERE ((worker_id IS NOT NULL) AND (status = 'doing'::queue.procrastinate_job_status));
CREATE INDEX idx_procrastinate_workers_last_heartbeat ON queue.procrastinate_workers USING btree (last_heartbeat);
CREATE INDEX procrastinate_events_job_id_fkey_v1 ON queue.procrastinate_events USING btree (job_id);
CREATE INDEX procrastinate_jobs_id_lock_idx_v1 ON queue.procrastinate_jobs USING btree (id, lock) WHERE (status = ANY (ARRAY['todo'::queue.procrastinate_job_status, 'doing'::queue.procrastinate_job_status]));
CREATE UNIQUE INDEX procrastinate_jobs_lock_idx_v1 ON queue.procrastinate_jobs USING btree (lock) WHERE (status = 'doing'::queue.procrastinate_job_status);
CREATE INDEX procrastinate_jobs_priority_idx_v1 ON queue.procrastinate_jobs USING btree (priority DESC, id) WHERE (status = 'todo'::queue.procrastinate_job_status);
CREATE INDEX procrastinate_jobs_queue_name_idx_v1 ON queue.procrastinate_jobs USING btree (queue_name);
CREATE UNIQUE INDEX procrastinate_jobs_queueing_lock_idx_v1 ON queue.procrastinate_jobs USING btree (queueing_lock) WHERE (status = 'todo'::queue.procrastinate_job_status);
CREATE INDEX procrastinate_periodic_defers_job_id_fkey_v1 ON queue.procrastinate_periodic_defers USING btree (job_id);
CREATE TRIGGER procrastinate_jobs_notify_queue_job_aborted_v1 AFTER UPDATE OF abort_requested ON queue.procrastinate_jobs FOR EACH ROW WHEN (((old.abort_requested = false) AND (new.abort_requested = true) AND (new.status = 'doing'::queue.procrastinate_job_status))) EXECUTE FUNCTION queue.procrastinate_notify_queue_abort_job_v1();
CREATE TRIGGER procrastinate_jobs_notify_queue_job_inserted_v1 AFTER INSERT ON queue.procrastinate_jobs FOR EACH ROW WHEN ((new.status = 'todo'::queue.procrastinate_job_status)) EXECUTE FUNCTION queue.procrastinate_notify_queue_job_inserted_v1();
CREATE TRIGGER procrastinate_trigger_abort_requested_events_v1 AFTER UPDATE OF abort_requested ON queue.procrastinate_jobs FOR EACH ROW WHEN ((new.abort_requested = true)) EXECUTE FUNCTION queue.procrastinate_trigger_abort_requested_events_procedure_v1();
CREATE TRIGGER procrastinate_trigger_delete_jobs_v1 BEFORE DELETE ON queue.procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION queue.procrastinate_unlink_periodic_defers_v1();
CREATE TRIGGER procrastinate_trigger_scheduled_events_v1 AFTER INSERT OR UPDATE ON queue.procrastinate_jobs FOR EACH ROW WHEN (((new.scheduled_at IS NOT NULL) AND (new.status = 'todo'::queue.procrastinate_job_status))) EXECUTE FUNCTION queue.procrastinate_trigger_function_scheduled_events_v1();
CREATE TRIGGER procrastinate_trigger_status_events_insert_v1 AFTER INSERT ON queue.procrastinate_jobs FOR EACH ROW WHEN ((new.status = 'todo'::queue.procrastinate_job_status)) EXECUTE FUNCTION queue.procrastinate_trigger_function_status_events_insert_v1();
CREATE TRIGGER procrastinate_trigger_status_events_update_v1 AFTER UPDATE OF status ON queue.procrastinate_jobs FOR EACH ROW EXECUTE FUNCTION queue.procrastinate_trigger_function_status_events_update_v1();
ALTER TABLE ONLY brain.conversation_events
    ADD CONSTRAINT conversation_events_tenant_id_session_id_fkey FOREIGN KEY (tenant_id, session_id) REFERENCES brain.sessions(tenant_id, session_id);
ALTER TABLE ONLY brain.memory_citations
    ADD CONSTRAINT memory_citations_tenant_id_event_id_fkey FOREIGN KEY (tenant_id, event_id) REFERENCES brain.conversation_events(tenant_id, event_id);
ALTER TABLE ONLY brain.memory_citations
    ADD CONSTRAINT memory_citations_tenant_id_item_id_fkey FOREIGN KEY (tenant_id, item_id) REFERENCES brain.memory_items(tenant_id, item_id);
ALTER TABLE ONLY brain.memory_items
    ADD CONSTRAINT memory_items_tenant_id_superseded_by_fkey FOREIGN KEY (tenant_id, superseded_by) REFERENCES brain.memory_items(tenant_id, item_id);
ALTER TABLE ONLY brain.memory_versions
    ADD CONSTRAINT memory_versions_tenant_id_item_id_fkey FOREIGN KEY (tenant_id, item_id) REFERENCES brain.memory_items(tenant_id, item_id);
ALTER TABLE ONLY queue.procrastinate_events
    ADD CONSTRAINT procrastinate_events_job_id_fkey FOREIGN KEY (job_id) REFERENCES queue.procrastinate_jobs(id) ON DELETE CASCADE;
ALTER TABLE ONLY queue.procrastinate_jobs
    ADD CONSTRAINT procrastinate_jobs_worker_id_fkey FOREIGN KEY (worker_id) REFERENCES queue.procrastinate_workers(id) ON DELETE SET NULL;
ALTER TABLE ONLY queue.procrastinate_periodic_defers
    ADD CONSTRAINT procrastinate_periodic_defers_job_id_fkey FOREIGN KEY (job_id) REFERENCES queue.procrastinate_jobs(id);
ALTER TABLE brain.audit_log ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.conversation_events ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.memory_citations ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.memory_items ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.memory_receipts ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.memory_versions ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.names ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.operations ENABLE ROW LEVEL SECURITY;
CREATE POLICY own_rows ON brain.audit_log USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.conversation_events USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.memory_citations USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.memory_items USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.memory_receipts USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.memory_versions USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.operations USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.recall_index USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.session_summaries USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_rows ON brain.sessions USING (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text)))) WITH CHECK (((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)) AND (scope = ( SELECT brain.current_scope() AS current_scope)) AND ((user_id = ( SELECT brain.current_user_id() AS current_user_id)) OR (scope ~~ 'group:%'::text))));
CREATE POLICY own_tenant ON brain.names USING ((tenant_id = ( SELECT brain.current_tenant() AS current_tenant))) WITH CHECK ((tenant_id = ( SELECT brain.current_tenant() AS current_tenant)));
ALTER TABLE brain.recall_index ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.session_summaries ENABLE ROW LEVEL SECURITY;
ALTER TABLE brain.sessions ENABLE ROW LEVEL SECURITY;
GRANT USAGE ON SCHEMA brain TO brain_app;
GRANT USAGE ON SCHEMA checkpoint TO brain_app;
GRANT USAGE ON SCHEMA queue TO brain_app;
REVOKE ALL ON FUNCTION brain.current_scope() FROM PUBLIC;
GRANT ALL ON FUNCTION brain.current_scope() TO brain_app;
REVOKE ALL ON FUNCTION brain.current_tenant() FROM PUBLIC;
GRANT ALL ON FUNCTION brain.current_tenant() TO brain_app;
REVOKE ALL ON FUNCTION brain.current_user_id() FROM PUBLIC;
GRANT ALL ON FUNCTION brain.current_user_id() TO brain_app;
REVOKE ALL ON PROCEDURE brain.secure(IN target regclass) FROM PUBLIC;
REVOKE ALL ON PROCEDURE brain.secure_tenant(IN target regclass) FROM PUBLIC;
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
GRANT SELECT,INSERT ON TABLE brain.memory_citations TO brain_app;
GRANT SELECT,INSERT,UPDATE ON TABLE brain.memory_items TO brain_app;
GRANT SELECT,INSERT,UPDATE ON TABLE brain.memory_receipts TO brain_app;
GRANT SELECT,INSERT ON TABLE brain.memory_versions TO brain_app;
GRANT SELECT,INSERT ON TABLE brain.names TO brain_app;
GRANT SELECT,INSERT,UPDATE ON TABLE brain.operations TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE brain.recall_index TO brain_app;
GRANT SELECT,INSERT ON TABLE brain.session_summaries TO brain_app;
GRANT SELECT,INSERT,UPDATE ON TABLE brain.sessions TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpoint.checkpoint_blobs TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpoint.checkpoint_migrations TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpoint.checkpoint_writes TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE checkpoint.checkpoints TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE queue.procrastinate_events TO brain_app;
GRANT SELECT,USAGE ON SEQUENCE queue.procrastinate_events_id_seq TO brain_app;
GRANT SELECT,USAGE ON SEQUENCE queue.procrastinate_jobs_id_seq TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE queue.procrastinate_periodic_defers TO brain_app;
GRANT SELECT,USAGE ON SEQUENCE queue.procrastinate_periodic_defers_id_seq TO brain_app;
GRANT SELECT,INSERT,DELETE,UPDATE ON TABLE queue.procrastinate_workers TO brain_app;
GRANT SELECT,USAGE ON SEQUENCE queue.procrastinate_workers_id_seq TO brain_app;
