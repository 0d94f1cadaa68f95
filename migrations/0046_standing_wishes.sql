-- How a person wants to be spoken to and called stands in every prompt: found without reading all that is remembered.
create index items_told_for_answers on brain.memory_items (tenant_id, scope, user_id, observed_at)
    where category in ('answers', 'name') and status = 'active';
