"""Every table there is, by construction: a new one fails here until it is secured and strangers were sent to it."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from typing import Any, LiteralString
from uuid import UUID, uuid4

import psycopg
import pytest
from psycopg.errors import InsufficientPrivilege
from psycopg.sql import SQL, Identifier, Literal
from psycopg.types.json import Jsonb

from apps.jobs.sealing import sign_head
from brain.audit_key import AuditKey
from brain.knowledge_database import KnowledgeSessions
from knowledge.entries import Author, IndexedDraft, KnowledgeDraft, Relation
from knowledge.postgres.store import PostgresKnowledgeStore
from memory.bookmarks import Bookmark
from memory.calibration import VectorWeight
from memory.documents.document import DocumentDraft, profile_kind
from memory.documents.port import NoteEntry
from memory.erasure import LegalHold, LegalProfile
from memory.experience import Experience
from memory.experiments import Experiment, ExperimentTurn, Variant
from memory.levels import Drill, ReleaseVerdict, Threshold
from memory.memory_item import MemoryItem
from memory.model_usage import Spending
from memory.past_imports import PastImport
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.experiences import open_experience_count
from memory.postgres.promotion_count import open_promotion_count
from memory.postgres.roles import Addresses
from memory.promotion import Decider, PromotionDraft, PromotionThresholds
from memory.scope import Scope
from memory.service_alerts import AlertReading
from memory.serving import ShareRequest
from memory.soul import SoulActor, SoulReaction
from memory.store_items import StorePut, StoreText
from tests.contract.builders import (
    a_block,
    a_contract,
    a_draft,
    a_key,
    a_new_turn,
    a_picture,
    a_reply,
    a_session,
    a_turn,
    an_erasure_request,
    an_exchange,
    an_injection,
    at,
    by_ann,
    cited,
    said,
)

WHOLE_TENANT = {
    "names",
    "token_ledger",
    "experiments",
    "experiment_counts",
    "vector_weights",
    "api_keys",
    "ended_panel_sessions",
    "chain_links",
    "chain_checkpoints",
    "tombstones",
    "tombstone_states",
    "legal_profiles",
    "legal_holds",
    "contract_versions",
    "erased_events",
    "erased_receipts",
    "erased_threads",
    "inbox",
    "promotion_proposals",
    "promotion_sources",
    "promotion_objections",
    "agent_experiences",
    "knowledge_state",
    "knowledge_entries",
    "knowledge_versions",
    "knowledge_entities",
    "knowledge_relations",
    "soul_versions",
    "soul_acts",
    "soul_pauses",
    "soul_reactions",
    "release_verdicts",
    "level_thresholds",
    "drills",
    "tenant_shares",
    "decisions_at_work",
    "service_alerts",
}
"""Tables that everybody of a tenant shares."""
OF_NOBODY = {
    "tenant_cells",
    "moved_rows",
    "schema_migrations",
    "recall_origin",
    "checkpoint_migrations",
    "chain_progress",
    "installation",
    "serving_processes",
    "last_done",
}
"""Tables that hold nothing of anybody; the application may not touch them."""
APPEND_ONLY = {
    "names",
    "conversation_events",
    "replaced_replies",
    "memory_versions",
    "note_entries",
    "audit_log",
    "store_versions",
    "chain_links",
    "chain_checkpoints",
    "contract_versions",
    "tombstone_states",
    "erased_events",
    "erased_receipts",
    "erased_threads",
    "inbox",
    "promotion_sources",
    "promotion_objections",
    "soul_acts",
    "drills",
}
MAINTAINED = {
    "memory_items": "r",
    "memory_versions": "r",
    "memory_conflicts": "r",
    "operations": "r",
    "drills": "r",
    "service_alerts": "r",
    "agent_experiences": "r",
    "store_items": "r",
    "audit_log": "r",
    "memory_receipts": "r",
    "chain_checkpoints": "r",
    "chain_links": "*",
    "tombstones": "*",
    "soul_versions": "r",
}
"""Tables that a function with its owner's rights reads (or writes) across tenants, by a policy for the owner alone."""
NEVER_DELETED = {
    "agent_experiences",
    "promotion_proposals",
    "tombstones",
    "legal_profiles",
    "legal_holds",
    "api_keys",
    "token_ledger",
    "experiments",
    "experiment_counts",
    "vector_weights",
    "sessions",
    "session_summaries",
    "operations",
    "memory_items",
    "memory_receipts",
    "documents",
    "soul_versions",
    "soul_reactions",
    "past_imports",
    "release_verdicts",
    "tenant_shares",
}

