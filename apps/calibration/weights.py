"""Measures what the vectors of a model are worth beside words, on labelled questions, language by language."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import fmean, stdev

from apps.calibration.dataset import ADVERSARIAL
from apps.calibration.examination import RankedAnswer
from apps.calibration.metrics import LabelledRanking, ndcg, recall
from brain.resources import Resources
from memory.calibration import VectorWeight
from memory.embedding import Embedder, Vector
from memory.scope import Scope

WEIGHTS = (0.0, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0)
"""What is tried: the best vector against the best words, which count 1. The cosines of models spread differently."""
TOP = 10
"""Where nDCG and recall are cut."""
MIN_QUESTIONS = 30
"""Questions of a language below which nothing can be told."""
MIN_STANDARD_ERRORS = 1.64
"""Standard errors by which a weight must beat none at all: 95 % for one weight. Several are tried on the same
questions, so chance passes more often than that, and the gain that is shown is a little too great."""

LanguageAnswer = tuple[str, RankedAnswer]
"""The language of a question, and how it was answered."""


@dataclass(frozen=True, kw_only=True)
class Trial:
    """Means over questions at one weight; ``gain`` is that in nDCG over words alone, ``error`` its standard error."""

    weight: float
    recall: float
    ndcg: float
    gain: float
    error: float

    @property
    def is_certain(self) -> bool:
        """Whether the gain at this weight exceeds ``MIN_STANDARD_ERRORS`` standard errors."""
        return self.gain > MIN_STANDARD_ERRORS * self.error


@dataclass(frozen=True, kw_only=True)
class LanguageCalibration:
    """What was tried in one language."""

    language: str
    questions: int
    trials: tuple[Trial, ...]

    @property
    def weight(self) -> float | None:
        """The best of what is certain, 0 when nothing is; None when there were too few questions to tell."""
        if self.questions < MIN_QUESTIONS:
            return None
        certain = [trial for trial in self.trials if trial.is_certain]
        return max(certain, key=lambda trial: trial.ndcg).weight if certain else 0.0


def calibrate(answers: Mapping[float, Sequence[LanguageAnswer]]) -> list[LanguageCalibration]:
    """The same questions at each weight, 0 among them, by language."""
    languages = sorted({language for language, _ in answers[0.0]})
    return [_calibrate_language(language, answers) for language in languages]


def _calibrate_language(language: str, answers: Mapping[float, Sequence[LanguageAnswer]]) -> LanguageCalibration:
    chosen = {weight: [one for its, one in asked if its == language] for weight, asked in answers.items()}
    judged = {
        weight: [one.turns for one in its if one.question.category != ADVERSARIAL] for weight, its in chosen.items()
    }
    words = [ndcg(each, TOP) for each in judged[0.0]]
    trials = (_trial(weight, its, words) for weight, its in sorted(judged.items())) if words else ()
    return LanguageCalibration(language=language, questions=len(words), trials=tuple(trials))


def _trial(weight: float, judged: Sequence[LabelledRanking], words: Sequence[float]) -> Trial:
    gained = [ndcg(each, TOP) - before for each, before in zip(judged, words, strict=True)]
    return Trial(
        weight=weight,
        recall=fmean(recall(each, TOP) for each in judged),
        ndcg=fmean(words) + fmean(gained),
        gain=fmean(gained),
        error=stdev(gained) / sqrt(len(gained)) if len(gained) > 1 else 0.0,
    )


async def save_weights(resources: Resources, scope: Scope, found: Sequence[LanguageCalibration]) -> list[str]:
    """Keep what was found for the scope's tenant, under the configured model's name; running processes heed it soon.

    Returns a line for each language in which enough was asked.
    """
    assert resources.embedder is not None
    weights = [
        VectorWeight(
            model=resources.embedder.name,
            language=each.language,
            weight=each.weight,
            questions=each.questions,
            measured_at=resources.clock(),
        )
        for each in found
        if each.weight is not None
    ]
    if weights:
        await resources.memory.calibration.save_vector_weights(scope, weights)
    return [f"{each.model} in {each.language} {each.weight:g}" for each in weights]


def lines(calibrated: LanguageCalibration) -> Iterator[str]:
    """A table to read: shares in percent."""
    yield f"In {calibrated.language}, {calibrated.questions} questions:"
    yield f"{'weight':>8}{f'R@{TOP}':>8}{f'nDCG{TOP}':>8}{'gain':>8}{'error':>8}"
    for trial in calibrated.trials:
        shares = (trial.recall, trial.ndcg, trial.gain, trial.error)
        yield f"{trial.weight:>8g}" + "".join(f"{100 * share:>8.1f}" for share in shares)
    if calibrated.weight is None:
        yield f"Too few to tell: at least {MIN_QUESTIONS} are needed."
    elif calibrated.weight == 0:
        yield "Vectors add nothing certain: weight 0."
    else:
        yield f"Weight {calibrated.weight:g}."


@dataclass(frozen=True)
class CachingEmbedder:
    """An embedding model that makes the vector of a single text once, however often it is asked for."""

    embedder: Embedder
    known: dict[str, Vector] = field(default_factory=dict[str, Vector])

    @property
    def name(self) -> str:
        """The model's own."""
        return self.embedder.name

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """As the model does; batches are passed on."""
        if len(texts) != 1:
            return await self.embedder.embed(texts)
        if texts[0] not in self.known:
            (self.known[texts[0]],) = await self.embedder.embed(texts)
        return [self.known[texts[0]]]
