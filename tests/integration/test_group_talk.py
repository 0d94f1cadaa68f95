"""Talk in channels, from the turn to what is remembered of it: every statement belongs to whoever made it."""
# pyright: reportUnknownMemberType=false, reportArgumentType=false
# LangGraph leaves its graph types partly open.

from dataclasses import replace

import pytest
from langchain_core.messages import HumanMessage

from brain.context import Context
from brain.identity import Identity, identity_of_user
from brain.recall import RecallRequest, recall
from brain.resources import Resources, utc_now
from graphs.brain import graph
from graphs.evolution import evolve
from memory.errors import BrainError
from memory.lanes import Lane
from memory.memory_item import MemoryItem
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.recall.query import Filters
from memory.scope import Scope
from nodes.open_session import session_of
from tests.fakes import Leanings, resources_of


class Town:
    """A tenant whose people talk in channels and in private, and are remembered at once."""

    def __init__(self, resources: Resources, tenant: str) -> None:
        self.resources, self.tenant = resources, tenant

    async def says(self, user: str, text: str, channel: str = "", session: str = "daily") -> str:
        """Brain's reply, after what was said has been looked at."""
        context = self._context(user, channel, session)
        final = await graph.ainvoke({"messages": [HumanMessage(text)]}, context=context)
        identity = identity_of_user(context, None)
        await evolve(self.resources, identity.scope, session_of(identity, session))
        return str(final["messages"][-1].text)

    async def remembered(self, user: str, channel: str = "", *, ended: bool = False) -> list[MemoryItem]:
        scope = self.scope(user, channel)
        return await self.resources.memory.items.list_newest(scope, include_inactive=ended)

    async def recalls(self, user: str, question: str, channel: str = "", lanes: tuple[Lane, ...] = ()) -> str:
        asked = RecallRequest(text=question, at=utc_now(), filters=Filters(lanes=lanes))
        found = await recall(self.resources, self.scope(user, channel), asked)
        return "\n".join(f"{each.candidate.speaker}: {each.candidate.text}" for each in found.ranked)

    def scope(self, user: str, channel: str = "") -> Scope:
        return identity_of_user(self._context(user, channel, ""), None).scope

    def _context(self, user: str, channel: str, session: str) -> Context:
        return Context(resources=self.resources, tenant=self.tenant, user=user, channel=channel, session=session)


@pytest.fixture
def resources(database: Database) -> Resources:
    built = resources_of(Leanings(memory=postgres_memory(database)))
    return replace(built, new_id=Resources.__dataclass_fields__["new_id"].default, clock=utc_now)


@pytest.fixture
def town(resources: Resources, scope: Scope) -> Town:
    return Town(resources, f"acme {scope.tenant_id}")


def facts(items: list[MemoryItem]) -> set[tuple[str, str, str]]:
    return {(item.subject, item.predicate, item.object) for item in items}


async def test_in_a_channel_each_statement_belongs_to_its_speaker(town: Town):
    await town.says("ann", "I live in Paris.", "kitchen")
    await town.says("ben", "I live in Rome and I am allergic to peanuts.", "kitchen")
    await town.says("小王", "我住在上海。", "kitchen")
    held = await town.remembered("ann", "kitchen")
    assert {fact for fact in facts(held) if fact[1] == "lives_in"} == {
        ("ann", "lives_in", "Paris"),
        ("ben", "lives_in", "Rome"),
        ("小王", "lives_in", "上海"),
    }
    assert len({item.slot for item in held if item.predicate == "lives_in"}) == 3
    assert {item.user_id for item in held} == {town.scope(name).user_id for name in ("ann", "ben", "小王")}
    assert {item.subject for item in held if "peanuts" in item.content} == {"ben"}


async def test_whose_memory_it_is_can_be_read_beside_its_words(town: Town):
    await town.says("ann", "I work at Acme.", "kitchen")
    await town.says("小王", "我喜欢爬山。", "kitchen")
    found = await town.recalls("ben", "Acme 爬山", "kitchen", lanes=("fact",))
    assert set(found.splitlines()) == {"ann: I work at Acme.", "小王: 我喜欢爬山。"}


@pytest.mark.parametrize("taken_back", ["Actually I moved to Lyon, not Rome.", "It's Lyon, not Rome."])
async def test_a_correction_in_a_channel_changes_its_speakers_memory_alone(town: Town, taken_back: str):
    for name in ("ann", "ben", "cai"):
        await town.says(name, "I live in Rome.", "kitchen")
    await town.says("ben", taken_back, "kitchen")
    held = await town.remembered("ann", "kitchen")
    homes = {(item.subject, item.object) for item in held if item.predicate == "lives_in"}
    assert homes == {("ann", "Rome"), ("ben", "Lyon"), ("cai", "Rome")}


