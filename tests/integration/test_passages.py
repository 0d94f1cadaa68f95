"""Passages on PostgreSQL alone: rows of older versions, and what lies beside the rows that are read."""

from datetime import UTC, datetime
from uuid import uuid4

import psycopg
import pytest

from brain.recall import RecallRequest, query_of
from memory.documents.rows import section_ids
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import Scope
from tests.contract.builders import a_draft, a_turn, at, by_ann, cited, said
from tests.contract.test_documents import a_profile, saved
from tests.contract.test_passages import DIET, a_reply, brought
from tests.unit.test_passages import HOSTELS

_WHOLE = """
with gone as (delete from brain.recall_index where tenant_id = %(tenant)s and event_id is not null returning *)
insert into brain.recall_index (tenant_id, scope, user_id, source_id, lane, session_id, position, role, speaker, text,
                                words, grams, length, observed_at, valid_at, recorded_at)
select distinct on (g.event_id) g.tenant_id, g.scope, g.user_id, g.event_id, 'turn', g.session_id, g.position, g.role,
       g.speaker, e.text, g.words, g.grams, g.length, g.observed_at, g.valid_at, g.recorded_at
from gone g join brain.conversation_events e on e.tenant_id = g.tenant_id and e.event_id = g.event_id
order by g.event_id, g.span_start
"""

_OLDER_SECTION = """
update brain.recall_index set source_id = %(older)s
where tenant_id = %(tenant)s
  and source_id = (select source_id from brain.recall_index where tenant_id = %(tenant)s order by text limit 1)
"""


@pytest.fixture
def memory(database: Database) -> MemoryCore:
    """Kept ready from the first question on."""
    return postgres_memory(database, CorpusCache(first_questions=0))


async def test_a_turn_indexed_whole_by_an_older_version_is_found_and_cut_by_a_rebuild(
    memory: MemoryCore, scope: Scope, test_addresses: Addresses
):
    reply = a_reply()
    await memory.log.capture(scope, a_turn(said("Any hostels?"), reply))
    passages = {one.source_id for one in (await brought(memory, scope, "hostel honey in Lisbon")).values()}
    with psycopg.connect(test_addresses.owner, autocommit=True) as owner:
        owner.execute(_WHOLE, {"tenant": scope.tenant_id})
    found = await brought(memory, scope, "here hostels Lisbon")
    assert (found[HOSTELS].source_id, found[HOSTELS].event_id) == (reply.event_id, None)
    await memory.index.rebuild(scope)
    assert {one.source_id for one in (await brought(memory, scope, "hostel honey in Lisbon")).values()} == passages


async def test_no_staged_vector_of_a_forgotten_turn_stays(memory: MemoryCore, scope: Scope):
    turn = said(DIET)
    await memory.log.capture(scope, a_turn(turn))
    waiting = await memory.index.rows_without_staged_vector(scope, "test:new", 100)
    await memory.index.stage_vectors(scope, "test:new", waiting, [(1.0, 0.0)] * len(waiting))
    draft = a_draft("oysters", citations=(cited(turn, "I adore oysters"),))
    receipt = await memory.items.write(scope, draft, by_ann("k1"))
    await memory.items.forget(scope, receipt.memory_id, by_ann("k2", minutes=1))
    assert await memory.index.vector_counts(scope) == []


async def test_a_long_conversation_of_long_turns_is_kept_by_its_turns(database: Database, scope: Scope):
    kept = CorpusCache(first_questions=0, most_turns=4)
    memory = postgres_memory(database, kept)
    await memory.log.capture(scope, a_turn(*(a_reply(minutes=n) for n in range(4))))
    query = query_of(RecallRequest(text="honey", at=datetime(2026, 4, 1, tzinfo=UTC)))
    assert (await memory.index.candidates(scope, query)).corpus.rows > 4
    assert len(kept) == 1
    await memory.log.capture(scope, a_turn(said("and one more", minutes=9)))
    await memory.index.candidates(scope, query)
    assert len(kept) == 0


async def test_as_long_a_message_as_may_be_sent_is_indexed_to_its_end(memory: MemoryCore, scope: Scope):
    text = "我们把预算和场地都讨论了一遍，还没有决定谁来主持。" * 7_900 + "钥匙在红地毯下面。"
    await memory.log.capture(scope, a_turn(said(text)))
    found = (
        await memory.index.candidates(scope, query_of(RecallRequest(text="红地毯下面有钥匙吗", at=at(60))))
    ).candidates[0]
    assert found.text.endswith("钥匙在红地毯下面。")
    assert found.span[1] == len(text)


async def test_an_edit_takes_away_sections_that_an_older_version_cut(
    memory: MemoryCore, scope: Scope, test_addresses: Addresses
):
    body = "# Plans\n" + "\n".join(f"- item {n} {'x' * 90}" for n in range(12))
    document = await saved(memory, scope, body)
    assert document.version == 1
    older = uuid4()
    with psycopg.connect(test_addresses.owner, autocommit=True) as owner:
        owner.execute(_OLDER_SECTION, {"tenant": scope.tenant_id, "older": older})
    assert older in {one.source_id for one in (await brought(memory, scope, "item plans")).values()}
    longer = await memory.documents.save(scope, a_profile(body + "\n- one more"), 1, by_ann("k1"))
    found = {one.source_id for one in (await brought(memory, scope, "item plans more")).values()}
    assert found == section_ids(longer)
