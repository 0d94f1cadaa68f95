"""Fit where an English clause begins and which of several is worth a memory: ``python -m evals.fit_clauses`` reads the
labelled sentences in ``data/clauses``, prints cross-validated figures by language, and writes ``language/clauses.npz``.
``--judge FOLDER`` tells how the product takes other sentences apart.

A line is a sentence as JSON: ``text``, what was said right ``before``, and its ``parts``, of which each ``quote`` is
one assertion and ``keep`` tells whether it is worth a memory.
"""

import argparse
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression  # pyright: ignore[reportMissingTypeStubs]

from language.assertion_worth import Assertion, worth_features
from language.clauses import COLUMNS, Clause, Place, clauses_from, find_places, place_columns, place_numbers
from language.detection import Language, language_of
from language.encoder import sentence_encoder
from language.statements import Statement, read_sentence, read_statements
from language.taking_apart import judge_clauses, take_apart

SENTENCES = Path(__file__).parent / "data" / "clauses"
WEIGHTS = Path(__file__).parent.parent / "language" / "clauses.npz"
LANGUAGES: tuple[Language, ...] = ("en", "zh")
"""Chinese clauses begin at pauses: for them only what is worth a memory is fitted."""
FOLDS = 5
NEAR = 6
"""Characters by which a cut may miss: a joining word may stand on either side of it."""
STRENGTH, WORTH_STRENGTH = 0.3, 0.1
"""Inverses of the L2 penalty."""
THRESHOLDS = (-1.0, -0.5, 0.0, 0.5, 1.0)
SHARES = (0.3, 0.4, 0.5, 0.6, 0.7)

Floats = NDArray[np.floating[Any]]


@dataclass(frozen=True)
class Part:
    """One assertion of a sentence, ``text[start:end]``."""

    start: int
    end: int
    keep: bool


@dataclass(frozen=True)
class Sentence:
    """A labelled sentence, where a clause of it may begin, and its assertions in order."""

    text: str
    before: str
    language: Language
    places: Sequence[Place]
    parts: Sequence[Part]

    @property
    def begins(self) -> frozenset[int]:
        """Where its second and later assertions begin."""
        return frozenset(each.start for each in self.parts[1:])


