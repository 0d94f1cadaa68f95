-- Sessions of the panel that somebody signed out of: their cookies are signed and would count until they are too old.

-- A session is known by the SHA-256 of the token in its forms. ``until``: when it would have ended by itself.
create table brain.ended_panel_sessions (
    tenant_id uuid not null,
    session_sha256 text not null check (session_sha256 ~ '^[0-9a-f]{64}$'),
    until timestamptz not null,
    primary key (tenant_id, session_sha256)
);
create index ended_panel_sessions_by_time on brain.ended_panel_sessions (tenant_id, until);
call brain.secure_tenant('brain.ended_panel_sessions');
