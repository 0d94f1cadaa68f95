-- name: session_tail
-- What no block of a session stands for yet, the oldest of it. A reply made without a model and a turn that says
-- something forgotten are there as well, but nothing of them may be quoted.
select s.status, s.entity_slots, coalesce(b.next_block, 0) as block, coalesce(b.withdrawn, '{}') as withdrawn,
       coalesce(t.events, '[]') as events
from brain.sessions s
left join lateral (
    select max(block) + 1 as next_block, max(last_position) as reached,
           array_agg(block order by block) filter (where withdrawn) as withdrawn
    from brain.session_summaries
    where tenant_id = %(tenant_id)s and session_id = s.session_id
) b on true
left join lateral (
    select jsonb_agg(to_jsonb(e) order by e.position) as events
    from (
        select e.event_id, e.session_id, e.position, e.role, e.speaker, left(e.text, %(longest)s) as text, e.sha256,
               e.occurred_at, e.time_zone, e.reference, e.broken_off,
               e.indexed and not brain.says_forgotten(e.tenant_id, e.event_id)
                   and not brain.is_left(e.tenant_id, e.operation_id)
                   and not exists (select from brain.replaced_replies p
                                   where p.tenant_id = %(tenant_id)s and p.event_id = e.event_id) as quotable
        from brain.conversation_events e
        where e.tenant_id = %(tenant_id)s and e.session_id = s.session_id and e.position > coalesce(b.reached, -1)
        order by e.position
        limit %(limit)s
    ) e
) t on true
where s.tenant_id = %(tenant_id)s and s.scope = %(scope)s and (s.user_id = %(user_id)s or %(is_group)s)
  and s.session_id = %(session_id)s;

-- name: covered_turns
-- The turns that a block stands for, as a summary reads them.
select e.event_id, e.session_id, e.position, e.role, e.speaker, left(e.text, %(longest)s) as text, e.sha256,
       e.occurred_at, e.time_zone, e.reference, e.broken_off,
       e.indexed and not brain.says_forgotten(e.tenant_id, e.event_id)
           and not brain.is_left(e.tenant_id, e.operation_id)
           and not exists (select from brain.replaced_replies p
                           where p.tenant_id = %(tenant_id)s and p.event_id = e.event_id) as quotable
from brain.session_summaries b
join brain.conversation_events e on e.tenant_id = b.tenant_id and e.session_id = b.session_id
     and e.position between b.first_position and b.last_position
where b.tenant_id = %(tenant_id)s and b.scope = %(scope)s and (b.user_id = %(user_id)s or %(is_group)s)
  and b.session_id = %(session_id)s and b.block = %(block)s and e.tenant_id = %(tenant_id)s
order by e.position
limit 500;

-- name: save_summary
-- Keep a block, once: neither its number nor its first turn may have one. What one of its turns says may have been
-- forgotten while the block was worded: then it waits to be worded anew.
insert into brain.session_summaries (tenant_id, session_id, block, scope, user_id, summary_id, text, sources,
                                     first_position, last_position, started_at, ended_at, created_at, withdrawn)
select %(tenant_id)s, %(session_id)s, %(block)s, %(scope)s, %(user_id)s, %(summary_id)s,
       case when f.forgotten then '' else %(text)s end, case when f.forgotten then '{}' else %(sources)s::uuid[] end,
       %(first_position)s, %(last_position)s, %(started_at)s, %(ended_at)s, %(created_at)s, f.forgotten
from (select coalesce(bool_or(brain.says_forgotten(%(tenant_id)s, source)), false) as forgotten
      from unnest(%(sources)s::uuid[]) as source) f
where not exists (select from brain.session_summaries
                  where tenant_id = %(tenant_id)s and session_id = %(session_id)s
                    and last_position >= %(first_position)s)
on conflict do nothing
returning block, withdrawn;

-- name: add_slots
-- What a block names stays at hand for the whole session.
update brain.sessions
set entity_slots = entity_slots || %(entity_slots)s
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and session_id = %(session_id)s;

-- name: index_summary
-- Make a block findable.
insert into brain.recall_index (tenant_id, scope, user_id, source_id, lane, session_id, role, speaker, category, text,
                                words, grams, length, observed_at, valid_at, recorded_at, confidence, provenance,
                                derived_from)
values (%(tenant_id)s, %(scope)s, %(user_id)s, %(source_id)s, 'summary', %(session_id)s, %(role)s, %(speaker)s,
        %(category)s, %(text)s, %(words)s::integer[], %(grams)s::integer[], %(length)s, %(observed_at)s, %(valid_at)s, %(recorded_at)s,
        %(confidence)s, %(provenance)s, %(derived_from)s)
on conflict do nothing;

-- name: reword_summary
-- New words for a block that quoted what was forgotten since, unless they quote what was forgotten meanwhile.
update brain.session_summaries
set text = %(text)s, sources = %(sources)s, withdrawn = false
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and session_id = %(session_id)s and block = %(block)s and withdrawn
  and not exists (select from unnest(%(sources)s::uuid[]) as source
                  where brain.says_forgotten(%(tenant_id)s, source))
returning summary_id, session_id, block, text, sources, first_position, last_position, started_at, ended_at, created_at,
          withdrawn;

