"""The recall statement in plain Python: the in-memory store answers with it, a contract test holds both together."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, fields
from math import log, sqrt
from uuid import UUID

from memory.index_rows import IndexRow
from memory.lexical_question import Question
from memory.ranking.legs import BROUGHT, LEADERS, LEG_REACH, REACH, legs_of
from memory.ranking.visible import visible
from memory.recall_query import Candidate, CorpusStats, Features, RecallPass, RecallQuery

K1 = 0.9
B = 0.4
"""BM25's saturation and length normalisation; short turns want little of either. A repeated term counts once."""


STEP = 2
"""A neighbour is the next indexed turn, at most this many positions away."""


@dataclass(frozen=True)
class _Scored:
    row: IndexRow
    lexical: float
    coverage: float
    cosine: float | None
    vector: float
    own: float

    @property
    def place(self) -> tuple[UUID, int]:
        """The thread and the position in it; what has no position is a thread of its own."""
        row = self.row
        return (row.source_id, 0) if row.position is None else (row.session_id or row.source_id, row.position)

    @property
    def asks(self) -> bool:
        return "?" in self.row.text or "？" in self.row.text


@dataclass(frozen=True)
class _Leader:
    """One of the best rows: its share of the best score, and its words beyond the question."""

    row: IndexRow
    weight: float
    words: frozenset[int]

    def kinship(self, row: IndexRow) -> float:
        """How much of what the leader says beyond the question the row says too."""
        if row is self.row or not self.words:
            return 0.0
        return self.weight * len(self.words.intersection(row.terms.words)) / len(self.words)


@dataclass(frozen=True)
class _Company:
    """A row among the turns around it."""

    one: _Scored
    before: _Scored | None
    before_2: _Scored | None
    after: _Scored | None
    after_2: _Scored | None

    @property
    def asked(self) -> bool:
        return self.before is not None and self.before.asks

    @property
    def roughly(self) -> float:
        """Own score and company, as the statement sums them to decide who is returned."""
        company = 0.2 * (_of(self.before) + _of(self.after)) + 0.1 * (_of(self.before_2) + _of(self.after_2))
        return self.one.own + company + (0.3 * _of(self.before) if self.asked else 0.0)

    def is_or_is_beside(self, seeds: set[tuple[UUID, int]]) -> bool:
        return any(each is not None and each.place in seeds for each in (self.one, self.before, self.after))


def candidates_of(rows: Sequence[IndexRow], query: RecallQuery) -> RecallPass:
    """One pass over the rows a scope may see: the same candidates and features as the ``recall`` statement."""
    seen = [row for row in rows if visible(row, query)]
    if not seen:
        return RecallPass(query=query)
    corpus = CorpusStats(rows=len(seen), mean_length=max(1.0, sum(row.terms.length for row in seen) / len(seen)))
    scored = _score(seen, query, corpus)
    leaders = _leaders(scored, frozenset(query.question.terms))
    found = sorted((_candidate(one, leaders) for one in _brought(scored)), key=_by_own)
    return RecallPass(query=query, candidates=tuple(found), corpus=corpus) if found else RecallPass(query=query)


def _by_own(candidate: Candidate) -> tuple[float, UUID]:
    return (-candidate.own, candidate.source_id)


def _score(rows: Sequence[IndexRow], query: RecallQuery, corpus: CorpusStats) -> list[_Scored]:
    shares, coverage = _bm25(rows, query.question, corpus)
    cosines = [_cosine(row, query) for row in rows]
    best = max((cosine for cosine in cosines if cosine is not None), default=0.0)
    legs, scored = legs_of(query), list[_Scored]()
    for row, share, covered, cosine in zip(rows, shares, coverage, cosines, strict=True):
        vector = max(cosine, 0.0) / best if cosine is not None and best > 0 else 0.0
        scored.append(_Scored(row, share, covered, cosine, vector, legs.lexical * share + legs.vector * vector))
    return scored


def _bm25(rows: Sequence[IndexRow], asked: Question, corpus: CorpusStats) -> tuple[list[float], list[float]]:
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


def _leaders(scored: Sequence[_Scored], asked: frozenset[int]) -> list[_Leader]:
    best = _best(scored, _own, LEADERS)
    return [_Leader(one.row, one.own / best[0].own, frozenset(one.row.terms.words) - asked) for one in best]


def _best(scored: Sequence[_Scored], score: Callable[[_Scored], float], limit: int) -> list[_Scored]:
    able = [one for one in scored if score(one) > 0]
    return sorted(able, key=lambda one: (-score(one), one.place))[:limit]


def _own(one: _Scored) -> float:
    return one.own


def _lexical(one: _Scored) -> float:
    return one.lexical


def _cosine_of(one: _Scored) -> float:
    return one.cosine or 0.0


def _brought(scored: Sequence[_Scored]) -> list[_Company]:
    """What the legs found, and the best of the rest by their own score and their company."""
    legs = (*_best(scored, _lexical, LEG_REACH), *_best(scored, _cosine_of, LEG_REACH))
    of_a_leg = {one.place for one in legs}
    seeds = of_a_leg | {one.place for one in _best(scored, _own, REACH)}
    chosen = [one for one in _near(scored, seeds) if one.is_or_is_beside(seeds)]
    return sorted(chosen, key=lambda one: (one.one.place not in of_a_leg, -one.roughly, one.one.place))[:BROUGHT]


def _near(scored: Sequence[_Scored], seeds: set[tuple[UUID, int]]) -> Iterator[_Company]:
    """The seeds and up to three positions to either side, each with the neighbours it has among them."""
    places = {(thread, position + step) for thread, position in seeds for step in range(-3, 4)}
    near = sorted((one for one in scored if one.place in places), key=lambda one: one.place)
    for number, one in enumerate(near):
        yield _Company(one, *(_neighbour(near, number, step) for step in (-1, -2, 1, 2)))


def _neighbour(near: Sequence[_Scored], number: int, step: int) -> _Scored | None:
    other = number + step
    if not 0 <= other < len(near):
        return None
    (thread, position), (its_thread, its_position) = near[number].place, near[other].place
    return near[other] if its_thread == thread and abs(its_position - position) <= STEP * abs(step) else None


def _of(one: _Scored | None) -> float:
    return 0.0 if one is None else one.own


def _candidate(found: _Company, leaders: Sequence[_Leader]) -> Candidate:
    one, speaker = found.one, found.one.row.speaker
    return Candidate(
        **{name: getattr(one.row, name) for name in _OF_THE_ROW},
        lexical=one.lexical,
        cosine=one.cosine,
        vector=one.vector,
        coverage=one.coverage,
        own=one.own,
        before=_of(found.before),
        before_2=_of(found.before_2),
        after=_of(found.after),
        after_2=_of(found.after_2),
        replies=found.before is not None and found.before.row.speaker != speaker,
        replied=found.after is not None and found.after.row.speaker != speaker,
        asked=found.asked,
        kin=max((leader.kinship(one.row) for leader in leaders), default=0.0),
    )


_OF_THE_ROW = tuple({field.name for field in fields(Candidate)} - {field.name for field in fields(Features)})
