-- Versioned Markdown: daily notes, the curated MEMORY and profiles. What can be found in them is recall_index's business.

create table brain.documents (
    tenant_id uuid not null,
    -- Made of owner, kind and name, so that a person (or a group) has each document once.
    document_id uuid not null,
    scope text not null,
    user_id uuid not null,
    kind text not null check (kind in ('daily_note', 'memory', 'user_profile', 'group_profile')),
    name text not null,
    -- Not jsonb: the order of the fields and the spelling of numbers are the writer's.
    front json not null default '{}',
    body text not null check (octet_length(body) <= 65536),
    version integer not null check (version >= 1),
    sha256 text not null,
    author text not null,
    reason text not null,
    updated_at timestamptz not null,
    primary key (tenant_id, document_id)
);
create index documents_of_person on brain.documents (tenant_id, scope, user_id, kind, name);

-- What a document said before a change, the newest few of each.
create table brain.document_versions (
    tenant_id uuid not null,
    document_id uuid not null,
    version integer not null,
    scope text not null,
    user_id uuid not null,
    front json not null,
    body text not null,
    sha256 text not null,
    author text not null,
    reason text not null,
    updated_at timestamptz not null,
    primary key (tenant_id, document_id, version),
    foreign key (tenant_id, document_id) references brain.documents (tenant_id, document_id)
);

-- Which entries daily notes have taken: an entry that a person removed from a note does not come back.
create table brain.note_entries (
    tenant_id uuid not null,
    entry_id uuid not null,
    scope text not null,
    user_id uuid not null,
    document_id uuid not null,
    recorded_at timestamptz not null,
    primary key (tenant_id, entry_id),
    foreign key (tenant_id, document_id) references brain.documents (tenant_id, document_id)
);

call brain.secure('brain.documents');
call brain.secure('brain.document_versions');
call brain.secure('brain.note_entries');

grant select, insert, update on brain.documents to :app_role;
grant select, insert, delete on brain.document_versions to :app_role;
grant select, insert on brain.note_entries to :app_role;
