"""What an organisation knows, on a real PostgreSQL: written, found, changed, taken out, and kept apart from memory."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest

from brain.knowledge_database import KnowledgeSessions
from knowledge.entries import Author, EntryFilter, IndexedDraft, KnowledgeDraft, Relation, WriteCount
from knowledge.port import KnowledgeQuestion, Profile
from knowledge.postgres.knowledge import PostgresKnowledge
from knowledge.postgres.store import PostgresKnowledgeStore
from memory.errors import BrainError
from memory.postgres.database import Database, tenant_scope
from memory.postgres.roles import knowledge_role_of
from memory.postgres.sql import SqlStatement

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
NOBODY = Profile()
BY_EVE = Author(name="eve", reason="handbook", at=NOW)
RETURNS = KnowledgeDraft(text="Returns are accepted within 30 days.", topic="returns", source="a.md", source_key="r")


class Tenant:
    """One tenant's knowledge, by its store and by its port."""

    def __init__(self, database: Database) -> None:
        self.id = uuid4()
        self.store = PostgresKnowledgeStore(KnowledgeSessions(database))
        self.port = PostgresKnowledge(KnowledgeSessions(database), megabytes=64)

    async def put(self, *drafts: KnowledgeDraft, by: Author = BY_EVE) -> WriteCount:
        return await self.store.put(self.id, [IndexedDraft(draft=each, entry_id=uuid4()) for each in drafts], by)

    async def find(self, text: str, profile: Profile = NOBODY, at: datetime = NOW) -> list[str]:
        question = KnowledgeQuestion(tenant_id=self.id, text=text, at=at, profile=profile)
        return [each.text for each in (await self.port.consult(question)).entries]


@pytest.fixture(params=["database", "upgraded_database"])
def acme(request: pytest.FixtureRequest) -> Tenant:
    return Tenant(request.getfixturevalue(request.param))


async def test_what_was_written_is_found_and_of_another_tenant_nothing_is(acme: Tenant, database: Database):
    await acme.put(RETURNS)
    assert await acme.find("Are returns accepted within 30 days?") == [RETURNS.text]
    assert await Tenant(database).find("Are returns accepted within 30 days?") == []


async def test_reading_the_same_place_again_writes_nothing_and_another_text_there_is_a_new_revision(acme: Tenant):
    first = await acme.put(RETURNS)
    before = await acme.port.version(acme.id)
    again = await acme.put(RETURNS)
    assert (first.added, again.unchanged, await acme.port.version(acme.id)) == (1, 1, before)
    changed = await acme.put(replace(RETURNS, text="Returns are accepted within 14 days."))
    assert (changed.added, changed.changed) == (0, 1)
    (entry,) = await acme.store.find(acme.id, first.entry_ids)
    (old,) = await acme.store.history(acme.id, entry.entry_id)
    assert (entry.revision, old.revision, old.snapshot["text"], old.author) == (2, 1, RETURNS.text, "eve")


async def test_a_write_counts_for_the_next_question_of_every_process(acme: Tenant):
    written = await acme.put(RETURNS)
    assert await acme.find("Are returns accepted within 30 days?")
    await acme.store.remove(acme.id, written.entry_ids[0], BY_EVE)
    assert await acme.find("Are returns accepted within 30 days?") == []
    (entry,) = await acme.store.find(acme.id, written.entry_ids)
    assert (entry.removed_at, entry.text) == (NOW, RETURNS.text)
    assert await acme.store.remove(acme.id, entry.entry_id, BY_EVE) is None


async def test_what_was_removed_comes_back_when_it_is_read_again(acme: Tenant):
    written = await acme.put(RETURNS)
    await acme.store.remove(acme.id, written.entry_ids[0], BY_EVE)
    assert (await acme.put(RETURNS)).changed == 1
    assert await acme.find("Are returns accepted within 30 days?") == [RETURNS.text]


async def test_an_edit_of_an_older_revision_is_refused(acme: Tenant):
    written = await acme.put(RETURNS)
    said = IndexedDraft(draft=replace(RETURNS, text="Returns end."), entry_id=written.entry_ids[0])
    edited = await acme.store.edit(acme.id, said, 1, BY_EVE)
    assert edited is not None
    assert (edited.text, edited.revision) == ("Returns end.", 2)
    assert await acme.store.edit(acme.id, said, 1, BY_EVE) is None


async def test_an_entry_holds_in_its_time_and_for_its_profile_alone(acme: Tenant):
    text = "Lanterns are sold out"
    await acme.put(
        KnowledgeDraft(text=f"{text} in spring.", valid_until=NOW + timedelta(days=1)),
        KnowledgeDraft(text=f"{text} at headquarters.", org_tier="brand_hq"),
    )
    spring, hq = f"{text} in spring.", f"{text} at headquarters."
    assert await acme.find("Are lanterns sold out?") == [spring]
    assert set(await acme.find("Are lanterns sold out?", Profile(org_tier="brand_hq"))) == {spring, hq}
    assert await acme.find("Are lanterns sold out?", at=NOW + timedelta(days=2)) == []


