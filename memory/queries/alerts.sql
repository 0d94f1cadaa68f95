-- Alerts about how the service does: of one tenant, or of the installation under the tenant of zeros.

-- name: claim_act
-- Whether nobody has done this for the whole installation within so many seconds; it counts as done then.
select brain.claim_act(%(act)s::text, %(pause)s::double precision) as is_ours;

-- name: tenants_with_alerts
-- Whose alerts may have to end.
select tenant_id from brain.tenants_with_alerts() limit 100000;

-- name: service_duties
-- How the installation stands: the longest wait in the queue, of what is to be sealed, and since the last backup, in seconds.
select h.oldest_seconds as queue_seconds, brain.unsealed_seconds() as unsealed_seconds,
       brain.seconds_since('backup') as backup_seconds
from queue.health() h
limit 1;

-- name: active_alerts
-- What is going on in the tenant.
select tenant_id, alert_id, name, severity, value, threshold, samples, began_at, renewed_at, ended_at
from brain.service_alerts
where tenant_id = %(tenant_id)s and ended_at is null
order by began_at desc, alert_id desc
limit 1000;

-- name: newest_alerts
-- What goes on, then what ended last.
select tenant_id, alert_id, name, severity, value, threshold, samples, began_at, renewed_at, ended_at
from brain.service_alerts
where tenant_id = %(tenant_id)s
order by ended_at desc nulls first, began_at desc, alert_id desc
limit %(most)s;

-- name: alert_by_id
-- One of them.
select tenant_id, alert_id, name, severity, value, threshold, samples, began_at, renewed_at, ended_at
from brain.service_alerts
where tenant_id = %(tenant_id)s and alert_id = %(alert_id)s
limit 1;

-- name: begin_alert
-- It begins, unless it is active: of several processes one begins it.
insert into brain.service_alerts (tenant_id, alert_id, name, severity, value, threshold, samples, began_at, renewed_at)
values (%(tenant_id)s, %(alert_id)s, %(name)s, %(severity)s, %(value)s, %(threshold)s, %(samples)s, %(at)s, %(at)s)
on conflict (tenant_id, name, severity) where ended_at is null do nothing
returning tenant_id, alert_id, name, severity, value, threshold, samples, began_at, renewed_at, ended_at;

-- name: renew_alert
-- It goes on.
update brain.service_alerts
set value = %(value)s, threshold = %(threshold)s, samples = %(samples)s, renewed_at = greatest(renewed_at, %(at)s)
where tenant_id = %(tenant_id)s and name = %(name)s and severity = %(severity)s and ended_at is null;

-- name: end_alert
-- It is over; of several processes one ends it.
update brain.service_alerts
set ended_at = greatest(began_at, %(at)s)
where tenant_id = %(tenant_id)s and alert_id = %(alert_id)s and ended_at is null
returning tenant_id, alert_id, name, severity, value, threshold, samples, began_at, renewed_at, ended_at;

-- name: drop_old_alerts
-- What ended long ago tells nobody anything any more.
delete from brain.service_alerts where tenant_id = %(tenant_id)s and ended_at < %(before)s;

-- name: enqueue_alert
-- Have it told, in the transaction that begins or ends it. Its end is told after its beginning.
select queue.procrastinate_defer_jobs_v1(array[
    row('corrections', 'tell_alert', 0, 'alert:' || %(alert_id)s::uuid, null,
        jsonb_build_object('tenant_id', %(tenant_id)s::uuid, 'alert_id', %(alert_id)s::uuid, 'state', %(state)s::text), null)
    ::queue.procrastinate_job_to_defer_v1])::text as done;

-- name: active_alert_counts
-- How many tenants have an alert now, and how long ago somebody looked.
select name, severity, alerts, seconds from brain.count_alerts() limit 1000;
