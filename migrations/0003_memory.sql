-- The conversation log, what is remembered, and the receipts that explain it.
-- Every table starts its key with tenant_id and is secured by brain.secure / brain.secure_tenant (migration 0001).

create table brain.names (
    tenant_id uuid not null,
    name_id uuid not null,
    kind text not null check (kind in ('tenant', 'user')),
    name text not null,
    primary key (tenant_id, name_id)
);

create table brain.sessions (
    tenant_id uuid not null,
    session_id uuid not null,
    scope text not null,
    user_id uuid not null,
    name text not null,
    status text not null default 'active' check (status in ('active', 'archived')),
    next_position integer not null default 0,
    entity_slots jsonb not null default '{}',
    started_at timestamptz not null,
    last_at timestamptz not null,
    expires_at timestamptz not null,
    archived_at timestamptz,
    primary key (tenant_id, session_id)
);
create index sessions_of_person on brain.sessions (tenant_id, scope, user_id, last_at);

create table brain.session_summaries (
    tenant_id uuid not null,
    session_id uuid not null,
    block integer not null,
    scope text not null,
    user_id uuid not null,
    text text not null,
    sources uuid[] not null,
    created_at timestamptz not null default now(),
    primary key (tenant_id, session_id, block)
);

-- Append-only: the application role may read and insert, nothing else.
create table brain.conversation_events (
    tenant_id uuid not null,
    event_id uuid not null,
    scope text not null,
    user_id uuid not null,
    session_id uuid not null,
    position integer not null,
    operation_id uuid not null,
    role text not null check (role in ('user', 'assistant', 'tool', 'system')),
    speaker text not null,
    content jsonb not null,
    content_schema_version smallint not null default 1,
    text text not null,
    sha256 text not null,
    occurred_at timestamptz not null,
    time_zone text not null,
    reference text,
    idempotency_key text,
    -- False for a reply that only repeated memory: an echo is not evidence.
    indexed boolean not null default true,
    recorded_at timestamptz not null default now(),
    primary key (tenant_id, event_id),
    unique (tenant_id, session_id, position),
    foreign key (tenant_id, session_id) references brain.sessions (tenant_id, session_id)
);
create unique index events_once on brain.conversation_events (tenant_id, scope, user_id, idempotency_key)
    where idempotency_key is not null;
create index events_of_operation on brain.conversation_events (tenant_id, operation_id);

-- What became of each accepted turn.
create table brain.operations (
    tenant_id uuid not null,
    operation_id uuid not null,
    scope text not null,
    user_id uuid not null,
    session_id uuid not null,
    status text not null default 'queued' check (status in ('queued', 'stored', 'nothing', 'dead_letter')),
    reason text,
    memory_ids uuid[] not null default '{}',
    created_at timestamptz not null,
    finished_at timestamptz,
    primary key (tenant_id, operation_id)
);
create index operations_waiting on brain.operations (tenant_id, scope, user_id, created_at) where status = 'queued';

create table brain.memory_items (
    tenant_id uuid not null,
    item_id uuid not null,
    scope text not null,
    user_id uuid not null,
    item_type text not null,
    subject text not null,
    predicate text not null,
    object text not null,
    negated boolean not null,
    content text not null,
    category text not null,
    slot text not null,
    status text not null check (status in ('active', 'superseded', 'retracted', 'deleted')),
    stale boolean not null default false,
    confidence real not null check (confidence between 0 and 1),
    certainty real not null check (certainty between 0 and 1),
    epistemic_type text check (epistemic_type in ('fact', 'opinion', 'preference', 'outdated')),
    provenance jsonb not null,
    source_sessions uuid[] not null default '{}',
    superseded_by uuid,
    version integer not null check (version >= 1),
    observed_at timestamptz not null,
    valid_at timestamptz not null,
    invalid_at timestamptz check (invalid_at is null or invalid_at >= valid_at),
    last_validated_at timestamptz,
    created_at timestamptz not null,
    updated_at timestamptz not null,
    primary key (tenant_id, item_id),
    foreign key (tenant_id, superseded_by) references brain.memory_items (tenant_id, item_id)
);
create index items_in_slot on brain.memory_items (tenant_id, scope, user_id, slot) where status = 'active';
create index items_of_person on brain.memory_items (tenant_id, scope, user_id, updated_at);

create table brain.memory_versions (
    tenant_id uuid not null,
    item_id uuid not null,
    version integer not null,
    scope text not null,
    user_id uuid not null,
    change text not null,
    snapshot jsonb not null,
    reason text not null,
    operator text not null,
    trace_id text not null default '',
    recorded_at timestamptz not null,
    primary key (tenant_id, item_id, version),
    foreign key (tenant_id, item_id) references brain.memory_items (tenant_id, item_id)
);

-- The span of a logged turn that a memory rests on; read back, the hash must still match.
create table brain.memory_citations (
    tenant_id uuid not null,
    item_id uuid not null,
    event_id uuid not null,
    span_start integer not null,
    span_end integer not null check (span_end >= span_start),
    sha256 text not null,
    scope text not null,
    user_id uuid not null,
    primary key (tenant_id, item_id, event_id, span_start),
    foreign key (tenant_id, item_id) references brain.memory_items (tenant_id, item_id),
    foreign key (tenant_id, event_id) references brain.conversation_events (tenant_id, event_id)
);
create index citations_of_event on brain.memory_citations (tenant_id, event_id);

create table brain.memory_receipts (
    tenant_id uuid not null,
    receipt_id uuid not null,
    scope text not null,
    user_id uuid not null,
    session_id uuid,
    operation_id uuid,
    thread_id text,
    receipt_type text not null check (receipt_type in ('retrieval', 'injection', 'write')),
    memory_id uuid,
    lane text,
    details jsonb not null,
    details_schema_version smallint not null,
    utilized boolean,
    utilization_signal text,
    user_feedback_signal text,
    idempotency_key text,
    created_at timestamptz not null,
    primary key (tenant_id, receipt_id)
);
create unique index receipts_once on brain.memory_receipts (tenant_id, scope, user_id, idempotency_key)
    where idempotency_key is not null;
create index receipts_of_operation on brain.memory_receipts (tenant_id, operation_id);

-- Append-only as well.
create table brain.audit_log (
    tenant_id uuid not null,
    audit_id uuid not null default gen_random_uuid(),
    scope text not null,
    user_id uuid not null,
    action text not null,
    source_id uuid,
    target_id uuid,
    reason text not null,
    operator text not null,
    trace_id text not null default '',
    recorded_at timestamptz not null default now(),
    primary key (tenant_id, audit_id)
);

call brain.secure_tenant('brain.names');
call brain.secure('brain.sessions');
call brain.secure('brain.session_summaries');
call brain.secure('brain.conversation_events');
call brain.secure('brain.operations');
call brain.secure('brain.memory_items');
call brain.secure('brain.memory_versions');
call brain.secure('brain.memory_citations');
call brain.secure('brain.memory_receipts');
call brain.secure('brain.audit_log');
call brain.secure('brain.recall_index');

grant select, insert on brain.names, brain.session_summaries, brain.conversation_events, brain.memory_versions,
    brain.audit_log to :app_role;
grant select, insert, delete on brain.memory_citations to :app_role;
grant select, insert, update on brain.sessions, brain.operations, brain.memory_items, brain.memory_receipts to :app_role;
grant select, insert, update, delete on brain.recall_index to :app_role;