async def test_what_one_says_of_another_does_not_overrule_what_that_one_says(town: Town):
    await town.says("ben", "I live in Rome.", "kitchen")
    await town.says("ann", "Ben lives in Berlin.", "kitchen")
    held = await town.remembered("cai", "kitchen", ended=True)
    own = [item for item in held if item.user_id == town.scope("ben").user_id]
    assert [(item.object, item.status) for item in own] == [("Rome", "active")]


async def test_a_member_recalls_what_others_said_in_the_channel_and_nothing_from_elsewhere(town: Town):
    await town.says("ann", "The release party is on the roof.", "kitchen")
    await town.says("ben", "The release party is in my cellar.", "garage")
    await town.says("ann", "The release party is a secret of mine.")
    assert "roof" in await town.recalls("ben", "Where is the release party?", "kitchen")
    for user, channel, hidden in (
        ("ben", "kitchen", ("cellar", "secret")),
        ("ann", "garage", ("roof", "secret")),
        ("ann", "", ("roof", "cellar")),
        ("ben", "", ("roof", "cellar", "secret")),
        ("ann", "attic", ("roof", "cellar", "secret")),
    ):
        told = await town.recalls(user, "Where is the release party?", channel)
        reply = await town.says(user, "Where is the release party?", channel, session="asking")
        assert not [word for word in hidden if word in told + reply], (user, channel)


async def test_one_person_is_three_in_two_channels_and_in_private(town: Town):
    for channel, place in (("kitchen", "Paris"), ("garage", "Rome"), ("", "Oslo")):
        await town.says("ann", f"I live in {place}.", channel)
    await town.says("ann", "Actually I moved to Lyon, not Rome.", "garage")
    homes = {channel: facts(await town.remembered("ann", channel)) for channel in ("kitchen", "garage", "")}
    assert homes == {
        "kitchen": {("ann", "lives_in", "Paris")},
        "garage": {("ann", "lives_in", "Lyon")},
        "": {("user", "lives_in", "Oslo")},
    }


async def test_the_same_names_in_two_tenants_are_strangers(resources: Resources, scope: Scope):
    here, there = (Town(resources, f"{name} {scope.tenant_id}") for name in ("here", "there"))
    await here.says("ann", "I live in Paris.", "kitchen")
    await there.says("ann", "I live in Rome.", "kitchen")
    await here.says("ann", "My locker code is 7731.")
    assert facts(await here.remembered("ann", "kitchen")) == {("ann", "lives_in", "Paris")}
    assert facts(await there.remembered("ann", "kitchen")) == {("ann", "lives_in", "Rome")}
    assert "7731" not in await there.recalls("ann", "locker code")
    assert await there.remembered("ann") == []


async def test_what_the_assistant_says_in_a_channel_is_nobodys_fact(town: Town):
    await town.says("ann", "I live in Paris.", "kitchen")
    await town.says("ben", "Where does ann live?", "kitchen")
    held = await town.remembered("ben", "kitchen", ended=True)
    assert {item.user_id for item in held} == {town.scope("ann").user_id}


async def test_the_channel_has_one_profile_in_which_each_speaker_is_told_apart(town: Town):
    await town.says("ann", "I live in Paris.", "kitchen")
    await town.says("ben", "I live in Rome.", "kitchen")
    await town.says("ben", "I live in Oslo.")
    documents = town.resources.memory.documents
    (group,) = await documents.list_documents(town.scope("cai", "kitchen"), "group_profile")
    (private,) = await documents.list_documents(town.scope("ben"), "user_profile")
    assert "Paris" in group.body
    assert "Rome" in group.body
    assert "Oslo" not in group.body
    assert "Oslo" in private.body
    assert "Rome" not in private.body
    assert await documents.list_documents(town.scope("ann")) == []


def told_by_a_token(channels: tuple[str, ...], context: Context) -> Identity:
    claims: dict[str, object] = {"tenant": context.tenant, "user": "ann", "roles": (), "channels": channels}
    claims |= {"org_tier": "", "role": ""}
    return identity_of_user(context, claims)


async def test_a_member_of_one_channel_cannot_enter_another(town: Town):
    await town.says("ben", "The safe opens with 4711.", "garage")
    kitchen = Context(resources=town.resources, tenant=town.tenant, channel="kitchen")
    member = told_by_a_token(("kitchen",), kitchen)
    assert member.scope == town.scope("ann", "kitchen")
    with pytest.raises(BrainError, match="E_TENANT_FORBIDDEN"):
        told_by_a_token(("kitchen",), replace(kitchen, channel="garage"))
    found = await recall(town.resources, member.scope, RecallRequest(text="What opens the safe?", at=utc_now()))
    assert found.ranked == []
