-- name: add_api_key
-- A key of the asking tenant's own.
insert into brain.api_keys (tenant_id, key_id, sha256, tenant_name, user_name, label, scopes, created_at, expires_at)
values (%(tenant_id)s, %(key_id)s, %(sha256)s, %(tenant_name)s, %(user_name)s, %(label)s, %(scopes)s::text[],
        %(created_at)s, %(expires_at)s);

-- name: api_key_by_hash
-- The key that somebody shows.
select tenant_id, key_id, sha256, tenant_name, user_name, label, scopes, created_at, expires_at, revoked_at
from brain.api_keys
where tenant_id = %(tenant_id)s and sha256 = %(sha256)s;

-- name: api_keys_of_tenant
-- A tenant's keys, newest first.
select tenant_id, key_id, sha256, tenant_name, user_name, label, scopes, created_at, expires_at, revoked_at
from brain.api_keys
where tenant_id = %(tenant_id)s
order by created_at desc, key_id
limit 1000;

-- name: expire_api_key
-- A key that expires earlier by itself does so.
update brain.api_keys
set expires_at = least(expires_at, %(at)s)
where tenant_id = %(tenant_id)s and key_id = %(key_id)s and revoked_at is null
returning tenant_id, key_id, sha256, tenant_name, user_name, label, scopes, created_at, expires_at, revoked_at;

-- name: revoke_api_key
-- A key that was revoked before stays revoked since then.
update brain.api_keys
set revoked_at = coalesce(revoked_at, %(at)s)
where tenant_id = %(tenant_id)s and key_id = %(key_id)s
returning tenant_id, key_id, sha256, tenant_name, user_name, label, scopes, created_at, expires_at, revoked_at;
