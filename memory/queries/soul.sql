-- SOUL, a tenant's own document: its versions, who did what with them, and how replies were taken under each.

-- name: hold_soul
-- Acts that exclude each other wait for one another, to the end of the transaction.
select pg_advisory_xact_lock(hashtextextended('brain soul ' || %(tenant_id)s::uuid, 0))::text as done;

-- name: bootstrap_soul
-- Version 0, where there is none yet.
with made as (
    insert into brain.soul_versions (tenant_id, version, status, origin, text, sha256, created_at, decided_at, activated_at)
    select %(tenant_id)s, 0, 'active', 'bootstrap', %(first_text)s, %(first_sha256)s, %(at)s, %(at)s, %(at)s
    where not exists (select from brain.soul_versions where tenant_id = %(tenant_id)s and version = 0)
    returning version
)
insert into brain.soul_acts (tenant_id, version, act, scope, user_id, done_at)
select %(tenant_id)s, version, 'bootstrap', %(scope)s, %(user_id)s, %(at)s from made;

-- name: soul_versions
-- Versions with who proposed and decided them, the newest first: one of them, those of some states, or all.
select v.version, v.status, v.origin, v.text, v.sha256, v.parent, v.restores, v.reason, v.evaluation, v.created_at,
       v.decided_at, v.activated_at, v.watched, v.looked_at,
       p.user_id as proposed_by, pn.name as proposer, coalesce(p.intent, '') as intent, p.evidence,
       d.user_id as decided_by, dn.name as decider
from brain.soul_versions v
left join lateral (
    select user_id, intent, evidence from brain.soul_acts
    where tenant_id = %(tenant_id)s and version = v.version and act = 'propose'
    limit 1
) p on true
left join lateral (
    select user_id from brain.soul_acts
    where tenant_id = %(tenant_id)s and version = v.version and act in ('apply', 'veto', 'rollback', 'import')
    order by done_at desc
    limit 1
) d on true
left join brain.names pn on pn.tenant_id = %(tenant_id)s and pn.name_id = p.user_id and pn.kind = 'user'
left join brain.names dn on dn.tenant_id = %(tenant_id)s and dn.name_id = d.user_id and dn.kind = 'user'
where v.tenant_id = %(tenant_id)s and (%(version)s::integer is null or v.version = %(version)s)
  and (%(statuses)s::text[] is null or v.status = any(%(statuses)s))
order by v.version desc
limit %(limit)s;

-- name: soul_pause
-- Since when changes are paused.
select paused_at from brain.soul_pauses where tenant_id = %(tenant_id)s limit 1;

-- name: pause_soul
-- Let nothing be proposed or applied.
insert into brain.soul_pauses (tenant_id, paused_at) values (%(tenant_id)s, %(at)s)
on conflict (tenant_id) do nothing
returning paused_at;

-- name: resume_soul
-- Go on.
delete from brain.soul_pauses where tenant_id = %(tenant_id)s returning paused_at;

-- name: soul_act_by_key
-- What was done under an idempotency key.
select version from brain.soul_acts where tenant_id = %(tenant_id)s and key_sha256 = %(key_sha256)s limit 1;

-- name: soul_proposals_since
-- How many proposals a person made from a moment on.
select count(*)::integer as proposals from brain.soul_acts
where tenant_id = %(tenant_id)s and user_id = %(user_id)s and act = 'propose' and done_at > %(since)s;

-- name: insert_soul_version
-- The next version.
insert into brain.soul_versions (tenant_id, version, status, origin, text, sha256, parent, restores, created_at, decided_at,
                                 activated_at)
select %(tenant_id)s, max(version) + 1, %(status)s, %(origin)s, %(text)s, %(sha256)s, %(parent)s, %(restores)s, %(at)s,
       case when %(status)s = 'active' then %(at)s::timestamptz end,
       case when %(status)s = 'active' then %(at)s::timestamptz end
from brain.soul_versions where tenant_id = %(tenant_id)s
returning version;

