"""The recall index that a process keeps of who is talking: never older than the question, whoever wrote meanwhile."""

import asyncio
from dataclasses import dataclass, replace
from uuid import uuid4

import psycopg
import pytest

from brain.recall import RecallRequest, query_of
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.corpus_cache import IDLE, CorpusCache, ReadPosition, read_changes
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.recall.query import RecallQuery
from memory.scope import Scope
from tests.contract.builders import a_draft, a_session, a_turn, at, by_ann, cited, said

BOATS = query_of(RecallRequest(text="boat", at=at(600)))


@dataclass
class Hands:
    """A clock whose hands are moved."""

    now: float = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def ours(database: Database) -> MemoryCore:
    """A process that keeps everybody's index from the first question on."""
    return postgres_memory(database, CorpusCache(first_questions=0))


@pytest.fixture
def elsewhere(database: Database) -> MemoryCore:
    """Another process over the same database."""
    return postgres_memory(database)


async def texts(memory: MemoryCore, scope: Scope, query: RecallQuery = BOATS) -> set[str]:
    return {each.text for each in (await memory.index.candidates(scope, query)).candidates}


async def test_what_another_process_logs_is_found_by_the_next_question(
    ours: MemoryCore, elsewhere: MemoryCore, scope: Scope
):
    session = a_session()
    await elsewhere.log.capture(scope, a_turn(said("My boat is red"), session=session))
    assert await texts(ours, scope) == {"My boat is red"}
    await elsewhere.log.capture(scope, a_turn(said("The boat leaks", minutes=5), session=session))
    assert await texts(ours, scope) == {"My boat is red", "The boat leaks"}


async def test_what_is_forgotten_elsewhere_is_gone_with_the_next_question(
    ours: MemoryCore, elsewhere: MemoryCore, scope: Scope
):
    event = said("I bought a boat")
    await elsewhere.log.capture(scope, a_turn(event))
    draft = a_draft("a boat", content="The user has a boat", citations=(cited(event, "I bought a boat"),))
    receipt = await elsewhere.items.write(scope, draft, by_ann("k1"))
    assert await texts(ours, scope) == {"I bought a boat", "The user has a boat"}
    await elsewhere.items.forget(scope, receipt.memory_id, by_ann("k2", minutes=1))
    assert await texts(ours, scope) == set()


async def test_what_is_excluded_elsewhere_is_gone_with_the_next_question_and_comes_back(
    ours: MemoryCore, elsewhere: MemoryCore, scope: Scope
):
    event = said("I bought a boat")
    await elsewhere.log.capture(scope, a_turn(event))
    draft = a_draft("a boat", content="The user has a boat", citations=(cited(event, "I bought a boat"),))
    memory_id = (await elsewhere.items.write(scope, draft, by_ann("k1"))).memory_id
    assert await texts(ours, scope) == {"I bought a boat", "The user has a boat"}
    await elsewhere.items.set_use(scope, memory_id, "excluded", by_ann("k2", minutes=1))
    assert await texts(ours, scope) == set()
    await elsewhere.items.set_use(scope, memory_id, "auto", by_ann("k3", minutes=2))
    assert await texts(ours, scope) == {"I bought a boat", "The user has a boat"}


async def test_a_vector_that_arrives_later_counts_from_then_on(ours: MemoryCore, elsewhere: MemoryCore, scope: Scope):
    await elsewhere.log.capture(scope, a_turn(said("We got a puppy")))
    near = replace(query_of(RecallRequest(text="dog", at=at(60))), embedding=(1.0, 0.0), embedding_model="test:two")
    assert await texts(ours, scope, near) == set()
    waiting = await elsewhere.index.rows_without_vector(scope, "test:two", 10)
    await elsewhere.index.save_vectors(scope, "test:two", waiting, [(1.0, 0.0)])
    assert await texts(ours, scope, near) == {"We got a puppy"}


