-- A person's turns and their receipts are listed newest first, page by page.
create index operations_of_person on brain.operations (tenant_id, scope, user_id, created_at);
create index turn_receipts_of_person on brain.memory_receipts (tenant_id, scope, user_id, created_at)
    where receipt_type = 'retrieval';