-- name: insert_soul_act
-- Who did what.
insert into brain.soul_acts (tenant_id, version, act, scope, user_id, intent, evidence, key_sha256, done_at)
values (%(tenant_id)s, %(version)s, %(act)s, %(scope)s, %(user_id)s, %(intent)s, %(evidence)s, %(key_sha256)s, %(at)s);

-- name: evaluate_soul
-- The report of a proposal that still waits; one that is refused ends here.
update brain.soul_versions
set evaluation = %(report)s, status = case when %(is_refused)s then 'vetoed' else status end,
    reason = case when %(is_refused)s then 'evaluation' else reason end,
    decided_at = case when %(is_refused)s then %(at)s::timestamptz else decided_at end,
    text = case when %(hides_text)s then '' else text end
where tenant_id = %(tenant_id)s and version = %(version)s and status = 'proposed'
returning version;

-- name: activate_soul
-- A proposal is in force from now on.
update brain.soul_versions
set status = 'active', decided_at = %(at)s, activated_at = %(at)s, watched = true
where tenant_id = %(tenant_id)s and version = %(version)s and status = 'proposed';

-- name: end_soul
-- What a version becomes when it is not active any more, or never will be.
update brain.soul_versions
set status = %(status)s, reason = %(reason)s, decided_at = coalesce(decided_at, %(at)s), watched = false
where tenant_id = %(tenant_id)s and version = %(version)s and status <> %(status)s;

-- name: end_overtaken_souls
-- Proposals that were made of a text which is not in force any more.
update brain.soul_versions
set status = 'vetoed', reason = 'overtaken', decided_at = %(at)s
where tenant_id = %(tenant_id)s and status = 'proposed' and version <> %(version)s;

-- name: drop_soul_evidence
-- What spoke for proposals is not needed once they are decided.
update brain.soul_acts a
set evidence = null
where a.tenant_id = %(tenant_id)s and a.act = 'propose' and a.evidence is not null
  and exists (select from brain.soul_versions v
              where v.tenant_id = %(tenant_id)s and v.version = a.version and v.status <> 'proposed');

-- name: changed_souls
-- Whether anything was ever in force but the packaged text.
select version from brain.soul_versions
where tenant_id = %(tenant_id)s and version > 0 and activated_at is not null limit 1;

-- name: count_soul_reaction
-- How a reply was taken, by the version that made it. It counts once: the receipts of the turn that tells it, written after it
-- in the same transaction, tell that it was counted.
insert into brain.soul_reactions as r (tenant_id, version, part, replies, negative)
select %(tenant_id)s, %(soul_version)s::integer, %(part)s, 1, %(is_negative)s::boolean::integer
where not exists (select from brain.memory_receipts m
                  where m.tenant_id = %(tenant_id)s and m.receipt_id = any(%(receipt_ids)s::uuid[]))
on conflict (tenant_id, version, part) do update
    set replies = r.replies + 1, negative = r.negative + excluded.negative;

-- name: soul_figures
-- How replies were taken, by version.
select version, sum(replies)::bigint as replies, sum(negative)::bigint as negative
from brain.soul_reactions where tenant_id = %(tenant_id)s
group by version order by version desc limit 1000;

-- name: note_soul_look
-- How many replies there were at the last look, and whether there is to be another.
update brain.soul_versions set looked_at = %(replies)s, watched = %(goes_on)s
where tenant_id = %(tenant_id)s and version = %(version)s and status = 'active';

-- name: names_in_text
-- People of the tenant whose names stand in a text.
select name from brain.names
where tenant_id = %(tenant_id)s and kind = 'user' and strpos(lower(%(text)s::text), lower(name)) > 0
limit 1000;

-- name: watched_souls
-- The tenants whose active version is watched.
select tenant_id from brain.watched_souls() limit 100000;

-- name: erase_soul_traces
-- What SOUL knows of somebody who is being erased.
select brain.erase_soul_traces(%(tombstone_id)s) as erased;
