-- What the application may do with Brain's own tables and functions, said once. Given after every migration and again
-- whenever some of it is missing: a dump restored into another server, or another role, has none of it. A new table or
-- function adds its lines here, and its migration needs no grants of its own.

-- Written once: the log, versions and audit are append-only.
grant select, insert on brain.names, brain.conversation_events, brain.memory_versions, brain.audit_log,
    brain.note_entries, brain.replaced_replies, brain.store_versions to :app_role;
-- How far words may be read is known only when their turn has been looked at.
grant update (visibility, indexed) on brain.conversation_events to :app_role;
grant select, insert, update on brain.sessions, brain.operations, brain.memory_items, brain.memory_receipts,
    brain.memory_conflicts, brain.documents, brain.token_ledger, brain.vector_weights to :app_role;
grant select, insert, delete on brain.memory_citations, brain.document_versions, brain.store_texts,
    brain.chat_exchanges, brain.ended_panel_sessions, brain.media, brain.media_uses to :app_role;
-- Which bytes are let go of is decided on the locked row.
grant update (created_at) on brain.media to :app_role;
-- Where a message stands is known before its answer is.
grant update (exchange_sha256, checkpoint, created_at, answering, heard) on brain.chat_exchanges to :app_role;
-- A key is never changed, except for being revoked.
grant select, insert on brain.api_keys to :app_role;
grant update (revoked_at, expires_at) on brain.api_keys to :app_role;
grant select, insert, update, delete on brain.recall_index, brain.recall_removals, brain.store_items to :app_role;
-- A summary is never changed, except for being withdrawn and worded anew.
grant select, insert on brain.session_summaries to :app_role;
grant update (text, sources, withdrawn) on brain.session_summaries to :app_role;

-- Where a tenant lives is changed by a move alone.
grant select on brain.tenant_cells to :app_role;

-- What processes that serve share is counted anew all the time.
grant select, insert, update on brain.tenant_shares to :app_role;
grant select, insert, update, delete on brain.decisions_at_work to :app_role;

-- A pause of remembering ends and is never changed otherwise.
grant select, insert on brain.remembering_pauses to :app_role;
grant update (ends_at) on brain.remembering_pauses to :app_role;
-- An experiment ends and is never changed otherwise; its sums grow.
grant select, insert on brain.experiments to :app_role;
grant update (ended_at, ended_by, finding) on brain.experiments to :app_role;
grant select, insert, update on brain.experiment_counts to :app_role;
-- A drill is told once; a release that is reported again is judged anew.
grant select, insert on brain.drills to :app_role;
grant select, insert, update on brain.release_verdicts, brain.level_thresholds to :app_role;
grant delete on brain.level_thresholds to :app_role;

-- An alert is renewed and ends; those that ended long ago go.
grant select, insert, update, delete on brain.service_alerts to :app_role;

-- An import that is taken back goes by a function, with all that came with it.
grant select, insert, update on brain.past_imports to :app_role;

-- A tombstone stays; what is erased under it goes by functions of one purpose each.
grant select, insert, update on brain.tombstones, brain.legal_profiles, brain.legal_holds to :app_role;
grant select on brain.erased_events, brain.erased_receipts, brain.erased_threads to :app_role;
grant select, insert on brain.tombstone_states, brain.inbox to :app_role;
-- A contract is followed by another version, never changed.
grant select, insert on brain.contract_versions to :app_role;
-- What a proposal rests on, and who objected, only functions of one purpose each know.
grant select on brain.promotion_proposals to :app_role;
grant update (settled, entry_id) on brain.promotion_proposals to :app_role;
-- A lesson is counted by the owner; the application may take it out.
grant select on brain.agent_experiences to :app_role;
grant update (removed) on brain.agent_experiences to :app_role;
-- The chain grows by a function alone; its heads are signed once.
grant select on brain.chain_links to :app_role;
grant select, insert on brain.chain_checkpoints to :app_role;
-- A version of SOUL says what it said; what becomes of it, a trigger bounds.
grant select, insert, update on brain.soul_versions, brain.soul_reactions to :app_role;
grant select, insert on brain.soul_acts to :app_role;
grant update (evidence) on brain.soul_acts to :app_role;
grant select, insert, delete on brain.soul_pauses to :app_role;

-- What an organisation knows is read and written by a role of its own, which may do nothing else.
grant usage on schema brain to :knowledge_role;
grant select, insert, update on brain.knowledge_state, brain.knowledge_entries, brain.knowledge_entities
    to :knowledge_role;
grant select, insert on brain.knowledge_versions to :knowledge_role;
grant select, insert, delete on brain.knowledge_relations to :knowledge_role;
grant select, insert, delete on brain.bookmarks to :app_role;

