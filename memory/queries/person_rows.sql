-- name: tables_of_people
-- Every table of Brain's with rows of people: what can be written of it beside their ids, its key, what it refers to.
-- Which transaction wrote a row is known to its own server alone.
select c.relname::text as name,
       array(select a.attname::text from pg_catalog.pg_attribute a
             where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
               and a.attname <> all(array['tenant_id', 'user_id', 'written_by'])
             order by a.attname) as columns,
       array(select a.attname::text from pg_catalog.pg_index i
             join pg_catalog.pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
             where i.indrelid = c.oid and i.indisprimary
             order by array_position(i.indkey, a.attnum)) as key,
       array(select p.relname::text from pg_catalog.pg_constraint k join pg_catalog.pg_class p on p.oid = k.confrelid
             where k.conrelid = c.oid and k.contype = 'f') as refers_to,
       exists (select from pg_catalog.pg_attribute a
               where a.attrelid = c.oid and a.atttypid = 'bytea'::regtype and a.attstorage = 'e' and not a.attisdropped) as has_bytes
from pg_catalog.pg_class c
where c.relnamespace = 'brain'::regnamespace and c.relkind = 'r' and c.relname <> all(%(left_out)s::text[])
  and (select count(*) from pg_catalog.pg_attribute a
       where a.attrelid = c.oid and a.attname in ('tenant_id', 'scope', 'user_id') and not a.attisdropped) = 3
order by c.relname;

-- name: read_in_utc
-- Moments are written in UTC to the end of the transaction, whatever the zone of the server.
select set_config('TimeZone', 'UTC', true) as zone;

-- name: enqueue_arrived
-- The work that waited where a person's rows came from waits here.
select brain.enqueue_evolution(o.tenant_id, o.scope, o.user_id, o.session_id, 0, 0) is null as enqueued
from (select distinct tenant_id, scope, user_id, session_id from brain.operations
      where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and status = 'queued') o;
