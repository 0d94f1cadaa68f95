"""One scope's rows of the recall index, held ready in arrays: the ``recall`` statement without reading the rows again.

The in-memory store answers with it, and PostgreSQL's for people who are talking; a contract test holds all to the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from operator import attrgetter
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from memory.frozen import frozen
from memory.index_rows import IndexRow, Searchable
from memory.lexical_question import Question
from memory.ranking.company import Brought, Numbers, Places, Scan, best, brought
from memory.ranking.legs import LEADERS, legs_of
from memory.ranking.postings import Ints, Postings
from memory.ranking.vectors import Floats, Vectors
from memory.ranking.visible import is_plain, visible
from memory.recall_query import NO_MODEL, Candidate, CorpusStats, Features, Filters, RecallPass, RecallQuery

K1 = 0.9
B = 0.4
"""BM25's saturation and length normalisation; short turns want little of either. A repeated term counts once."""

_COLUMNS = np.dtype(
    [
        ("active", np.bool_),
        ("asks", np.bool_),
        ("ends", np.float64),
        ("length", np.int32),
        ("thread", np.int32),
        ("position", np.int32),
        ("voice", np.int32),
    ]
)
_BYTES_OF_ROW = 2_500
"""A searchable thing in Python objects, its text included."""
_FEATURES = tuple(field.name for field in fields(Features))
_OF_THE_ROW = tuple(field.name for field in fields(Candidate) if field.name not in _FEATURES)
_shown = attrgetter(*_OF_THE_ROW)


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A searchable thing and by what it is found, packed: sorted int32 hashes, and its vector if it has one."""

    row: Searchable
    words: Ints
    grams: Ints
    length: int
    model: str = NO_MODEL
    vector: Floats | None = None


class Corpus:
    """Rows that may be changed and added to, never taken away: what was removed takes a new corpus."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._rows: list[Searchable] = []
        self._words: list[Ints] = []
        self._models: list[str] = []
        self._numbers: dict[UUID, int] = {}
        self._codes: dict[str | bytes, int] = {}
        self._asking: dict[str, list[int]] = {}
        self._places: list[tuple[bytes, int, int]] = []
        self._order: Places = np.empty(0, np.intp)
        self._columns = np.empty(0, _COLUMNS)
        self._postings = Postings.none()
        self._vectors: dict[str, Vectors] = {}
        self.update(entries)

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        held = sum(each.lines.nbytes for each in self._vectors.values())
        return held + 2 * (self._postings.terms.nbytes + self._postings.rows.nbytes) + _BYTES_OF_ROW * len(self._rows)

    def update(self, entries: Iterable[Entry]) -> None:
        """Rows as they stand now. One that is held already keeps its words and its place; all else may have changed."""
        fresh: list[Entry] = []
        for entry in entries:
            if entry.row.source_id in self._numbers:
                self._renew(entry)
            else:
                self._numbers[entry.row.source_id] = len(self._rows) + len(fresh)
                fresh.append(entry)
        if fresh:
            self._append(fresh)

    def candidates(self, query: RecallQuery) -> RecallPass:
        """One pass over what the query may see. Raises ``E_DIM_MISMATCH``."""
        numbers = self._visible(query)
        if not numbers.size:
            return RecallPass(query=query)
        columns = self._columns[numbers]
        stats = CorpusStats(rows=len(numbers), mean_length=max(1.0, float(columns["length"].mean())))
        scan = self._scan(numbers, columns, query, stats)
        found = brought(scan)
        if not found.places.size:
            return RecallPass(query=query)
        return RecallPass(query=query, candidates=self._candidates(scan, found, query), corpus=stats)

    def _renew(self, entry: Entry) -> None:
        number, row = self._numbers[entry.row.source_id], entry.row
        self._rows[number] = row
        self._columns["active"][number], self._columns["ends"][number] = row.active, _ends(row)
        if self._models[number] not in (NO_MODEL, entry.model):
            self._vectors[self._models[number]].drop(number)
        self._place_vector(number, entry)

    def _append(self, fresh: Sequence[Entry]) -> None:
        first = len(self._rows)
        self._rows += [entry.row for entry in fresh]
        self._words += [entry.words for entry in fresh]
        self._models += [NO_MODEL] * len(fresh)
        self._columns = np.concatenate([self._columns, np.array([self._column(each) for each in fresh], _COLUMNS)])
        self._postings.add(first, [np.concatenate([entry.words, entry.grams]) for entry in fresh])
        for number, entry in enumerate(fresh, first):
            self._place_vector(number, entry)
            self._places.append((*_place(entry.row), number))
            if entry.row.lane == "turn" and _asks(entry.row):
                self._asking.setdefault(entry.row.text, []).append(number)
        self._places.sort()
        self._order = np.fromiter((number for _, _, number in self._places), np.intp, len(self._places))

    def _column(self, entry: Entry) -> tuple[object, ...]:
        row, (thread, position) = entry.row, _place(entry.row)
        codes = self._code(thread), position, self._code(row.speaker)
        return (row.active, _asks(row), _ends(row), entry.length, *codes)

    def _code(self, name: str | bytes) -> int:
        return self._codes.setdefault(name, len(self._codes))

    def _place_vector(self, number: int, entry: Entry) -> None:
        self._models[number] = entry.model
        if entry.vector is not None:
            held = self._vectors.setdefault(entry.model, Vectors.of(len(entry.vector)))
            held.put(number, entry.vector)

    def _visible(self, query: RecallQuery) -> Places:
        """Numbers of the rows that the query may see, in order of their place."""
        if is_plain(query) and query.filters == Filters():
            seen = self._columns["active"] & (self._columns["ends"] > query.at.timestamp())
            seen[self._asking.get(query.text, [])] = False
        else:
            seen = np.fromiter((visible(row, query) for row in self._rows), np.bool_, len(self._rows))
        return self._order[seen[self._order]]

    def _scan(self, numbers: Places, columns: NDArray[np.void], query: RecallQuery, stats: CorpusStats) -> Scan:
        lexical, coverage = self._bm25(numbers, columns["length"] / stats.mean_length, query.question)
        cosine = self._cosines(numbers, query)
        vector = np.nan_to_num(cosine).clip(0.0)
        vector /= vector.max() or 1.0
        legs = legs_of(query)
        return Scan(
            numbers=numbers,
            **{name: columns[name] for name in ("thread", "position", "voice", "asks")},
            lexical=lexical,
            coverage=coverage,
            cosine=cosine,
            vector=vector,
            own=legs.lexical * lexical + legs.vector * vector,
        )

    def _bm25(self, numbers: Places, lengths: Numbers, asked: Question) -> tuple[Numbers, Numbers]:
        """Per row its share of the best BM25, averaged over sub-questions, and how much of the question it covers."""
        rows, place = len(numbers), np.full(len(self._rows), -1)
        place[numbers] = np.arange(rows)
        found = self._postings.matches(np.array(asked.terms, np.int32))
        places, terms = place[found.rows], found.asked
        places, terms = places[places >= 0], terms[places >= 0]
        seen = np.bincount(terms, minlength=len(asked.terms))
        points = np.array(asked.weights) * np.log(1 + (rows - seen + 0.5) / (seen + 0.5))
        parts = np.array(asked.parts_of_terms, np.intp)[terms]
        covered = np.bincount(parts * rows + places, points[terms], asked.parts * rows).reshape(asked.parts, rows)
        scores = covered / (1 + K1 * (1 - B + B * lengths))
        most = scores.max(axis=1, keepdims=True)
        shares = np.divide(scores, most, out=np.zeros_like(scores), where=most > 0)
        return shares.sum(axis=0) / asked.parts, covered.sum(axis=0) / (points.sum() or 1.0)

    def _cosines(self, numbers: Places, query: RecallQuery) -> Numbers:
        held = self._vectors.get(query.embedding_model)
        if query.embedding is None or held is None:
            return np.full(len(numbers), np.nan)
        return held.cosines(np.array(query.embedding, np.float32), len(self._rows))[numbers]

    def _candidates(self, scan: Scan, found: Brought, query: RecallQuery) -> tuple[Candidate, ...]:
        """The rows that are brought, best own score first."""
        numbers = scan.numbers[found.places].tolist()
        features = zip(*_features(scan, found, self._kin(scan, numbers, query)), strict=True)
        made = (
            frozen(Candidate, (*_FEATURES, *_OF_THE_ROW), (*values, *_shown(self._rows[number])))
            for number, values in zip(numbers, features, strict=True)
        )
        return tuple(sorted(made, key=lambda one: (-one.own, one.source_id.int)))

    def _kin(self, scan: Scan, numbers: Sequence[int], query: RecallQuery) -> list[float]:
        """How much of what a leading row says beyond the question each row says too, times the leader's weight."""
        kin, leaders = np.zeros(len(numbers)), best(scan.own, LEADERS)
        said, of_row = _joined([self._words[number] for number in numbers])
        for leader in leaders.tolist():
            further = np.setdiff1d(self._words[scan.numbers[leader]], query.question.terms, assume_unique=False)
            if further.size:
                shared = np.bincount(of_row[np.isin(said, further)], minlength=len(numbers))
                shared[np.equal(numbers, scan.numbers[leader])] = 0
                kin = np.maximum(kin, scan.own[leader] / scan.own[leaders[0]] * shared / further.size)
        return kin.tolist()


