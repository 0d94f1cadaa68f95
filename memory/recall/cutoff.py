"""Which of the ranked memories are worth a place in a prompt: none when nothing bears on the question, else a few.

Two decisions, both from what ranking left in order. Whether memory has an answer at all is a logistic sum of what the
question is put like and how much of it the best memories name. Which memories go on is told by how probably each is
needed (``relevance``), beside the most probable one: few memories are read strictly, because there the best match may
well be chance, and many leniently, because there an answer is spread over more of them.
The constants were fitted on all kinds of text in two languages together; they belong to the policy that scored, and
change only with its version.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import exp, log

from language.detection import language_of
from language.people import SPEAKER
from language.question_focus import QuestionFocus, read_focus
from language.terms import fold, word_terms
from language.world import is_about_world
from memory.embedding import is_encoder
from memory.recall.dedupe import is_duplicate
from memory.recall.policy import RankedCandidate
from memory.recall.query import CandidateRow, RecallPass, RecallQuery
from memory.recall.relevance import relevance

READ = 8
"""How many of the best memories are read for words of the question."""


_QUESTION_MARK = re.compile(r"[?？]")
CONSIDERED = 15
"""How many memories are considered at most, as many as a turn considers."""


@dataclass(frozen=True, kw_only=True)
class Threshold:
    """``best`` is what the most probable memory has to reach, ``share`` what the others have to reach of it."""

    best: float
    share: float


@dataclass(frozen=True, kw_only=True)
class AnswerGate:
    """Weights of the logistic sum that says whether memory has an answer at all, and the least probability.

    ``named`` counts for the share of the naming words that any of the best memories holds, ``together`` for each that
    one of them holds, ``cosine`` for the greatest of the encoder.
    """

    bias: float
    personal: float
    known: float
    general: float
    named: float
    together: float
    cosine: float = 0.0
    chinese: float = 0.0
    probability: float


@dataclass(frozen=True, kw_only=True)
class Cutoff:
    """The constants of a cut: what opens it by words alone, and where the encoder compared, then the thresholds.

    ``strict`` is for memories of ``few`` rows or less, ``lenient`` for ``many`` or more; between
    them the thresholds change with the logarithm of the rows. ``least`` is what every memory has to reach.
    ``searching`` cuts for somebody who asks memory itself.
    """

    words: AnswerGate
    meaning: AnswerGate
    few: int
    many: int
    strict: Threshold
    lenient: Threshold
    least: float
    searching: bool = False

    def apply(self, passes: Sequence[RecallPass], ranked: Sequence[RankedCandidate]) -> list[RankedCandidate]:
        """The memories that are worth a place, in their order."""
        if not passes or not ranked or not self._has_answer(passes[0], ranked):
            return []
        told = [each for each in ranked if not is_duplicate(each)][:CONSIDERED]
        return self._most_relevant(passes[0], told)

    def apply_leniently(self, passes: Sequence[RecallPass], ranked: Sequence[RankedCandidate]) -> list[RankedCandidate]:
        """What is shown to somebody who searches: there one memory too many costs a glance, however few there are.

        Whoever searches has said that memory is meant, so a few words are no question about the world.
        """
        return replace(self, strict=self.lenient, searching=True).apply(passes, ranked)

    def threshold(self, rows: int) -> Threshold:
        """What memories have to reach among so many rows."""
        way = log(max(rows, 1) / self.few) / log(self.many / self.few)
        way, strict, lenient = min(1.0, max(0.0, way)), self.strict, self.lenient
        return Threshold(
            best=strict.best + way * (lenient.best - strict.best),
            share=strict.share + way * (lenient.share - strict.share),
        )

    def _most_relevant(self, asked_for: RecallPass, told: Sequence[RankedCandidate]) -> list[RankedCandidate]:
        if not told:
            return []
        question, candidates, compared = (
            asked_for.query.text,
            [each.candidate for each in told],
            _is_compared(asked_for),
        )
        probable = relevance(question, told, knows_names=knows_names(question, told), has_meaning=compared)
        rows, best = max(asked_for.corpus.rows, len(asked_for.candidates)), max(probable)
        # The parts of a question share what a memory can cover, so none of them reaches what a single question does.
        threshold = self.lenient if _asks_several(asked_for) else self.threshold(rows)
        if best < threshold.best and (compared or not _has_vectors(candidates)):
            return []
        least = max(self.least, threshold.share * best)
        return [each for each, share in zip(told, probable, strict=True) if share >= least]

    def _has_answer(self, asked_for: RecallPass, ranked: Sequence[RankedCandidate]) -> bool:
        question, best = read_focus(asked_for.query.text), [each.candidate for each in ranked[:READ]]
        known = _known_names(question, best)
        if known:
            question = replace(question, is_general=False)  # "What does Noor play?" is put like "What does TLS do?"
        compared = _is_compared(asked_for)
        if not self.searching and compared and _is_private(best) and _is_about_world(asked_for.query, question):
            return False
        if _has_vectors(best) and not compared and not question.is_general:
            return True  # vectors whose scale nobody knows find what shares no word with the question
        if asked_for.query.window is not None and question.is_personal:
            return True  # "what did I do on Monday" names its day, and the ranking has looked there
        return any(
            _probability(gate, question, known, best) >= gate.probability for gate in self._gates(compared=compared)
        )

    def _gates(self, *, compared: bool) -> tuple[AnswerGate, ...]:
        """What may open the answer, each by itself."""
        if not compared:
            return (self.words,)
        return (self.meaning, self.words) if self.searching else (self.meaning,)


def _is_about_world(query: RecallQuery, question: QuestionFocus) -> bool:
    return query.embedding is not None and is_about_world(query.embedding, is_personal=question.is_personal)


def _probability(
    gate: AnswerGate, question: QuestionFocus, known: Sequence[str], best: Sequence[CandidateRow]
) -> float:
    words = _topic_words(question, known)
    held = [words.intersection(_terms(each)) for each in best]
    share = len(frozenset[str]().union(*held)) / len(words) if words else float(question.is_personal)
    sum_ = (
        gate.bias
        + gate.personal * question.is_personal
        + gate.known * bool(known)
        + gate.general * question.is_general
        + gate.named * share
        + gate.together * max(map(len, held), default=0)
        + gate.cosine * max((each.cosine or 0.0 for each in best), default=0.0)
        + gate.chinese * any(language_of(each.text) == "zh" for each in best[:1])
    )
    return 1 / (1 + exp(-sum_))


def _is_private(best: Sequence[CandidateRow]) -> bool:
    """Whether it is one person's memory; among people a question about somebody looks like one about the world."""
    return any(each.speaker == SPEAKER for each in best)


