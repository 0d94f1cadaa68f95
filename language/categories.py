"""Which category a thing belongs to, by the nearest of named examples: an allergen or a figure of speech, a town.

The sentence encoder judges; where it is not loaded, nothing is told apart and everything is taken at its word.
"""

from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from language.encoder import sentence_encoder
from language.tables import languages, lines

NEAREST = 3
"""Examples of each category that count: one alone may be near by its letters."""
MIN_ALLERGEN_MARGIN, MAX_FIGURE_MARGIN, MIN_TOWN_MARGIN = 0.05, -0.1, 0.0
"""Differences of mean cosines. An allergy that is taken for a figure of speech does more harm than one that is kept:
``python -m evals.categories`` counts both.
"""


def is_allergen(thing: str) -> bool:
    """Whether people are surely allergic to it in earnest: to eggs, and not to Mondays."""
    return _margin(thing, "allergens", "figures_of_speech") >= MIN_ALLERGEN_MARGIN


def is_figure_of_speech(thing: str) -> bool:
    """Whether who calls themself allergic to it surely does not mean their health."""
    return _margin(thing, "allergens", "figures_of_speech") <= MAX_FIGURE_MARGIN


def is_town(name: str) -> bool:
    """Whether one can live there rather than work there or with it; in doubt one can."""
    return _margin(name, "towns", "no_towns") >= MIN_TOWN_MARGIN


def _margin(thing: str, category: str, other: str) -> float:
    """By how much a thing is nearer to the examples of one category than to those of another; 0 without the encoder."""
    return _measured_margin(thing, category, other) if sentence_encoder().is_loaded else 0.0


@lru_cache(maxsize=4_096)
def _measured_margin(thing: str, category: str, other: str) -> float:
    own = sentence_encoder().encode([thing])[0]
    return _mean_cosine(own, _examples(category)) - _mean_cosine(own, _examples(other))


def _mean_cosine(own: NDArray[np.float32], examples: NDArray[np.float32]) -> float:
    return float(np.sort(examples @ own)[-NEAREST:].mean())


@cache
def _examples(category: str) -> NDArray[np.float32]:
    named = [each for language in languages() for each in lines(f"categories.{category}", language)]
    return sentence_encoder().encode(named)
