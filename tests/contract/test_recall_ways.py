"""The recall statement and the corpus in the process bring the same candidates with the same features."""

from dataclasses import fields, replace
from random import Random
from uuid import UUID, uuid4

import pytest

from brain.recall import RecallRequest, query_of
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database
from memory.recall.query import CandidateRow, Features, Filters, RecallQuery
from memory.scope import Scope
from memory.turns import Capture, Utterance
from tests.contract.builders import a_session, a_turn, at, said

_TALK = "boat lake cat gala guests Lyon Paris tulip storm bread 姐姐 杭州 电话 论坛 规模 三千人 地点"
_MODEL = "test:three"


def some_talk(sessions: int = 8, turns: int = 24) -> list[Capture]:
    chance = Random(5)
    return [
        a_turn(*(_something(chance, minutes) for minutes in range(turns)), session=a_session(f"s{number}"))
        for number in range(sessions)
    ]


def _something(chance: Random, minutes: int) -> Utterance:
    words = " ".join(_sentence(chance) for _ in range(chance.choice([1, 1, 1, 1, 60])))
    return said(words, minutes=minutes, speaker=chance.choice(["ann", "bob"]))


def _sentence(chance: Random) -> str:
    return " ".join(chance.choices(_TALK.split(), k=chance.randint(1, 8))) + chance.choice(["", ".", "?"])


async def fill(memory: MemoryCore, scope: Scope, talk: list[Capture]) -> None:
    for capture in talk:
        await memory.log.capture(scope, capture)
    waiting = await memory.index.rows_without_vector(scope, _MODEL, 1000)
    chosen = [row for row in waiting if row.text.endswith("?") or "cat" in row.text]
    await memory.index.save_vectors(scope, _MODEL, chosen, [_unit(row.text) for row in chosen])


def _unit(text: str) -> tuple[float, ...]:
    """One of four directions; PostgreSQL holds them in half precision."""
    return ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0), (0.6, 0.8, 0.0))[len(text) % 4]


QUERIES: dict[str, RecallQuery] = {
    "words": query_of(RecallRequest(text="boat tulip", at=at(60))),
    "a question with a name": query_of(RecallRequest(text="What did Ann say about the storm in Lyon?", at=at(60))),
    "two questions": query_of(RecallRequest(text="姐姐的电话？另外，规模是三千人的论坛，地点是什么？", at=at(60))),
    "chatter": query_of(RecallRequest(text="I like cats. What I really want to know is: the gala guests?", at=at(60))),
    "a misspelling": query_of(RecallRequest(text="tuilp stormm", at=at(60))),
    "a filter": query_of(RecallRequest(text="boat", at=at(60), filters=Filters(speakers=("bob",)))),
    "as of": query_of(RecallRequest(text="boat", at=at(60), as_of=at(8))),
    "a wide pool": replace(query_of(RecallRequest(text="boat tulip storm", at=at(60))), wide=True),
    "vectors that count more": replace(
        query_of(RecallRequest(text="bread boat", at=at(60))),
        embedding=(0.6, 0.8, 0.0),
        embedding_model=_MODEL,
        vector_weight=2.0,
    ),
    "nothing": query_of(RecallRequest(text="?", at=at(60))),
    "vectors": replace(
        query_of(RecallRequest(text="bread", at=at(60))), embedding=(0.6, 0.8, 0.0), embedding_model=_MODEL
    ),
    "meaning alone": replace(
        query_of(RecallRequest(text="bread", at=at(60), strategy="semantic")),
        embedding=(0.0, 1.0, 0.0),
        embedding_model=_MODEL,
    ),
}


TALK = some_talk()
ANN = Scope(tenant_id=uuid4(), user_id=uuid4(), key="main")


@pytest.fixture(scope="module")
async def ways(database: Database) -> list[MemoryCore]:
    """The same talk by the statement, and from rows that are kept ready."""
    stated, kept = CorpusCache(megabytes=0), CorpusCache(first_questions=0, page=100_000)
    await fill(postgres_memory(database), ANN, TALK)
    return [postgres_memory(database, stated), postgres_memory(database, kept)]


@pytest.mark.parametrize("name", list(QUERIES))
async def test_both_bring_the_same(name: str, ways: list[MemoryCore]):
    stated, kept = [await each.index.candidates(ANN, QUERIES[name]) for each in ways]
    assert (stated.corpus.rows, stated.corpus.mean_length) == (kept.corpus.rows, pytest.approx(kept.corpus.mean_length))
    expected, found = _features(kept.candidates), _features(stated.candidates)
    assert found.keys() == expected.keys()
    for source, features in expected.items():
        assert found[source] == pytest.approx(features, abs=1e-3), source


def _features(candidates: tuple[CandidateRow, ...]) -> dict[UUID, dict[str, object]]:
    names = [field.name for field in fields(Features)]
    return {one.source_id: {name: getattr(one, name) for name in names} for one in candidates}
