-- The audit chain: links are appended by a function of the database alone, and heads are signed by whoever has the key.

-- name: seal_chain
-- Append links for rows of all tenants that are committed and not sealed; the new heads. First in its transaction.
select tenant_id, position, hash, sealed_at, added from brain.seal_chain(%(most)s);

-- name: insert_checkpoint
-- The signature of a head.
insert into brain.chain_checkpoints (tenant_id, position, hash, signed_at, signature, public_key)
values (%(tenant_id)s, %(position)s, %(hash)s, %(signed_at)s::text::timestamptz, %(signature)s, %(public_key)s);

-- name: page_of_chain
-- Links of a tenant by position, with the salt and the attested text of each row that is still there, and the checkpoint of
-- its position. For the owner, who sees all of a tenant's rows.
select l.position, l.kind, l.row_id, l.commitment, l.hash, brain.utc_text(l.sealed_at) as sealed_at,
       coalesce(a.salt, r.salt) as salt,
       case when a.salt is not null then brain.attested_text(a) when r.salt is not null then brain.attested_text(r) end
           as attested,
       c.hash as signed_hash, brain.utc_text(c.signed_at) as signed_at, c.signature, c.public_key
from brain.chain_links l
left join brain.audit_log a on l.kind = 'audit' and a.tenant_id = %(tenant_id)s and a.audit_id = l.row_id
left join brain.memory_receipts r on l.kind = 'receipt' and r.tenant_id = %(tenant_id)s and r.receipt_id = l.row_id
left join brain.chain_checkpoints c on c.tenant_id = %(tenant_id)s and c.position = l.position
where l.tenant_id = %(tenant_id)s and l.position > %(after)s
order by l.position
limit %(page)s;

-- name: sealed_anew
-- Whether a row was sealed again further on, because it went and came back, as the receipts of a turn do that is taken back
-- and run again.
select exists (select from brain.chain_links
               where tenant_id = %(tenant_id)s and position > %(position)s and row_id = %(row_id)s and kind = %(kind)s)
           as anew;

-- name: attestable_rows
-- How many rows of a tenant there are with a salt, and how many from before there were any.
select count(*) filter (where salt is not null) as salted, count(*) filter (where written_by is null) as unattested
from (select salt, written_by from brain.audit_log where tenant_id = %(tenant_id)s
      union all
      select salt, written_by from brain.memory_receipts where tenant_id = %(tenant_id)s) rows;

-- name: chain_head
-- The last signed head of a tenant.
select position, hash, brain.utc_text(signed_at) as signed_at, signature, public_key
from brain.chain_checkpoints
where tenant_id = %(tenant_id)s
order by position desc
limit 1;
