-- Replies that the fast model gave in place of the chat model have a line of their own in the account: what they saved is told.
alter table brain.token_ledger drop constraint token_ledger_role_check;
alter table brain.token_ledger add constraint token_ledger_role_check check (role in ('chat', 'fast', 'routed'));