async def test_tones_come_in_their_order_and_never_among_the_facts(acme: Tenant):
    tone = KnowledgeDraft(text="Sound cheerful.", kind="tone", brand="Acme")
    rule = KnowledgeDraft(text="Give stores one step at a time.", kind="tone", org_tier="franchise_store")
    await acme.put(tone, rule, KnowledgeDraft(text="Write short posts.", kind="tone", platform="web"))
    asked = KnowledgeQuestion(tenant_id=acme.id, text="Sound cheerful?", at=NOW)
    whole = replace(asked, profile=Profile(org_tier="franchise_store", brand="Acme", platform="web"))
    assert (await acme.port.consult(asked)).tones == ()
    found = await acme.port.consult(whole)
    assert found.tones == (rule.text, tone.text, "Write short posts.")
    assert found.entries == ()


async def test_what_an_entry_relates_is_kept_by_name(acme: Tenant):
    told = Relation(subject="Acme", relation="delivers with", object="Swift")
    written = await acme.put(replace(RETURNS, relations=(told,)))
    assert await acme.store.relations(acme.id, written.entry_ids[0]) == [told]
    await acme.put(replace(RETURNS, relations=()))
    assert await acme.store.relations(acme.id, written.entry_ids[0]) == []


async def test_a_list_goes_on_behind_its_last_entry(acme: Tenant):
    for number in range(3):
        await acme.put(KnowledgeDraft(text=f"Entry {number}."), by=replace(BY_EVE, at=NOW + timedelta(hours=number)))
    first = await acme.store.list_entries(acme.id, EntryFilter(), 2)
    rest = await acme.store.list_entries(acme.id, EntryFilter(), 2, (first[-1].updated_at, first[-1].entry_id))
    assert [each.text for each in (*first, *rest)] == ["Entry 2.", "Entry 1.", "Entry 0."]


async def test_a_vector_arrives_later_and_what_is_said_stays(acme: Tenant):
    written = await acme.put(RETURNS)
    ((entry_id, text),) = await acme.store.list_unembedded(acme.id, "test:m", 10)
    await acme.store.set_vectors(acme.id, "test:m", {entry_id: (1.0, 0.0)})
    assert (entry_id, text) == (written.entry_ids[0], RETURNS.text)
    assert await acme.store.list_unembedded(acme.id, "test:m", 10) == []
    assert await acme.store.history(acme.id, entry_id) == []


async def test_knowledge_that_does_not_fit_is_said_and_not_read_again(database: Database):
    acme = Tenant(database)
    acme.port = PostgresKnowledge(KnowledgeSessions(database), megabytes=0)
    await acme.put(RETURNS)
    question = KnowledgeQuestion(tenant_id=acme.id, text="Returns?", at=NOW)
    assert (await acme.port.consult(question)).degraded == ("knowledge_too_large",)
    before = database.round_trips
    assert (await acme.port.consult(question)).degraded == ("knowledge_too_large",)
    assert database.round_trips == before + 1


async def test_the_least_recently_asked_tenant_is_let_go(database: Database):
    first, second = Tenant(database), Tenant(database)
    second.port = first.port
    for each in (first, second):
        await each.put(RETURNS)
        await each.find("Returns?")
    shelf = first.port.shelf
    shelf._room = shelf.size - 1  # pyright: ignore[reportPrivateUsage]
    await second.put(KnowledgeDraft(text="Another."))
    await second.find("Returns?")
    assert len(shelf) == 1


@pytest.mark.parametrize("table", ["memory_items", "recall_index", "conversation_events", "documents", "bookmarks"])
async def test_the_database_refuses_knowledge_a_look_at_personal_memory(database: Database, table: str):
    async with database.scope_session(tenant_scope(uuid4()), knowledge_role_of) as session:
        with pytest.raises(BrainError) as refused:
            await session.fetch(_select(table), {}, _Count)
    assert refused.value.code == "E_TENANT_FORBIDDEN"


async def test_and_memory_a_look_at_knowledge(database: Database):
    async with database.scope_session(tenant_scope(uuid4())) as session:
        with pytest.raises(BrainError) as refused:
            await session.fetch(_select("knowledge_entries"), {}, _Count)
    assert refused.value.code == "E_TENANT_FORBIDDEN"


def _select(table: str) -> SqlStatement:
    return SqlStatement("peek", f"select count(*) as number from brain.{table}")


@dataclass(frozen=True)
class _Count:
    number: int
