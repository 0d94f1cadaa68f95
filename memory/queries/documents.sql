-- Versioned Markdown documents. Their searchable sections live in recall_index as lane 'document'.

-- name: lock_documents
-- One writer of a person's (or a group's) documents at a time; released with the transaction.
select pg_advisory_xact_lock(hashtextextended(
    concat_ws(' ', 'documents', %(tenant_id)s::text, %(scope)s::text, case when not %(is_group)s then %(user_id)s::text end),
    0)) is null as locked;

-- name: documents_by_id
-- Documents by id; those of others do not exist here.
select document_id, kind, name, front, body, version, sha256, updated_at, author, reason
from brain.documents
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and document_id = any(%(document_ids)s)
order by kind, name desc
limit 100;

-- name: documents_of_person
-- A person's documents, newest day first among the daily notes.
select document_id, kind, name, front, body, version, sha256, updated_at, author, reason
from brain.documents
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and (%(kind)s::text is null or kind = %(kind)s)
  and (%(after_kind)s::text is null or kind > %(after_kind)s or (kind = %(after_kind)s and name < %(after_name)s::text))
order by kind, name desc
limit %(limit)s;

-- name: documents_page
-- The documents in pages, for deriving the index again.
select document_id, kind, name, front, body, version, sha256, updated_at, author, reason
from brain.documents
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and document_id > %(after)s
order by document_id
limit %(limit)s;

-- name: insert_document
-- A new document; one that exists already is left alone, and the writer learns of it by the missing row.
insert into brain.documents (tenant_id, document_id, scope, user_id, kind, name, front, body, version, sha256, author,
                             reason, updated_at)
values (%(tenant_id)s, %(document_id)s, %(scope)s, %(user_id)s, %(kind)s, %(name)s, %(front)s, %(body)s, %(version)s,
        %(sha256)s, %(author)s, %(reason)s, %(updated_at)s)
on conflict do nothing
returning document_id;

-- name: update_document
-- The next version of a document; a writer that saw an older one changes nothing.
update brain.documents
set front = %(front)s, body = %(body)s, version = %(version)s, sha256 = %(sha256)s, author = %(author)s,
    reason = %(reason)s, updated_at = %(updated_at)s
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and document_id = %(document_id)s and version = %(version)s - 1
returning document_id;

-- name: keep_document_version
-- What a document says now, before it is changed.
insert into brain.document_versions (tenant_id, document_id, version, scope, user_id, front, body, sha256, author,
                                     reason, updated_at)
select tenant_id, document_id, version, scope, user_id, front, body, sha256, author, reason, updated_at
from brain.documents
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and document_id = %(document_id)s
on conflict do nothing;

-- name: prune_document_versions
-- The newest few stay.
delete from brain.document_versions
where tenant_id = %(tenant_id)s and scope = %(scope)s and document_id = %(document_id)s
  and version not in (select v.version from brain.document_versions v
                      where v.tenant_id = %(tenant_id)s and v.document_id = %(document_id)s
                      order by v.version desc
                      limit %(kept)s);

-- name: versions_of_document
-- What a document said before, oldest first.
select d.document_id, d.kind, d.name, v.front, v.body, v.version, v.sha256, v.updated_at, v.author, v.reason
from brain.document_versions v
join brain.documents d on d.tenant_id = v.tenant_id and d.document_id = v.document_id
where v.tenant_id = %(tenant_id)s and v.scope = %(scope)s and (v.user_id = %(user_id)s or %(is_group)s)
  and v.document_id = %(document_id)s
order by v.version
limit 100;

-- name: audit_document
-- Who changed which document, and why.
insert into brain.audit_log (tenant_id, scope, user_id, action, target_id, reason, operator, trace_id, recorded_at)
values (%(tenant_id)s, %(scope)s, %(user_id)s, %(action)s, %(document_id)s, %(reason)s, %(author)s, %(trace_id)s,
        %(updated_at)s);

-- name: known_entries
-- Which of these entries a daily note has taken before.
select entry_id from brain.note_entries
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and entry_id = any(%(entry_ids)s)
limit 10000;

-- name: remember_entries
-- Entries that a daily note takes now.
insert into brain.note_entries (tenant_id, entry_id, scope, user_id, document_id, recorded_at)
select %(tenant_id)s, entry_id, %(scope)s, %(user_id)s, %(document_id)s, %(updated_at)s
from unnest(%(entry_ids)s::uuid[]) as entry_id
on conflict do nothing;

