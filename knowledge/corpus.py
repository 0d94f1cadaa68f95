"""One tenant's entries, held ready in arrays: a question is compared with all of them at once, exactly."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from threading import Lock
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from knowledge.entries import Kind
from knowledge.port import KnowledgeQuestion, Profile, QuestionVector
from language.questions import analyse_question
from language.terms import fold
from retrieval.postings import Ints, Places, Postings
from retrieval.scores import Numbers, RetrieverWeights, Scores, saturation, score_rows
from retrieval.vectors import DimensionMismatch, Floats, Vectors

Flags = NDArray[np.bool_]
NO_MODEL = "none"
MAX_VIEWS = 32
"""Profiles of one tenant whose view is kept."""
NAMED = 0.25
"""What an entry gains for relating a thing that the question calls by its name."""
_BYTES_OF_ENTRY = 1_500
"""An entry in Python objects, beside its text, its terms and its vector."""
_SHORTEST_NAME, _LONGEST_NAME = 2, 40
_NAMING_CHARACTERS = 300
"""Characters of a question in which a thing is looked for by its name."""
_MAX_TONES = 8
_PROFILE = ("org_tier", "role", "brand", "platform")


@dataclass(frozen=True, kw_only=True)
class IndexedText:
    """What an entry says and for whom; times in seconds since 1970, None where it has no bound."""

    entry_id: UUID
    kind: Kind
    text: str
    topic: str
    org_tier: str
    role: str
    brand: str
    platform: str
    source: str
    valid_from: float | None
    valid_until: float | None


@dataclass(frozen=True, kw_only=True)
class CorpusRow(IndexedText):
    """An entry with all by which it is found."""

    words: Ints
    grams: Ints
    length: int
    model: str = NO_MODEL
    vector: Floats | None = None


@dataclass(frozen=True)
class Found:
    """An entry, its own score (a share of the best one's), how much of the question it covers, and its cosine."""

    row: CorpusRow
    own: float
    coverage: float
    cosine: float | None
    is_named: bool = False


@dataclass(frozen=True)
class _View:
    """The facts that a profile may see from one moment to another, and what no question changes about them."""

    numbers: Places
    place: Ints
    saturation: Numbers
    tones: tuple[str, ...]
    since: float
    until: float

    @property
    def rows(self) -> int:
        return len(self.numbers)


class KnowledgeCorpus:
    """Entries that come, change and go; what changes or goes leaves a gap, and a corpus mostly of gaps is made anew.

    Threads may ask while another one brings it up to date.
    """

    def __init__(self) -> None:
        self._rows: list[CorpusRow | None] = []
        self._numbers: dict[UUID, int] = {}
        self._lengths: Ints = np.empty(0, np.int32)
        self._postings = Postings.none()
        self._vectors: dict[str, Vectors] = {}
        self._views: dict[Profile, _View] = {}
        self._named: dict[str, frozenset[UUID]] = {}
        self._lengths_of_names: list[int] = []
        self._characters = 0
        self._lock = Lock()

    def __len__(self) -> int:
        return len(self._numbers)

    @property
    def size(self) -> int:
        """About how many bytes it takes."""
        held = sum(each.lines.nbytes for each in self._vectors.values())
        terms = 2 * (self._postings.terms.nbytes + self._postings.rows.nbytes)
        return held + terms + 2 * self._characters + _BYTES_OF_ENTRY * len(self._rows)

    @property
    def is_mostly_gaps(self) -> bool:
        """Whether there are more gaps than entries."""
        return 2 * len(self._numbers) < len(self._rows)

    def update(self, rows: Sequence[CorpusRow], gone: Iterable[UUID] = ()) -> None:
        """Entries as they stand now, in the place of what they said before; and those that are removed."""
        with self._lock:
            for entry_id in (*gone, *(row.entry_id for row in rows)):
                number = self._numbers.pop(entry_id, None)
                if number is not None:
                    self._rows[number] = None
            self._views.clear()
            if rows:
                self._append(rows)

    def name_things(self, named: Mapping[str, frozenset[UUID]]) -> None:
        """Which entries relate a thing, by its name."""
        folded = {
            fold(name): entries for name, entries in named.items() if _SHORTEST_NAME <= len(name) <= _LONGEST_NAME
        }
        with self._lock:
            self._named, self._lengths_of_names = folded, sorted({len(name) for name in folded})

    def tones(self, profile: Profile, at: float) -> tuple[str, ...]:
        """How the organisation wants Brain to speak to that profile, in the order of precedence."""
        with self._lock:
            return self._view(profile, at).tones

    def rank(self, question: KnowledgeQuestion, vector: QuestionVector | None, most: int) -> list[Found]:
        """The facts that come nearest to a question, best first."""
        with self._lock:
            return self._rank(question, vector, most)

    def _rank(self, question: KnowledgeQuestion, vector: QuestionVector | None, most: int) -> list[Found]:
        view = self._view(question.profile, question.at.timestamp())
        if not view.rows:
            return []
        cosine = self._cosines(view, vector)
        weights = RetrieverWeights(vector=vector.weight if vector else 0.0)
        scores = score_rows(view, self._postings, cosine, analyse_question(question.text), weights)
        named = self._named_places(view, question.text)
        own = scores.own
        own[named] += NAMED
        return [self._found(view, scores, place, is_named=place in set(named)) for place in _best(own, most)]

    def _append(self, rows: Sequence[CorpusRow]) -> None:
        first = len(self._rows)
        self._rows += rows
        self._numbers.update((row.entry_id, number) for number, row in enumerate(rows, first))
        self._lengths = np.concatenate([self._lengths, np.array([row.length for row in rows], np.int32)])
        self._postings.add(first, [np.concatenate([row.words, row.grams]) for row in rows])
        self._characters += sum(len(row.text) for row in rows)
        by_model = dict[str, dict[int, Floats]]()
        for number, row in enumerate(rows, first):
            if row.vector is not None:
                by_model.setdefault(row.model, {})[number] = row.vector
        for model, vectors in by_model.items():
            lines = np.stack(list(vectors.values()))
            held = self._vectors.get(model)
            if held is None or held.dimensions != lines.shape[1]:
                held = self._vectors[model] = Vectors.of(lines.shape[1])
            held.put(list(vectors), lines)

    def _view(self, profile: Profile, at: float) -> _View:
        held = self._views.get(profile)
        if held is None or not held.since <= at < held.until:
            for oldest in list(islice(self._views, max(0, len(self._views) - MAX_VIEWS + 1))):
                del self._views[oldest]
            held = self._views[profile] = self._build_view(profile, at)
        return held

    def _build_view(self, profile: Profile, at: float) -> _View:
        own = [(number, row) for number, row in enumerate(self._rows) if row is not None and is_for(row, profile)]
        valid = [(number, row) for number, row in own if (row.valid_from or -inf) <= at < (row.valid_until or inf)]
        bounds = [bound for _, row in own for bound in (row.valid_from, row.valid_until) if bound is not None]
        numbers = np.array([number for number, row in valid if row.kind == "fact"], np.intp)
        place = np.full(len(self._rows), -1, np.int32)
        place[numbers] = np.arange(len(numbers))
        return _View(
            numbers=numbers,
            place=place,
            saturation=saturation(self._lengths[numbers]),
            tones=order_tones([row for _, row in valid if row.kind == "tone"]),
            since=max((bound for bound in bounds if bound <= at), default=-inf),
            until=min((bound for bound in bounds if bound > at), default=inf),
        )

    def _cosines(self, view: _View, vector: QuestionVector | None) -> Numbers:
        held = self._vectors.get(vector.model) if vector else None
        if held is None or vector is None:
            return np.full(view.rows, np.nan)
        try:
            return held.cosines(np.array(vector.vector, np.float32), view.numbers)
        except DimensionMismatch:
            return np.full(view.rows, np.nan)

    def _named_places(self, view: _View, text: str) -> list[int]:
        """Where the entries stand that relate a thing which the text calls by its name."""
        said = f" {fold(text[:_NAMING_CHARACTERS])} "
        entries = {entry for name in self._names_in(said) for entry in self._named[name]}
        numbers = (self._numbers[entry] for entry in entries if entry in self._numbers)
        return [place for place in (int(view.place[number]) for number in numbers) if place >= 0]

    def _names_in(self, said: str) -> set[str]:
        """The names that a text says: looked up piece by piece, so that many names cost no more than few."""
        pieces = (
            (said[at : at + length], at) for length in self._lengths_of_names for at in range(1, len(said) - length)
        )
        return {name for name, at in pieces if name in self._named and _is_word(name, said, at)}

    def _found(self, view: _View, scores: Scores, place: int, *, is_named: bool) -> Found:
        row = self._rows[int(view.numbers[place])]
        assert row is not None
        cosine = float(scores.cosine[place])
        return Found(
            row,
            float(scores.own[place]),
            float(scores.coverage[place]),
            None if cosine != cosine else cosine,
            is_named,
        )


def _best(own: Numbers, most: int) -> list[int]:
    """Places of the greatest scores above 0; of equals, the earlier."""
    least = np.partition(own, -most)[-most] if len(own) > most else -inf
    able = ((own >= least) & (own > 0)).nonzero()[0]
    return able[(-own[able]).argsort(kind="stable")][:most].tolist()


def is_for(row: CorpusRow, profile: Profile) -> bool:
    """Whether an entry speaks to a profile.

    A fact for one brand or platform is found by who has none of their own, who may ask about any; a tone is not: it
    would make Brain sound like one of several brands.
    """
    loose = ("brand", "platform") if row.kind == "fact" else ()
    return all(
        getattr(row, name) in ("", getattr(profile, name)) or (name in loose and not getattr(profile, name))
        for name in _PROFILE
    )


def order_tones(rows: Sequence[CorpusRow]) -> tuple[str, ...]:
    """Rules for a role or tier first, then the brand's tone, then the platform's, then what holds for all.

    The same entries give the same words in every turn.
    """
    ordered = sorted(rows, key=lambda row: (_precedence(row), row.entry_id.int))
    return tuple(dict.fromkeys(" ".join(row.text.split()) for row in ordered))[:_MAX_TONES]


def _precedence(row: CorpusRow) -> int:
    if row.role or row.org_tier:
        return 0
    return 1 if row.brand else 2 if row.platform else 3


def _is_word(name: str, said: str, at: int) -> bool:
    """As a word of its own in an alphabet; Chinese has no gaps between words."""
    return not name.isascii() or not (said[at - 1].isalnum() or said[at + len(name)].isalnum())
