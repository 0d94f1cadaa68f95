-- name: queue_health
-- How the work behind the conversation stands: for a person who asks and for an alarm. Belongs to the installation,
-- not to a tenant. Age in seconds of the job that has waited longest since it was due, among the first thousand: the
-- very first may just have become due again. Dead letters are jobs that gave up. Upkeep that is due another day does
-- not wait yet; what is tried again in some seconds does. A worker signs in twice: it keeps places for corrections.
select waiting, running, dead_letters, oldest_seconds, workers from queue.health();

-- name: people_of_tenant
-- Everybody who ever spoke in this tenant and is not being erased, by the name they came with.
select n.name from brain.names n
where n.tenant_id = %(tenant_id)s and n.kind = 'user'
    and not exists (select from brain.tombstones t
                    where t.tenant_id = %(tenant_id)s and t.user_id = n.name_id and t.scope is null)
order by n.name
limit 100000;

-- name: keep_little_in_memory
-- For the probe below, to the end of the transaction: what does not fit goes to the disk of the database's own tables.
select set_config('work_mem', '64kB', true), set_config('temp_tablespaces', '', true);

-- name: probe_disk
-- Write two megabytes to a temporary file, which is gone with the statement; it fails where there is no room for them.
select count(*) as pieces from unnest(array_fill(repeat('x', 100000), array[20]));

-- name: database_id
-- Which database this is, among all of all servers; a copy of it is another one.
select (select system_identifier from pg_control_system())::text || '-' || oid as database_id
from pg_database where datname = current_database();
