-- name: start_experiment
-- Begin an experiment, with a salt that only the database knows. Nothing where one runs, or where the name was used.
insert into brain.experiments (tenant_id, experiment_id, name, variants, guard, salt, started_at)
values (%(tenant_id)s, %(experiment_id)s, %(name)s, %(variants)s, %(guard)s,
        encode(uuid_send(gen_random_uuid()) || uuid_send(gen_random_uuid()), 'hex'), %(started_at)s)
on conflict do nothing
returning experiment_id, name, variants, guard, started_at, ended_at, ended_by, finding;

-- name: end_experiment
-- End an experiment. The first end stands.
update brain.experiments
set ended_at = %(ended_at)s, ended_by = %(ended_by)s, finding = %(finding)s
where tenant_id = %(tenant_id)s and experiment_id = %(experiment_id)s and ended_at is null
returning experiment_id, name, variants, guard, started_at, ended_at, ended_by, finding;

-- name: newest_experiments
-- A tenant's experiments, the newest first.
select experiment_id, name, variants, guard, started_at, ended_at, ended_by, finding
from brain.experiments
where tenant_id = %(tenant_id)s
order by started_at desc, experiment_id desc
limit 200;

-- name: experiment_by_name
-- An experiment of the tenant.
select experiment_id, name, variants, guard, started_at, ended_at, ended_by, finding
from brain.experiments
where tenant_id = %(tenant_id)s and name = %(name)s
limit 1;

-- name: experiment_counts
-- How the variants of an experiment did, by part.
select variant, part, turns, judged, negative, corrections, injected, utilized, routed, input_tokens, output_tokens
from brain.experiment_counts
where tenant_id = %(tenant_id)s and experiment_id = %(experiment_id)s
order by variant, part;

-- name: count_turn_of_experiment
-- Add a turn to its variant, while the experiment runs. A turn counts once: its receipts, written after it in the same
-- transaction, tell that it was counted.
insert into brain.experiment_counts as c (tenant_id, experiment_id, variant, part, turns, judged, negative, corrections,
                                          injected, utilized, routed, input_tokens, output_tokens)
select %(tenant_id)s, e.experiment_id, %(variant)s, %(part)s, 1, %(judged)s::integer, %(negative)s::integer,
       %(corrected)s::integer, %(injected)s::integer, %(utilized)s::integer, %(routed)s::integer,
       %(input_tokens)s::bigint, %(output_tokens)s::bigint
from brain.experiments e
where e.tenant_id = %(tenant_id)s and e.experiment_id = %(experiment_id)s and e.ended_at is null
  and not exists (select from brain.memory_receipts r
                  where r.tenant_id = %(tenant_id)s and r.receipt_id = any(%(receipt_ids)s::uuid[]))
on conflict (tenant_id, experiment_id, variant, part) do update
    set turns = c.turns + excluded.turns,
        judged = c.judged + excluded.judged,
        negative = c.negative + excluded.negative,
        corrections = c.corrections + excluded.corrections,
        injected = c.injected + excluded.injected,
        utilized = c.utilized + excluded.utilized,
        routed = c.routed + excluded.routed,
        input_tokens = c.input_tokens + excluded.input_tokens,
        output_tokens = c.output_tokens + excluded.output_tokens;
