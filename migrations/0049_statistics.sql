-- The planner keeps samples of every column in a table of its own: the commonest values whole. What people said, and
-- what is made of it, is not sampled; queries find it by the identifiers beside it, which are.

alter table brain.api_keys
    alter column tenant_name set statistics 0,
    alter column user_name set statistics 0,
    alter column label set statistics 0;
alter table brain.audit_log alter column reason set statistics 0, alter column operator set statistics 0;
alter table brain.chat_exchanges
    alter column session_name set statistics 0,
    alter column said_sha256 set statistics 0,
    alter column exchange_sha256 set statistics 0,
    alter column message_id set statistics 0;
alter table brain.conversation_events
    alter column speaker set statistics 0,
    alter column content set statistics 0,
    alter column text set statistics 0,
    alter column sha256 set statistics 0,
    alter column reference set statistics 0,
    alter column idempotency_key set statistics 0;
alter table brain.document_versions
    alter column front set statistics 0,
    alter column body set statistics 0,
    alter column sha256 set statistics 0,
    alter column author set statistics 0,
    alter column reason set statistics 0;
alter table brain.documents
    alter column name set statistics 0,
    alter column front set statistics 0,
    alter column body set statistics 0,
    alter column sha256 set statistics 0,
    alter column author set statistics 0,
    alter column reason set statistics 0;
alter table brain.memory_citations alter column sha256 set statistics 0;
alter table brain.memory_items
    alter column subject set statistics 0,
    alter column predicate set statistics 0,
    alter column object set statistics 0,
    alter column content set statistics 0,
    alter column slot set statistics 0,
    alter column provenance set statistics 0;
alter table brain.memory_receipts alter column details set statistics 0, alter column idempotency_key set statistics 0;
alter table brain.memory_versions
    alter column snapshot set statistics 0,
    alter column reason set statistics 0,
    alter column operator set statistics 0;
alter table brain.names alter column name set statistics 0;
alter table brain.operations alter column reason set statistics 0;
alter table brain.recall_index
    alter column speaker set statistics 0,
    alter column about set statistics 0,
    alter column text set statistics 0,
    alter column words set statistics 0,
    alter column grams set statistics 0,
    alter column embedding set statistics 0;
alter table brain.session_summaries alter column text set statistics 0;
alter table brain.sessions
    alter column name set statistics 0,
    alter column entity_slots set statistics 0,
    alter column carried set statistics 0;
alter table brain.store_items
    alter column namespace set statistics 0,
    alter column key set statistics 0,
    alter column value set statistics 0;
alter table brain.store_texts
    alter column words set statistics 0,
    alter column grams set statistics 0,
    alter column embedding set statistics 0;
alter table brain.store_versions
    alter column namespace set statistics 0,
    alter column key set statistics 0,
    alter column value set statistics 0;
alter table checkpoint.checkpoint_blobs alter column blob set statistics 0;
alter table checkpoint.checkpoint_writes alter column blob set statistics 0;
alter table checkpoint.checkpoints alter column checkpoint set statistics 0, alter column metadata set statistics 0;
alter table queue.job_failures alter column reason set statistics 0;
alter table queue.procrastinate_jobs alter column args set statistics 0;

-- What was sampled before. Servers older than 18 keep it until it is written over.
do $$
begin
    if to_regprocedure('pg_clear_attribute_stats(text, text, text, boolean)') is not null then
        perform pg_clear_attribute_stats(n.nspname::text, c.relname::text, a.attname::text, false)
        from pg_attribute a join pg_class c on c.oid = a.attrelid join pg_namespace n on n.oid = c.relnamespace
        where n.nspname in ('brain', 'checkpoint', 'queue') and c.relkind = 'r' and a.attstattarget = 0;
    end if;
end $$;
