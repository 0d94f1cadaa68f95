"""The recall statement in plain Python: the in-memory store answers with it, a contract test holds both together."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from math import log, sqrt
from uuid import UUID

from memory.index_rows import IndexRow
from memory.lexical_question import Question
from memory.ranking.legs import LEADERS, LEG_REACH, REACH, legs_of
from memory.ranking.visible import visible
from memory.recall_query import Candidate, CorpusStats, Features, RecallPass, RecallQuery

K1 = 0.9
B = 0.4
"""BM25's saturation and length normalisation; short turns want little of either. A repeated term counts once."""


@dataclass(frozen=True)
class _Scored:
    row: IndexRow
    lexical: float
    coverage: float
    cosine: float | None
    vector: float
    own: float

    @property
    def asks(self) -> bool:
        return "?" in self.row.text or "？" in self.row.text


@dataclass(frozen=True)
class _Leader:
    """One of the best rows: its share of the best score, and its words beyond the question."""

    number: int
    weight: float
    words: frozenset[int]

    def kinship(self, row: IndexRow) -> float:
        return self.weight * len(self.words.intersection(row.terms.words)) / len(self.words) if self.words else 0.0


def candidates_of(rows: Sequence[IndexRow], query: RecallQuery) -> RecallPass:
    """One pass over the rows a scope may see: the same candidates and features as the ``recall`` statement."""
    seen = sorted((row for row in rows if visible(row, query)), key=_place)
    if not seen:
        return RecallPass(query=query)
    corpus = CorpusStats(rows=len(seen), mean_length=max(1.0, sum(row.terms.length for row in seen) / len(seen)))
    scored = _score(seen, query, corpus)
    leaders = _leaders(scored, frozenset(query.question.terms))
    found = (_candidate(scored, number, leaders) for number in _chosen(scored))
    ordered = sorted(found, key=lambda each: (-each.own, each.source_id))
    return RecallPass(query=query, candidates=tuple(ordered), corpus=corpus)


def _place(row: IndexRow) -> tuple[UUID, int]:
    """Turns of a session stand in order; what has no position stands alone."""
    return (row.source_id, 0) if row.position is None else (row.session_id or _NOWHERE, row.position)


_NOWHERE = UUID(int=(1 << 128) - 1)


def _score(rows: Sequence[IndexRow], query: RecallQuery, corpus: CorpusStats) -> list[_Scored]:
    shares, coverage = _lexical(rows, query.question, corpus)
    cosines = [_cosine(row, query) for row in rows]
    best = max((cosine for cosine in cosines if cosine is not None), default=0.0)
    legs, scored = legs_of(query), list[_Scored]()
    for row, share, covered, cosine in zip(rows, shares, coverage, cosines, strict=True):
        vector = max(cosine, 0.0) / best if cosine is not None and best > 0 else 0.0
        scored.append(_Scored(row, share, covered, cosine, vector, legs.lexical * share + legs.vector * vector))
    return scored


def _lexical(rows: Sequence[IndexRow], asked: Question, corpus: CorpusStats) -> tuple[list[float], list[float]]:
    """Per row its share of the best BM25, averaged over the sub-questions, and how much of the question it covers."""
    terms = [row.terms.words + row.terms.grams for row in rows]
    seen = Counter(term for row_terms in terms for term in row_terms)
    shares, covered, everything = [0.0] * len(rows), [0.0] * len(rows), 0.0
    for part in range(asked.parts):
        points = _points(asked, part, lambda term: _rarity(corpus.rows, seen[term]))
        matched = [sum(points[term] for term in row_terms if term in points) for row_terms in terms]
        scores = [found * _brevity(row, corpus) for found, row in zip(matched, rows, strict=True)]
        best = max(scores) or 1.0
        shares = [share + score / best / asked.parts for share, score in zip(shares, scores, strict=True)]
        covered = [sum(pair) for pair in zip(covered, matched, strict=True)]
        everything += sum(points.values())
    return shares, [found / everything if everything else 0.0 for found in covered]