-- name: withdraw_summaries
-- A block that rests on turns or replies which say what was forgotten is in no reading any more.
with gone as (
    select array_agg(said.event_id) as events
    from brain.turns_saying(%(tenant_id)s, %(scope)s, %(memory_id)s) as said (event_id)
    where brain.says_forgotten(%(tenant_id)s, said.event_id)
), withdrawn as (
    update brain.session_summaries b
    set withdrawn = true, text = '', sources = '{}'
    from gone
    where b.tenant_id = %(tenant_id)s and b.scope = %(scope)s and not b.withdrawn and b.sources && gone.events
    returning b.summary_id
)
delete from brain.recall_index x
using withdrawn w
where x.tenant_id = %(tenant_id)s and x.scope = %(scope)s and x.source_id = w.summary_id and x.lane = 'summary';

-- name: withdraw_covering_summaries
-- A block that stands for turns which may be read again is worded anew.
with covered as (
    select e.session_id, e.position
    from brain.turns_saying(%(tenant_id)s, %(scope)s, %(memory_id)s) as said (event_id)
    join brain.conversation_events e on e.tenant_id = %(tenant_id)s and e.event_id = said.event_id
), withdrawn as (
    update brain.session_summaries b
    set withdrawn = true, text = '', sources = '{}'
    from covered c
    where b.tenant_id = %(tenant_id)s and b.scope = %(scope)s and not b.withdrawn
      and b.session_id = c.session_id and c.position between b.first_position and b.last_position
    returning b.summary_id
)
delete from brain.recall_index x
using withdrawn w
where x.tenant_id = %(tenant_id)s and x.scope = %(scope)s and x.source_id = w.summary_id and x.lane = 'summary';

-- name: clear_slots
-- The entities of the sessions in which it was said may name what was forgotten; later turns fill them again.
update brain.sessions s
set entity_slots = '{}'
where s.tenant_id = %(tenant_id)s and s.scope = %(scope)s
  and s.session_id in (select e.session_id from brain.memory_citations c
                       join brain.conversation_events e on e.tenant_id = c.tenant_id and e.event_id = c.event_id
                       where c.tenant_id = %(tenant_id)s and e.tenant_id = %(tenant_id)s and c.scope = %(scope)s
                         and c.item_id = %(memory_id)s);

-- name: summaries_of_session
-- The newest blocks of a session, oldest first.
select * from (
    select summary_id, session_id, block, text, sources, first_position, last_position, started_at, ended_at,
           created_at, withdrawn
    from brain.session_summaries
    where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
      and session_id = %(session_id)s
    order by block desc
    limit %(limit)s
) newest
order by block;

-- name: summaries_by_id
-- Blocks by id, with the turns that they rest on; those of others do not exist here.
select summary_id, session_id, block, text, sources, first_position, last_position, started_at, ended_at, created_at,
       withdrawn
from brain.session_summaries
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and summary_id = any(%(summary_ids)s) and not withdrawn
order by session_id, block
limit 200;

-- name: summaries_page
-- The blocks in pages, for deriving the index again.
select summary_id, session_id, block, text, sources, first_position, last_position, started_at, ended_at, created_at,
       withdrawn, user_id
from brain.session_summaries
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and (session_id, block) > (%(after_session)s::uuid, %(after_block)s::integer)
order by session_id, block
limit %(limit)s;

-- name: newest_sessions
-- A person's sessions, the last ones spoken in first, each with the words that it began with.
select s.session_id, s.name, s.status, s.next_position as turns, s.entity_slots, s.started_at, s.last_at, s.expires_at,
       (select count(*) from brain.session_summaries b
        where b.tenant_id = %(tenant_id)s and b.session_id = s.session_id) as blocks,
       coalesce((select left(e.text, 200) from brain.conversation_events e
                 where e.tenant_id = %(tenant_id)s and e.session_id = s.session_id and e.role = 'user'
                   and e.visibility = 'all' and not brain.is_left(e.tenant_id, e.operation_id)
                   and not brain.says_forgotten(e.tenant_id, e.event_id)
                 order by e.position
                 limit 1), '') as opening
from brain.sessions s
where s.tenant_id = %(tenant_id)s and s.scope = %(scope)s and (s.user_id = %(user_id)s or %(is_group)s)
  and (%(after_at)s::timestamptz is null or s.last_at < %(after_at)s::timestamptz
       or (s.last_at = %(after_at)s::timestamptz and s.session_id > %(after_id)s::uuid))
order by s.last_at desc, s.session_id
limit %(limit)s;

-- name: unsettled_sessions
-- Sessions whose time is over though nobody closed them, and those with withdrawn blocks.
select session_id, status = 'active' and expires_at <= %(at)s as over
from brain.sessions s
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and ((status = 'active' and expires_at <= %(at)s)
       or session_id in (select session_id from brain.session_summaries b
                         where b.tenant_id = %(tenant_id)s and b.scope = %(scope)s
                           and (b.user_id = %(user_id)s or %(is_group)s) and b.withdrawn))
order by expires_at, session_id
limit %(limit)s;

-- name: expire_session
-- Close a session whose time is over; one that went on meanwhile stays open.
update brain.sessions
set status = 'archived', archived_at = %(at)s
where tenant_id = %(tenant_id)s and scope = %(scope)s and (user_id = %(user_id)s or %(is_group)s)
  and session_id = %(session_id)s and status = 'active' and expires_at <= %(at)s
returning session_id;