def _is_compared(asked_for: RecallPass) -> bool:
    """Whether the cosines are those of the encoder, on whose scale the constants were fitted."""
    has_vectors = any(each.cosine is not None for each in asked_for.candidates)
    return has_vectors and is_encoder(asked_for.query.embedding_model)


def knows_names(question: str, ranked: Sequence[RankedCandidate]) -> bool:
    """Whether the best memories have a name that is in the question."""
    return bool(_known_names(read_focus(question), [each.candidate for each in ranked[:READ]]))


def _asks_several(asked_for: RecallPass) -> bool:
    return asked_for.query.question.parts > 1 or len(_QUESTION_MARK.findall(asked_for.query.text)) > 1


def _has_vectors(best: Sequence[CandidateRow]) -> bool:
    return any(each.cosine is not None for each in best)


def _known_names(question: QuestionFocus, best: Sequence[CandidateRow]) -> list[str]:
    """Names in the question that the memories know, too: being known is no reason to know this about somebody."""
    said = " ".join(f"{each.speaker} {each.text}" for each in best)
    return [name for name in question.names if re.search(rf"(?<!\w){re.escape(name)}(?!\w)", said)]


def _topic_words(question: QuestionFocus, known: Sequence[str]) -> frozenset[str]:
    """What is asked about somebody: the naming words without their name."""
    return frozenset(question.words).difference(*(word_terms(fold(name)) for name in known))


def _terms(one: CandidateRow) -> list[str]:
    return word_terms(fold(f"{one.speaker} {one.about} {one.text}"))
