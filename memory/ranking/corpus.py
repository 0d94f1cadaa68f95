"""One scope's rows of the recall index, held ready in arrays: the ``recall`` statement without reading the rows again.

The in-memory store answers with it, and PostgreSQL's for people who are talking; a contract test holds all to the same.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from uuid import UUID

import numpy as np

from memory.frozen import frozen
from memory.index_rows import IndexRow, Searchable
from memory.lexical_question import Question
from memory.ranking.columns import Columns, Places
from memory.ranking.company import Brought, Numbers, Scan, best, brought
from memory.ranking.legs import LEADERS, legs_of
from memory.ranking.postings import Ints, Postings
from memory.ranking.vectors import Floats, Vectors
from memory.ranking.visible import visible
from memory.recall_query import NO_MODEL, Candidate, CorpusStats, Features, RecallPass, RecallQuery

K1 = 0.9
B = 0.4
"""BM25's saturation and length normalisation; short turns want little of either. A repeated term counts once."""

_BYTES_OF_ROW = 2_500
"""A searchable thing in Python objects, its text included."""
_FEATURES = tuple(field.name for field in fields(Features))
_NO_TERMS: Ints = np.empty(0, np.int32)
_SHOWN = tuple(field.name for field in fields(Searchable))


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
    """Rows that come, change and go. What went leaves a gap: a corpus that is mostly gaps is better made anew."""

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._rows: dict[int, Searchable] = {}
        self._words: list[Ints] = []
        self._models: list[str] = []
        self._numbers: dict[UUID, int] = {}
        self._columns = Columns()
        self._postings = Postings.none()
        self._vectors: dict[str, Vectors] = {}
        self.update(list(entries))

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        held = sum(each.lines.nbytes for each in self._vectors.values())
        return held + 2 * (self._postings.terms.nbytes + self._postings.rows.nbytes) + _BYTES_OF_ROW * len(self._rows)

    def update(self, entries: Sequence[Entry]) -> None:
        """Rows as they stand now: new ones, and changed ones. With other words it is another row in the same place."""
        self.remove([entry.row.source_id for entry in entries if self._is_reworded(entry)])
        changed, fresh, first = dict[int, Entry](), list[Entry](), len(self._columns)
        for entry in entries:
            number = self._numbers.setdefault(entry.row.source_id, first + len(fresh))
            if number < first:
                self._columns.renew(number, entry.row)
            else:
                fresh.append(entry)
            changed[number] = entry
        self._rows.update((number, entry.row) for number, entry in changed.items())
        if fresh:
            self._append(fresh)
        self._place_vectors(changed)

    def remove(self, sources: Sequence[UUID]) -> None:
        """Rows that are gone, and all that was kept of them but gaps; unknown ones were never here."""
        gone = [self._numbers.pop(source) for source in sources if source in self._numbers]
        for number in gone:
            del self._rows[number]
            self._words[number] = _NO_TERMS
        self._columns.remove(gone)

    @property
    def is_mostly_gone(self) -> bool:
        """Whether there are more gaps than rows."""
        return 2 * len(self._rows) < len(self._columns)

    def candidates(self, query: RecallQuery) -> RecallPass:
        """One pass over what the query may see. Raises ``E_DIM_MISMATCH``."""
        order = self._columns.in_order
        numbers = order[visible(self._columns, query)[order]]
        if not numbers.size:
            return RecallPass(query=query)
        lengths = self._columns["length"][numbers]
        stats = CorpusStats(rows=len(numbers), mean_length=max(1.0, float(lengths.mean())))
        scan = self._scan(numbers, lengths / stats.mean_length, query)
        found = brought(scan)
        if not found.places.size:
            return RecallPass(query=query)
        return RecallPass(query=query, candidates=self._candidates(scan, found, query), corpus=stats)

    def _is_reworded(self, entry: Entry) -> bool:
        number = self._numbers.get(entry.row.source_id)
        return number is not None and self._rows[number].text != entry.row.text

    def _append(self, fresh: Sequence[Entry]) -> None:
        first = len(self._columns)
        self._words += [entry.words for entry in fresh]
        self._models += [NO_MODEL] * len(fresh)
        self._columns.add([entry.row for entry in fresh], [entry.length for entry in fresh])
        self._postings.add(first, [np.concatenate([entry.words, entry.grams]) for entry in fresh])

    def _place_vectors(self, changed: Mapping[int, Entry]) -> None:
        """A row has a vector of one model at most."""
        by_model: dict[str, dict[int, Floats]] = {}
        for number, entry in changed.items():
            if self._models[number] not in (NO_MODEL, entry.model):
                self._vectors[self._models[number]].drop(number)
            self._models[number] = entry.model
            if entry.vector is not None:
                by_model.setdefault(entry.model, {})[number] = entry.vector
        for model, vectors in by_model.items():
            lines = np.stack(list(vectors.values()))
            self._vectors.setdefault(model, Vectors.of(lines.shape[1])).put(list(vectors), lines)

    def _scan(self, numbers: Places, lengths: Numbers, query: RecallQuery) -> Scan:
        lexical, coverage = self._bm25(numbers, lengths, query.question)
        cosine = self._cosines(numbers, query)
        vector = np.nan_to_num(cosine).clip(0.0)
        vector /= vector.max() or 1.0
        legs = legs_of(query)
        return Scan(
            numbers=numbers,
            **{name: self._columns[name][numbers] for name in ("thread", "position", "speaker", "asks")},
            lexical=lexical,
            coverage=coverage,
            cosine=cosine,
            vector=vector,
            own=legs.lexical * lexical + legs.vector * vector,
        )

    def _bm25(self, numbers: Places, lengths: Numbers, asked: Question) -> tuple[Numbers, Numbers]:
        """Per row its share of the best BM25, averaged over sub-questions, and how much of the question it covers."""
        rows, place = len(numbers), np.full(len(self._columns), -1)
        place[numbers] = np.arange(rows)
        found = self._postings.matches(np.array(asked.terms, np.int32))
        places, terms = place[found.rows], found.asked
        places, terms = places[places >= 0], terms[places >= 0]
        seen = np.bincount(terms, minlength=len(asked.terms))
        points = np.array(asked.weights) * np.log(1 + (rows - seen + 0.5) / (seen + 0.5))
        parts = np.array(asked.parts_of_terms, np.intp)[terms]
        covered = _table(parts, places, (asked.parts, rows), points[terms])
        scores = covered / (1 + K1 * (1 - B + B * lengths))
        most = scores.max(axis=1, keepdims=True)
        shares = np.divide(scores, most, out=np.zeros_like(scores), where=most > 0)
        return shares.sum(axis=0) / asked.parts, covered.sum(axis=0) / (points.sum() or 1.0)

    def _cosines(self, numbers: Places, query: RecallQuery) -> Numbers:
        held = self._vectors.get(query.embedding_model)
        if query.embedding is None or held is None:
            return np.full(len(numbers), np.nan)
        return held.cosines(np.array(query.embedding, np.float32), len(self._columns))[numbers]

    def _candidates(self, scan: Scan, found: Brought, query: RecallQuery) -> tuple[Candidate, ...]:
        """The rows that are brought, best own score first."""
        numbers: list[int] = scan.numbers[found.places].tolist()
        features = zip(*_features(scan, found, self._kin(scan, query)[numbers]), strict=True)
        made = (
            frozen(Candidate, vars(self._rows[number]) | dict(zip(_FEATURES, values, strict=True)))
            for number, values in zip(numbers, features, strict=True)
        )
        return tuple(sorted(made, key=lambda one: (-one.own, one.source_id.int)))

    def _kin(self, scan: Scan, query: RecallQuery) -> Numbers:
        """By row number, how much of what a leading row says further it says too, times the leader's weight."""
        leaders = best(scan.own, LEADERS)
        numbers, weights = scan.numbers[leaders], scan.own[leaders] / scan.own[leaders[:1]]
        further = [self._further(number, query.question) for number in numbers.tolist()]
        sizes = [len(each) for each in further]
        found = self._postings.matches(np.concatenate([_NO_TERMS, *further]))
        of_leader = np.repeat(np.arange(len(sizes)), sizes)[found.asked]
        shared = _table(of_leader, found.rows, (len(sizes), len(self._columns)))
        shared[np.arange(len(sizes)), numbers] = 0
        return (shared * (weights / np.maximum(sizes, 1))[:, None]).max(axis=0, initial=0.0)

    def _further(self, number: int, question: Question) -> Ints:
        """The words of a row beyond the question."""
        words = self._words[number]
        return words[~np.isin(words, question.terms)]