Row = Mapping[str, Any]


async def fill(memory: MemoryCore, scope: Scope) -> None:
    """A row in every table, each by its own way in."""
    session, event = a_session(), said("My safe opens with 4711")
    item = await _remember(memory, scope, (session, event), ("4711", "confirmed_by_user"))
    await _remember(memory, scope, (session, said("Or was it 4712?", minutes=1)), ("4712", "observation"))
    receipts = (an_injection(item.memory_id),)
    cost = Spending(purpose="turn", role="chat", calls=1, estimated_calls=0, input_tokens=1, output_tokens=1)
    weight = VectorWeight(model="test:m", language="en", weight=0.5, questions=1, measured_at=at())
    await memory.calibration.save_vector_weights(scope, [weight])
    await memory.api_keys.add(a_key(tenant_id=scope.tenant_id))
    await memory.safety_contracts.add(scope.tenant_id, a_contract("Never promise a delivery date."))
    variants = (Variant(name="control", share=50), Variant(name="short", share=50))
    tried = Experiment(experiment_id=uuid4(), name="shorter", variants=variants, guard="negative", started_at=at())
    tried = tried if await memory.experiments.start(scope, tried) else await memory.experiments.find(scope, "shorter")
    assert tried is not None
    await memory.sign_outs.end(scope.tenant_id, "0" * 64, at(), at(60))
    await memory.chat_exchanges.save(scope, an_exchange(), at())
    reaction = SoulReaction(version=0, is_negative=False)
    told = ExperimentTurn(
        experiment_id=tried.experiment_id,
        variant="short",
        judged=True,
        negative=False,
        corrected=False,
        injected=1,
        utilized=1,
        routed=False,
        input_tokens=1,
        output_tokens=1,
    )
    turn = a_turn(
        said("Thanks", media=(a_picture(),)),
        session=session,
        receipts=receipts,
        spendings=(cost,),
        soul_reaction=reaction,
        experiment=told,
    )
    await memory.log.capture(scope, turn)
    asked = a_new_turn("What opens it?", session, run=f"{scope.user_id}", minutes=2)
    await memory.log.accept(scope, asked, 10)
    for number, reply in enumerate(("4711.", "4712.")):
        given = a_reply(asked.operation_id, session, reply, run=f"{scope.user_id} {number}")
        await memory.log.capture(scope, given)
    block = a_block(session, 0, (0, 0), event.event_id, text="A safe")
    assert await memory.sessions.save_summary(scope, block, at())
    for version, body in enumerate(("Has a safe.\n", "Has two safes.\n")):
        draft = DocumentDraft(kind=profile_kind(scope), name="profile", body=body)
        await memory.documents.save(scope, draft, version, by_ann(body))
    await memory.documents.append_note(scope, [NoteEntry(key="e1", text="A safe.", at=at())], by_ann("n"))
    stored = StorePut(namespace=("memories",), key="k", value={"text": "4711"}, texts=(StoreText(text="4711"),))
    await memory.store.run(scope, [], [stored], at())
    await memory.bookmarks.add(scope, Bookmark(bookmark_id=uuid4(), entry_id=uuid4(), revision=1, created_at=at()))
    await memory.souls.set_paused(SoulActor(scope=scope, name="ann", at=at(), first_text="- Kind."), paused=True)
    brought = PastImport(import_id=uuid4(), file_name="safe.zip", sha256="0" * 64, format="mem0", started_at=at())
    await memory.past_imports.begin(scope, brought)
    reading = AlertReading(name="access_refused", severity="urgent", value=1.0, threshold=0.0, samples=1)
    await memory.service_alerts.begin(scope.tenant_id, uuid4(), reading, at(), tell=False)
    drill = Drill(rto_seconds=20.0, rpo_seconds=0.5, held_at=at())
    await memory.levels.record_drill(scope.tenant_id, uuid4(), drill)
    await memory.levels.set_threshold(scope.tenant_id, Threshold(figure="staleness_rate", pass_at=0.1, fail_at=0.2))
    judged = {"release": "1.0", "figure": "staleness_rate", "state": "PASS", "value": 0.05, "samples": 40}
    verdict = ReleaseVerdict(**judged, first_at=at(), reported_at=at())  # type: ignore[arg-type]
    await memory.levels.save_verdicts(scope.tenant_id, "1.0", [verdict])
    await memory.pauses.begin(scope, uuid4(), None, 60)
    await memory.pauses.end(scope, None)
    process = uuid4()
    asked = ShareRequest(process_id=process, running=0, wanted=1, per_minute=60, at_once=9, at_most=60.0)
    assert (await memory.serving.take_share(scope.tenant_id, asked)).granted == 1
    assert await memory.serving.claim_decision(scope.tenant_id, uuid4(), process, 60)
    await _erase_somebody_else(memory, scope)
    while (await memory.audit_chain.seal(lambda head: sign_head(AuditKey.derive(bytes(32)), head), 1_000)).links:
        pass


