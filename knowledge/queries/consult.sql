-- What a turn asks of knowledge: whether anything changed, and what.

-- name: knowledge_version
-- How often the tenant's knowledge was changed; no row where it never was.
select version from brain.knowledge_state where tenant_id = %(tenant_id)s

-- name: knowledge_changes
-- A page of the entries that changed after a version, in the order in which they did, with all by which they are found.
select e.changed_in, e.entry_id, e.kind, e.text, e.topic, e.org_tier, e.role, e.brand, e.platform, e.source,
    extract(epoch from e.valid_from)::float8 as valid_from, extract(epoch from e.valid_until)::float8 as valid_until,
    e.removed_at is not null as is_removed,
    array_send(e.words) as words, array_send(e.grams) as grams, e.length,
    e.embedding_model, halfvec_send(e.embedding) as embedding
from brain.knowledge_entries e
where e.tenant_id = %(tenant_id)s and (e.changed_in, e.entry_id) > (%(after_version)s, %(after_entry)s)
order by e.changed_in, e.entry_id
limit %(page)s

-- name: knowledge_names
-- Which things the entries relate, by entry; read anew when something changed.
select r.entry_id, s.name as subject, o.name as object
from brain.knowledge_relations r
join brain.knowledge_entities s on s.tenant_id = %(tenant_id)s and s.entity_id = r.subject_id
join brain.knowledge_entities o on o.tenant_id = %(tenant_id)s and o.entity_id = r.object_id
where r.tenant_id = %(tenant_id)s
order by r.entry_id
limit %(most)s
