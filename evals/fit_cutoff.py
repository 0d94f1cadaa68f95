"""Fit which memories an answer needs: ``python -m evals.fit_cutoff`` writes ``language/concepts.txt`` from the topic
words and prints weights for ``memory/recall/relevance.py``. ``--figures`` prints cross-validated figures instead.

It learns from the kinds of text in ``data/retrieval`` and the cases in ``data/cases`` that are not kept aside; a figure
of one kind is that of a model that has not seen the kind. What a case neither needs nor refuses is left out.
"""

import argparse
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray
from sklearn.linear_model import LogisticRegression  # pyright: ignore[reportMissingTypeStubs]
from sklearn.metrics import average_precision_score, roc_auc_score  # pyright: ignore[reportMissingTypeStubs, reportUnknownVariableType]

from apps.calibration.dataset import LabelledQuestion
from brain.embeddings.encoder import EncoderEmbedder
from evals.fit_statements import TOPIC_WORDS
from evals.offline_recall import Remembered, encoder_of, remember_file
from evals.retrieval_cases import read_cases
from evals.retrieval_kinds import DATA, NONE, unanswered_questions
from evals.silence import read_people
from language.terms import fold, word_terms
from memory.recall.cutoff import CONSIDERED, knows_names
from memory.recall.dedupe import is_duplicate
from memory.recall.policies.registry import find_policy, rank
from memory.recall.relevance import MEANING_WEIGHTS, WEIGHTS, relevance_features

CONCEPTS = Path(__file__).parent.parent / "language" / "concepts.txt"
STRENGTH = 0.1
"""Inverse of the L2 penalty, on features of variance 1."""
CASES, PEOPLE = "cases", "people"
_HAN = re.compile(r"[\u4e00-\u9fff]")
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Pair:
    """A question and a memory: of which kind of text, what there is to tell by, and whether the answer needs it."""

    kind: str
    features: tuple[float, ...]
    is_needed: bool


def pairs(encoder: EncoderEmbedder | None) -> Iterator[Pair]:
    """All that is learnt from."""
    yield from _pairs_of_cases(encoder)
    yield from _pairs_of_people(encoder)
    yield from _pairs_of_kinds(DATA, encoder)


def _pairs_of_cases(encoder: EncoderEmbedder | None) -> Iterator[Pair]:
    for case in read_cases():
        judged = {*case.must, *case.must_not}
        for turn, features in _ranked_features(case.to_memory(encoder), case.to_question()):
            if turn in judged:
                yield Pair(CASES, features, turn in case.must)


def _pairs_of_people(encoder: EncoderEmbedder | None) -> Iterator[Pair]:
    for person in read_people():
        memory = person.to_memory(encoder)
        for question in person.asked():
            needed = frozenset[str]().union(*question.wanted_evidence)
            for turn, features in _ranked_features(memory, question):
                yield Pair(PEOPLE, features, turn in needed)


def _pairs_of_kinds(directory: Path, encoder: EncoderEmbedder | None) -> Iterator[Pair]:
    unanswered = dict(unanswered_questions(directory))
    for path in (each for each in sorted(directory.glob("*.jsonl")) if not each.stem.endswith(NONE)):
        for memory in remember_file(path, encoder):
            questions = (each for each in memory.conversation.questions if each.evidence)
            for question in (*questions, *unanswered.get(memory.conversation.conversation_id, ())):
                needed = frozenset[str]().union(*question.wanted_evidence)
                for turn, features in _ranked_features(memory, question):
                    yield Pair(path.stem.partition("-")[2], features, turn in needed)


def _ranked_features(memory: Remembered, question: LabelledQuestion) -> Iterator[tuple[str, tuple[float, ...]]]:
    found = memory.search(question)
    ranked = [each for each in rank([found], find_policy()) if not is_duplicate(each)][:CONSIDERED]
    rows = relevance_features(
        question.question,
        ranked,
        knows_names=knows_names(question.question, ranked),
        has_meaning=memory.encoder is not None,
    )
    yield from zip([memory.turn_of[each.candidate.source_id] for each in ranked], rows, strict=True)


def fit(values: Floats, needed: NDArray[np.bool_]) -> tuple[Floats, float]:
    """Weights and bias for features as they come."""
    mean: Floats = values.mean(axis=0)
    spread: Floats = values.std(axis=0) + 1e-9
    model: Any = LogisticRegression(C=STRENGTH, max_iter=500)
    model.fit((values - mean) / spread, needed)
    weights: Floats = model.coef_[0] / spread
    return weights, float(model.intercept_[0] - weights @ mean)


def print_figures(kinds: NDArray[np.str_], values: Floats, needed: NDArray[np.bool_]) -> None:
    """By kind, judged by a model fitted on the others: area under the curve and average precision."""
    for kind in sorted(set(kinds.tolist())):
        mine = kinds == kind
        weights, bias = fit(values[~mine], needed[~mine])
        sums = values[mine] @ weights + bias
        area = float(cast("Any", roc_auc_score)(needed[mine], sums))
        precision = float(cast("Any", average_precision_score)(needed[mine], sums))
        share = f"{mine.sum():>6} pairs, {needed[mine].mean():5.1%} needed"
        print(f"{kind:<10} {share}: area {area:.3f}, precision {precision:.3f}")


def write_concepts() -> None:
    """Write what ``language.concepts`` reads: the topic words, a line for each matter, English by stems."""
    lines = [line for path in sorted(TOPIC_WORDS.glob("*.tsv")) for line in path.read_text("utf-8").splitlines()]
    matters = (" ".join(_stems(line.partition("\t")[2])) for line in lines)
    CONCEPTS.write_text("".join(f"{matter}\n" for matter in matters), "utf-8")


def _stems(words: str) -> Sequence[str]:
    stems = (stem for word in words.split() for stem in ([word] if _HAN.search(word) else word_terms(fold(word))))
    return list(dict.fromkeys(stems))


def main() -> None:
    """See the module."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--figures", action="store_true", help="print figures and write nothing")
    parser.add_argument("--embeddings", choices=("encoder", "none"), default="encoder")
    options = parser.parse_args()
    figures_only, encoder = options.figures, encoder_of(options.embeddings)
    if not figures_only:
        write_concepts()
    given = list(pairs(encoder))
    values, needed = np.array([each.features for each in given]), np.array([each.is_needed for each in given])
    if figures_only:
        print_figures(np.array([each.kind for each in given]), values, needed)
        return
    weights, bias = fit(values, needed)
    names = MEANING_WEIGHTS if encoder else WEIGHTS
    print("WEIGHTS: Mapping[str, float] = {")
    print("\n".join(f'    "{name}": {weight:.2f},' for name, weight in zip(names, weights, strict=True)))
    print("}\nBIAS =", round(bias, 2))


if __name__ == "__main__":
    main()
