-- name: find_chat_exchanges
-- Where a resent conversation stood: exchanges with the same message and reply; where a client changed the reply, those
-- after the same words.
with found as (
    (select 0 as worse, exchange_id from brain.chat_exchanges
     where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s
       and exchange_sha256 = %(exchange_sha256)s and session_name = coalesce(%(session_name)s::text, session_name)
     order by created_at desc limit %(limit)s)
    union all
    (select 1 as worse, exchange_id from brain.chat_exchanges
     where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s
       and said_sha256 = %(said_sha256)s and session_name = coalesce(%(session_name)s::text, session_name)
     order by created_at desc limit %(limit)s)
)
select e.exchange_id, e.session_name, e.said_sha256, e.exchange_sha256, e.message_id, e.parent_checkpoint, e.checkpoint,
       e.created_at, e.heard, brain.serving(e.answering) as answering
from brain.chat_exchanges e
join found f on f.exchange_id = e.exchange_id and f.worse = (select min(worse) from found)
where e.tenant_id = %(tenant_id)s
order by e.created_at desc, e.exchange_id desc
limit %(limit)s;

-- name: get_chat_exchange
-- The answer that a client names.
select exchange_id, session_name, said_sha256, exchange_sha256, message_id, parent_checkpoint, checkpoint, created_at,
       heard, brain.serving(answering) as answering
from brain.chat_exchanges
where tenant_id = %(tenant_id)s and exchange_id = %(exchange_id)s and scope = %(scope)s and user_id = %(user_id)s;

-- name: ends_of_chat
-- The newest and the first answer of a conversation.
(select exchange_id, session_name, said_sha256, exchange_sha256, message_id, parent_checkpoint, checkpoint, created_at,
        heard, brain.serving(answering) as answering
 from brain.chat_exchanges
 where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and session_name = %(session_name)s
 order by created_at desc, exchange_id desc limit 1)
union all
(select exchange_id, session_name, said_sha256, exchange_sha256, message_id, parent_checkpoint, checkpoint, created_at,
        heard, brain.serving(answering) as answering
 from brain.chat_exchanges
 where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and session_name = %(session_name)s
 order by created_at, exchange_id limit 1)
order by created_at desc, exchange_id desc
limit 2;

-- name: save_chat_exchange
-- A message that is being answered, and its answer. A conversation goes on behind its newest one: of a clock that was set
-- back it is newer all the same.
insert into brain.chat_exchanges as e (tenant_id, scope, user_id, exchange_id, session_name, said_sha256,
                                       exchange_sha256, message_id, parent_checkpoint, checkpoint, created_at, answering,
                                       heard)
values (%(tenant_id)s, %(scope)s, %(user_id)s, %(exchange_id)s, %(session_name)s, %(said_sha256)s,
        %(exchange_sha256)s, %(message_id)s, %(parent_checkpoint)s, %(checkpoint)s,
        greatest(%(created_at)s, (select max(o.created_at) + interval '1 microsecond' from brain.chat_exchanges o
                                  where o.tenant_id = %(tenant_id)s and o.scope = %(scope)s and o.user_id = %(user_id)s
                                    and o.session_name = %(session_name)s and o.exchange_id <> %(exchange_id)s)),
        %(answering)s, %(heard)s)
on conflict (tenant_id, exchange_id) do update
    set exchange_sha256 = excluded.exchange_sha256, checkpoint = excluded.checkpoint, answering = excluded.answering,
        heard = excluded.heard,
        created_at = case when %(created_at)s > e.created_at then excluded.created_at else e.created_at end;

-- name: drop_old_chat_exchanges
-- A conversation that nobody went on with for so long begins anew.
delete from brain.chat_exchanges
where tenant_id = %(tenant_id)s and scope = %(scope)s and user_id = %(user_id)s and created_at < %(keep_after)s;