def candidates_of(rows: Sequence[IndexRow], query: RecallQuery) -> RecallPass:
    """One pass over the rows of a scope. Raises ``E_DIM_MISMATCH``."""
    return Corpus(entry_of(row) for row in rows).candidates(query)


def entry_of(row: IndexRow) -> Entry:
    """A row as the store was given it."""
    return Entry(
        row=frozen(Searchable, {name: getattr(row, name) for name in _SHOWN}),
        words=np.array(row.terms.words, np.int32),
        grams=np.array(row.terms.grams, np.int32),
        length=row.terms.length,
        model=row.embedding_model,
        vector=None if row.embedding is None else np.array(row.embedding, np.float32),
    )


def _table(lines: Places, columns: Ints, shape: tuple[int, int], weights: Numbers | None = None) -> Numbers:
    """Pairs added up in a table, each with its weight or as one."""
    cells: Numbers = np.bincount(lines * shape[1] + columns, weights, shape[0] * shape[1]).astype(np.float64)
    return cells.reshape(shape)


def _features(scan: Scan, found: Brought, kin: Numbers) -> list[list[object]]:
    """The columns of ``Features``, in its order, for the rows that are brought."""
    columns: Mapping[str, list[object]] = {
        **{name: getattr(scan, name)[found.places].tolist() for name in ("lexical", "vector", "coverage", "own")},
        **{name: column.tolist() for name, column in vars(found).items()},
        "cosine": [None if value != value else value for value in scan.cosine[found.places].tolist()],
        "kin": kin.tolist(),
    }
    return [columns[name] for name in _FEATURES]
