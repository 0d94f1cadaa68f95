"""Which of the ranked memories are worth a place in a prompt: none when nothing bears on the question, else a few.

Two decisions, both from what ranking left in order. Whether memory has an answer at all is a logistic sum of what the
question is put like and how much of it the best memories name. How many go on is told by their scores beside the best.
The constants were fitted on conversations of five kinds in two languages, all kinds together; they belong
to the policy that scored, and change only with its version.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp

from language.passages import size_of
from language.question_focus import QuestionFocus, read_focus
from language.terms import fold, word_terms
from memory.recall.dedupe import is_duplicate
from memory.recall.policy import RankedCandidate
from memory.recall.query import CandidateRow, RecallPass

READ = 8
"""How many of the best memories are read for words of the question."""


@dataclass(frozen=True, kw_only=True)
class Cutoff:
    """The constants of a cut: weights of the logistic sum, its least probability, the least share of the best score.

    ``named`` counts for the share of the naming words that any of the best memories holds, ``together`` for each that
    one of them holds. ``per_size`` is added to the least share for every 100 tokens of a memory: a long one has to be
    worth its room.
    """

    bias: float
    personal: float
    known: float
    general: float
    named: float
    together: float
    probability: float
    share: float
    per_size: float

    def apply(self, passes: Sequence[RecallPass], ranked: Sequence[RankedCandidate]) -> list[RankedCandidate]:
        """The memories that are worth a place, in their order."""
        if not passes or not ranked or not self._has_answer(passes[0], ranked):
            return []
        best = max(each.score for each in ranked)
        return [each for each in ranked if not is_duplicate(each) and each.score >= self._least(each) * best]

    def _least(self, each: RankedCandidate) -> float:
        return min(1.0, self.share + self.per_size * size_of(each.candidate.text) / 100)

    def _has_answer(self, asked_for: RecallPass, ranked: Sequence[RankedCandidate]) -> bool:
        question, best = read_focus(asked_for.query.text), [each.candidate for each in ranked[:READ]]
        known = _known_names(question, best)
        if known:
            question = replace(question, is_general=False)  # "What does Noor play?" is put like "What does TLS do?"
        if any(each.cosine is not None for each in best) and not question.is_general:
            return True  # vectors find what shares no word with the question
        if asked_for.query.window is not None and question.is_personal:
            return True  # "what did I do on Monday" names its day, and the ranking has looked there
        return self._probability(question, known, best) >= self.probability

    def _probability(self, question: QuestionFocus, known: Sequence[str], best: Sequence[CandidateRow]) -> float:
        words = _topic_words(question, known)
        held = [words.intersection(_terms(each)) for each in best]
        share = len(frozenset[str]().union(*held)) / len(words) if words else float(question.is_personal)
        sum_ = (
            self.bias
            + self.personal * question.is_personal
            + self.known * bool(known)
            + self.general * question.is_general
            + self.named * share
            + self.together * max(map(len, held), default=0)
        )
        return 1 / (1 + exp(-sum_))


def _known_names(question: QuestionFocus, best: Sequence[CandidateRow]) -> list[str]:
    """Names in the question that the memories know, too: whoever is known is no reason to know this about them."""
    said = " ".join(f"{each.speaker} {each.text}" for each in best)
    return [name for name in question.names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said)]


def _topic_words(question: QuestionFocus, known: Sequence[str]) -> frozenset[str]:
    """What is asked about somebody: the naming words without their name."""
    return frozenset(question.words).difference(*(word_terms(fold(name)) for name in known))


def _terms(one: CandidateRow) -> list[str]:
    return word_terms(fold(f"{one.speaker} {one.about} {one.text}"))
