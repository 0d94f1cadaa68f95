"""What the index promises, on the fake and on PostgreSQL: both bring the same candidates with the same features."""

from dataclasses import replace
from uuid import uuid4

import pytest

from brain.recall import Ask, query_of
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.ranking.policies import policy_named, rank
from memory.recall_query import Filters
from memory.scope import Scope
from tests.contract.builders import a_draft, a_session, a_turn, at, by_ann, cited, said


async def texts(memory: MemoryCore, scope: Scope, question: str, **more: object) -> list[str]:
    ask = Ask(text=question, at=at(60), **more)  # type: ignore[arg-type]
    found = await memory.index.candidates(scope, query_of(ask))
    return [each.candidate.text for each in rank([found], policy_named())]


async def test_a_turn_is_found_the_moment_it_is_logged(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("My cat is called Schnurri"), said("The weather is nice", minutes=1)))
    assert (await texts(memory, scope, "What is the cat's name?"))[0] == "My cat is called Schnurri"


async def test_chinese_is_found_by_its_words(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("我女儿叫小雨，今年五岁"), said("昨天下雨了", minutes=1)))
    assert (await texts(memory, scope, "我女儿叫什么名字？"))[0] == "我女儿叫小雨，今年五岁"


async def test_an_exact_identifier_is_found(memory: MemoryCore, scope: Scope):
    others = [said(f"The invoice number {n} was paid", minutes=n) for n in range(30)]
    await memory.log.capture(scope, a_turn(*others, said("Ticket ZX-81/4711 is for the boiler", minutes=40)))
    assert (await texts(memory, scope, "ZX-81/4711"))[0] == "Ticket ZX-81/4711 is for the boiler"


async def test_a_forgotten_memory_and_the_turn_it_came_from_are_not_found(memory: MemoryCore, scope: Scope):
    event = said("I adore oysters")
    await memory.log.capture(scope, a_turn(event))
    receipt = await memory.items.write(
        scope, a_draft("oysters", citations=(cited(event, "I adore oysters"),)), by_ann("k1")
    )
    await memory.items.forget(scope, receipt.memory_id, by_ann("k2", minutes=1))
    assert await texts(memory, scope, "oysters") == []
    assert await texts(memory, scope, "what did I like before, oysters?") == []
    await memory.index.rebuild(scope)
    assert await texts(memory, scope, "oysters") == []
    await memory.items.restore(scope, receipt.memory_id, 1, by_ann("k3", minutes=2))
    assert set(await texts(memory, scope, "oysters")) == {"I adore oysters", "The user likes oysters"}


async def test_a_rebuilt_index_answers_as_before(memory: MemoryCore, scope: Scope):
    session = a_session()
    await memory.log.capture(scope, a_turn(said("I collect stamps"), said("Which ones?", minutes=1), session=session))
    await memory.log.capture(scope, a_turn(said("From Helvetia", minutes=2), session=session))
    await memory.items.write(scope, a_draft("stamps"), by_ann("k1"))
    query = query_of(Ask(text="which stamps do I collect", at=at(60)))
    before = await memory.index.candidates(scope, query)
    assert await memory.index.rebuild(scope) == 4
    assert await memory.index.candidates(scope, query) == before


async def test_a_superseded_memory_is_read_as_of_its_time_and_in_the_history(memory: MemoryCore, scope: Scope):
    home = {"slot": "user|lives_in", "single_valued": True, "category": "home"}
    await memory.items.write(scope, a_draft("Paris", content="The user lives in Paris", **home), by_ann("k1"))
    later = {"observed_at": at(30), "valid_at": at(30)}
    await memory.items.write(
        scope, a_draft("Lyon", content="The user lives in Lyon", **home, **later), by_ann("k2", minutes=30)
    )
    assert await texts(memory, scope, "Where does the user live?") == ["The user lives in Lyon"]
    assert await texts(memory, scope, "Where does the user live?", as_of=at(10)) == ["The user lives in Paris"]
    told = await texts(memory, scope, "Where did the user live?", temporal="history_trace")
    assert set(told) == {"The user lives in Lyon", "The user lives in Paris"}


async def test_filters_bound_what_may_be_found(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("I bake bread", speaker="ann"), said("I bake cakes", speaker="bob")))
    await memory.items.write(scope, a_draft("bread", content="Ann bakes bread", category="food"), by_ann("k1"))
    assert await texts(memory, scope, "bake", filters=Filters(speakers=("bob",))) == ["I bake cakes"]
    assert await texts(memory, scope, "bakes bread", filters=Filters(lanes=("fact",))) == ["Ann bakes bread"]
    assert await texts(memory, scope, "bakes bread", filters=Filters(categories=("drink",))) == []


async def test_vectors_find_what_no_word_does_and_words_find_what_no_vector_does(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("We got a puppy"), said("Part QX99"), said("Rain")))
    waiting = await memory.index.without_vector(scope, 10)
    near = {"We got a puppy": (1.0, 0.0), "Part QX99": (0.0, 1.0), "Rain": (0.0, 1.0)}
    await memory.index.save_vectors(scope, "test:two", waiting, [near[row.text] for row in waiting])
    assert await memory.index.without_vector(scope, 10) == []
    query = replace(query_of(Ask(text="dog QX99", at=at(60))), embedding=(1.0, 0.0), embedding_model="test:two")
    found = await memory.index.candidates(scope, query)
    assert {"We got a puppy", "Part QX99"} <= {each.text for each in found.candidates}


async def test_a_model_whose_vectors_change_their_length_is_refused(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("one"), said("two", minutes=1)))
    first, second = await memory.index.without_vector(scope, 10)
    await memory.index.save_vectors(scope, "test:two", [first], [(1.0, 0.0)])
    with pytest.raises(BrainError, match="E_DIM_MISMATCH"):
        await memory.index.save_vectors(scope, "test:two", [second], [(1.0, 0.0, 0.0)])


async def test_nobody_else_finds_anything(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("The password of the safe is tulip")))
    strangers = (
        replace(scope, tenant_id=uuid4()),
        replace(scope, user_id=uuid4()),
        replace(scope, key="peer:x"),
        replace(scope, key="group:x"),
    )
    for stranger in strangers:
        assert await texts(memory, stranger, "password of the safe") == []
