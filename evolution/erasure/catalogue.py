"""Where a person's words, name or traces can be, and what erasing does to each place.

Every column that holds text, JSON, bytes, hashed terms or vectors stands here, and every file that Brain writes. A test
holds the tables against the database's own catalogue: a column that is added without being named here fails it.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

Fate = Literal["deleted", "skeleton kept", "renamed", "rewritten", "never personal", "kept without a name"]


@dataclass(frozen=True)
class Place:
    """A table or a file. ``columns``: those that could hold words, names or traces of them."""

    fate: Fate
    columns: frozenset[str] = frozenset()
    why: str = ""


def _place(fate: Fate, columns: str = "", why: str = "") -> Place:
    return Place(fate, frozenset(columns.split()), why)


TABLES: Mapping[str, Place] = {
    "brain.conversation_events": _place(
        "skeleton kept",
        "scope role speaker content text sha256 time_zone reference idempotency_key run_id visibility",
        "of a turn its id, role and time stay in erased_events",
    ),
    "brain.memory_receipts": _place(
        "skeleton kept",
        "scope thread_id receipt_type lane details utilization_signal user_feedback_signal idempotency_key run_id",
        "of a receipt its id, type, score and use stay; also of those of others in a group that quote the person",
    ),
    "brain.memory_items": _place(
        "deleted",
        "scope item_type subject predicate object content category slot status epistemic_type provenance use",
    ),
    "brain.memory_versions": _place("deleted", "scope change snapshot reason operator trace_id"),
    "brain.memory_citations": _place("deleted", "scope sha256"),
    "brain.memory_conflicts": _place("deleted", "scope kind status opened_by settled_by"),
    "brain.recall_index": _place(
        "deleted",
        "scope lane embedding_model speaker words grams embedding role category provenance epistemic_type text about",
        "a group's documents go back into it as they were written anew",
    ),
    "brain.recall_removals": _place("deleted", "scope"),
    "brain.documents": _place(
        "rewritten", "scope kind name front body sha256 author reason", "one's own are deleted, a group's written anew"
    ),
    "brain.document_versions": _place("rewritten", "scope front body sha256 author reason", "the same"),
    "brain.note_entries": _place("deleted", "scope"),
    "brain.sessions": _place(
        "deleted", "scope name status entity_slots carried", "a group's conversation stays, under nobody's name"
    ),
    "brain.session_summaries": _place("deleted", "scope text", "a group's are withdrawn, emptied, and worded anew"),
    "brain.operations": _place("deleted", "scope status reason thread_id"),
    "brain.replaced_replies": _place("deleted", "scope"),
    "brain.media": _place("deleted", "scope sha256 media_type bytes"),
    "brain.media_uses": _place("deleted", "scope sha256"),
    "brain.remembering_pauses": _place("deleted", "scope"),
    "brain.past_imports": _place("deleted", "scope file_name sha256 format state counts"),
    "brain.chat_exchanges": _place(
        "deleted",
        "scope session_name said_sha256 exchange_sha256 message_id parent_checkpoint checkpoint",
    ),
    "brain.store_items": _place("deleted", "scope namespace key value"),
    "brain.store_texts": _place("deleted", "scope words grams embedding_model embedding"),
    "brain.store_versions": _place("deleted", "scope change namespace key value"),
    "brain.names": _place("deleted", "kind name", "where all compartments are erased"),
    "brain.api_keys": _place("deleted", "sha256 tenant_name user_name label scopes", "the same"),
    "brain.promotion_proposals": _place(
        "rewritten", "text topic status decided_by entry_id", "withdrawn without words where the person told it"
    ),
    "brain.agent_experiences": _place("never personal", "lesson", "names of tools and codes, counted anew"),
    "brain.promotion_sources": _place("deleted", "scope", "with the proposals that rest on them"),
    "brain.promotion_objections": _place("deleted", "scope", "where all compartments are erased"),
    "brain.audit_log": _place(
        "renamed", "scope action reason operator trace_id", "under the tombstone's id, without reason and operator"
    ),
    "brain.legal_holds": _place(
        "renamed", "scope reason placed_by lifted_by", "lifted ones; a living one forbids erasing"
    ),
    "brain.contract_versions": _place("renamed", "text sha256 author", "the organisation's own words, set by nobody"),
    "brain.tombstones": _place(
        "kept without a name",
        "person_hash user_name scope state requested_by profile alerted failure erased certificate",
        "id, name and compartment go when it is completed",
    ),
    "brain.tombstone_states": _place("kept without a name", "state"),
    "brain.erased_events": _place("kept without a name", "role"),
    "brain.erased_receipts": _place("kept without a name", "receipt_type lane utilization_signal user_feedback_signal"),
    "brain.erased_threads": _place("kept without a name", "thread_sha256"),
    "brain.inbox": _place("kept without a name", "idempotency_key", "it holds the keyed hash"),
    "brain.bookmarks": _place("deleted", "scope"),
    "brain.knowledge_state": _place("never personal"),
    "brain.knowledge_entries": _place(
        "renamed",
        "kind text topic owner org_tier role brand platform language source source_key content_sha256 author reason"
        " words grams embedding_model embedding",
        "the words are the organisation's and stay; its author's name goes",
    ),
    "brain.knowledge_versions": _place("renamed", "snapshot author reason", "the same"),
    "brain.knowledge_entities": _place("never personal", "name", "things that the organisation names"),
    "brain.knowledge_relations": _place("never personal", "relation"),
    "brain.installation": _place("never personal"),
    "brain.tenant_cells": _place("never personal", "state cell"),
    "brain.moved_rows": _place("deleted", "table_name row_key", "keys of rows, gone when a move ends"),
    "brain.chain_links": _place(
        "kept without a name", "kind commitment hash", "salted hashes; the salt goes with the words"
    ),
    "brain.chain_checkpoints": _place("kept without a name", "hash signature public_key"),
    "brain.chain_progress": _place("never personal"),
    "brain.soul_versions": _place(
        "kept without a name",
        "status origin text sha256 reason evaluation",
        "a tenant's document that holds nobody's words; texts that only were proposed go with who proposed them",
    ),
    "brain.soul_acts": _place(
        "renamed",
        "act scope intent evidence key_sha256",
        "under the tombstone's id, without intent, evidence and key",
    ),
    "brain.soul_pauses": _place("never personal"),
    "brain.serving_processes": _place("never personal"),
    "brain.tenant_shares": _place("never personal", "places", "processes, and how many requests each answers"),
    "brain.decisions_at_work": _place("never personal"),
    "brain.soul_reactions": _place("never personal"),
    "brain.token_ledger": _place("never personal", "purpose role"),
    "brain.experiments": _place("never personal", "name variants guard salt ended_by finding"),
    "brain.experiment_counts": _place("never personal", "variant"),
    "brain.release_verdicts": _place("never personal", "release figure state"),
    "brain.level_thresholds": _place("never personal", "figure"),
    "brain.drills": _place("never personal"),
    "brain.service_alerts": _place("never personal", "name severity"),
    "brain.last_done": _place("never personal", "act"),
    "brain.vector_weights": _place("never personal", "model language"),
    "brain.legal_profiles": _place("never personal", "name day_type"),
    "brain.ended_panel_sessions": _place("never personal", "session_sha256"),
    "brain.recall_origin": _place("never personal"),
    "brain.schema_migrations": _place("never personal", "name sha256"),
    "checkpoint.checkpoints": _place(
        "deleted", "thread_id checkpoint_ns checkpoint_id parent_checkpoint_id type checkpoint metadata"
    ),
    "checkpoint.checkpoint_blobs": _place("deleted", "thread_id checkpoint_ns channel version type blob"),
    "checkpoint.checkpoint_writes": _place(
        "deleted", "thread_id checkpoint_ns checkpoint_id task_id channel type blob task_path"
    ),
    "checkpoint.threads": _place("deleted", "thread_id padding"),
    "checkpoint.checkpoint_migrations": _place("never personal"),
    "queue.accepted_turns": _place("deleted", "run_id scope"),
    "queue.procrastinate_jobs": _place("deleted", "queue_name task_name lock queueing_lock args"),
    "queue.job_failures": _place("deleted", "reason", "with its job"),
    "queue.procrastinate_events": _place("never personal"),
    "queue.procrastinate_periodic_defers": _place("never personal", "task_name periodic_id"),
    "queue.procrastinate_workers": _place("never personal"),
}

SCRUBBED = (
    "brain.conversation_events",
    "brain.operations",
    "brain.memory_receipts",
    "brain.memory_items",
    "brain.memory_versions",
    "brain.recall_index",
    "brain.documents",
    "brain.document_versions",
    "brain.sessions",
    "brain.session_summaries",
    "brain.media",
    "brain.chat_exchanges",
    "brain.store_items",
    "brain.store_versions",
    "brain.past_imports",
    "brain.names",
    "brain.api_keys",
    "brain.promotion_proposals",
    "brain.audit_log",
    "brain.soul_versions",
    "brain.soul_acts",
    "brain.tombstones",
    "brain.knowledge_entries",
    "brain.knowledge_versions",
    "checkpoint.checkpoints",
    "checkpoint.checkpoint_blobs",
    "checkpoint.checkpoint_writes",
    "checkpoint.threads",
)
"""The tables that hold words or names, whose files are overwritten where deleted rows were.

A client may name a thread by words of a person.
"""

FILES: Mapping[str, Place] = {
    "postgres/cluster": _place("deleted", why="the tables above, and their bytes as docs/erasure.md tells"),
    "postgres/engine-*": _place("never personal"),
    "postgres/server.log": _place("never personal", why="codes and times; no row is written out in it"),
    "database.json": _place("never personal"),
    "database.idle*": _place("never personal"),
    "*.lock": _place("never personal"),
    "audit.key": _place("never personal"),
    "keys": _place("deleted", why="the person's key, by which backups are read"),
    "erasures": _place("kept without a name", why="whom a line is about is encrypted"),
    ".langgraph_api": _place(
        "rewritten", why="threads and runs without words; a run that waits keeps its input until it ran"
    ),
}
"""In the data folder, or where a development server was started."""