async def test_who_began_to_write_before_a_question_and_ended_after_it_is_not_missed(
    ours: MemoryCore, elsewhere: MemoryCore, scope: Scope, test_addresses: Addresses
):
    await elsewhere.log.capture(scope, a_turn(said("My boat is red")))
    async with await psycopg.AsyncConnection.connect(test_addresses.app) as slow:
        await slow.execute(
            "select set_config('brain.tenant_id', %s, true), set_config('brain.scope', %s, true),"
            " set_config('brain.user_id', %s, true)",
            (str(scope.tenant_id), scope.key, str(scope.user_id)),
        )
        await slow.execute("update brain.recall_index set confidence = 0.25")
        await elsewhere.log.capture(scope, a_turn(said("The boat leaks"), session=a_session("later")))
        found = await ours.index.candidates(scope, BOATS)
        assert {each.text: each.confidence for each in found.candidates} == {"My boat is red": 1, "The boat leaks": 1}
        await slow.commit()
    found = await ours.index.candidates(scope, BOATS)
    assert {each.text: each.confidence for each in found.candidates} == {"My boat is red": 0.25, "The boat leaks": 1}


async def test_a_model_that_comes_back_with_longer_vectors_is_compared_by_them(
    ours: MemoryCore, elsewhere: MemoryCore, scope: Scope
):
    await elsewhere.log.capture(scope, a_turn(said("We got a puppy"), said("It barks", minutes=1)))
    for model, vector in (("m:a", (1.0, 0.0)), ("m:b", (0.0, 1.0, 0.0)), ("m:a", (1.0, 0.0, 0.0))):
        waiting = await elsewhere.index.rows_without_staged_vector(scope, model, 10)
        await elsewhere.index.stage_vectors(scope, model, waiting, [vector] * len(waiting))
        await elsewhere.index.switch_vectors(scope, model)
        near = replace(query_of(RecallRequest(text="dog", at=at(60))), embedding=vector, embedding_model=model)
        assert await texts(ours, scope, near) == {"We got a puppy", "It barks"}


async def test_a_few_rows_that_go_do_not_cost_reading_the_others_again(
    elsewhere: MemoryCore, database: Database, scope: Scope
):
    written = [await elsewhere.items.write(scope, a_draft(f"boat {n}"), by_ann(f"k{n}")) for n in range(6)]
    first = await read_changes(database, scope, ReadPosition())
    await elsewhere.items.forget(scope, written[0].memory_id, by_ann("f0", minutes=1))
    second = await read_changes(database, scope, first.reading)
    assert (list(second.removed), list(second.entries), second.anew) == ([written[0].memory_id], [], False)
    for number in range(1, 5):
        await elsewhere.items.forget(scope, written[number].memory_id, by_ann(f"f{number}", minutes=1))
    assert (await read_changes(database, scope, second.reading, page=4)).anew


async def test_a_memory_that_is_reworded_elsewhere_is_found_by_its_new_words_alone(
    ours: MemoryCore, elsewhere: MemoryCore, scope: Scope
):
    receipt = await elsewhere.items.write(scope, a_draft("a boat", content="The user has a boat"), by_ann("k1"))
    assert await texts(ours, scope) == {"The user has a boat"}
    await elsewhere.items.correct(scope, receipt.memory_id, "The user has a canoe", by_ann("k2", minutes=1))
    assert await texts(ours, scope) == set()
    assert await texts(ours, scope, query_of(RecallRequest(text="canoe", at=at(600)))) == {"The user has a canoe"}


async def test_an_index_that_is_derived_again_is_read_again(ours: MemoryCore, elsewhere: MemoryCore, scope: Scope):
    await elsewhere.log.capture(scope, a_turn(*(said(f"boat {n}", minutes=n) for n in range(6))))
    before = await texts(ours, scope)
    await elsewhere.index.rebuild(scope)
    assert await texts(ours, scope) == before == {f"boat {n}" for n in range(6)}


async def test_a_server_that_went_back_in_time_is_read_anew(database: Database, scope: Scope):
    future = ReadPosition(f"{2**40 + 7}:{2**40 + 7}:")
    assert (await read_changes(database, scope, future)).anew
    assert not (await read_changes(database, scope, ReadPosition())).anew


