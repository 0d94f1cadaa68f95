-- LangGraph's store: reading refreshes the life of what asks for it, and every writing leaves a version and a receipt.

-- name: get_store_item
with refreshed as (
    update brain.store_items set expires_at = %(at)s + ttl_minutes * interval '1 minute'
    where tenant_id = %(tenant_id)s and scope = %(scope)s and item_id = %(item_id)s and %(refresh)s
      and ttl_minutes is not null and expires_at > %(at)s
)
select namespace, key, value, created_at, updated_at, version, null::float8 as score
from brain.store_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and item_id = %(item_id)s and (expires_at is null or expires_at > %(at)s);

-- name: search_store
-- The items of a namespace that a filter admits. With a question the best come first: by cosine where an item has vectors of
-- the asking model, else by the share of the question's terms, weighed by their rarity among these items. An item counts
-- by its best text. What has no score follows, newest first.
with found as materialized (
    select item_id, namespace, key, value, created_at, updated_at, version
    from brain.store_items
    where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
      and (expires_at is null or expires_at > %(at)s)
      and namespace[1:cardinality(%(prefix)s::text[])] = %(prefix)s::text[]
      and brain.matches_filter(value, %(filter)s::jsonb)
), texts as materialized (
    select t.item_id, (t.words & %(words)s::int[]) || (t.grams & %(grams)s::int[]) as terms,
           case when t.embedding_model = %(model)s then 1 - (t.embedding <=> %(embedding)s::halfvec) end as cosine
    from found join brain.store_texts t using (item_id)
    where t.tenant_id = %(tenant_id)s and %(asks)s
), rarity as materialized (
    select term, ln(1 + (total - seen + 0.5::float8) / (seen + 0.5::float8)) as points
    from (select asked.term, count(texts.item_id) as seen, (select count(*) from texts) as total
          from unnest(%(words)s::int[] || %(grams)s::int[]) as asked (term)
          left join texts on asked.term = any(texts.terms)
          group by asked.term) counted
), scored as (
    select item_id, max(coalesce(cosine, nullif((
        select sum(points) from rarity where term = any(texts.terms)) / (select sum(points) from rarity), 0))) as score
    from texts group by item_id
), picked as materialized (
    select item_id, namespace, key, value, created_at, updated_at, version, score::float8
    from found left join scored using (item_id)
    order by score desc nulls last, updated_at desc, item_id
    limit %(limit)s offset %(offset)s
), refreshed as (
    update brain.store_items i set expires_at = %(at)s + i.ttl_minutes * interval '1 minute'
    from picked p
    where i.tenant_id = %(tenant_id)s and i.item_id = p.item_id and i.ttl_minutes is not null and %(refresh)s
)
select namespace, key, value, created_at, updated_at, version, score
from picked order by score desc nulls last, updated_at desc, item_id;

-- name: list_store_namespaces
-- The namespaces that hold anything, cut to a depth; all conditions have to hold.
select distinct case when %(max_depth)s::int is null then namespace else namespace[1:%(max_depth)s::int] end
    collate "C" as namespace
from brain.store_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and (expires_at is null or expires_at > %(at)s)
  and not exists (
      select from jsonb_to_recordset(%(conditions)s::jsonb) as c (match_type text, path text[])
      where not brain.matches_path(namespace, c.match_type, c.path))
order by 1
limit %(limit)s offset %(offset)s;

-- name: lock_store_items
-- A writer of a key waits for another writer of it. Locked in one order, two batches never wait for each other.
select count(pg_advisory_xact_lock(hashtextextended(%(tenant_id)s::text || item_id::text, 0))) as locked
from (select item_id from unnest(%(item_ids)s::uuid[]) as asked (item_id) order by item_id) ordered;

