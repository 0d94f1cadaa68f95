-- Experiments: which variant of Brain a person talks to, and how the variants did. One runs at a time in a tenant. Nothing here
-- tells who was in which variant: it follows from the salt and the person, and the salt never leaves the database.

-- ``variants``: the first is the one that others are compared with. Each is {name, share, dimensions}; shares are percent.
-- ``guard``: the measure that ends the experiment by itself. ``finding``: the figures by which it did.
create table brain.experiments (
    tenant_id uuid not null,
    experiment_id uuid not null,
    name text not null check (name ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
    variants jsonb not null,
    guard text not null check (guard in ('negative', 'corrections', 'utilization')),
    salt text not null check (length(salt) = 64),
    started_at timestamptz not null,
    ended_at timestamptz,
    ended_by text check (ended_by in ('operator', 'guard')),
    finding jsonb,
    primary key (tenant_id, experiment_id),
    unique (tenant_id, name),
    check ((ended_at is null) = (ended_by is null))
);
create unique index experiments_running on brain.experiments (tenant_id) where ended_at is null;

-- Sums over people, in sixteen parts by person: so turns do not queue for one row, and how much the parts differ tells how much
-- people differ, without a row about anybody.
create table brain.experiment_counts (
    tenant_id uuid not null,
    experiment_id uuid not null,
    variant text not null,
    part smallint not null check (part between 0 and 15),
    turns bigint not null,
    judged bigint not null,
    negative bigint not null,
    corrections bigint not null,
    injected bigint not null,
    utilized bigint not null,
    routed bigint not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    primary key (tenant_id, experiment_id, variant, part),
    foreign key (tenant_id, experiment_id) references brain.experiments (tenant_id, experiment_id)
) with (fillfactor = 50);

-- What operators write, and the key: in no sample of the planner's.
alter table brain.experiments alter column name set statistics 0, alter column variants set statistics 0,
    alter column salt set statistics 0, alter column finding set statistics 0;
alter table brain.experiment_counts alter column variant set statistics 0;

call brain.secure_tenant('brain.experiments');
call brain.secure_tenant('brain.experiment_counts');

-- Where in the experiment a person stands, from 0 to 9999: a keyed hash of the tenant's experiment and the person, which says
-- nothing of another experiment.
create function brain.experiment_place(salt text, of_experiment uuid, of_user uuid) returns integer
language sql immutable parallel safe
as $$
    select ((('x' || substr(encode(sha256(decode(salt, 'hex') || uuid_send(of_experiment) || uuid_send(of_user)), 'hex'), 1, 13))
            ::bit(52)::bigint) % 10000)::integer
$$;
