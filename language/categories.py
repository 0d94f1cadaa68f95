"""Which category a thing belongs to, by the nearest of named examples: an allergen or a figure of speech, a town.

The sentence encoder judges; where it is not loaded, nothing is told apart and everything is taken at its word.
"""

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from language.detection import language_of
from language.encoder import sentence_encoder
from language.tables import Language, languages, lines

_STOPS = " .,!;:…。，！；：、"
NEAREST = 3
"""Examples of each category that count: one alone may be near by its letters."""
MIN_ALLERGEN_MARGIN, MAX_FIGURE_MARGIN, MIN_TOWN_MARGIN = 0.05, -0.1, 0.03
"""Differences of mean cosines. An allergy that is taken for a figure of speech does more harm than one that is kept,
and a firm that is taken for a new home more than a town that is taken for none: ``python -m evals.categories`` counts
both.
"""


def is_allergen(thing: str) -> bool:
    """Whether people are surely allergic to it in earnest: to eggs, and not to Mondays."""
    return _margin(thing, "allergens", "figures_of_speech", languages()) >= MIN_ALLERGEN_MARGIN


def is_figure_of_speech(thing: str) -> bool:
    """Whether who calls themself allergic to it surely does not mean their health."""
    return _margin(thing, "allergens", "figures_of_speech", languages()) <= MAX_FIGURE_MARGIN


def is_town(name: str) -> bool:
    """Whether one can surely live there rather than work there or with it, or stay there a while."""
    named, own = name.strip(_STOPS), (language_of(name),)
    return not sentence_encoder().is_loaded or _margin(named, "towns", "no_towns", own) >= MIN_TOWN_MARGIN


def _margin(thing: str, category: str, other: str, among: tuple[Language, ...]) -> float:
    """By how much a thing is nearer to the examples of one category than to those of another, in the languages that
    they are taken of; 0 without the encoder.
    """
    return _measured_margin(thing, category, other, among) if sentence_encoder().is_loaded else 0.0


@lru_cache(maxsize=4_096)
def _measured_margin(thing: str, category: str, other: str, among: tuple[Language, ...]) -> float:
    own = sentence_encoder().encode([thing])[0]
    return _mean_cosine(own, _examples(category, among)) - _mean_cosine(own, _examples(other, among))


def _mean_cosine(own: NDArray[np.float32], examples: NDArray[np.float32]) -> float:
    return float(np.sort(examples @ own)[-NEAREST:].mean())


@cache
def _examples(category: str, among: tuple[Language, ...]) -> NDArray[np.float32]:
    return sentence_encoder().encode([each for language in among for each in lines(f"categories.{category}", language)])
