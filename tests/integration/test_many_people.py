"""One table, 1,500 people: what each of them recalls is what an exact search of their own rows alone would find."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from random import Random
from uuid import UUID

import psycopg
import pytest

from brain.recall import RecallRequest, query_of
from evals.made_up_talk import Saying, sayings
from memory.index_rows import IndexRow, rows_of_utterance
from memory.postgres.database import Database
from memory.postgres.index import PostgresIndex
from memory.postgres.roles import Addresses
from memory.recall.cache.corpus import Corpus, corpus_entry
from memory.recall.policies.registry import find_policy, rank
from memory.recall.query import CandidateRow, Features, RecallQuery
from memory.scope import Scope
from memory.turns import Utterance
from retrieval.wire import int_array
from tests.contract.builders import at

PEOPLE, SAMPLE, TENANTS = 1_500, 250, 15
MODEL, DIMENSIONS = "made-up", 16
MANY = 0xC0FFEE << 64
"""Where this test's ids begin, away from those of others."""
LATER = at() + timedelta(days=1)
COPY = """
copy brain.recall_index (tenant_id, scope, user_id, source_id, lane, session_id, position, role, speaker, text, words,
    grams, length, observed_at, valid_at, recorded_at, embedding_model, embedding)
from stdin"""


@dataclass(frozen=True)
class Person:
    """Somebody, what they remember, and what they might ask."""

    scope: Scope
    rows: tuple[IndexRow, ...]
    questions: tuple[str, ...]


@pytest.fixture(scope="module")
def people(test_addresses: Addresses) -> list[Person]:
    """All of them, in one table, their rows mixed as life mixes them."""
    everybody = crowd()
    lines = [line(person.scope, row) for person in everybody for row in person.rows]
    Random(5).shuffle(lines)
    with psycopg.connect(test_addresses.owner) as connection, connection.cursor() as cursor:
        with cursor.copy(COPY) as copy:
            for each in lines:
                copy.write_row(each)
        connection.execute("analyze brain.recall_index")
    return everybody


def crowd() -> list[Person]:
    """People of few and of many memories, who talk about the same things in the same words."""
    chance, talk = Random(7), sayings(400, seed=7)
    sizes = [90 if number % 100 == 0 else chance.randint(1, 12) for number in range(PEOPLE)]
    return [a_person(number, chance.sample(talk, size)) for number, size in enumerate(sizes)]


def a_person(number: int, said: Sequence[Saying]) -> Person:
    scope = Scope(tenant_id=UUID(int=MANY + number % TENANTS), user_id=UUID(int=MANY + number))
    return Person(scope, tuple(rows_of(scope, said)), tuple(each.question for each in said))


def rows_of(scope: Scope, said: Sequence[Saying]) -> Iterator[IndexRow]:
    for place, each in enumerate(said):
        utterance = Utterance(
            event_id=UUID(int=(scope.user_id.int << 8) + place),
            role="user",
            speaker=f"p{place % 2}",
            text=each.text,
            occurred_at=at(place),
        )
        for row in rows_of_utterance(scope, scope.user_id, utterance, place):
            yield replace(row, embedding_model=MODEL, embedding=a_vector(each.text))


def a_vector(text: str) -> tuple[float, ...]:
    """Unit steps, which half precision holds exactly: what is compared is the search, not the rounding."""
    chance = Random(text)
    return (1.0, *(chance.choice((-1.0, 0.0, 1.0)) for _ in range(DIMENSIONS - 1)))


def line(scope: Scope, row: IndexRow) -> tuple[object, ...]:
    """One row as COPY takes it."""
    owner = scope.tenant_id, scope.key, scope.user_id, row.source_id, row.lane, row.session_id, row.position
    terms = int_array(row.terms.words), int_array(row.terms.grams), row.terms.length
    times = row.observed_at, row.valid_at, row.recorded_at
    return (*owner, row.role, row.speaker, row.text, *terms, *times, MODEL, str(list(row.embedding or ())))


def asked(text: str) -> RecallQuery:
    return replace(query_of(RecallRequest(text=text, at=LATER)), embedding=a_vector(text), embedding_model=MODEL)


def features(candidates: Sequence[CandidateRow]) -> dict[UUID, list[float]]:
    """Every number that the search found out about every row."""
    names = Features.__dataclass_fields__
    return {one.source_id: [float(getattr(one, name) or 0) for name in names] for one in candidates}


async def test_each_of_many_people_recalls_exactly_what_their_own_rows_hold(people: list[Person], database: Database):
    stored, policy, chance = PostgresIndex(database), find_policy(), Random(3)
    sample = [person for person in people if len(person.rows) > 50]
    sample += chance.sample(people, SAMPLE - len(sample))
    for person in sample:
        query = asked(chance.choice(person.questions))
        found = await stored.candidates(person.scope, query)
        exact = Corpus(map(corpus_entry, person.rows)).candidates(query)
        assert found.corpus.rows == len(person.rows)
        ours, theirs = features(found.candidates), features(exact.candidates)
        assert ours.keys() == theirs.keys()
        assert all(ours[source] == pytest.approx(theirs[source], abs=1e-6) for source in theirs)
        scores, expected = ([one.score for one in rank([each], policy, 10)] for each in (found, exact))
        assert scores == pytest.approx(expected, abs=1e-5)
        assert scores


async def test_what_one_of_many_knows_is_found_by_nobody_else(people: list[Person], database: Database):
    stored, chance = PostgresIndex(database), Random(9)
    for person in chance.sample(people, 50):
        query = asked(person.rows[0].text)
        [neighbour] = chance.sample([each for each in people if each is not person], 1)
        found = await stored.candidates(neighbour.scope, query)
        assert {one.source_id for one in found.candidates} <= {row.source_id for row in neighbour.rows}
