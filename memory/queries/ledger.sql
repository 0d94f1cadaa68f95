-- name: spend_tokens
-- Add to a tenant's day. Rows are taken in one order, so that two writers never wait for each other in a circle. What a
-- turn cost counts once: its receipts, written after it in the same transaction, tell that it was counted.
insert into brain.token_ledger as l (tenant_id, day, purpose, role, part, calls, estimated_calls, input_tokens, output_tokens)
select %(tenant_id)s, %(day)s, u.purpose, u.role, %(part)s, u.calls, u.estimated_calls, u.input_tokens, u.output_tokens
from unnest(%(purposes)s::text[], %(roles)s::text[], %(calls)s::bigint[], %(estimated_calls)s::bigint[],
            %(input_tokens)s::bigint[], %(output_tokens)s::bigint[])
     as u (purpose, role, calls, estimated_calls, input_tokens, output_tokens)
where not exists (select from brain.memory_receipts r
                  where r.tenant_id = %(tenant_id)s and r.receipt_id = any(%(receipt_ids)s::uuid[]))
order by u.purpose, u.role
on conflict (tenant_id, day, purpose, role, part) do update
    set calls = l.calls + excluded.calls,
        estimated_calls = l.estimated_calls + excluded.estimated_calls,
        input_tokens = l.input_tokens + excluded.input_tokens,
        output_tokens = l.output_tokens + excluded.output_tokens;

-- name: tokens_spent
-- What a tenant has spent on one day, whatever for.
select coalesce(sum(input_tokens + output_tokens), 0)::bigint as tokens
from brain.token_ledger
where tenant_id = %(tenant_id)s and day = %(day)s;

-- name: tokens_by_day
-- A tenant's spending from a day on, newest day first.
select day, purpose, role, sum(calls)::bigint as calls, sum(estimated_calls)::bigint as estimated_calls,
       sum(input_tokens)::bigint as input_tokens, sum(output_tokens)::bigint as output_tokens
from brain.token_ledger
where tenant_id = %(tenant_id)s and day >= %(since)s
group by day, purpose, role
order by day desc, purpose, role
limit 10000;
