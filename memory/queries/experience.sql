-- What a tenant's agent learns of how its tools end.

-- name: agent_experiences
select lesson, times, against, people, last_seen from brain.agent_experiences
where tenant_id = %(tenant_id)s and not removed
order by times desc, lesson
limit 200;

-- name: remove_experience
update brain.agent_experiences set removed = true
where tenant_id = %(tenant_id)s and lesson = %(lesson)s and not removed
returning lesson;

-- name: tenants_with_tools
-- Only the owner of the database may ask this and what follows.
select tenant_id from brain.tenants_with_tools(%(since)s);

-- name: tool_outcomes
select user_id, session_id, at, tools, corrected from brain.tool_outcomes(%(tenant_id)s, %(since)s)
order by at desc
limit %(limit)s;

-- name: keep_experiences
select brain.keep_experiences(%(tenant_id)s, %(counted)s) as kept;