def candidates_of(rows: Sequence[IndexRow], query: RecallQuery) -> RecallPass:
    """One pass over the rows of a scope. Raises ``E_DIM_MISMATCH``."""
    return Corpus(entry_of(row) for row in rows).candidates(query)


def entry_of(row: IndexRow) -> Entry:
    """A row as the store was given it."""
    return Entry(
        row=row,
        words=np.array(row.terms.words, np.int32),
        grams=np.array(row.terms.grams, np.int32),
        length=row.terms.length,
        model=row.embedding_model,
        vector=None if row.embedding is None else np.array(row.embedding, np.float32),
    )


def _place(row: Searchable) -> tuple[bytes, int]:
    """The thread and the position in it; what has no position is a thread of its own."""
    return (row.source_id.bytes, 0) if row.position is None else ((row.session_id or row.source_id).bytes, row.position)


def _asks(row: Searchable) -> bool:
    return "?" in row.text or "？" in row.text


def _ends(row: Searchable) -> float:
    return np.inf if row.invalid_at is None else row.invalid_at.timestamp()


def _joined(words: Sequence[Ints]) -> tuple[Ints, Places]:
    return np.concatenate(words), np.repeat(np.arange(len(words)), [len(each) for each in words])


def _features(scan: Scan, found: Brought, kin: list[float]) -> list[list[object]]:
    """The columns of ``Features``, in its order, for the rows that are brought."""
    columns: Mapping[str, list[object]] = {
        **{name: getattr(scan, name)[found.places].tolist() for name in ("lexical", "vector", "coverage", "own")},
        **{name: column.tolist() for name, column in vars(found).items()},
        "cosine": [None if value != value else value for value in scan.cosine[found.places].tolist()],
        "kin": list(kin),
    }
    return [columns[name] for name in _FEATURES]