async def fill_knowledge(knowledge: PostgresKnowledgeStore, scope: Scope) -> None:
    """An entry that relates two things, and what it said before."""
    by = Author(name="eve", reason="handbook", at=at())
    relation = Relation(subject="Acme", relation="sells", object="safes")
    for text in ("Safes are sold.", "Safes are sold out."):
        draft = KnowledgeDraft(text=text, relations=(relation,), source="a.md", source_key="safes")
        await knowledge.put(scope.tenant_id, [IndexedDraft(draft=draft, entry_id=uuid4())], by)


async def _erase_somebody_else(memory: MemoryCore, scope: Scope) -> None:
    """What an erasure leaves: of another person, so that hers stays."""
    gone, erasures = replace(scope, user_id=uuid4(), key="main"), memory.erasures
    await memory.log.capture(gone, a_turn(said("Bye"), session=a_session(), receipts=(an_injection(uuid4()),)))
    await erasures.save_profile(scope.tenant_id, LegalProfile())
    objector = Decider(tenant_id=scope.tenant_id, user_id=uuid4(), name="bob")
    await memory.promotions.object(objector, objects=True, at=at())
    hold = LegalHold(
        tenant_id=scope.tenant_id,
        hold_id=uuid4(),
        user_id=uuid4(),
        scope=None,
        reason="a court order",
        placed_by="clerk",
        placed_at=at(),
    )
    await erasures.place_hold(hold)
    asked = an_erasure_request(scope.tenant_id, gone.user_id, user_name=f"gone {gone.user_id}")
    tombstone = await erasures.request(asked)
    await erasures.advance(tombstone, "processing")
    for thread in await erasures.list_threads(tombstone):
        await erasures.erase_thread(tombstone, thread)
    while await erasures.erase_rows(tombstone, 100):
        pass
    await erasures.erase_name(tombstone)
    assert await erasures.complete(tombstone, {}, 60.0)


async def _remember(memory: MemoryCore, scope: Scope, spoken: tuple[Any, Any], told: tuple[str, Any]) -> MemoryItem:
    (session, event), (number, level) = spoken, told
    await memory.log.capture(scope, a_turn(event, session=session))
    draft = a_draft(number, slot="user|safe", single_valued=True, provenance=level, citations=(cited(event, number),))
    draft = replace(draft, session_id=session.session_id)
    receipt = await memory.items.write(scope, draft, by_ann(number))
    return await memory.items.get(scope, receipt.memory_id)


@pytest.fixture(params=["main", "group:family"])
async def ann(database: Database, test_addresses: Addresses, scope: Scope, request: pytest.FixtureRequest) -> Scope:
    """Somebody with something in every table, at home or in a group."""
    filled = replace(scope, key=request.param)
    await fill(postgres_memory(database), filled)
    await propose(test_addresses, filled)
    await fill_knowledge(PostgresKnowledgeStore(KnowledgeSessions(database)), filled)
    return filled


async def propose(where: Addresses, scope: Scope) -> None:
    """What only the owner writes: a proposal that rests on a memory of hers."""
    thresholds = PromotionThresholds(people=1, sessions=1, told=1)
    async with open_promotion_count(where.owner) as count:
        counted = await count.countable(scope.tenant_id, thresholds, at(), 10)
        draft = PromotionDraft(
            proposal_id=uuid4(), text="Safes open", topic="other", memory_ids=tuple(each.memory_id for each in counted)
        )
        assert await count.propose(scope.tenant_id, draft, thresholds, at())
    async with open_experience_count(where.owner) as learning:
        lesson = Experience(lesson="corrected:memory_search", times=9, against=0, people=2, last_seen=at())
        assert await learning.keep(scope.tenant_id, [lesson]) == 1


def tables(where: Addresses) -> list[str]:
    """What holds rows in Brain's schema, views and all."""
    with psycopg.connect(where.owner) as connection:
        found = connection.execute(
            "select relname from pg_class"
            " where relnamespace = 'brain'::regnamespace and relkind in ('r', 'p', 'v', 'm', 'f')"
        )
        return sorted({str(name) for (name,) in found} - OF_NOBODY)


