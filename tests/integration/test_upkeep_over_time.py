"""Two hundred days of one person's memories on a real PostgreSQL, tidied every five days."""

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import pytest

from brain.job_context import JobContext
from brain.recall import RecallRequest, query_of
from brain.resources import Resources
from evolution.upkeep.state import UpkeepAction, UpkeepState
from graphs.upkeep import run_upkeep
from memory.memory_item import Author, MemoryItem
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.receipts import Reaction
from memory.scope import Scope
from tests.contract.builders import NOON, a_draft, a_session, a_turn, an_injection, cited, said
from tests.fakes import Leanings, resources_of

EVERY, DAYS = 5, 200
GUESS: dict[str, Any] = {"provenance": "observation", "confidence": 0.5, "epistemic_type": "preference"}


def day(number: float) -> datetime:
    return NOON + timedelta(days=number)


@dataclass
class Life:
    """One person, whose clock a test moves by hand."""

    scope: Scope
    resources: Resources
    today: float = 0
    actions: list[tuple[float, UpkeepAction]] = field(default_factory=list[tuple[float, UpkeepAction]])

    @property
    def memory(self):
        return self.resources.memory

    async def learns(self, name: str, **more: Any) -> UUID:
        event = replace(said(f"I like {name}"), occurred_at=day(self.today))
        await self.memory.log.capture(self.scope, a_turn(event))
        draft = a_draft(
            name, observed_at=day(self.today), citations=(cited(event, name),), **({"valid_at": day(self.today)} | more)
        )
        return (await self.memory.items.write(self.scope, draft, self.author(name))).memory_id

    async def takes(self, memory_id: UUID, signal: str) -> None:
        """A reply draws on the memory, and the person takes it so."""
        session = a_session()
        injected = replace(an_injection(memory_id), utilized=True, utilization_signal="reference_phrase")
        reaction = Reaction(receipt_id=injected.receipt_id, memory_id=memory_id, signal=signal)
        first, second = (replace(said("Well"), occurred_at=day(self.today + each / 100)) for each in (1, 2))
        await self.memory.log.capture(self.scope, a_turn(first, session=session, receipts=(injected,)))
        await self.memory.log.capture(self.scope, a_turn(second, session=session, reactions=(reaction,)))

    async def tidies(self) -> list[UpkeepAction]:
        clocked = replace(self.resources, clock=lambda: day(self.today + 0.5))
        done = await run_upkeep(JobContext(scope=self.scope, resources=clocked), UpkeepState())
        self.actions += [(self.today, action) for action in done.actions]
        return done.actions

    async def item(self, memory_id: UUID) -> MemoryItem:
        return await self.memory.items.get(self.scope, memory_id)

    async def recalls(self, text: str, **more: Any) -> list[str]:
        query = query_of(RecallRequest(text=text, at=day(self.today), **more))
        found = await self.memory.index.candidates(self.scope, query)
        return [each.text for each in found.candidates if each.lane == "fact"]

    def author(self, key: str) -> Author:
        return Author(operator="user", reason="said so", idempotency_key=f"{key}:{self.today}", at=day(self.today))


@pytest.fixture
def life(database: Database, scope: Scope) -> Life:
    return Life(scope=scope, resources=resources_of(Leanings(memory=postgres_memory(database))))


def tidying_days() -> Iterator[int]:
    yield from range(0, DAYS + 1, EVERY)


async def test_two_hundred_days_of_one_person(life: Life):
    ids = {
        "peanuts": await life.learns("peanuts", item_type="constraint", epistemic_type="fact"),
        "lyon": await life.learns("born in Lyon", item_type="fact", epistemic_type="fact", slot="user|birthplace"),
        "jazz": await life.learns("jazz", **GUESS),
        "oats": await life.learns("oat milk", **GUESS),
        "trip": await life.learns("a trip to Oslo", item_type="plan", valid_at=day(20), slot="user|plans"),
    }
    for number in tidying_days():
        life.today = number
        if number in (5, 10, 15):
            ids[f"tea {number}"] = await life.learns("very " * (number // 5) + "hot green tea", **GUESS)
        if number in (30, 35):
            await life.takes(ids["oats"], "correct")
        if number % 15 == 0 and number:
            await life.takes(ids["jazz"], "affirm")
        await life.tidies()
        assert await life.tidies() == [], f"day {number}: a second run found something to do"
    found = {name: await life.item(memory_id) for name, memory_id in ids.items()}
    assert (found["peanuts"].version, found["lyon"].version) == (1, 1)
    assert (found["oats"].status, found["trip"].epistemic_type) == ("retracted", "outdated")
    assert (found["jazz"].epistemic_type, found["jazz"].confidence) == ("preference", pytest.approx(0.6))
    assert found["jazz"].last_validated_at == day(195.01)
    (tea,) = {item.superseded_by for name, item in found.items() if name.startswith("tea")}
    assert tea is not None
    merged = await life.item(tea)
    assert (merged.object, merged.status) == ("very very very hot green tea", "active")
    assert len(await life.memory.items.evidence(life.scope, tea)) == 3
    changed = {(each["step"], number) for number, each in life.actions if each["step"] != "calibrate"}
    assert {("consolidate", 15), ("fuse", 35), ("decay", 50)} <= changed


async def test_what_was_tidied_is_known_as_it_was_and_comes_back(life: Life):
    oats = await life.learns("oat milk", **GUESS)
    await life.learns("rice", **GUESS)
    for life.today in (1, 2):
        await life.takes(oats, "correct")
    await life.tidies()
    told = "The user likes oat milk"
    assert told not in await life.recalls("what milk do I like?")
    assert told in await life.recalls("what milk do I like?", as_of=day(1))
    life.today = 3
    await life.memory.items.restore(life.scope, oats, 1, life.author("back"))
    assert told in await life.recalls("what milk do I like?")
    assert await life.tidies() == []


async def test_a_person_who_returns_after_two_years_keeps_what_lasts(life: Life):
    kept = [await life.learns(f"fact {n}", item_type="fact", epistemic_type="fact") for n in range(40)]
    leanings = [await life.learns(f"thing number {n} of many", **GUESS) for n in range(15)]
    life.today = 730
    await life.tidies()
    assert await life.tidies() == []
    assert {(await life.item(each)).status for each in kept} == {"active"}
    assert {(await life.item(each)).status for each in leanings} == {"archived"}
    told = await life.recalls("which things did I like in the past?", temporal="history_trace")
    assert any("thing number" in text for text in told)


async def test_upkeep_refuses_to_empty_a_memory(life: Life):
    leanings = [await life.learns(f"thing number {n} of many", **GUESS) for n in range(15)]
    life.today = 730
    await life.tidies()
    found = [await life.item(each) for each in leanings]
    assert {(item.status, item.epistemic_type) for item in found} == {("active", "outdated")}
    held = [action for action in await life.tidies() if action["step"] == "compress"]
    assert {action["outcome"] for action in held} == {"held"}