-- name: drop_sections
-- Sections that a document no longer has are in no reading any more, whichever time is asked about. Staged ones, which do
-- not say of which document they are, go by their ids.
delete from brain.recall_index
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s) and lane = 'document'
  and (source_id = any(%(dropped)s)
       or (category = %(kind)s and speaker = %(name)s and not source_id = any(%(kept)s) and not staged));

-- name: index_sections
-- Sections that a document has gained wait in the index for their vectors; the others keep theirs.
insert into brain.recall_index (tenant_id, scope, user_id, source_id, lane, role, speaker, category, text, words, grams,
                                length, observed_at, valid_at, recorded_at, confidence, provenance)
select %(tenant_id)s, %(scope)s, %(user_id)s, u.source_id, 'document', %(role)s, %(speaker)s, %(category)s, u.text,
       u.words::integer[], u.grams::integer[], u.length, %(observed_at)s, %(observed_at)s, %(recorded_at)s,
       %(confidence)s, %(provenance)s
from unnest(%(source_ids)s::uuid[], %(texts)s::text[], %(words)s::text[], %(grams)s::text[], %(lengths)s::integer[])
         as u (source_id, text, words, grams, length)
where not exists (select from brain.recall_index x
                  where x.tenant_id = %(tenant_id)s and x.source_id = u.source_id and x.lane = 'document');

-- name: forgotten_turns
-- The turns and replies that say what was forgotten, and whether a living memory rests on them.
select said.event_id,
       exists (select from brain.memory_citations o
               join brain.memory_items i on i.tenant_id = o.tenant_id and i.item_id = o.item_id
               where o.tenant_id = %(tenant_id)s and i.tenant_id = %(tenant_id)s and o.event_id = said.event_id
                 and i.status = 'active' and i.use <> 'excluded') as shared
from brain.turns_saying(%(tenant_id)s, %(scope)s, %(memory_id)s) as said (event_id)
where brain.says_forgotten(%(tenant_id)s, said.event_id)
limit 1000;

-- name: turns_saying_forgotten
-- Which of these turns say something that was forgotten.
select event_id from unnest(%(event_ids)s::uuid[]) as event_id
where brain.says_forgotten(%(tenant_id)s, event_id)
limit 10000;

-- name: withheld_memories
-- Which of these memories were forgotten, or are excluded from use.
select item_id as memory_id, status = 'deleted' as forgotten from brain.memory_items
where tenant_id = %(tenant_id)s and scope = %(scope)s and item_id = any(%(memory_ids)s)
  and (status = 'deleted' or use = 'excluded')
limit 10000;

-- name: documents_to_cleanse
-- What may tell of a forgotten or excluded memory: daily notes that name it or its turns, and all other documents.
select document_id, kind, name, front, body, version, sha256, updated_at, author, reason
from brain.documents
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and (kind <> 'daily_note' or body like any(%(marks)s))
limit 1000;

-- name: documents_telling
-- The documents that have a line or an entry made of a memory.
select document_id, kind, name, front, body, version, sha256, updated_at, author, reason
from brain.documents
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and body like %(mark)s
limit 1000;

-- name: versions_to_cleanse
-- The same, as it was told before.
select d.document_id, d.kind, d.name, v.front, v.body, v.version, v.sha256, v.updated_at, v.author, v.reason
from brain.document_versions v
join brain.documents d on d.tenant_id = v.tenant_id and d.document_id = v.document_id
where v.tenant_id = %(tenant_id)s and v.scope = %(scope)s and (v.user_id = %(user_id)s or %(is_group)s)
  and (d.kind <> 'daily_note' or v.body like any(%(marks)s))
limit 1000;

-- name: drop_document_version
-- A kept version gives way to its cleansed self.
delete from brain.document_versions
where tenant_id = %(tenant_id)s and scope = %(scope)s and document_id = %(document_id)s and version = %(version)s;

-- name: insert_document_version
-- A kept version without what was forgotten.
insert into brain.document_versions (tenant_id, document_id, version, scope, user_id, front, body, sha256, author,
                                     reason, updated_at)
values (%(tenant_id)s, %(document_id)s, %(version)s, %(scope)s, %(user_id)s, %(front)s, %(body)s, %(sha256)s, %(author)s,
        %(reason)s, %(updated_at)s);
