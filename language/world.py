"""Is a message about the world alone? Told by its meaning, not by names and places that it shares with a memory."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import as_file, files

import numpy as np
from numpy.typing import NDArray

WORLD, PERSONAL_WORLD = -0.9, -2.0
"""Below this score nothing personal is needed; the second is for messages that say "I" or "my", as texts to translate
do. Three in a hundred questions about one's own life stand there, and of the hardest about the world six in ten.
"""


@dataclass(frozen=True, eq=False)
class FocusModel:
    """A linear model over the encoder's dimensions; ``python -m evals.fit_focus`` fits it."""

    weights: NDArray[np.float32]
    bias: float

    def score(self, vector: Sequence[float]) -> float:
        """How much more a message is about its speaker's life, or what the assistant said, than about the world."""
        return float(np.asarray(vector, np.float32) @ self.weights) + self.bias


def is_about_world(vector: Sequence[float], *, is_personal: bool) -> bool:
    """Whether a message with this vector of the encoder needs nothing personal, though it may say "I" or "my"."""
    return _load_model().score(vector) < (PERSONAL_WORLD if is_personal else WORLD)


@lru_cache(maxsize=1)
def _load_model() -> FocusModel:
    with as_file(files("language") / "focus.npz") as path, np.load(path) as held:
        return FocusModel(held["weights"], float(held["bias"]))
