-- What upkeep needs: a status for what was put away, and a way from a memory to how its uses were taken.

-- Put away: in no reading of the present, still in the history, and it can come back.
alter table brain.memory_items drop constraint memory_items_status_check;
alter table brain.memory_items add constraint memory_items_status_check
    check (status in ('active', 'superseded', 'retracted', 'archived', 'deleted'));

-- Only answered injections count, so the index holds little beside what is written with every turn.
create index answered_receipts_of_memory on brain.memory_receipts (tenant_id, memory_id)
    where receipt_type = 'injection' and user_feedback_signal is not null;

-- From a memory to those in whose place it stands.
create index items_replaced_by on brain.memory_items (tenant_id, superseded_by) where superseded_by is not null;
