"""Since when and until when a memory holds by its own words, whenever it was said."""

from datetime import UTC, datetime

import pytest

from brain.recall import RecallRequest, query_of
from memory.memory_item import MemoryItem
from memory.ports import MemoryCore
from memory.scope import Scope
from tests.contract.builders import NOON, a_draft, a_session, a_turn, at, by_ann, cited, said

OSLO = {"content": "I lived in Oslo from 2010 to 2015", "slot": "user|home", "single_valued": True}
HOME = {"slot": "user|home", "single_valued": True, "item_type": "fact"}


def year(number: int) -> datetime:
    return datetime(number, 1, 1, tzinfo=UTC)


@pytest.fixture
def memory(recalling: MemoryCore) -> MemoryCore:
    """However memories are found again, what is found is the same."""
    return recalling


async def found(memory: MemoryCore, scope: Scope, question: str, minutes: float = 60, **more: object) -> set[str]:
    ask = RecallRequest(text=question, at=at(minutes), **more)  # type: ignore[arg-type]
    return {each.text for each in (await memory.index.candidates(scope, query_of(ask))).candidates}


async def written(memory: MemoryCore, scope: Scope, object_: str, key: str, **more: object) -> MemoryItem:
    """An hour later, when all that a test tells of was said."""
    receipt = await memory.items.write(scope, a_draft(object_, **more), by_ann(key, minutes=60))
    return await memory.items.get(scope, receipt.memory_id)


async def an_oslo(memory: MemoryCore, scope: Scope, **more: object) -> MemoryItem:
    told = {**OSLO, "valid_at": year(2010), "invalid_at": year(2016)} | more
    return await written(memory, scope, "Oslo", "oslo", **told)


async def test_what_was_over_when_it_was_said_answers_a_question_about_now(memory: MemoryCore, scope: Scope):
    item = await an_oslo(memory, scope)
    assert (item.status, item.valid_at, item.invalid_at, item.tells_of_past) == ("active", year(2010), year(2016), True)
    assert await found(memory, scope, "Oslo") == {item.content}
    assert await found(memory, scope, "Oslo", as_of=at(90)) == {item.content}


async def test_what_ends_later_answers_until_it_has_ended(memory: MemoryCore, scope: Scope):
    item = await written(memory, scope, "antibiotics", "k1", invalid_at=at(30))
    assert await found(memory, scope, "antibiotics", minutes=29) == {item.content}
    assert await found(memory, scope, "antibiotics", minutes=30) == set()
    assert await found(memory, scope, "antibiotics", temporal="history_trace") == {item.content}


async def test_a_question_about_a_time_finds_what_held_then(memory: MemoryCore, scope: Scope):
    oslo = await an_oslo(memory, scope)
    bergen = await written(
        memory, scope, "Bergen", "k2", content="I have lived in Bergen since 2018", valid_at=year(2018)
    )
    assert await found(memory, scope, "In which town did I live in 2012?") == {oslo.content}
    assert await found(memory, scope, "In which town did I live from 2011 to 2014?") == {oslo.content}
    assert await found(memory, scope, "Where did I live in 2019, Oslo or Bergen?") == {bergen.content}
    assert await found(memory, scope, "2012年我住在 Oslo 还是 Bergen？") == {oslo.content}


async def test_what_is_over_stands_beside_what_holds_now(memory: MemoryCore, scope: Scope):
    await an_oslo(memory, scope)
    bergen = {**HOME, "observed_at": at(1), "valid_at": year(2018)}
    await written(memory, scope, "Bergen", "k2", content="I have lived in Bergen since 2018", **bergen)
    assert {item.object for item in await memory.items.list_newest(scope)} == {"Oslo", "Bergen"}


async def test_what_is_told_later_of_the_past_ends_nothing(memory: MemoryCore, scope: Scope):
    await written(memory, scope, "Bergen", "k2", content="I live in Bergen", **HOME)
    await an_oslo(memory, scope, observed_at=at(1))
    assert {item.object for item in await memory.items.list_newest(scope)} == {"Oslo", "Bergen"}


async def test_the_newer_of_two_is_what_was_said_later_whatever_it_tells_of(memory: MemoryCore, scope: Scope):
    old = await written(memory, scope, "Rome", "k1", content="I live in Rome", **HOME)
    later = {**HOME, "observed_at": at(10), "valid_at": year(2019)}
    new = await written(memory, scope, "Lyon", "k2", content="I have lived in Lyon since 2019", **later)
    ended = await memory.items.get(scope, old.memory_id)
    assert (ended.status, ended.superseded_by, ended.invalid_at) == ("superseded", new.memory_id, NOON)


