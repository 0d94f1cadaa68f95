"""Knowledge in a whole turn on a real PostgreSQL: beside memory, at once after a write, and never in its way."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from dataclasses import replace
from typing import Any
from uuid import UUID, uuid4

import pytest
from langchain_core.messages import AIMessage, HumanMessage

from apps.access.tokens import Claims
from apps.memory_api.endpoint import ApiCall
from apps.memory_api.knowledge import OneEntry, list_knowledge_versions
from brain.context import Context
from brain.identity import Identity
from brain.knowledge_database import KnowledgeSessions
from brain.models.roles import Models
from brain.resources import Resources, utc_now
from graphs.brain import graph
from knowledge.entries import Author, IndexedDraft, KnowledgeDraft
from knowledge.postgres.knowledge import PostgresKnowledge
from knowledge.postgres.store import PostgresKnowledgeStore
from memory.bookmarks import Bookmark
from memory.erasure import LegalProfile
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.scope import Scope, Speaker, name_id, scope_of
from tests.contract.builders import an_erasure_request, at
from tests.fakes import FakeModel, Leanings, resources_of
from tests.integration import own_database

BY_EVE = Author(name="eve", reason="handbook", at=at())
RETURNS = KnowledgeDraft(text="Returns are accepted within 30 days with the receipt.", source="a.md", source_key="r")
CHEERFUL = KnowledgeDraft(text="Sound cheerful, as Acme does.", kind="tone", brand="Acme")
test_addresses, database = own_database.test_addresses, own_database.database


class House:
    """An organisation with knowledge, and somebody of it who talks."""

    def __init__(self, database: Database, tenant: str) -> None:
        self.database, self.tenant, self.model = database, tenant, FakeModel()
        self.store = PostgresKnowledgeStore(KnowledgeSessions(database))
        built = resources_of(Leanings(memory=postgres_memory(database), chat=self.model))
        self.resources: Resources = replace(
            built,
            knowledge=PostgresKnowledge(KnowledgeSessions(database), megabytes=64),
            knowledge_store=self.store,
            new_id=Resources.__dataclass_fields__["new_id"].default,
            clock=utc_now,
        )

    async def put(self, *drafts: KnowledgeDraft) -> tuple[UUID, ...]:
        written = [IndexedDraft(draft=each, entry_id=uuid4()) for each in drafts]
        return (await self.store.put(name_id("tenant", self.tenant), written, BY_EVE)).entry_ids

    async def says(self, text: str, **context: str) -> dict[str, Any]:
        self.model.replies.append(AIMessage("Fine."))
        whole = Context(resources=self.resources, tenant=self.tenant, user="ann", **context)
        return await graph.ainvoke({"messages": [HumanMessage(text)]}, context=whole)

    @property
    def system(self) -> str:
        return str(self.model.asked[-1][0].content)

    @property
    def prompt(self) -> str:
        return "\n".join(str(each.content) for each in self.model.asked[-1])


@pytest.fixture
def house(database: Database, scope: Scope) -> House:
    return House(database, str(scope.tenant_id))


async def test_an_entry_stands_in_the_prompt_and_on_the_receipt_and_is_gone_when_it_is_removed(house: House):
    (entry_id,) = await house.put(RETURNS)
    out = await house.says("Are returns accepted without the receipt?")
    assert RETURNS.text in house.prompt
    assert out["retrieval"]["knowledge"]["entries"][0]["entry_id"] == str(entry_id)
    assert out["retrieval"]["stores_used"] == ["memory", "knowledge"]
    await house.store.remove(name_id("tenant", house.tenant), entry_id, BY_EVE)
    await house.says("Are returns accepted without the receipt?")
    assert RETURNS.text not in house.prompt


async def test_talk_that_needs_nothing_of_it_brings_nothing(house: House):
    await house.put(RETURNS)
    out = await house.says("Good morning! I slept badly.")
    assert RETURNS.text not in house.prompt
    assert out["retrieval"]["knowledge"]["entries"] == []


async def test_a_tone_of_the_brand_leaves_the_beginning_of_the_prompt_the_same_from_turn_to_turn(house: House):
    await house.put(RETURNS, CHEERFUL)
    await house.says("Are returns accepted without the receipt?", brand="Acme")
    first = house.system
    await house.says("Good morning!", brand="Acme")
    assert house.system == first
    assert CHEERFUL.text in first
    await house.says("Good morning!")
    assert CHEERFUL.text not in house.system


async def test_without_a_model_the_reply_tells_what_the_organisation_says(house: House):
    await house.put(RETURNS)
    house.resources = replace(house.resources, models=Models())
    out = await house.says("Are returns accepted without the receipt?")
    assert f"What the organisation says:\n- {RETURNS.text}" in out["messages"][-1].text
    assert RETURNS.text not in (await house.says("Good morning!"))["messages"][-1].text


async def test_knowledge_takes_one_round_trip_of_its_own(house: House):
    await house.put(RETURNS)
    await house.says("I like green tea.")
    before = house.database.round_trips
    await house.says("Are returns accepted without the receipt?")
    assert house.database.round_trips - before == 4


async def test_a_bookmark_is_ones_own_and_kept_once(house: House, scope: Scope):
    bookmarks = house.resources.memory.bookmarks
    kept = Bookmark(bookmark_id=uuid4(), entry_id=uuid4(), revision=1, created_at=at())
    again = replace(kept, bookmark_id=uuid4())
    assert await bookmarks.add(scope, kept) == await bookmarks.add(scope, again) == kept
    assert await bookmarks.list_bookmarks(replace(scope, user_id=uuid4())) == []
    assert await bookmarks.remove(scope, kept.bookmark_id)
    assert not await bookmarks.remove(scope, kept.bookmark_id)


async def test_an_erased_person_leaves_no_bookmark_and_is_nobodys_author(house: House, scope: Scope):
    memory, eve = house.resources.memory, replace(scope, tenant_id=name_id("tenant", house.tenant))
    (entry_id,) = await house.put(RETURNS)
    await memory.bookmarks.add(eve, Bookmark(bookmark_id=uuid4(), entry_id=entry_id, revision=1, created_at=at()))
    asked = an_erasure_request(eve.tenant_id, eve.user_id, user_name="eve")
    await memory.erasures.save_profile(eve.tenant_id, LegalProfile())
    tombstone = await memory.erasures.request(asked)
    await memory.erasures.advance(tombstone, "processing")
    while await memory.erasures.erase_rows(tombstone, 100):
        pass
    await memory.erasures.erase_name(tombstone)
    assert await memory.erasures.complete(tombstone, {}, 60.0)
    (entry,) = await house.store.find(eve.tenant_id, [entry_id])
    assert (entry.author, entry.text) == ("", RETURNS.text)


async def test_what_an_entry_said_to_another_role_is_no_history_for_who_reads_it_now(house: House):
    margin = replace(RETURNS, text="The margin on returns is a secret of the owners.", role="owner")
    (entry_id,) = await house.put(margin)
    await house.put(RETURNS)
    told = [await history_for(house, entry_id, scope) for scope in ("memory:read", "admin")]
    assert [[each.text for each in versions] for versions in told] == [[RETURNS.text], [margin.text, RETURNS.text]]


async def history_for(house: House, entry_id: UUID, scope: Any) -> list[Any]:
    claims = Claims(tenant=house.tenant, user="ann", scopes=frozenset({scope}))
    whose = scope_of(Speaker(tenant=house.tenant, user="ann"))
    who = Identity(tenant=house.tenant, user="ann", role="viewer", scope=whose)
    call = ApiCall(identity=who, resources=house.resources, trace_id="t", claims=claims)
    return (await list_knowledge_versions(OneEntry(id=entry_id), call)).data.versions