def _points(asked: Question, part: int, rarity: Callable[[int], float]) -> dict[int, float]:
    """What each term of one sub-question is worth."""
    columns = zip(asked.terms, asked.parts_of_terms, asked.weights, strict=True)
    return {term: weight * rarity(term) for term, belongs, weight in columns if belongs == part}


def _rarity(rows: int, seen: int) -> float:
    return log(1 + (rows - seen + 0.5) / (seen + 0.5))


def _brevity(row: IndexRow, corpus: CorpusStats) -> float:
    return (K1 + 1) / (1 + K1 * (1 - B + B * row.terms.length / corpus.mean_length))


def _cosine(row: IndexRow, query: RecallQuery) -> float | None:
    """None when either side has no vector or they come from different models."""
    if row.embedding is None or query.embedding is None or row.embedding_model != query.embedding_model:
        return None
    product = sum(a * b for a, b in zip(row.embedding, query.embedding, strict=True))
    size = sqrt(sum(a * a for a in row.embedding) * sum(b * b for b in query.embedding))
    return product / size if size else None


def _chosen(scored: Sequence[_Scored]) -> set[int]:
    """The best by own score and by leg, and the turns beside them: an answer may share no word with its question."""
    seeds = {
        *_best(scored, lambda each: each.own, REACH),
        *_best(scored, lambda each: each.lexical, LEG_REACH),
        *_best(scored, lambda each: each.cosine if each.cosine is not None else 0.0, LEG_REACH),
    }
    return seeds | {beside for seed in seeds for beside in _beside(scored, seed, (-1, 1))}


def _leaders(scored: Sequence[_Scored], asked: frozenset[int]) -> list[_Leader]:
    numbers = _best(scored, lambda each: each.own, LEADERS)
    best = max((scored[number].own for number in numbers), default=1.0)
    return [
        _Leader(number, scored[number].own / best, frozenset(scored[number].row.terms.words) - asked)
        for number in numbers
    ]


def _best(scored: Sequence[_Scored], score: Callable[[_Scored], float], limit: int) -> list[int]:
    able = [number for number in range(len(scored)) if score(scored[number]) > 0]
    return sorted(able, key=lambda number: (-score(scored[number]), number))[:limit]


def _beside(scored: Sequence[_Scored], number: int, steps: Iterable[int]) -> Iterator[int]:
    """Numbers of the rows that many steps away in the same session."""
    row = scored[number].row
    for step in steps:
        other = number + step
        if row.position is None or row.session_id is None or not 0 <= other < len(scored):
            continue
        if scored[other].row.position is not None and scored[other].row.session_id == row.session_id:
            yield other


def _candidate(scored: Sequence[_Scored], number: int, leaders: Sequence[_Leader]) -> Candidate:
    one = scored[number]
    own = {step: _own_at(scored, number, step) for step in (-2, -1, 1, 2)}
    return Candidate(
        **{name: getattr(one.row, name) for name in _OF_THE_ROW},
        lexical=one.lexical,
        cosine=one.cosine,
        vector=one.vector,
        coverage=one.coverage,
        own=one.own,
        before=own[-1],
        before_2=own[-2],
        after=own[1],
        after_2=own[2],
        replies=any(scored[other].row.speaker != one.row.speaker for other in _beside(scored, number, (-1,))),
        replied=any(scored[other].row.speaker != one.row.speaker for other in _beside(scored, number, (1,))),
        asked=any(scored[other].asks for other in _beside(scored, number, (-1,))),
        kin=max((leader.kinship(one.row) for leader in leaders if leader.number != number), default=0.0),
    )


def _own_at(scored: Sequence[_Scored], number: int, step: int) -> float:
    return next((scored[other].own for other in _beside(scored, number, (step,))), 0.0)


_OF_THE_ROW = tuple({field.name for field in fields(Candidate)} - {field.name for field in fields(Features)})