-- name: put_store_item
-- Write a value as a new version, with its receipt. What had expired begins anew.
with put as (
    insert into brain.store_items as i (tenant_id, item_id, scope, user_id, namespace, key, value, version,
                                        created_at, updated_at, ttl_minutes, expires_at)
    select %(tenant_id)s, %(item_id)s, %(scope)s, %(user_id)s, %(namespace)s, %(key)s, %(value)s,
           coalesce((select max(version) from brain.store_versions
                     where tenant_id = %(tenant_id)s and item_id = %(item_id)s), 0) + 1,
           %(at)s, %(at)s, %(ttl_minutes)s::float8,
           %(at)s::timestamptz + %(ttl_minutes)s::float8 * interval '1 minute'
    on conflict (tenant_id, item_id) do update
    set user_id = excluded.user_id, value = excluded.value, version = i.version + 1, updated_at = excluded.updated_at,
        created_at = case when i.expires_at <= excluded.updated_at then excluded.created_at else i.created_at end,
        ttl_minutes = excluded.ttl_minutes, expires_at = excluded.expires_at
    returning *
), kept as (
    insert into brain.store_versions
        (tenant_id, item_id, version, scope, user_id, change, namespace, key, value, recorded_at)
    select tenant_id, item_id, version, scope, user_id, 'put', namespace, key, value, updated_at from put
)
insert into brain.memory_receipts (tenant_id, receipt_id, scope, user_id, receipt_type, memory_id, lane, details,
                                   details_schema_version, created_at)
select tenant_id, %(receipt_id)s, scope, user_id, 'write', item_id, 'store',
       jsonb_build_object('action', 'put', 'namespace', namespace, 'key', key, 'version', version),
       %(schema_version)s, %(at)s
from put;

-- name: delete_store_item
-- Take a value away; its versions stay, and the deletion is one of them.
with gone as (
    delete from brain.store_items
    where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
      and item_id = %(item_id)s
    returning tenant_id, item_id, scope, %(user_id)s::uuid as user_id, namespace, key, version + 1 as version
), kept as (
    insert into brain.store_versions (tenant_id, item_id, version, scope, user_id, change, namespace, key, recorded_at)
    select tenant_id, item_id, version, scope, user_id, 'delete', namespace, key, %(at)s from gone
)
insert into brain.memory_receipts (tenant_id, receipt_id, scope, user_id, receipt_type, memory_id, lane, details,
                                   details_schema_version, created_at)
select tenant_id, %(receipt_id)s, scope, user_id, 'write', item_id, 'store',
       jsonb_build_object('action', 'delete', 'namespace', namespace, 'key', key, 'version', version),
       %(schema_version)s, %(at)s
from gone;

-- name: drop_store_texts
-- What an item was found by, in the store and in recall.
with rows as (
    delete from brain.recall_index
    where tenant_id = %(tenant_id)s and scope = %(scope)s and source_id = %(item_id)s and lane = 'store'
)
delete from brain.store_texts
where tenant_id = %(tenant_id)s and scope = %(scope)s and item_id = %(item_id)s;

-- name: index_store_text
insert into brain.store_texts (tenant_id, item_id, part, scope, user_id, words, grams, embedding_model, embedding)
values (%(tenant_id)s, %(item_id)s, %(part)s, %(scope)s, %(user_id)s, %(words)s::int[], %(grams)s::int[],
        %(model)s, %(embedding)s::halfvec);

-- name: index_store_memory
-- A stored text that recall may bring before a model.
insert into brain.recall_index (tenant_id, scope, user_id, source_id, lane, role, text, words, grams, length, observed_at,
                                valid_at, invalid_at, recorded_at, confidence)
select i.tenant_id, i.scope, i.user_id, i.item_id, 'store', 'tool', %(text)s, %(words)s::int[], %(grams)s::int[],
       %(length)s, i.updated_at, i.updated_at, i.expires_at, i.updated_at, %(confidence)s
from brain.store_items i
where i.tenant_id = %(tenant_id)s and i.scope = %(scope)s and i.item_id = %(item_id)s
on conflict do nothing;

-- name: stored_memories_page
-- The items that recall reads, in pages, for deriving the index again.
select item_id, value
from brain.store_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and namespace[1] = %(root)s and item_id > %(after)s and (expires_at is null or expires_at > now())
order by item_id
limit %(limit)s;

-- name: store_history
-- Every version of one key, oldest first.
select version, change, value, recorded_at
from brain.store_versions
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and item_id = %(item_id)s
order by version
limit %(limit)s;

-- name: sweep_store
-- Delete what has expired, whose ever it is; the function does that and nothing else.
select brain.sweep_store(%(before)s, %(most)s) as swept;
