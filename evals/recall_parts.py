"""What one measurement of recall asks, and where the time of Brain's own goes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

from brain.recall import RecallRequest, query_of
from evals.contenders import FOUND, Contender, Query
from evals.filling import BEGINNING, MODEL, PERIOD, Person
from evals.measure import Rounds, Timing, timing
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database
from memory.postgres.index import PostgresIndex
from memory.recall.policies.registry import find_policy, rank
from memory.recall.query import RecallQuery

WORDS_ONLY = "brain, words only"


@dataclass(frozen=True)
class Field:
    """One filled table with everybody who searches it."""

    owner_url: str
    database: Database
    contenders: Mapping[str, Contender]
    questions: Sequence[Query]
    people: Mapping[int, Sequence[Person]]

    def asks(self, name: str, memories: int, number: int) -> tuple[Contender, Person, Query]:
        """The n-th question: another person and another question each time."""
        people = self.people[memories]
        return self.contenders[name], people[number % len(people)], self.questions[number % len(self.questions)]


async def parts(field: Field, memories: int, rounds: Rounds) -> dict[str, Timing]:
    """Where Brain's time goes: analysing the question, asking what changed, scoring, ranking; and what is spared."""
    seconds: dict[str, list[float]] = {name: [] for name in ("analysis", "changes", "scoring", "ranking")}
    kept = CorpusCache(first_questions=0)
    spared = [
        await _time_index_and_statement(field, memories, number, kept) for number in range(len(field.people[memories]))
    ]
    for number in range(rounds.calls):
        _, person, asked = field.asks(WORDS_ONLY, memories, number)
        begun = perf_counter()
        query = _question(asked)
        analysed = perf_counter()
        corpus = await kept.get_current(field.database, person.scope)
        assert corpus is not None
        told = perf_counter()
        found = corpus.candidates(query)
        scored = perf_counter()
        rank([found], find_policy(), FOUND)
        ends = (begun, analysed, told, scored, perf_counter())
        for name, start, end in zip(seconds, ends, ends[1:], strict=False):
            seconds[name].append(end - start)
    reading, searching = zip(*spared, strict=True)
    return {name: timing([each]) for name, each in seconds.items()} | {
        "reading all": timing([reading]),
        "the statement": timing([searching]),
    }


async def _time_index_and_statement(field: Field, memories: int, number: int, kept: CorpusCache) -> tuple[float, float]:
    """Seconds to read a person's whole index, which is then kept, and to have the statement search it."""
    _, person, asked = field.asks(WORDS_ONLY, memories, number)
    begun = perf_counter()
    while await kept.get_current(field.database, person.scope) is None:
        pass
    read = perf_counter()
    await PostgresIndex(field.database, CorpusCache(megabytes=0)).candidates(person.scope, _question(asked))
    return read - begun, perf_counter() - read


def _question(asked: Query) -> RecallQuery:
    query = query_of(RecallRequest(text=asked.text, at=BEGINNING + PERIOD, limit=FOUND))
    return replace(query, embedding=asked.vector, embedding_model=MODEL if asked.vector else "none")
