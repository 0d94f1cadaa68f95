-- The graph beside the entries: things by name, and what an entry says of two of them.

-- name: put_entities
-- Things by name; their ids are made of their names, so that a name is one thing.
insert into brain.knowledge_entities (tenant_id, entity_id, name)
select %(tenant_id)s, d.entity_id, d.name
from unnest(%(entity_ids)s::uuid[], %(names)s::text[]) as d (entity_id, name)
on conflict do nothing

-- name: drop_relations
-- Forget what entries relate, before it is said anew.
delete from brain.knowledge_relations r
where r.tenant_id = %(tenant_id)s and r.entry_id = any (%(entry_ids)s::uuid[])

-- name: put_relations
-- What entries relate.
insert into brain.knowledge_relations (tenant_id, entry_id, subject_id, relation, object_id)
select %(tenant_id)s, d.entry_id, d.subject_id, d.relation, d.object_id
from unnest(%(entry_ids)s::uuid[], %(subject_ids)s::uuid[], %(relations)s::text[], %(object_ids)s::uuid[])
    as d (entry_id, subject_id, relation, object_id)
on conflict do nothing

-- name: relations_of_entry
-- What one entry relates, by name.
select s.name as subject, r.relation, o.name as object
from brain.knowledge_relations r
join brain.knowledge_entities s on s.tenant_id = %(tenant_id)s and s.entity_id = r.subject_id
join brain.knowledge_entities o on o.tenant_id = %(tenant_id)s and o.entity_id = r.object_id
where r.tenant_id = %(tenant_id)s and r.entry_id = %(entry_id)s
order by 1, 2, 3
limit 100
