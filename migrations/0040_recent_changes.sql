-- When a version was written by the database's own clock: what was taken away can be brought back for a day from then.
-- Of versions that stand already nobody knows it; they count as older.
alter table brain.memory_versions add column written_at timestamptz;
alter table brain.memory_versions alter column written_at set default clock_timestamp();
create index recent_changes_of_person on brain.memory_versions (tenant_id, scope, user_id, written_at)
    where change in ('forget', 'correct', 'supersede', 'retract', 'create');
