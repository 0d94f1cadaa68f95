-- Erasing a person for good. What is deleted is deleted by functions that run as the owner (migration 0048): the application
-- itself may delete no turn. Tombstones, profiles and holds belong to a tenant; sessions here are the tenant's.

-- name: close_person
-- Wait until every transaction of the person has ended; whichever begins later waits for this one and sees the tombstone.
select pg_advisory_xact_lock(hashtextextended('brain person ' || %(user_id)s::uuid, 0))::text as done;

-- name: hold_on_person
-- The legal hold because of which somebody may not be erased.
select tenant_id, hold_id, user_id, scope, reason, placed_by, placed_at, lifted_by, lifted_at from brain.legal_holds
where tenant_id = %(tenant_id)s and user_id = %(user_id)s and lifted_at is null
  and (scope is null or %(scope)s::text is null or scope = %(scope)s)
order by placed_at limit 1;

-- name: open_tombstone
-- The person's tombstone that is not completed: of all compartments, or of this one.
select tenant_id, tombstone_id, person_hash, user_id, scope, state, requested_at, requested_by, profile, due_at, alerted,
       attempts, failure, erased, completed_at, certificate
from brain.tombstones
where tenant_id = %(tenant_id)s and user_id = %(user_id)s and (scope is null or scope = %(scope)s::text)
order by requested_at limit 1;

-- name: insert_tombstone
-- It was asked for.
insert into brain.tombstones (tenant_id, tombstone_id, person_hash, user_id, user_name, scope, requested_at, requested_by,
                              profile, warn_at, critical_at, due_at)
values (%(tenant_id)s, %(tombstone_id)s, %(person_hash)s, %(user_id)s, %(user_name)s, %(scope)s, %(requested_at)s,
        %(requested_by)s, %(profile)s, %(warn_at)s, %(critical_at)s, %(due_at)s);

-- name: enter_state
-- The next state of a tombstone; one that is completed, or in that state already, stays as it is.
update brain.tombstones
set state = %(state)s, failure = %(failure)s, attempts = attempts + (%(state)s = 'processing')::int
where tenant_id = %(tenant_id)s and tombstone_id = %(tombstone_id)s and state <> %(state)s and user_id is not null;

-- name: hide_in_groups
-- Groups go on without what the person said there.
select brain.hide_in_groups(%(tombstone_id)s)::text as done;

-- name: enqueue_erasure
-- The event that has the rest done, in the transaction that sets the tombstone.
select queue.procrastinate_defer_jobs_v1(array[
    row('corrections', 'erase', 0, 'erase:' || %(user_id)s::uuid,
        'erasure:' || %(user_id)s::uuid || ':' || %(tombstone_id)s::uuid,
        jsonb_build_object('tenant_id', %(tenant_id)s::uuid, 'tombstone_id', %(tombstone_id)s::uuid), null)
    ::queue.procrastinate_job_to_defer_v1])::text as done;

-- name: tombstone_by_id
-- One erasure.
select tenant_id, tombstone_id, person_hash, user_id, scope, state, requested_at, requested_by, profile, due_at, alerted,
       attempts, failure, erased, completed_at, certificate
from brain.tombstones where tenant_id = %(tenant_id)s and tombstone_id = %(tombstone_id)s limit 1;

-- name: tombstones_of_tenant
-- The newest erasures of a tenant, or of one person by the keyed hash.
select tenant_id, tombstone_id, person_hash, user_id, scope, state, requested_at, requested_by, profile, due_at, alerted,
       attempts, failure, erased, completed_at, certificate
from brain.tombstones
where tenant_id = %(tenant_id)s and (%(person_hash)s::text is null or person_hash = %(person_hash)s)
order by requested_at desc, tombstone_id desc limit %(limit)s;

-- name: tombstone_steps
-- The states that an erasure was in, in order.
select state, entered_at from brain.tombstone_states
where tenant_id = %(tenant_id)s and tombstone_id = %(tombstone_id)s order by step limit 1000;

-- name: threads_of_erased
-- The threads that hold words of the person.
select thread_id, named from checkpoint.threads_of_erased(%(tombstone_id)s) limit 1000000;

-- name: erase_thread
-- Delete one of them whole.
select checkpoint.erase_thread(%(tombstone_id)s, %(thread_id)s, %(named)s) as erased;

-- name: act_under_tombstone
-- To the end of the transaction: what is closed under a tombstone can be read, so that others' documents are written without it.
select set_config('brain.erasing', %(tombstone_id)s, true);

-- name: groups_of_person
-- The groups in which somebody spoke: the compartments of which the session has not said that it acts for them are closed to it.
select brain.groups_under_tombstone(%(tombstone_id)s) as scope limit 10000;

