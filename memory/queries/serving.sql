-- name: keep_serving
-- A process says that it lives, and hears how many others do.
select brain.keep_serving(%(process_id)s) as others;

-- name: stop_serving
-- A process ends: what it held is free.
select brain.stop_serving(%(process_id)s);

-- name: take_share
-- Places and requests of a tenant, counted over all processes.
select granted, too_fast, seconds
from brain.take_share(%(tenant_id)s, %(process_id)s, %(running)s, %(wanted)s, %(per_minute)s, %(at_once)s, %(at_most)s);

-- name: claim_decision
-- One process carries out a decision; another may where that one died or took too long.
insert into brain.decisions_at_work as d (tenant_id, decision_id, process_id, ends_at)
values (%(tenant_id)s, %(decision_id)s, %(process_id)s, clock_timestamp() + %(seconds)s * interval '1 second')
on conflict (tenant_id, decision_id) do update set process_id = excluded.process_id, ends_at = excluded.ends_at
    where brain.serving(d.process_id) is null or d.ends_at < clock_timestamp()
returning true as claimed;

-- name: release_decision
-- It was carried out, or given up.
delete from brain.decisions_at_work
where tenant_id = %(tenant_id)s and decision_id = %(decision_id)s and process_id = %(process_id)s;
