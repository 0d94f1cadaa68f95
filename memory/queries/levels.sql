-- Service levels of a tenant (S0 section 2.3.2): sums over all its people. Windows begin at ``since`` and end before ``until``.

-- name: living_of_tenant
-- Living memories by what is wrong with them, those of groups apart.
select of_group, living, outdated, ended, doubted, over, lasting, replaced_often, contested, unsettled
from brain.count_memories_of_tenant(%(since)s, %(at)s)
limit 2;

-- name: living_of_person
-- The same of one person, or of one group.
select of_group, living, outdated, ended, doubted, over, lasting, replaced_often, contested, unsettled
from brain.count_memories(%(tenant_id)s::uuid, %(scope)s::text, case when not %(is_group)s then %(user_id)s::uuid end, %(since)s,
                          %(at)s)
limit 1;

-- name: receipts_in_window
-- Receipts, and those that say all that one of their kind has to say.
select receipts, complete, injections, complete_injections from brain.count_receipts(%(since)s, %(until)s) limit 1;

-- name: injections_in_window
-- Memories that were put forward for the prompt, that stood in it, and that found no room.
select offered, accepted, exceeded from brain.count_injections(%(since)s, %(until)s) limit 1;

-- name: searches_in_window
-- Questions that were put to memory, and how long they took.
select searches, slow, p95_ms from brain.count_searches(%(since)s, %(until)s, %(slow_ms)s) limit 1;

-- name: fuses_in_window
-- How many memories were taken out of the prompts because people kept rejecting them.
select brain.count_fuses(%(since)s, %(until)s) as fuses;

-- name: deletions_in_window
-- Erasures under way, those past their deadline, and the largest share of its time that one took.
select tombstones, overdue, longest from brain.count_deletions(%(since)s, %(until)s) limit 1;

-- name: operations_in_window
-- Turns that memory looked at, those it gave up on, and how many it looked at in minutes with enough to do.
select finished, given_up, busy_minutes, busy_items
from brain.count_operations(%(since)s, %(until)s, %(enough)s)
limit 1;

-- name: audited_in_window
-- Changes of memories, and how many of them the audit has.
select changes, audited from brain.count_audited(%(since)s, %(until)s) limit 1;

-- name: level_events
-- Good and bad events between two moments, for each indicator that is made of events: what burns its budget.
select e.indicator, e.good, e.bad
from brain.count_receipts(%(since)s, %(until)s) r
cross join brain.count_injections(%(since)s, %(until)s) i
cross join brain.count_searches(%(since)s, %(until)s, %(slow_ms)s) s
cross join brain.count_deletions(%(since)s, %(until)s) d
cross join lateral (values
    ('retrieval_latency_p95', s.searches - s.slow, s.slow),
    ('context_overflow_rate', i.offered - i.exceeded, i.exceeded),
    ('receipt_completeness_rate', r.complete, r.receipts - r.complete),
    ('injection_quality', i.accepted, i.offered - i.accepted),
    ('deletion_timeout_rate', d.tombstones - d.overdue, d.overdue)
) as e (indicator, good, bad)
limit 10;

-- name: tenants_with_receipts
-- Tenants that have levels to watch.
select tenant_id from brain.tenants_with_receipts(%(since)s) limit 100000;

-- name: level_thresholds
-- Where a tenant's figures pass and fail, as far as that differs from the server's settings.
select figure, pass_at, fail_at from brain.level_thresholds where tenant_id = %(tenant_id)s order by figure limit 100;

-- name: set_level_threshold
insert into brain.level_thresholds (tenant_id, figure, pass_at, fail_at)
values (%(tenant_id)s, %(figure)s, %(pass_at)s, %(fail_at)s)
on conflict (tenant_id, figure) do update set pass_at = excluded.pass_at, fail_at = excluded.fail_at;

-- name: drop_level_threshold
-- The figure is judged as the server is set again.
delete from brain.level_thresholds where tenant_id = %(tenant_id)s and figure = %(figure)s returning figure, pass_at, fail_at;

-- name: record_drill
-- A switch to the standby that was tried.
insert into brain.drills (tenant_id, drill_id, rto_seconds, rpo_seconds, held_at)
values (%(tenant_id)s, %(drill_id)s, %(rto_seconds)s, %(rpo_seconds)s, %(held_at)s);

-- name: last_drill
-- The newest one of the whole installation.
select rto_seconds, rpo_seconds, held_at from brain.last_drill(%(at)s) limit 1;

-- name: save_verdict
-- What a release came to; told again, it keeps its place among the releases.
insert into brain.release_verdicts (tenant_id, release, figure, state, value, samples, first_at, reported_at)
select %(tenant_id)s, %(release)s, u.figure, u.state, u.value, u.samples,
       coalesce((select min(v.first_at) from brain.release_verdicts v
                 where v.tenant_id = %(tenant_id)s and v.release = %(release)s), %(at)s), %(at)s
from unnest(%(figures)s::text[], %(states)s::text[], %(values)s::float8[], %(samples)s::bigint[])
         as u (figure, state, value, samples)
on conflict (tenant_id, release, figure) do update
    set state = excluded.state, value = excluded.value, samples = excluded.samples, reported_at = excluded.reported_at;

-- name: release_verdicts
-- The verdicts of a tenant's newest releases, the newest first.
select v.release, v.figure, v.state, v.value, v.samples, v.first_at, v.reported_at
from brain.release_verdicts v
join (
    select release, min(first_at) as first_at from brain.release_verdicts
    where tenant_id = %(tenant_id)s
    group by release
    order by 2 desc, release desc
    limit %(most)s
) newest using (release)
where v.tenant_id = %(tenant_id)s
order by newest.first_at desc, v.release desc, v.figure
limit 5000;
