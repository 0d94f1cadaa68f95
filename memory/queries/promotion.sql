-- What several people told, proposed to the organisation.

-- name: promotion_proposals
-- The newest proposals of a tenant, of one status or of all.
select proposal_id, text, topic, people, sessions, told, status, proposed_at, decided_by, decided_at, withdrawn_at, revision,
       settled, entry_id
from brain.promotion_proposals
where tenant_id = %(tenant_id)s and (%(status)s::text is null or status = %(status)s)
order by proposed_at desc, proposal_id desc
limit %(limit)s;

-- name: promotion_proposal
select proposal_id, text, topic, people, sessions, told, status, proposed_at, decided_by, decided_at, withdrawn_at, revision,
       settled, entry_id
from brain.promotion_proposals
where tenant_id = %(tenant_id)s and proposal_id = %(proposal_id)s;

-- name: unsettled_promotions
-- With which knowledge may not agree. What was approved and withdrawn lately is looked at again: somebody who approved it may have
-- been killed right after writing it into knowledge.
select proposal_id, text, topic, people, sessions, told, status, proposed_at, decided_by, decided_at, withdrawn_at, revision,
       settled, entry_id
from brain.promotion_proposals
where tenant_id = %(tenant_id)s
  and (not settled or status = 'withdrawn' and decided_at is not null and withdrawn_at >= %(since)s)
order by proposed_at
limit 1000;

-- name: settle_promotion
update brain.promotion_proposals set settled = true, entry_id = %(entry_id)s
where tenant_id = %(tenant_id)s and proposal_id = %(proposal_id)s and revision = %(revision)s
returning proposal_id;

-- name: purge_promoted
select brain.purge_promoted(%(proposal_id)s);

-- name: decide_promotion
select decided, alone from brain.decide_promotion(%(proposal_id)s, %(approves)s, %(by)s, %(at)s);

-- name: object_to_promotion
select brain.object_to_promotion(%(objects)s, %(at)s) as changed;

-- name: objects_to_promotion
select brain.objects_to_promotion() as objects;

-- name: withdraw_erased
select brain.withdraw_erased(%(tombstone_id)s, %(at)s) as changed;

-- name: tenants_of_several
-- Only the owner of the database may ask this and what follows.
select tenant_id from brain.tenants_of_several(%(people)s);

-- name: countable_memories
select memory_id, user_id, sessions, content, topic, told_at
from brain.countable_memories(%(tenant_id)s, %(since)s, %(confidence)s)
order by told_at desc, memory_id
limit %(limit)s;

-- name: recheck_promotions
select brain.recheck_promotions(%(tenant_id)s, %(people)s, %(at)s) as changed;

-- name: propose_promotion
select brain.propose_promotion(%(tenant_id)s, %(proposal_id)s, %(text)s, %(topic)s, %(memory_ids)s, %(since)s, %(confidence)s,
                               %(people)s, %(sessions)s, %(told)s, %(at)s) as proposed;
