"""What the index promises."""

from dataclasses import replace
from uuid import uuid4

import pytest

from brain.recall import RecallRequest, query_of
from memory.errors import BrainError
from memory.ports import MemoryCore
from memory.recall.policies.registry import find_policy, rank
from memory.recall.query import Filters
from memory.scope import Scope
from tests.contract.builders import a_draft, a_session, a_turn, at, by_ann, cited, said
from tests.contract.upkeep_builders import used


@pytest.fixture
def memory(recalling: MemoryCore) -> MemoryCore:
    """However memories are found again, what is found is the same."""
    return recalling


async def texts(memory: MemoryCore, scope: Scope, question: str, **more: object) -> list[str]:
    ask = RecallRequest(text=question, at=at(60), **more)  # type: ignore[arg-type]
    found = await memory.index.candidates(scope, query_of(ask))
    return [each.candidate.text for each in rank([found], find_policy())]


async def embedded(memory: MemoryCore, scope: Scope, model: str, vector: tuple[float, ...]) -> None:
    """Whatever waits gets the same vector."""
    waiting = await memory.index.rows_without_vector(scope, model, 10)
    await memory.index.save_vectors(scope, model, waiting, [vector] * len(waiting))


async def counts(memory: MemoryCore, scope: Scope) -> dict[tuple[str, bool], int]:
    return {(each.model, each.staged): each.rows for each in await memory.index.vector_counts(scope)}


async def cosines(memory: MemoryCore, scope: Scope, model: str, vector: tuple[float, ...]) -> dict[str, float | None]:
    query = replace(query_of(RecallRequest(text="puppy rains", at=at(60))), embedding=vector, embedding_model=model)
    return {each.text: each.cosine for each in (await memory.index.candidates(scope, query)).candidates}


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
    query = query_of(RecallRequest(text="which stamps do I collect", at=at(60)))
    before = await memory.index.candidates(scope, query)
    assert await memory.index.rebuild(scope) == 4
    assert await memory.index.candidates(scope, query) == before


async def test_a_rebuilt_index_knows_how_often_each_memory_was_used(memory: MemoryCore, scope: Scope):
    turn = said("I collect stamps")
    await memory.log.capture(scope, a_turn(turn))
    stamps = await memory.items.write(scope, a_draft("stamps"), by_ann("k1"))
    reworded = await memory.items.write(scope, a_draft("old coins"), by_ann("k2"))
    for memory_id in (stamps.memory_id, turn.event_id, reworded.memory_id):
        await used(memory, scope, memory_id, "affirm", "none")
    await memory.items.correct(scope, reworded.memory_id, "The user likes rare coins", by_ann("k3", minutes=30))
    query = query_of(RecallRequest(text="stamps and coins", at=at(60)))
    before = await memory.index.candidates(scope, query)
    counts = {each.text: (each.injected_count, each.positive_count) for each in before.candidates}
    await memory.index.rebuild(scope)
    assert await memory.index.candidates(scope, query) == before
    assert counts["The user likes stamps"] == counts["I collect stamps"] == (2, 1)
    assert counts["The user likes rare coins"] == (0, 0)


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
    waiting = await memory.index.rows_without_vector(scope, "test:two", 10)
    near = {"We got a puppy": (1.0, 0.0), "Part QX99": (0.0, 1.0), "Rain": (0.0, 1.0)}
    await memory.index.save_vectors(scope, "test:two", waiting, [near[row.text] for row in waiting])
    assert await memory.index.rows_without_vector(scope, "test:two", 10) == []
    query = replace(
        query_of(RecallRequest(text="dog QX99", at=at(60))), embedding=(1.0, 0.0), embedding_model="test:two"
    )
    found = await memory.index.candidates(scope, query)
    assert {"We got a puppy", "Part QX99"} <= {each.text for each in found.candidates}


async def test_a_fact_waits_for_its_vector_with_its_shelf_and_whom_it_is_about(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("We got a puppy")))
    draft = a_draft("bread", content="Ann bakes bread", category="food_preference", subject="Ann")
    await memory.items.write(scope, draft, by_ann("k1", minutes=5))
    shown = [
        (each.lane, each.category, each.subject) for each in await memory.index.rows_without_vector(scope, "test:m", 9)
    ]
    assert shown == [("turn", "", ""), ("fact", "food_preference", "Ann")]
    assert await memory.index.rows_without_staged_vector(scope, "test:m", 9) == await memory.index.rows_without_vector(
        scope, "test:m", 9
    )