def read(folder: Path) -> Iterator[Sentence]:
    """All labelled sentences. Raises ``ValueError`` naming a line whose quotes are not in its text."""
    for path in sorted(folder.glob("*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines(), start=1):
            told = json.loads(line)
            parts = list(_parts(told))
            if len(parts) < len(told["parts"]):
                raise ValueError(f"{path.name}:{number} quotes what it does not say")
            text = told["text"]
            yield Sentence(text, told["before"], language_of(text), find_places(text), parts)


def _parts(told: Any) -> Iterator[Part]:
    at = 0
    for each in told["parts"]:
        start = told["text"].find(each["quote"], at)
        if start < 0:
            return
        at = start + len(each["quote"])
        yield Part(start, at, each["keep"])


def features(places: Sequence[Place]) -> Floats:
    """A line for each place: hashed features, then numbers."""
    hashed = np.zeros((len(places), COLUMNS), np.float32)
    for line, place in enumerate(places):
        hashed[line, place_columns(place)] = 1.0
    return np.hstack([hashed, np.array([place_numbers(each) for each in places])])


def fit(lines: Floats, labels: NDArray[np.bool_], strength: float) -> Floats:
    """A weight per feature."""
    model: Any = LogisticRegression(C=strength, max_iter=3_000, fit_intercept=False)
    model.fit(lines, labels)
    return model.coef_[0]


def cross_validate(lines: Floats, labels: NDArray[np.bool_], owner: NDArray[np.intp], strength: float) -> Floats:
    """The score of each line by a model that has not seen its sentence."""
    part: NDArray[np.int64] = np.random.default_rng(0).integers(0, FOLDS, int(owner.max()) + 1)
    scores = np.zeros(len(labels))
    for held in range(FOLDS):
        test: NDArray[np.bool_] = part[owner] == held
        scores[test] = lines[test] @ fit(lines[~test], labels[~test], strength)
    return scores


def fit_beginnings(language: Language, mine: Sequence[Sentence]) -> dict[str, Floats]:
    """The weights of a language, after its figures."""
    owner = np.array([at for at, each in enumerate(mine) for _ in each.places], np.intp)
    lines = features([place for each in mine for place in each.places])
    begins = np.array([place.at in each.begins for each in mine for place in each.places])
    scores = cross_validate(lines, begins, owner, STRENGTH)
    for least in THRESHOLDS:
        told = [
            frozenset(p.at for p, s in zip(each.places, scores[owner == at], strict=True) if s > least)
            for at, each in enumerate(mine)
        ]
        print(f"{language} {least:+.1f}: {_beginning_figures(mine, told)}")
    weights = fit(lines, begins, STRENGTH)
    return {
        f"{language}_weights": weights[:COLUMNS].astype(np.float16),
        f"{language}_numbers": weights[COLUMNS:].astype(np.float32),
    }


def _beginning_figures(mine: Sequence[Sentence], told: Sequence[frozenset[int]]) -> str:
    reached, found = sum(len(each.begins) for each in mine), sum(map(len, told))
    right = sum(len(each.begins & one) for each, one in zip(mine, told, strict=True))
    whole = sum(each.begins == one for each, one in zip(mine, told, strict=True))
    single = [one for each, one in zip(mine, told, strict=True) if not each.begins]
    return (
        f"{len(mine)} sentences, {reached} beginnings; right {right / max(1, found):.1%},"
        f" found {right / max(1, reached):.1%}, sentences without a fault {whole / len(mine):.1%},"
        f" split of {len(single)} with one assertion {sum(map(bool, single))}"
    )


def worth_lines(sentences: Sequence[Sentence]) -> tuple[Floats, NDArray[np.bool_], NDArray[np.intp]]:
    """A line for each clause of sentences with several: features, whether it is worth a memory, its sentence."""
    found = [
        (
            worth_features(assertion),
            any(part.keep for part in each.parts if clause.start < part.end and part.start < clause.end),
            at,
        )
        for at, each in enumerate(sentences)
        for clause, (_, assertion) in _judged_clauses(each)
    ]
    lines, keeps, owner = zip(*found, strict=True)
    return np.array(lines), np.array(keeps), np.array(owner, np.intp)


def _judged_clauses(sentence: Sentence) -> Iterator[tuple[Clause, tuple[Statement, Assertion]]]:
    clauses = clauses_from(sentence.text, sorted(sentence.begins))
    if len(clauses) > 1:
        whole = read_sentence(sentence.text, sentence.before)
        yield from zip(clauses, judge_clauses(whole, clauses, sentence.text, sentence.before), strict=True)


def fit_worth(sentences: Sequence[Sentence]) -> Floats:
    """The weights of both languages, after their figures."""
    lines, keeps, owner = worth_lines(sentences)
    shares = 1 / (1 + np.exp(-cross_validate(lines, keeps, owner, WORTH_STRENGTH)))
    places: list[int] = owner.tolist()
    language = np.array([sentences[at].language for at in places])
    for each in LANGUAGES:
        mine = language == each
        for least in SHARES if mine.any() else ():
            print(f"worth {each} {least:.1f}: {_worth_figures(keeps[mine], shares[mine] >= least)}")
    return fit(lines, keeps, WORTH_STRENGTH).astype(np.float32)


def _worth_figures(keeps: NDArray[np.bool_], kept: NDArray[np.bool_]) -> str:
    found, junk = (kept & keeps).sum() / keeps.sum(), (kept & ~keeps).sum() / kept.sum()
    return f"{len(keeps)} parts, {keeps.sum()} worth it; found {found:.1%}, junk {junk:.1%}"


def judge_held(folder: Path) -> None:
    """How sentences are taken apart that nothing was fitted on."""
    sentences = list(read(folder))
    for language in LANGUAGES:
        mine = [each for each in sentences if each.language == language]
        cuts = [_cuts(each) for each in mine]
        right = sum(_is_right(cut, each) for each, found in zip(mine, cuts, strict=True) for cut in found)
        single = [found for each, found in zip(mine, cuts, strict=True) if not each.begins]
        wanted = sum(one.keep and other.keep for each in mine for one, other in pairwise(each.parts))
        print(
            f"{language}: {len(mine)} sentences; of {len(single)} with one assertion split {sum(map(bool, single))};"
            f" cuts wrong {sum(map(len, cuts)) - right}, right {right} of {wanted} between two that are worth a memory"
        )


def _is_right(cut: int, sentence: Sentence) -> bool:
    return any(abs(cut - at) <= NEAR for at in sentence.begins)


def _cuts(sentence: Sentence) -> list[int]:
    """Where the product takes a sentence apart."""
    whole = read_statements(sentence.text, sentence.before)
    begun = {each.start for each in whole}
    parts = take_apart(whole, sentence.text, sentence.before)
    return [each.start for each in parts if each.start not in begun]


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", action="store_true", help="write nothing")
    parser.add_argument("--judge", type=Path, help="judge the sentences of this folder, fit nothing")
    told = parser.parse_args()
    sentence_encoder().load()
    if told.judge:
        judge_held(told.judge)
        return
    sentences = list(read(SENTENCES))
    kept = {"worth": fit_worth(sentences)}
    kept |= fit_beginnings("en", [each for each in sentences if each.language == "en"])
    if not told.figures:
        np.savez_compressed(WEIGHTS, **cast("Any", kept))


if __name__ == "__main__":
    main()
