-- name: active_contract
-- What the tenant adds to the safety contract now.
select version, text, sha256 from brain.contract_versions
where tenant_id = %(tenant_id)s
order by version desc
limit 1;

-- name: add_contract
-- The next version, which nobody else may have set and none may be left out before.
insert into brain.contract_versions (tenant_id, version, text, sha256, author, created_at)
select %(tenant_id)s, %(version)s, %(text)s, %(sha256)s, %(author)s, %(created_at)s
where %(version)s = 1 + coalesce((select max(version) from brain.contract_versions where tenant_id = %(tenant_id)s), 0)
on conflict do nothing
returning version;

-- name: contract_versions
-- All versions, newest first.
select version, text, sha256, author, created_at from brain.contract_versions
where tenant_id = %(tenant_id)s
order by version desc
limit %(limit)s;