async def test_a_model_whose_vectors_change_their_length_is_refused(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("one"), said("two", minutes=1)))
    first, second = await memory.index.rows_without_vector(scope, "test:two", 10)
    await memory.index.save_vectors(scope, "test:two", [first], [(1.0, 0.0)])
    with pytest.raises(BrainError, match="E_DIM_MISMATCH"):
        await memory.index.save_vectors(scope, "test:two", [second], [(1.0, 0.0, 0.0)])


async def test_a_question_with_a_vector_of_another_length_is_refused_by_code(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("We got a puppy")))
    await embedded(memory, scope, "test:two", (1.0, 0.0))
    query = replace(
        query_of(RecallRequest(text="dog", at=at(60))), embedding=(1.0, 0.0, 0.0), embedding_model="test:two"
    )
    with pytest.raises(BrainError, match="E_DIM_MISMATCH"):
        await memory.index.candidates(scope, query)


async def test_a_person_whom_one_model_serves_waits_for_no_other(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("We got a puppy")))
    await embedded(memory, scope, "test:old", (1.0, 0.0))
    await memory.log.capture(scope, a_turn(said("Her name is Pip", minutes=1)))
    assert await memory.index.rows_without_vector(scope, "test:new", 10) == []
    waiting = await memory.index.rows_without_vector(scope, "test:old", 10)
    assert [row.text for row in waiting] == ["Her name is Pip"]
    assert await memory.index.save_vectors(scope, "test:new", waiting, [(1.0, 0.0, 0.0)]) == 0
    assert await counts(memory, scope) == {("none", False): 1, ("test:old", False): 1}


async def test_staged_vectors_are_read_only_after_the_switch_and_then_for_every_row(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("We got a puppy"), said("It rains", minutes=1)))
    await embedded(memory, scope, "test:old", (1.0, 0.0))
    rows = await memory.index.rows_without_staged_vector(scope, "test:new", 10)
    assert await memory.index.stage_vectors(scope, "test:new", rows, [(0.0, 1.0, 0.0), (0.0, 0.0, 1.0)]) == 2
    assert await memory.index.rows_without_staged_vector(scope, "test:new", 10) == []
    assert await cosines(memory, scope, "test:old", (1.0, 0.0)) == {"We got a puppy": 1, "It rains": 1}
    assert await cosines(memory, scope, "test:new", (0.0, 1.0, 0.0)) == {"We got a puppy": None, "It rains": None}
    assert await memory.index.switch_vectors(scope, "test:new") == 2
    assert await cosines(memory, scope, "test:new", (0.0, 1.0, 0.0)) == {"We got a puppy": 1, "It rains": 0}
    assert await cosines(memory, scope, "test:old", (1.0, 0.0)) == {"We got a puppy": None, "It rains": None}
    assert await counts(memory, scope) == {("test:new", False): 2}


async def test_what_is_said_or_corrected_after_staging_waits_for_the_new_model(memory: MemoryCore, scope: Scope):
    receipt = await memory.items.write(scope, a_draft("oysters"), by_ann("k1"))
    await embedded(memory, scope, "test:old", (1.0, 0.0))
    rows = await memory.index.rows_without_staged_vector(scope, "test:new", 10)
    await memory.index.stage_vectors(scope, "test:new", rows, [(1.0, 0.0, 0.0)])
    await memory.items.correct(scope, receipt.memory_id, "The user likes clams", by_ann("k2", minutes=1))
    await memory.log.capture(scope, a_turn(said("It rains", minutes=2)))
    await embedded(memory, scope, "test:old", (1.0, 0.0))
    assert await memory.index.switch_vectors(scope, "test:new") == 0
    waiting = await memory.index.rows_without_vector(scope, "test:old", 10)
    assert {row.text for row in waiting} == {"The user likes clams", "It rains"}
    assert await memory.index.save_vectors(scope, "test:new", waiting, [(1.0, 0.0, 0.0)] * 2) == 2
    assert await counts(memory, scope) == {("test:new", False): 2}


async def test_a_memory_that_ends_between_staging_and_switch_stays_ended(memory: MemoryCore, scope: Scope):
    home = {"slot": "user|lives_in", "single_valued": True, "category": "home"}
    await memory.items.write(scope, a_draft("Paris", content="The user lives in Paris", **home), by_ann("k1"))
    rows = await memory.index.rows_without_staged_vector(scope, "test:new", 10)
    await memory.index.stage_vectors(scope, "test:new", rows, [(1.0, 0.0, 0.0)])
    later = {"observed_at": at(30), "valid_at": at(30)}
    await memory.items.write(scope, a_draft("Lyon", content="The user lives in Lyon", **home, **later), by_ann("k2"))
    await memory.index.switch_vectors(scope, "test:new")
    assert await texts(memory, scope, "Where does the user live?") == ["The user lives in Lyon"]