async def test_what_something_later_takes_the_place_of_holds_until_then(memory: MemoryCore, scope: Scope):
    old = await written(memory, scope, "Rome", "k1", content="I live in Rome", **HOME)
    moves = {**HOME, "observed_at": at(10), "valid_at": at(600)}
    new = await written(memory, scope, "Lyon", "k2", content="I move from Rome to Lyon in April", **moves)
    assert await found(memory, scope, "Rome") == {old.content, new.content}
    assert await found(memory, scope, "Rome", minutes=601) == {new.content}
    nice = {**HOME, "observed_at": at(20), "valid_at": at(900)}
    changed = await written(memory, scope, "Nice", "k3", content="I move from Rome to Nice in May", **nice)
    assert await found(memory, scope, "Rome") == {old.content, changed.content}


async def test_nothing_ends_before_it_was_said_to_hold(memory: MemoryCore, scope: Scope):
    old = await written(memory, scope, "Rome", "k1", content="In Rome since 2010", **HOME, valid_at=year(2010))
    later = {**HOME, "observed_at": at(10), "valid_at": year(2019)}
    await written(memory, scope, "Lyon", "k2", content="I have lived in Lyon since 2019", **later)
    assert (await memory.items.get(scope, old.memory_id)).invalid_at == NOON


async def test_what_was_taken_back_stays_so_when_older_words_are_read_later(memory: MemoryCore, scope: Scope):
    """The words that took it back may name a day before the older words were said."""
    events = [said("I work at Acme"), said("I have not worked at Acme since 2019", minutes=10), said("Acme", minutes=5)]
    await memory.log.capture(scope, a_turn(*events, session=a_session()))
    work = {"slot": "user|works_at", "single_valued": True}
    first = await written(memory, scope, "Acme", "k1", **work, citations=(cited(events[0], "Acme"),))
    over = {"negated": True, "replaces": "Acme", "observed_at": at(10), "valid_at": year(2019)}
    await written(memory, scope, "Acme", "k2", **work, **over, citations=(cited(events[1], "Acme"),))
    late = {"observed_at": at(5), "valid_at": at(5)}
    await written(memory, scope, "Acme", "k3", **work, **late, citations=(cited(events[2], "Acme"),))
    assert (await memory.items.get(scope, first.memory_id)).status == "retracted"
    assert await memory.items.list_newest(scope) == []


async def test_what_is_said_again_without_an_end_goes_on(memory: MemoryCore, scope: Scope):
    once = await written(memory, scope, "antibiotics", "k1", invalid_at=at(30))
    await written(memory, scope, "antibiotics", "k2", observed_at=at(20), valid_at=at(20))
    assert (await memory.items.get(scope, once.memory_id)).invalid_at == at(30)
    await written(memory, scope, "antibiotics", "k3", observed_at=at(50), valid_at=at(50), invalid_at=at(90))
    assert (await memory.items.get(scope, once.memory_id)).invalid_at == at(90)
    again = await written(memory, scope, "antibiotics", "k4", observed_at=at(95), valid_at=at(95))
    assert (again.memory_id, again.valid_at, again.invalid_at) == (once.memory_id, NOON, None)


async def test_what_is_brought_back_ends_by_its_own_words_again(memory: MemoryCore, scope: Scope):
    item = await written(memory, scope, "antibiotics", "k1", invalid_at=at(30))
    await memory.items.forget(scope, item.memory_id, by_ann("k2", minutes=1))
    await memory.items.restore(scope, item.memory_id, 1, by_ann("k3", minutes=2))
    assert (await memory.items.get(scope, item.memory_id)).invalid_at == at(30)


async def test_new_words_do_not_end_with_the_old_ones(memory: MemoryCore, scope: Scope):
    item = await written(memory, scope, "antibiotics", "k1", invalid_at=at(30))
    await memory.items.correct(scope, item.memory_id, "The user likes vitamins", by_ann("k2", minutes=1))
    assert (await memory.items.get(scope, item.memory_id)).invalid_at is None


async def test_a_rebuilt_index_knows_what_is_over(memory: MemoryCore, scope: Scope):
    oslo = await an_oslo(memory, scope)
    await written(memory, scope, "antibiotics", "k1", invalid_at=at(30), content="On antibiotics, not in Oslo")
    await memory.index.rebuild(scope)
    assert await found(memory, scope, "Oslo") == {oslo.content}
