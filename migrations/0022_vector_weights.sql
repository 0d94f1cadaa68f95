-- How much the vectors of an embedding model are worth beside words, as measured on labelled questions of one language.
-- Everybody in a tenant shares it: it tells about a model, nothing about anybody.

create table brain.vector_weights (
    tenant_id uuid not null,
    model text not null check (model <> ''),
    language text not null check (language <> ''),
    weight float8 not null check (weight >= 0 and weight <= 100),
    questions integer not null check (questions > 0),
    measured_at timestamptz not null,
    primary key (tenant_id, model, language)
);

call brain.secure_tenant('brain.vector_weights');
