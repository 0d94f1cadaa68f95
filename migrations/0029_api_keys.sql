-- Programs prove who they are by a key, and clients that resend a whole conversation find theirs again.

-- A key is known by its SHA-256 alone. The key itself names its tenant, so that it is looked up under the tenant's own
-- row-level security like everything else: who names another tenant finds nothing there.
create table brain.api_keys (
    tenant_id uuid not null,
    key_id uuid not null,
    sha256 text not null check (sha256 ~ '^[0-9a-f]{64}$'),
    tenant_name text not null,
    user_name text not null,
    label text not null default '',
    scopes text[] not null check (cardinality(scopes) > 0),
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    primary key (tenant_id, key_id),
    unique (tenant_id, sha256),
    check (expires_at > created_at)
);
call brain.secure_tenant('brain.api_keys');

-- What was answered to a client that keeps its conversations itself: by the hashes of what was said, the place in the
-- thread is found from which it goes on, is asked again or forks. Holds no words.
create table brain.chat_exchanges (
    tenant_id uuid not null,
    scope text not null,
    user_id uuid not null,
    exchange_id uuid not null,
    session_name text not null,
    said_sha256 text not null,
    exchange_sha256 text not null,
    message_id text not null,
    parent_checkpoint text not null,
    checkpoint text not null,
    created_at timestamptz not null,
    primary key (tenant_id, exchange_id)
);
create index chat_exchanges_by_person on brain.chat_exchanges (tenant_id, scope, user_id, created_at);
create index chat_exchanges_by_answer on brain.chat_exchanges (tenant_id, exchange_sha256);
create index chat_exchanges_by_words on brain.chat_exchanges (tenant_id, said_sha256);
create index chat_exchanges_by_session on brain.chat_exchanges (tenant_id, session_name, created_at);
call brain.secure('brain.chat_exchanges');
