-- What models were asked to do, counted in tokens: one row per tenant, UTC day, purpose and role, in a few parts so that
-- the turns of different people do not queue for one row. Sums only: nothing here tells what was said, or by whom.

create table brain.token_ledger (
    tenant_id uuid not null,
    day date not null,
    purpose text not null check (purpose in ('turn', 'evolution', 'upkeep')),
    role text not null check (role in ('chat', 'fast')),
    part smallint not null check (part between 0 and 15),
    calls bigint not null,
    estimated_calls bigint not null,
    input_tokens bigint not null,
    output_tokens bigint not null,
    primary key (tenant_id, day, purpose, role, part)
) with (fillfactor = 50);

call brain.secure_tenant('brain.token_ledger');
grant select, insert, update on brain.token_ledger to :app_role;