async def test_another_timeline_is_read_anew(elsewhere: MemoryCore, database: Database, scope: Scope):
    await elsewhere.log.capture(scope, a_turn(said("boat")))
    first = await read_changes(database, scope, ReadPosition())
    assert not (await read_changes(database, scope, first.reading)).anew
    assert first.reading.timeline is not None
    before_the_switch = replace(first.reading, timeline=first.reading.timeline + 1)
    assert (await read_changes(database, scope, before_the_switch)).anew


async def test_questions_at_once_each_find_what_was_said_before_them(
    ours: MemoryCore, elsewhere: MemoryCore, scope: Scope
):
    async def say_and_ask(number: int) -> None:
        await elsewhere.log.capture(scope, a_turn(said(f"tulip{number} grows"), session=a_session(f"s{number}")))
        query = query_of(RecallRequest(text=f"tulip{number}", at=at(60)))
        assert f"tulip{number} grows" in await texts(ours, scope, query)

    await asyncio.gather(*(say_and_ask(number) for number in range(40)))


async def test_a_group_is_kept_once_for_all_of_its_members(elsewhere: MemoryCore, database: Database, scope: Scope):
    kept = CorpusCache(first_questions=0)
    memory, ann = postgres_memory(database, kept), replace(scope, key="group:boats")
    bob = replace(ann, user_id=uuid4())
    await elsewhere.log.capture(ann, a_turn(said("Ann has a boat")))
    await elsewhere.log.capture(bob, a_turn(said("Bob has a boat"), session=a_session("bob")))
    assert await texts(memory, ann) == await texts(memory, bob) == {"Ann has a boat", "Bob has a boat"}
    assert len(kept) == 1


async def test_who_asks_once_is_not_kept(elsewhere: MemoryCore, database: Database, scope: Scope):
    kept = CorpusCache()
    memory = postgres_memory(database, kept)
    await elsewhere.log.capture(scope, a_turn(said("My boat is red")))
    first, before = await texts(memory, scope), len(kept)
    second, after = await texts(memory, scope), len(kept)
    assert first == second == {"My boat is red"}
    assert (before, after) == (0, 1)


async def test_who_has_too_many_rows_is_answered_and_not_kept(elsewhere: MemoryCore, database: Database, scope: Scope):
    kept = CorpusCache(first_questions=0, most_turns=3)
    memory = postgres_memory(database, kept)
    await elsewhere.log.capture(scope, a_turn(*(said(f"boat {n}", minutes=n) for n in range(3))))
    assert len(await texts(memory, scope)) == 3
    assert len(kept) == 1
    await elsewhere.log.capture(scope, a_turn(said("boat 3"), session=a_session("more")))
    assert len(await texts(memory, scope)) == 4
    assert len(kept) == 0


async def test_those_who_asked_longest_ago_make_room(elsewhere: MemoryCore, database: Database, scope: Scope):
    kept = CorpusCache(first_questions=0, megabytes=1)
    memory, other = postgres_memory(database, kept), replace(scope, user_id=uuid4())
    for who in (scope, other):
        await elsewhere.log.capture(who, a_turn(*(said(f"boat {n}", minutes=n) for n in range(250))))
        assert await texts(memory, who)
    assert len(kept) == 1


async def test_what_nobody_asks_for_is_let_go(elsewhere: MemoryCore, database: Database, scope: Scope):
    clock = Hands()
    kept = CorpusCache(first_questions=0, clock=clock)
    memory, other = postgres_memory(database, kept), replace(scope, user_id=uuid4())
    await texts(memory, scope)
    clock.now += IDLE + 1
    await texts(memory, other)
    assert len(kept) == 1


async def test_a_process_may_keep_nothing(elsewhere: MemoryCore, database: Database, scope: Scope):
    kept = CorpusCache(first_questions=0, megabytes=0)
    memory = postgres_memory(database, kept)
    await elsewhere.log.capture(scope, a_turn(said("My boat is red")))
    assert await texts(memory, scope) == await texts(memory, scope) == {"My boat is red"}
    assert len(kept) == 0
