"""Which of the entries that come nearest are worth a place in a prompt: none for talk that needs nothing of them.

Wrong entries are worse than missing ones: an organisation's rule where nobody asked for it steers the answer. The
constants were fitted on one half of the questions of ``evals/data/knowledge``; ``python -m evals.knowledge`` tells what
they do on the other half.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from knowledge.corpus import Found
from language.detection import language_of
from language.question_focus import naming_words
from language.terms import term_hash

CONSIDERED = 10
"""How many of the nearest entries are looked at."""
MAX_ENTRIES = 5
"""How many entries go into a prompt at most."""
_MAX_HELD = 4
"""Words of a question beyond which holding more of them tells nothing new."""


@dataclass(frozen=True, kw_only=True)
class Gate:
    """Weights of the logistic sum that says how probably an entry answers, and the least probability.

    ``cosine`` counts for the likeness in meaning, ``behind`` for how far it is behind the best one's, ``share`` for the
    share of the naming words that the entry holds and ``held`` for each of them, ``coverage`` for how much of the
    question's rare words it covers, ``below`` for how far its whole score is below the best one's, ``alike`` for being
    in the question's own language, where words are shared by chance.
    """

    bias: float
    cosine: float = 0.0
    behind: float = 0.0
    share: float = 0.0
    held: float = 0.0
    coverage: float = 0.0
    below: float = 0.0
    alike: float = 0.0
    probability: float


MEANING = Gate(bias=-4.3, cosine=5.9, behind=3.9, share=3.6, alike=-1.0, probability=0.2)
WORDS = Gate(bias=-4.0, coverage=1.5, held=1.1, below=3.5, probability=0.35)


def choose_entries(text: str, found: Sequence[Found], *, is_fitted: bool = True) -> list[Found]:
    """The entries that bear on a question, best first.

    ``is_fitted`` says that cosines are on the scale on which the constants were fitted; otherwise words decide.
    """
    near = found[:CONSIDERED]
    if not near:
        return []
    gate = MEANING if is_fitted and any(each.cosine is not None for each in near) else WORDS
    naming = frozenset(term_hash("w", word) for word in naming_words(text))
    asked = _Question(naming, language_of(text), near[0])
    return [each for each in near if _probability(each, asked, gate) >= gate.probability][:MAX_ENTRIES]


@dataclass(frozen=True)
class _Question:
    naming: frozenset[int]
    language: str
    best: Found


def _probability(each: Found, asked: _Question, gate: Gate) -> float:
    held = len(asked.naming.intersection(each.row.words.tolist()))
    cosine, top = each.cosine or 0.0, asked.best.cosine or 0.0
    sum_ = (
        gate.bias
        + gate.cosine * cosine
        + gate.behind * (cosine - top)
        + gate.share * (held / len(asked.naming) if asked.naming else 0.0)
        + gate.held * min(held, _MAX_HELD)
        + gate.coverage * each.coverage
        + gate.below * (each.own - asked.best.own)
        + gate.alike * (language_of(each.row.text) == asked.language)
    )
    return 1 / (1 + exp(-sum_))