def strangers(ann: Scope) -> Iterator[Scope]:
    """Whoever is not to see what is hers; in a group, those outside of it."""
    yield replace(ann, tenant_id=uuid4())
    yield replace(ann, key="group:fam%")
    yield replace(ann, key=f"peer:{ann.user_id}")
    yield replace(ann, key="main" if ann.is_group else "group:main")
    if not ann.is_group:
        yield replace(ann, user_id=uuid4())


def rows_of(where: Addresses, ann: Scope, table: str) -> list[Row]:
    """What the table really holds of hers, generated columns aside."""
    with psycopg.connect(where.owner) as connection:
        query = SQL(
            "select to_jsonb(t) - (select coalesce(array_agg(attname::text), '{{}}') from pg_attribute"
            "  where attrelid = 'brain.{table}'::regclass and attgenerated <> '')"
            " from brain.{table} t where tenant_id = %s"
        ).format(table=Identifier(table))
        return [row for (row,) in connection.execute(query, (ann.tenant_id,))]


def acting(where: Addresses, who: Scope) -> "psycopg.Connection[Any]":
    """A connection of the application in which somebody asks."""
    connection = psycopg.connect(where.app)
    told = {"brain.tenant_id": who.tenant_id, "brain.scope": who.key, "brain.user_id": who.user_id}
    for name, value in told.items():
        connection.execute("select set_config(%s, %s, false)", (name, str(value)))
    connection.commit()
    return connection


def reach(connection: "psycopg.Connection[Any]", statement: LiteralString, table: str) -> int:
    """How many rows a statement touches; none where the application may not do such a thing at all."""
    try:
        with connection.transaction(force_rollback=True):
            return connection.execute(SQL(statement).format(table=Identifier(table))).rowcount
    except InsufficientPrivilege:
        return 0


def test_every_table_forces_row_security_on_whoever_uses_it(test_addresses: Addresses):
    with psycopg.connect(test_addresses.owner) as connection:
        found = connection.execute(
            "select c.relname, c.relkind::text, c.relrowsecurity and c.relforcerowsecurity,"
            " (select array_agg(concat_ws(' ', p.polname, p.polcmd, p.polpermissive) order by p.polname)"
            "  from pg_policy p where p.polrelid = c.oid),"
            " (select a.attname from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = i.indkey[0]"
            "  where i.indrelid = c.oid and i.indisprimary)"
            " from pg_class c where c.relnamespace = 'brain'::regnamespace and c.relkind in ('r', 'p', 'v', 'm', 'f')"
        ).fetchall()
    told = {name: rest for name, *rest in found if name not in OF_NOBODY}
    policies = {
        name: [
            *("erasure * t" for _ in range(name not in WHOLE_TENANT)),
            *(f"maintenance {MAINTAINED[name]} t" for _ in range(name in MAINTAINED)),
            "own_tenant * t" if name in WHOLE_TENANT else "own_rows * t",
        ]
        for name in told
    }
    assert told == {name: ["r", True, policies[name], "tenant_id"] for name in told}


def test_only_functions_of_one_purpose_lend_their_owners_rights(test_addresses: Addresses):
    with psycopg.connect(test_addresses.owner) as connection:
        found = connection.execute(
            "select p.proname from pg_proc p where p.pronamespace = 'brain'::regnamespace and p.prosecdef order by 1"
        )
        assert [name for (name,) in found.fetchall()] == [
            "alert_erasures",
            "claim_act",
            "complete_erasure",
            "count_alerts",
            "count_audited",
            "count_fuses",
            "count_injections",
            "count_memories_of_tenant",
            "count_operations",
            "count_receipts",
            "count_residue",
            "count_searches",
            "decide_promotion",
            "erase_name",
            "erase_rows",
            "erase_soul_traces",
            "find_cell",
            "follow_move",
            "forget_contract_author",
            "groups_under_tombstone",
            "hide_in_groups",
            "hold_jobs",
            "installation_id",
            "keep_serving",
            "known_tombstones",
            "last_drill",
            "object_to_promotion",
            "objects_to_promotion",
            "purge_promoted",
            "remove_past",
            "return_documents",
            "seal_chain",
            "seconds_since",
            "serving",
            "stop_serving",
            "sweep_store",
            "take_back",
            "tenants_with_alerts",
            "tenants_with_receipts",
            "unsealed_seconds",
            "untie_erased",
            "watched_souls",
            "withdraw_erased",
        ]


