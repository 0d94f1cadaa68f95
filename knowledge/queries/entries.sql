-- Entries as they are written and looked through.

-- name: put_entries
-- Write entries; one of a place that was read before is changed where it says something else, and comes back where it was removed.
insert into brain.knowledge_entries as e (tenant_id, entry_id, kind, text, topic, owner, org_tier, role, brand, platform,
    language, valid_from, valid_until, source, source_key, content_sha256, author, reason, created_at, updated_at,
    words, grams, length, embedding_model, embedding)
select %(tenant_id)s, d.entry_id, d.kind, d.text, d.topic, d.owner, d.org_tier, d.role, d.brand, d.platform,
    d.language, d.valid_from, d.valid_until, d.source, d.source_key, d.sha256, %(author)s::text, %(reason)s::text, %(at)s::timestamptz, %(at)s::timestamptz,
    d.words::integer[], d.grams::integer[], d.length, d.model, d.vector::halfvec
from unnest(%(entry_ids)s::uuid[], %(kinds)s::text[], %(texts)s::text[], %(topics)s::text[], %(owners)s::text[],
    %(org_tiers)s::text[], %(roles)s::text[], %(brands)s::text[], %(platforms)s::text[], %(languages)s::text[],
    %(valid_froms)s::timestamptz[], %(valid_untils)s::timestamptz[], %(sources)s::text[], %(source_keys)s::text[],
    %(sha256s)s::bytea[], %(words)s::text[], %(grams)s::text[], %(lengths)s::integer[], %(models)s::text[],
    %(vectors)s::text[])
    as d (entry_id, kind, text, topic, owner, org_tier, role, brand, platform, language, valid_from, valid_until, source,
        source_key, sha256, words, grams, length, model, vector)
on conflict (tenant_id, source, source_key) where source_key <> '' do update set
    kind = excluded.kind, text = excluded.text, topic = excluded.topic, owner = excluded.owner,
    org_tier = excluded.org_tier, role = excluded.role, brand = excluded.brand, platform = excluded.platform,
    language = excluded.language, valid_from = excluded.valid_from, valid_until = excluded.valid_until,
    content_sha256 = excluded.content_sha256, author = excluded.author, reason = excluded.reason,
    updated_at = excluded.updated_at, removed_at = null, revision = e.revision + 1,
    words = excluded.words, grams = excluded.grams, length = excluded.length,
    embedding_model = excluded.embedding_model, embedding = excluded.embedding
where e.content_sha256 <> excluded.content_sha256 or e.removed_at is not null
returning e.entry_id, e.revision, e.source, e.source_key

-- name: known_places
-- What was read before at these places: what says the same there needs no vector.
select e.source, e.source_key, e.content_sha256, e.entry_id
from brain.knowledge_entries e
where e.tenant_id = %(tenant_id)s and e.removed_at is null
    and (e.source, e.source_key) in (
        select d.source, d.source_key from unnest(%(sources)s::text[], %(source_keys)s::text[]) as d (source, source_key)
        where d.source_key <> '')
limit 10000

-- name: edit_entry
-- Say something else in an entry that stands at the revision that was read.
update brain.knowledge_entries e set
    kind = %(kind)s, text = %(text)s, topic = %(topic)s, owner = %(owner)s, org_tier = %(org_tier)s, role = %(role)s,
    brand = %(brand)s, platform = %(platform)s, language = %(language)s, valid_from = %(valid_from)s,
    valid_until = %(valid_until)s, content_sha256 = %(sha256)s, author = %(author)s, reason = %(reason)s,
    updated_at = %(at)s, revision = e.revision + 1, words = %(words)s::text::integer[], grams = %(grams)s::text::integer[],
    length = %(length)s, embedding_model = %(model)s, embedding = %(vector)s::text::halfvec
where e.tenant_id = %(tenant_id)s and e.entry_id = %(entry_id)s and e.revision = %(revision)s and e.removed_at is null
returning e.entry_id, e.revision, e.source, e.source_key

-- name: remove_entry
-- Take an entry out of every answer; its row and its history stay.
update brain.knowledge_entries e
set removed_at = %(at)s, updated_at = %(at)s, author = %(author)s, reason = %(reason)s, revision = e.revision + 1
where e.tenant_id = %(tenant_id)s and e.entry_id = %(entry_id)s and e.removed_at is null
returning e.entry_id, e.revision, e.source, e.source_key

-- name: find_entries
-- Entries by their ids, removed ones as well.
select e.entry_id, e.kind, e.text, e.topic, e.owner, e.org_tier, e.role, e.brand, e.platform, e.language, e.valid_from,
    e.valid_until, e.source, e.source_key, e.revision, e.author, e.reason, e.created_at, e.updated_at, e.removed_at,
    e.embedding_model
from brain.knowledge_entries e
where e.tenant_id = %(tenant_id)s and e.entry_id = any (%(entry_ids)s::uuid[])
limit 1000

-- name: list_entries
-- A page of entries, the newest first; an empty value asks for nothing.
select e.entry_id, e.kind, e.text, e.topic, e.owner, e.org_tier, e.role, e.brand, e.platform, e.language, e.valid_from,
    e.valid_until, e.source, e.source_key, e.revision, e.author, e.reason, e.created_at, e.updated_at, e.removed_at,
    e.embedding_model
from brain.knowledge_entries e
where e.tenant_id = %(tenant_id)s and (e.removed_at is not null) = %(removed)s::boolean
    and (%(kind)s::text = '' or e.kind = %(kind)s) and (%(topic)s::text = '' or e.topic = %(topic)s)
    and (%(source)s::text = '' or e.source = %(source)s) and (%(brand)s::text = '' or e.brand = %(brand)s)
    and (%(reader_tier)s::text is null
        or e.org_tier in ('', %(reader_tier)s) and e.role in ('', %(reader_role)s::text))
    and (%(after_at)s::timestamptz is null or (e.updated_at, e.entry_id) < (%(after_at)s, %(after_entry)s::uuid))
order by e.updated_at desc, e.entry_id desc
limit %(limit)s

-- name: entry_versions
-- What an entry said before, oldest first.
select v.revision, v.snapshot, v.author, v.reason, v.recorded_at
from brain.knowledge_versions v
where v.tenant_id = %(tenant_id)s and v.entry_id = %(entry_id)s
order by v.revision
limit 1000

-- name: unembedded_entries
-- Entries that have no vector of a model.
select e.entry_id, e.text
from brain.knowledge_entries e
where e.tenant_id = %(tenant_id)s and e.removed_at is null and e.embedding_model <> %(model)s
order by e.entry_id
limit %(limit)s

-- name: set_entry_vectors
-- Vectors of entries; what these say stays as it is.
update brain.knowledge_entries e
set embedding_model = %(model)s, embedding = d.vector::halfvec
from unnest(%(entry_ids)s::uuid[], %(vectors)s::text[]) as d (entry_id, vector)
where e.tenant_id = %(tenant_id)s and e.entry_id = d.entry_id