revoke all on routine brain.secure, brain.secure_tenant, brain.note_writer, brain.note_removals, brain.note_tombstone_writer,
    brain.adopt_recall_index, brain.adopt_chain, brain.attested_text(brain.audit_log),
    brain.attested_text(brain.memory_receipts), brain.chain_commitment, brain.chain_step, brain.chain_hash,
    brain.utc_text, brain.follow_knowledge, brain.forget_knowledge_author from public;
revoke all on function brain.lock_promotions, brain.countable_memories, brain.tenants_of_several, brain.propose_promotion,
    brain.withdraw_promotions, brain.recheck_promotions, brain.tool_outcomes, brain.tenants_with_tools,
    brain.keep_experiences, brain.follow_move, brain.hold_jobs from public;
revoke all on function brain.next_knowledge_version from public;
grant execute on function brain.next_knowledge_version, brain.current_tenant to :knowledge_role;
revoke all on function brain.current_tenant, brain.current_scope, brain.current_user_id, brain.enqueue_evolution,
    brain.says_forgotten, brain.repeats_forgotten, brain.past_says, brain.past_saying, brain.holds_words,
    brain.telling_words, brain.words_of_memory, brain.says_words, brain.forgotten_spans,
    brain.turns_saying, brain.standing_of,
    brain.recall_changes, brain.take_back, brain.find_turn, brain.is_left, brain.follow_branch,
    brain.acts_as_owner, brain.sweep_store, brain.compare_json,
    brain.matches_filter, brain.matches_path, brain.evolution_lock, brain.seal_chain, brain.experiment_place,
    brain.act_as, brain.fenced_users, brain.hide_in_groups, brain.return_documents, brain.untie_erased,
    brain.erase_rows, brain.erase_name, brain.count_residue, brain.complete_erasure, brain.alert_erasures,
    brain.is_erased_thread, brain.known_tombstones, brain.installation_id, brain.groups_under_tombstone,
    brain.reach_erased, brain.groups_of_erased, brain.follow_tombstone, brain.audit_erasure,
    brain.refuse_erased_session, brain.forget_contract_author, brain.object_to_promotion, brain.objects_to_promotion,
    brain.decide_promotion, brain.withdraw_erased, brain.purge_promoted, brain.follow_soul,
    brain.watched_souls, brain.erase_soul_traces, brain.remove_past, brain.drop_unused_media,
    brain.pauses_remembering, brain.time_behind, brain.enter_cell, brain.find_cell, brain.move_lock,
    brain.serving_patience, brain.keep_serving, brain.stop_serving, brain.serving, brain.take_share,
    brain.last_drill, brain.is_complete_receipt, brain.count_receipts, brain.count_injections,
    brain.count_searches, brain.count_deletions, brain.count_fuses,
    brain.count_memories, brain.count_memories_of_tenant, brain.count_operations, brain.count_audited, brain.tenants_with_receipts,
    brain.claim_act, brain.tenants_with_alerts, brain.count_alerts, brain.unsealed_seconds, brain.seconds_since from public;
grant execute on function brain.current_tenant, brain.current_scope, brain.current_user_id, brain.enqueue_evolution,
    brain.says_forgotten, brain.repeats_forgotten, brain.past_says, brain.past_saying, brain.holds_words,
    brain.telling_words, brain.words_of_memory, brain.says_words, brain.forgotten_spans,
    brain.turns_saying, brain.standing_of,
    brain.recall_changes, brain.take_back, brain.find_turn, brain.is_left, brain.follow_branch,
    brain.acts_as_owner, brain.sweep_store, brain.compare_json,
    brain.matches_filter, brain.matches_path, brain.evolution_lock, brain.seal_chain, brain.experiment_place,
    brain.act_as, brain.fenced_users, brain.hide_in_groups, brain.return_documents, brain.untie_erased,
    brain.erase_rows, brain.erase_name, brain.count_residue, brain.complete_erasure, brain.alert_erasures,
    brain.is_erased_thread, brain.known_tombstones, brain.installation_id, brain.groups_under_tombstone,
    brain.object_to_promotion, brain.objects_to_promotion, brain.decide_promotion, brain.withdraw_erased,
    brain.purge_promoted, brain.watched_souls, brain.erase_soul_traces, brain.remove_past,
    brain.pauses_remembering, brain.time_behind, brain.enter_cell, brain.find_cell, brain.move_lock,
    brain.serving_patience, brain.keep_serving, brain.stop_serving, brain.serving, brain.take_share,
    brain.last_drill, brain.is_complete_receipt, brain.count_receipts, brain.count_injections,
    brain.count_searches, brain.count_deletions, brain.count_fuses,
    brain.count_memories, brain.count_memories_of_tenant, brain.count_operations, brain.count_audited, brain.tenants_with_receipts,
    brain.claim_act, brain.tenants_with_alerts, brain.count_alerts, brain.unsealed_seconds, brain.seconds_since
    to :app_role;
