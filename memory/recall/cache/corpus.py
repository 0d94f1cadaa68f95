"""One scope's rows of the recall index, held ready in arrays: the ``recall`` statement without reading the rows again.

It answers for people who are talking; a contract test holds it to what the statement brings.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, fields
from uuid import UUID

import numpy as np

from memory.embedding import dimension_mismatch_error
from memory.frozen_dataclass import build_frozen
from memory.index_rows import IndexRow, Searchable
from memory.recall.cache.columns import Columns
from memory.recall.cache.expansion import Leader, expansion_scores
from memory.recall.cache.neighbours import Selection, best, select_rows
from memory.recall.cache.view import View
from memory.recall.cache.visibility import visibility_mask
from memory.recall.query import NO_MODEL, CandidateRow, RecallPass, RecallQuery
from memory.recall.weights import LEADERS, recall_reach, retriever_weights
from retrieval.postings import Ints, Postings
from retrieval.scores import Numbers, Scores, score_rows
from retrieval.vectors import DimensionMismatch, Floats, Vectors

_BYTES_OF_ROW = 2_500
"""A searchable thing in Python objects, its text included."""
_FEATURES = (
    *("cosine", "lexical", "vector", "coverage", "own", "replies", "replied", "asked"),
    *("before", "before_2", "after", "after_2", "kin"),
)
_NO_TERMS: Ints = np.empty(0, np.int32)
_SHOWN_FIELDS = tuple(field.name for field in fields(Searchable))


@dataclass(frozen=True, kw_only=True)
class CorpusEntry:
    """A searchable thing and by what it is found, packed: sorted int32 hashes, and its vector if it has one."""

    row: Searchable
    words: Ints
    grams: Ints
    length: int
    model: str = NO_MODEL
    vector: Floats | None = None


class Corpus:
    """Rows that come, change and go. What went leaves a gap: a corpus that is mostly gaps is better made anew."""

    def __init__(self, entries: Iterable[CorpusEntry] = ()) -> None:
        self._rows: dict[int, Searchable] = {}
        self._words: list[Ints] = []
        self._models: list[str] = []
        self._numbers: dict[UUID, int] = {}
        self._columns = Columns()
        self._postings = Postings.none()
        self._vectors: dict[str, Vectors] = {}
        self._view: View | None = None
        self._further_passages = 0
        self._passages: dict[UUID, list[int]] = {}
        self.update(list(entries))

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def turns(self) -> int:
        """How many rows there are when a long turn counts as one."""
        return len(self._rows) - self._further_passages

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        held = sum(each.lines.nbytes for each in self._vectors.values())
        return held + 2 * (self._postings.terms.nbytes + self._postings.rows.nbytes) + _BYTES_OF_ROW * len(self._rows)

    def update(self, entries: Sequence[CorpusEntry]) -> None:
        """Rows as they stand now: new ones, and changed ones. With other words it is another row in the same place."""
        if not entries:
            return
        self._view = None
        self.remove([entry.row.source_id for entry in entries if self._has_new_text(entry)])
        changed, fresh, first = dict[int, CorpusEntry](), list[CorpusEntry](), len(self._columns)
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
        if not gone:
            return
        self._view = None
        left = {self._models[number] for number in gone} - {NO_MODEL}
        for number in gone:
            row = self._rows.pop(number)
            self._further_passages -= _is_further_passage(row)
            if row.event_id is not None:
                self._passages[row.event_id].remove(number)
            self._words[number] = _NO_TERMS
            self._models[number] = NO_MODEL
        self._columns.remove(gone)
        self._drop_models(left)

    @property
    def is_mostly_gaps(self) -> bool:
        """Whether there are more gaps than rows."""
        return 2 * len(self._rows) < len(self._columns)

    def candidates(self, query: RecallQuery) -> RecallPass:
        """One pass over what the query may see. Raises ``E_DIM_MISMATCH``."""
        view = self._view_for(query)
        if not view.numbers.size:
            return RecallPass(query=query)
        cosine = self._cosines(view, query)
        scores = score_rows(view, self._postings, cosine, query.question, retriever_weights(query))
        found = select_rows(view, scores, recall_reach(query))
        if not found.places.size:
            return RecallPass(query=query)
        return RecallPass(query=query, candidates=self._candidates(view, scores, found, query), corpus=view.stats)

    def _view_for(self, query: RecallQuery) -> View:
        """The view of the question before while the same rows may be seen: mostly so until something is written."""
        seen = visibility_mask(self._columns, query)
        seen[self._numbers_of_turns(query.apart_from)] = False
        # Bytes compare four times as fast as arrays.
        if self._view is None or self._view.seen.tobytes() != seen.tobytes():
            self._view = View.of(self._columns, seen)
        return self._view

    def _numbers_of_turns(self, turns: Iterable[UUID]) -> list[int]:
        """The rows of turns, or of all their passages."""
        whole = [self._numbers[turn] for turn in turns if turn in self._numbers]
        return whole + [number for turn in turns for number in self._passages.get(turn, ())]

    def _has_new_text(self, entry: CorpusEntry) -> bool:
        number = self._numbers.get(entry.row.source_id)
        return number is not None and self._rows[number].text != entry.row.text

    def _append(self, fresh: Sequence[CorpusEntry]) -> None:
        first = len(self._columns)
        self._further_passages += sum(_is_further_passage(entry.row) for entry in fresh)
        for number, entry in enumerate(fresh, first):
            if entry.row.event_id is not None:
                self._passages.setdefault(entry.row.event_id, []).append(number)
        self._words += [entry.words for entry in fresh]
        self._models += [NO_MODEL] * len(fresh)
        self._columns.add([entry.row for entry in fresh], [entry.length for entry in fresh])
        self._postings.add(first, [np.concatenate([entry.words, entry.grams]) for entry in fresh])

    def _place_vectors(self, changed: Mapping[int, CorpusEntry]) -> None:
        """A row has a vector of one model at most."""
        by_model, left = dict[str, dict[int, Floats]](), set[str]()
        for number, entry in changed.items():
            before = self._models[number]
            if before not in (NO_MODEL, entry.model):
                self._vectors[before].drop(number)
                left.add(before)
            self._models[number] = entry.model
            if entry.vector is not None:
                by_model.setdefault(entry.model, {})[number] = entry.vector
        for model, vectors in by_model.items():
            lines = np.stack(list(vectors.values()))
            self._vectors_of(model, lines.shape[1]).put(list(vectors), lines)
        self._drop_models(left)

    def _drop_models(self, models: set[str]) -> None:
        """Of these models, those that serve no row any more."""
        for model in models and models.difference(self._models):
            self._vectors.pop(model, None)

    def _vectors_of(self, model: str, dimensions: int) -> Vectors:
        """A model whose vectors have another length now has none left of those it made before."""
        held = self._vectors.get(model)
        if held is None or held.dimensions != dimensions:
            held = self._vectors[model] = Vectors.of(dimensions)
        return held

    def _cosines(self, view: View, query: RecallQuery) -> Numbers:
        held = self._vectors.get(query.embedding_model)
        if query.embedding is None or held is None:
            return np.full(view.stats.rows, np.nan)
        try:
            return held.cosines(np.array(query.embedding, np.float32), view.numbers)
        except DimensionMismatch as mismatch:
            told = "The question's vector has another length than the stored ones of its model."
            raise dimension_mismatch_error(told) from mismatch

    def _candidates(self, view: View, scores: Scores, found: Selection, query: RecallQuery) -> tuple[CandidateRow, ...]:
        """The rows that are brought, best own score first."""
        places = view.numbers[found.places]
        numbers: list[int] = places.tolist()
        related = expansion_scores(
            self._leaders(view, scores), query.question, places, [self._words[number] for number in numbers]
        )
        made = [
            build_frozen(CandidateRow, vars(self._rows[number]), zip(_FEATURES, features, strict=True))
            for number, features in zip(numbers, _features(view, scores, found, related), strict=True)
        ]
        return tuple(sorted(made, key=lambda one: (-one.own, one.source_id.int)))

    def _leaders(self, view: View, scores: Scores) -> list[Leader]:
        places = best(scores.own, LEADERS)
        numbers: list[int] = view.numbers[places].tolist()
        shares: list[float] = (scores.own[places] / scores.own[places[:1]]).tolist()
        return [Leader(number, share, self._words[number]) for number, share in zip(numbers, shares, strict=True)]


def corpus_entry(row: IndexRow) -> CorpusEntry:
    """A row as the store was given it."""
    return CorpusEntry(
        row=build_frozen(Searchable, {name: getattr(row, name) for name in _SHOWN_FIELDS}),
        words=np.array(row.terms.words, np.int32),
        grams=np.array(row.terms.grams, np.int32),
        length=row.terms.length,
        model=row.embedding_model,
        vector=None if row.embedding is None else np.array(row.embedding, np.float32),
    )


def _is_further_passage(row: Searchable) -> bool:
    """Whether it is a further passage of a turn, of which there is a beginning."""
    return row.span[0] > 0


def _features(view: View, scores: Scores, found: Selection, related: Numbers) -> Iterable[tuple[object, ...]]:
    """The values of ``_FEATURES``, for each row that is brought."""
    places = found.places
    of_rows = (scores.lexical, scores.vector, scores.coverage, scores.own, view.replies, view.replied, view.asked)
    cosine = [None if value != value else value for value in scores.cosine[places].tolist()]
    columns = (*(column[places] for column in of_rows), *found.beside, related)
    return zip(cosine, *(column.tolist() for column in columns), strict=True)
