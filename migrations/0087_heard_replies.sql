-- Whether a reply came to its end while its client was still there: the same first message after one that was not heard is
-- another try of it, and no conversation of its own.
alter table brain.chat_exchanges add column heard boolean not null default true;
grant update (heard) on brain.chat_exchanges to :app_role;