-- name: memories_of_person
-- What a person said in a group, as memories are sought in documents.
select item_id as memory_id, object as words from brain.memory_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(person)s limit 100000;

-- name: events_of_person
-- The turns of a person in a group.
select event_id from brain.conversation_events
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(person)s limit 1000000;

-- name: return_documents
-- The documents of groups are open again.
select brain.return_documents(%(tombstone_id)s)::text as done;

-- name: untie_erased
-- What others in the person's groups cite and repeat of them.
select brain.untie_erased(%(tombstone_id)s) as erased;

-- name: erase_rows
-- A batch of the person's rows.
select kind, erased from brain.erase_rows(%(tombstone_id)s, %(most)s) limit 1;

-- name: erase_name
-- What knows the person by name.
select kind, erased from brain.erase_name(%(tombstone_id)s) limit 10;

-- name: count_erased
-- Add what went to the counts of a tombstone.
update brain.tombstones
set erased = erased || jsonb_build_object(%(kind)s::text, coalesce((erased ->> %(kind)s)::bigint, 0) + %(erased)s)
where tenant_id = %(tenant_id)s and tombstone_id = %(tombstone_id)s and %(erased)s > 0;

-- name: residue_of_person
-- What is still there.
select kind, counted from brain.count_residue(%(tombstone_id)s) limit 1000;

-- name: consume_event
-- An event is consumed once: no row comes back for one that was.
insert into brain.inbox (tenant_id, idempotency_key) values (%(tenant_id)s, %(key)s)
on conflict do nothing returning idempotency_key;

-- name: complete_erasure
-- The end of it.
select brain.complete_erasure(%(tombstone_id)s, make_interval(secs => %(runs_end)s), %(certificate)s)::text as done;

-- name: erasure_alerts
-- What is to be told of erasures of all tenants whose deadline comes near.
select tenant_id, tombstone_id, alert, due_at from brain.alert_erasures(%(at)s) limit 1000;

-- name: is_erased_thread
-- Whether a thread of a tenant was erased.
select brain.is_erased_thread(%(tenant_id)s, %(thread_id)s) as erased;

-- name: known_tombstones
-- Which erasures the database knows, of all tenants, and whether the list outside it has them.
select tombstone_id, listed from brain.known_tombstones() limit 10000000;

-- name: installation
-- Which installation this is.
select brain.installation_id() as installation_id;

-- name: note_listed
-- The list outside the database has it.
update brain.tombstones set listed = true where tenant_id = %(tenant_id)s and tombstone_id = %(tombstone_id)s;

-- name: erasure_request
-- What the list outside the database is told of an erasure that is not completed.
select tenant_id, tombstone_id, user_id, user_name, person_hash, scope, requested_by, requested_at from brain.tombstones
where tenant_id = %(tenant_id)s and tombstone_id = %(tombstone_id)s and user_id is not null limit 1;

-- name: legal_profile
-- What a tenant promises under this name.
select name, days, day_type, warn_percent, critical_percent from brain.legal_profiles
where tenant_id = %(tenant_id)s and name = %(name)s limit 1;

-- name: save_legal_profile
-- Promise something else from now on.
insert into brain.legal_profiles (tenant_id, name, days, day_type, warn_percent, critical_percent)
values (%(tenant_id)s, %(name)s, %(days)s, %(day_type)s, %(warn_percent)s, %(critical_percent)s)
on conflict (tenant_id, name) do update set days = excluded.days, day_type = excluded.day_type,
    warn_percent = excluded.warn_percent, critical_percent = excluded.critical_percent;

-- name: place_hold
-- Somebody may not be erased for now.
insert into brain.legal_holds (tenant_id, hold_id, user_id, scope, reason, placed_by, placed_at)
values (%(tenant_id)s, %(hold_id)s, %(user_id)s, %(scope)s, %(reason)s, %(placed_by)s, %(placed_at)s);

-- name: lift_hold
-- The hold is over; its first end stands.
update brain.legal_holds set lifted_by = coalesce(lifted_by, %(by)s), lifted_at = coalesce(lifted_at, %(at)s)
where tenant_id = %(tenant_id)s and hold_id = %(hold_id)s
returning tenant_id, hold_id, user_id, scope, reason, placed_by, placed_at, lifted_by, lifted_at;

-- name: holds_of_tenant
-- A tenant's holds.
select tenant_id, hold_id, user_id, scope, reason, placed_by, placed_at, lifted_by, lifted_at from brain.legal_holds
where tenant_id = %(tenant_id)s order by placed_at desc, hold_id limit 1000;
