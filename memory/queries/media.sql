-- What people attach to their messages. Its bytes are kept once per person, for as long as a turn carries them.

-- name: save_media
-- Keep the bytes that a turn brings. A row that is being let go of at this moment is waited for, and is there again.
insert into brain.media as m (tenant_id, scope, user_id, sha256, media_type, bytes)
select distinct on (b.sha256) %(tenant_id)s, %(scope)s, %(user_id)s, b.sha256, b.media_type, b.bytes
from unnest(%(media_sha256s)s::text[], %(media_types)s::text[], %(media_bytes)s::bytea[]) b (sha256, media_type, bytes)
where b.bytes is not null
order by b.sha256
on conflict (tenant_id, scope, user_id, sha256) do update set created_at = m.created_at;

-- name: carry_media
-- Which turns carry them; a turn that was logged before carries what it did.
insert into brain.media_uses (tenant_id, event_id, sha256, scope, user_id)
select distinct e.tenant_id, e.event_id, m.sha256, e.scope, m.user_id
from unnest(%(media_events)s::uuid[], %(media_sha256s)s::text[]) u (event_id, sha256)
join brain.conversation_events e on e.tenant_id = %(tenant_id)s and e.event_id = u.event_id
join brain.media m on m.tenant_id = %(tenant_id)s and m.scope = %(scope)s and m.user_id = %(user_id)s
     and m.sha256 = u.sha256
on conflict do nothing;

-- name: drop_uncarried_media
-- Bytes that came with a turn which added nothing.
delete from brain.media m
where m.tenant_id = %(tenant_id)s and m.scope = %(scope)s and m.user_id = %(user_id)s
  and m.sha256 = any(%(media_sha256s)s::text[])
  and not exists (select from brain.media_uses u
                  where u.tenant_id = %(tenant_id)s and u.scope = m.scope and u.user_id = m.user_id
                    and u.sha256 = m.sha256);

-- name: find_media
-- Bytes by their hashes, as far as a turn that may be read carries them.
select m.sha256, m.media_type, m.created_at, m.bytes
from brain.media m
where m.tenant_id = %(tenant_id)s and m.scope = %(scope)s and (m.user_id = %(user_id)s or %(is_group)s)
  and m.sha256 = any(%(sha256s)s::text[])
  and exists (select from brain.media_uses u
              join brain.conversation_events e on e.tenant_id = u.tenant_id and e.event_id = u.event_id
              where u.tenant_id = %(tenant_id)s and e.tenant_id = %(tenant_id)s and u.scope = m.scope
                and u.user_id = m.user_id and u.sha256 = m.sha256 and e.visibility <> 'log'
                and not brain.says_forgotten(e.tenant_id, e.event_id))
order by m.sha256, m.created_at
limit 100;

-- name: newest_media
-- What is kept, the newest first, each with the last turn that carries it.
select m.sha256, m.media_type, octet_length(m.bytes) as size, m.created_at, u.turns, u.event_id, u.session_id
from brain.media m
cross join lateral (
    select count(*) as turns, (array_agg(e.event_id order by e.event_id desc))[1] as event_id,
           (array_agg(e.session_id order by e.event_id desc))[1] as session_id
    from brain.media_uses u
    join brain.conversation_events e on e.tenant_id = u.tenant_id and e.event_id = u.event_id
    where u.tenant_id = %(tenant_id)s and e.tenant_id = %(tenant_id)s and u.scope = m.scope and u.user_id = m.user_id
      and u.sha256 = m.sha256 and e.visibility <> 'log' and not brain.says_forgotten(e.tenant_id, e.event_id)
) u
where m.tenant_id = %(tenant_id)s and m.scope = %(scope)s and (m.user_id = %(user_id)s or %(is_group)s)
  and u.turns > 0
  and (%(after_at)s::timestamptz is null or (m.created_at, u.event_id) < (%(after_at)s, %(after_id)s::uuid))
order by m.created_at desc, u.event_id desc
limit %(limit)s;

-- name: forget_media
-- Let go of a person's own bytes in every turn that carries them; the bytes go by a trigger.
delete from brain.media_uses
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and sha256 = %(sha256)s
returning event_id;

-- name: drop_forgotten_media
-- Let go of what turns carry that were forgotten before a moment: until then that can be taken back.
delete from brain.media_uses u
using brain.conversation_events e
where u.tenant_id = %(tenant_id)s and u.scope = %(scope)s and (u.user_id = %(user_id)s or %(is_group)s)
  and e.tenant_id = %(tenant_id)s and e.event_id = u.event_id
  and (e.visibility = 'log' and e.recorded_at < %(before)s
       or brain.says_forgotten(e.tenant_id, e.event_id, or_excluded => false)
          and not exists (select from brain.memory_citations c
                          join brain.memory_items i on i.tenant_id = c.tenant_id and i.item_id = c.item_id
                          where c.tenant_id = %(tenant_id)s and i.tenant_id = %(tenant_id)s and c.event_id = e.event_id
                            and i.status = 'deleted' and i.updated_at >= %(before)s))
returning u.event_id;
