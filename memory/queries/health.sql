-- name: queue_health
-- How the work behind the conversation stands: for a person who asks and for an alarm. Belongs to the installation,
-- not to a tenant. Age in seconds of the job that has waited longest since it was due, among the first thousand: the
-- very first may just have become due again. Dead letters are jobs that gave up. Upkeep that is due another day does
-- not wait yet; what is tried again in some seconds does. A worker signs in twice: it keeps places for corrections.
select waiting, running, dead_letters, oldest_seconds, workers from queue.health();

-- name: people_of_tenant
-- Everybody who ever spoke in this tenant, by the name they came with.
select name from brain.names
where tenant_id = %(tenant_id)s and kind = 'user'
order by name
limit 100000;