async def test_staged_vectors_have_the_length_of_their_model_too(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("one"), said("two", minutes=1)))
    first, second = await memory.index.rows_without_staged_vector(scope, "test:new", 10)
    await memory.index.stage_vectors(scope, "test:new", [first], [(1.0, 0.0)])
    with pytest.raises(BrainError, match="E_DIM_MISMATCH"):
        await memory.index.stage_vectors(scope, "test:new", [second], [(1.0, 0.0, 0.0)])


async def test_a_staged_vector_gives_way_to_one_that_is_saved(memory: MemoryCore, scope: Scope):
    await memory.log.capture(scope, a_turn(said("one")))
    rows = await memory.index.rows_without_staged_vector(scope, "test:new", 10)
    await memory.index.stage_vectors(scope, "test:new", rows, [(1.0, 0.0)])
    assert await counts(memory, scope) == {("none", False): 1, ("test:new", True): 1}
    assert await memory.index.save_vectors(scope, "test:new", rows, [(1.0, 0.0)]) == 1
    assert await counts(memory, scope) == {("test:new", False): 1}


async def test_a_switch_of_one_person_leaves_the_others_alone(memory: MemoryCore, scope: Scope):
    other = replace(scope, user_id=uuid4())
    for who in (scope, other):
        await memory.log.capture(who, a_turn(said("one")))
        await embedded(memory, who, "test:old", (1.0, 0.0))
        rows = await memory.index.rows_without_staged_vector(who, "test:new", 10)
        await memory.index.stage_vectors(who, "test:new", rows, [(1.0, 0.0)])
    await memory.index.switch_vectors(scope, "test:new")
    assert await counts(memory, other) == {("test:new", True): 1, ("test:old", False): 1}


async def test_a_turn_that_two_memories_rest_on_is_indexed_once_after_one_returns(memory: MemoryCore, scope: Scope):
    event = said("I adore oysters and clams")
    await memory.log.capture(scope, a_turn(event))
    await embedded(memory, scope, "test:old", (1.0, 0.0))
    citations = (cited(event, "I adore oysters"),)
    oysters = await memory.items.write(scope, a_draft("oysters", citations=citations), by_ann("k1"))
    await memory.items.write(scope, a_draft("clams", citations=citations), by_ann("k2"))
    await memory.items.forget(scope, oysters.memory_id, by_ann("k3", minutes=1))
    await memory.items.restore(scope, oysters.memory_id, 1, by_ann("k4", minutes=2))
    found = await memory.index.candidates(scope, query_of(RecallRequest(text="oysters", at=at(60))))
    assert [each.source_id for each in found.candidates].count(event.event_id) == 1


async def test_who_is_believed_just_enough_is_let_through(memory: MemoryCore, scope: Scope):
    for confidence in (0.3, 0.7, 0.9):
        await memory.items.write(scope, a_draft(f"tea {confidence}", confidence=confidence), by_ann(f"{confidence}"))
    found = await texts(memory, scope, "tea", filters=Filters(confidence_min=0.7))
    assert sorted(found) == ["The user likes tea 0.7", "The user likes tea 0.9"]


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


async def test_a_persons_own_sentence_has_its_speaker_and_what_was_concluded_has_none(memory: MemoryCore, scope: Scope):
    event = said("I adore oysters")
    await memory.log.capture(scope, a_turn(event))
    quote = (cited(event, "I adore oysters"),)
    sentence = a_draft("I adore oysters", content="I adore oysters", slot="user|food", citations=quote)
    await memory.items.write(scope, sentence, by_ann("k1"))
    await memory.items.write(scope, a_draft("oysters", citations=quote), by_ann("k2"))
    noted = a_draft("Oysters please me", content="Oysters please me", slot="user|noted")
    await memory.items.write(scope, noted, by_ann("k3"))
    bens = a_draft("raw oysters", content="I eat raw oysters", slot="ben|food", speaker="ben", citations=quote)
    await memory.items.write(scope, bens, by_ann("k4"))
    for _ in range(2):
        found = (await memory.index.candidates(scope, query_of(RecallRequest(text="oysters", at=at(60))))).candidates
        speakers = {each.text: each.speaker for each in found if each.lane == "fact"}
        assert speakers == {
            "I adore oysters": "user",
            "I eat raw oysters": "ben",
            "The user likes oysters": "",
            "Oysters please me": "",
        }
        await memory.index.rebuild(scope)
