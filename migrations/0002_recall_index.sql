-- The one derived index that recall reads: a row per searchable thing and embedding model.
-- It is rebuilt from the log and the memories at any time, so it has no foreign keys and no history of its own.
-- Row-level security and grants come with migration 0003 (brain.secure).

create extension if not exists vector;
create extension if not exists intarray;

-- Columns of fixed width stand first: recall reads a person's rows whole, and reaching them is then a matter of offsets.
create table brain.recall_index (
    tenant_id uuid not null,
    user_id uuid not null,
    source_id uuid not null,
    observed_at timestamptz not null,
    valid_at timestamptz not null,
    recorded_at timestamptz not null,
    confidence real not null default 1 check (confidence between 0 and 1),
    length integer not null default 0,
    injected_count integer not null default 0,
    positive_count integer not null default 0,
    active boolean not null default true,
    verified boolean not null default true,
    -- A row written by a re-embedding that has not been switched to yet; never read.
    staged boolean not null default false,
    -- Whether the text asks something: the next turn is then read as its answer.
    asks boolean not null generated always as (text ~ '[?？]') stored,
    session_id uuid,
    position integer,
    invalid_at timestamptz check (invalid_at is null or invalid_at >= valid_at),
    -- When Brain stopped believing it; null while it believes it.
    retired_at timestamptz,
    last_validated_at timestamptz,
    scope text not null,
    lane text not null check (lane in ('turn', 'fact', 'summary', 'document')),
    -- 'none' until a vector arrives; a row counts for the vector leg only when this is the asking model.
    embedding_model text not null default 'none',
    speaker text not null default '',
    -- Sorted distinct hashes of words and character n-grams; compared with intarray's &.
    words integer[] not null default '{}',
    grams integer[] not null default '{}',
    -- No fixed dimension: models change. 1536 dimensions (3 kB) must stay inline, see toast_tuple_target.
    embedding halfvec,
    role text not null default 'user' check (role in ('user', 'assistant', 'tool', 'system')),
    category text not null default '',
    provenance text not null default 'observation'
        check (provenance in ('observation', 'analysis', 'confirmed_by_user')),
    epistemic_type text check (epistemic_type in ('fact', 'opinion', 'preference', 'outdated')),
    -- The turns a fact cites, so that a fact and its turn do not both take a place.
    derived_from uuid[] not null default '{}',
    text text not null,
    primary key (tenant_id, source_id, lane, embedding_model),
    check ((embedding is null) = (embedding_model = 'none'))
) with (toast_tuple_target = 4080);

-- One person's rows are scanned whole and ranked exactly. No global GIN or vector index: they tempt the planner
-- away from the person, and an approximate index with a filter loses the person's own rows among everybody's.
create index recall_index_of_person on brain.recall_index (tenant_id, scope, user_id);
-- Erasing, replacing or re-embedding by source is the primary key; waiting for a vector is this.
create index recall_index_without_vector on brain.recall_index (tenant_id, recorded_at) where embedding_model = 'none';
