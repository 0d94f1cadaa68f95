"""The port to an embedding model. A vector always travels with the name of the model that made it."""

import math
import re
from collections.abc import Iterable, Sequence
from typing import Protocol, runtime_checkable

from memory.errors import BrainError, unavailable

Vector = tuple[float, ...]

_ENGLISH_MODEL = re.compile(
    r"^(?!.*multilingual).*(?:all-minilm|all-mpnet|paraphrase-m|multi-qa-m|ms-marco-m|[-_]en(?:[-_.]|$)|/e5-|mxbai-embed|thenlper/gte"
    r"|arctic-embed-(?!.*v2)|nomic-embed-text(?!-v2))",
    re.IGNORECASE,
)
_E5_MODEL = re.compile(r"e5-(?:small|base|large)(?!.*instruct)", re.IGNORECASE)
_BEYOND_LATIN = re.compile(r"[^\W\d_A-Za-z\u00c0-\u024f]")
_LATIN = re.compile(r"[A-Za-z\u00c0-\u024f]+")


class Embedder(Protocol):
    """Turns text into vectors. ``name`` is stored beside every vector."""

    @property
    def name(self) -> str:
        """Provider and model, such as ``openai:text-embedding-3-small``."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """Unit vectors, one per text, in order. Raises ``BrainError`` and nothing else."""
        ...


@runtime_checkable
class LoadedBehind(Protocol):
    """What an embedder that computes in this process can do as well: load behind the start of whatever asks it."""

    @property
    def is_ready(self) -> bool:
        """Whether a question is answered at once: not while the model is being loaded behind the start."""
        ...

    def start_loading(self) -> None:
        """Load the model on a thread of its own, once."""
        ...

    async def load(self) -> None:
        """Wait until the model is loaded, or cannot be."""
        ...


def dimension_mismatch_error(message: str) -> BrainError:
    """A model that goes by a known name and is another one."""
    return BrainError("E_DIM_MISMATCH", message, "Give the changed model a name of its own, then 'brain embed switch'.")


def is_encoder(model: str) -> bool:
    """Whether a model is the encoder of the package, on whose cosines constants were fitted."""
    return model.startswith("encoder:")


def can_read(model: str, text: str) -> bool:
    """Whether a model learnt the script that most of a text is written in; English models are known by their names."""
    if not _ENGLISH_MODEL.search(model):
        return True
    return len(_BEYOND_LATIN.findall(text)) <= len(_LATIN.findall(text))


def as_question(model: str, text: str) -> str:
    """A question as the model learnt to read questions: those of the E5 family are told what a text is."""
    return f"query: {text}" if _E5_MODEL.search(model) else text


def as_memory(model: str, text: str) -> str:
    """What is remembered, as the model learnt to read what is searched."""
    return f"passage: {text}" if _E5_MODEL.search(model) else text


def unit_vectors(answered: Iterable[Sequence[float]], expected: int) -> list[Vector]:
    """What a provider answered, as unit vectors of one length. Raises ``E_DEP_UNAVAILABLE`` for what has no direction.

    A vector of zeros or one that is not finite would poison every comparison of the person it is stored for.
    """
    vectors = [_unit(vector) for vector in answered]
    if len(vectors) != expected:
        raise unavailable(f"The embedding model made {len(vectors)} vectors of {expected} texts.")
    if len({len(vector) for vector in vectors}) > 1:
        raise unavailable("The embedding model made vectors of different lengths in one answer.")
    return vectors


def _unit(vector: Sequence[float]) -> Vector:
    size = math.hypot(*vector)
    if not 0 < size < math.inf:
        raise unavailable("The embedding model made a vector that has no direction.")
    return tuple(value / size for value in vector)
