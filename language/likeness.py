"""What a thing is, by the named examples that it means most alike: something people are allergic to, a town.

The sentence encoder judges; where it is not loaded, nothing is told apart.
"""

import re
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from language.encoder import sentence_encoder
from language.tables import languages, text

NEAREST = 3
"""Examples of each side that count: one alone may be near by its letters."""
ALLERGEN, FIGURE = 0.05, -0.1
"""From where on a thing is surely one that people are allergic to, and up to where it surely is none: an allergy that
is taken for a joke does more harm than a joke that is kept. ``python -m evals.likeness`` counts both.
"""
_COMMA = re.compile(r",\s+")


def is_allergen(thing: str) -> bool:
    """Whether people are surely allergic to it in earnest: to eggs, and not to Mondays."""
    return _nearness(thing, "allergens", "no_allergens") >= ALLERGEN


def is_figure_of_speech(thing: str) -> bool:
    """Whether who calls themself allergic to it surely does not mean their health."""
    return _nearness(thing, "allergens", "no_allergens") <= FIGURE


def is_town(name: str) -> bool:
    """Whether one can live there rather than work there or with it; in doubt one can."""
    return _nearness(name, "towns", "no_towns") >= 0.0


@lru_cache(maxsize=4_096)
def _nearness(thing: str, sort: str, others: str) -> float:
    """By how much a thing is more like examples of a sort than like others; 0 where nothing tells them apart."""
    encoder = sentence_encoder()
    if not encoder.is_loaded:
        return 0.0
    own = encoder.encode([thing])[0]
    return _likeness(own, _examples(sort)) - _likeness(own, _examples(others))


def _likeness(own: NDArray[np.float32], examples: NDArray[np.float32]) -> float:
    return float(np.sort(examples @ own)[-NEAREST:].mean())


@cache
def _examples(name: str) -> NDArray[np.float32]:
    listed = (_COMMA.split(text(f"likeness.{name}", language).strip()) for language in languages())
    return sentence_encoder().encode([each for named in listed for each in named if each])
