"""The port to an embedding model. A vector always travels with the name of the model that made it."""

from collections.abc import Sequence
from typing import Protocol


class Embedder(Protocol):
    """Turns text into vectors. ``name`` is stored beside every vector."""

    @property
    def name(self) -> str:
        """Provider and model, such as ``openai:text-embedding-3-small``."""
        ...

    async def embed(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """Unit vectors, one per text, in order. Raises ``E_DEP_TIMEOUT`` or ``E_DEP_UNAVAILABLE``."""
        ...