async def test_nobody_else_takes_back_a_turn_of_hers(test_addresses: Addresses, ann: Scope):
    replies = [row for row in rows_of(test_addresses, ann, "conversation_events") if row["run_id"]]
    for stranger in strangers(ann):
        with acting(test_addresses, stranger) as connection:
            for row in replies:
                told = (ann.tenant_id, row["operation_id"], row["run_id"])
                connection.execute("select brain.take_back(%s, %s, %s)", told)
    assert replies
    assert [row for row in rows_of(test_addresses, ann, "conversation_events") if row["run_id"]] == replies


async def test_she_has_something_in_every_table(test_addresses: Addresses, ann: Scope):
    assert {table for table in tables(test_addresses) if not rows_of(test_addresses, ann, table)} == set()


async def test_nobody_else_reads_changes_or_deletes_a_row_of_hers(test_addresses: Addresses, ann: Scope):
    for stranger in strangers(ann):
        with acting(test_addresses, stranger) as connection:
            for table in tables(test_addresses):
                if table in WHOLE_TENANT and stranger.tenant_id == ann.tenant_id:
                    continue
                touched = [
                    reach(connection, "select from brain.{table}", table),
                    reach(connection, "update brain.{table} set tenant_id = tenant_id", table),
                    reach(connection, "delete from brain.{table}", table),
                ]
                assert touched == [0, 0, 0], (table, stranger.key)


async def test_nobody_else_writes_a_row_into_her_name(test_addresses: Addresses, ann: Scope):
    for stranger in strangers(ann):
        for table in tables(test_addresses):
            if table in WHOLE_TENANT and stranger.tenant_id == ann.tenant_id:
                continue
            row = rows_of(test_addresses, ann, table)[0]
            with acting(test_addresses, stranger) as connection, pytest.raises(InsufficientPrivilege):
                insert(connection, table, row)


async def test_she_cannot_give_a_row_away(test_addresses: Addresses, ann: Scope):
    for table in sorted(set(tables(test_addresses)) - WHOLE_TENANT - APPEND_ONLY):
        for column, value in (("tenant_id", uuid4()), ("scope", "group:others"), ("user_id", uuid4())):
            if column == "user_id" and ann.is_group:
                continue
            names = (Identifier(table), Identifier(column), Literal(value))
            with acting(test_addresses, ann) as connection, pytest.raises(InsufficientPrivilege):
                connection.execute(SQL("update brain.{} set {} = {}").format(*names))


async def test_a_member_of_the_group_sees_what_is_the_groups_and_nothing_private(test_addresses: Addresses, ann: Scope):
    member = replace(ann, user_id=uuid4())
    with acting(test_addresses, member) as connection:
        for table in sorted(set(tables(test_addresses)) - WHOLE_TENANT):
            seen = reach(connection, "select from brain.{table}", table)
            rows = [row for row in rows_of(test_addresses, ann, table) if row["scope"] == ann.key]
            assert seen == (len(rows) if ann.is_group else 0), table


async def test_what_is_append_only_stays_as_it_is_even_for_her(test_addresses: Addresses, ann: Scope):
    with acting(test_addresses, ann) as connection:
        for table in APPEND_ONLY:
            assert reach(connection, "update brain.{table} set tenant_id = tenant_id", table) == 0
        for table in APPEND_ONLY | NEVER_DELETED:
            assert reach(connection, "delete from brain.{table}", table) == 0


async def test_a_waiting_job_carries_ids_and_no_words(
    database: Database, test_addresses: Addresses, make_scope: Callable[..., Scope]
):
    scope = make_scope()
    await fill(postgres_memory(database), scope)
    with psycopg.connect(test_addresses.owner) as connection:
        found = connection.execute(
            "select args from queue.procrastinate_jobs where args ->> 'user_id' = %s", (str(scope.user_id),)
        ).fetchall()
    assert found
    for (args,) in found:
        assert {"tenant_id", "scope", "user_id", "session_id"} == set(args)
        assert UUID(args["session_id"])


def insert(connection: "psycopg.Connection[Any]", table: str, row: Row) -> None:
    """Write a row as it is: row security is asked before any key is."""
    query = SQL(
        "insert into brain.{table} ({columns}) select {columns} from jsonb_populate_record(null::brain.{table}, {row})"
    )
    told = query.format(table=Identifier(table), columns=SQL(", ").join(map(Identifier, row)), row=Literal(Jsonb(row)))
    connection.execute(told)
