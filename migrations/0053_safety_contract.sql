-- What a tenant adds to the safety contract: whole documents, each a version, the last one in force. An empty one takes back what
-- was added. The contract of the package stands above them and is in no table.

create table brain.contract_versions (
    tenant_id uuid not null,
    version integer not null check (version >= 1),
    text text not null,
    sha256 text not null,
    author text,
    created_at timestamptz not null,
    primary key (tenant_id, version)
);
alter table brain.contract_versions alter column text set statistics 0, alter column author set statistics 0;
call brain.secure_tenant('brain.contract_versions');

-- Who set a version is nobody's name any more once that person is erased.
create function brain.forget_contract_author() returns trigger
language plpgsql security definer set search_path = brain, public, pg_temp
as $$
declare
    tenant_before constant text := coalesce(current_setting('brain.tenant_id', true), '');
begin
    perform set_config('brain.tenant_id', new.tenant_id::text, true);
    update contract_versions set author = null where tenant_id = new.tenant_id and author = old.user_name;
    perform set_config('brain.tenant_id', tenant_before, true);
    return null;
end $$;
revoke all on function brain.forget_contract_author from public;
create trigger forget_contract_author after update of user_name on brain.tombstones
    for each row when (old.user_name is not null and new.user_name is null and old.scope is null)
    execute function brain.forget_contract_author();
