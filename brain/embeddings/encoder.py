"""The default embedder: the sentence encoder of ``language.encoder``, in bounded pieces and off the event loop."""

import asyncio
from collections.abc import Iterator, Sequence
from functools import cache
from threading import Thread

import structlog

from brain.local_model import require_package
from language.encoder import PACKAGE, RESOURCES, TEXT_CHARACTERS, sentence_encoder
from memory.embedding import Vector, unit_vectors
from memory.errors import BrainError, unavailable

log = structlog.get_logger(__name__)

MODEL = f"encoder:use-multilingual-v3@{RESOURCES['weights.npz'][:8]}"
PIECE_CHARACTERS = 2_000
"""Characters that are embedded in one go: a question waits for one piece of other work at most."""
_FAILURES = (ArithmeticError, ImportError, LookupError, OSError, RuntimeError, ValueError)


class EncoderEmbedder:
    """One per process, whichever resources lean on it. The weights are loaded at first use or by ``start_loading``."""

    name = MODEL

    def __init__(self) -> None:
        require_package(PACKAGE)
        self._loader: Thread | None = None

    @property
    def is_ready(self) -> bool:
        """Whether a question need not wait: not while the weights are being loaded behind the start."""
        return self._loader is None or not self._loader.is_alive()

    def start_loading(self) -> None:
        """Load the weights on a thread of their own, unless that has been done."""
        if self._loader is None and not sentence_encoder().is_loaded:
            self._loader = Thread(target=_try_loading, name="load encoder", daemon=True)
            self._loader.start()

    async def load(self) -> None:
        """Wait until the weights are loaded, or cannot be, which the log tells."""
        await asyncio.to_thread(_try_loading)

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector per text, in order; of a very long text its beginning. Raises ``E_DEP_UNAVAILABLE``."""
        vectors: list[Vector] = []
        for piece in _pieces(texts):
            vectors += await asyncio.to_thread(self.embed_now, piece)
        return vectors

    def embed_now(self, texts: Sequence[str]) -> list[Vector]:
        """The same on this thread, for what runs on no event loop."""
        return unit_vectors(_encode(texts), len(texts))


@cache
def encoder_embedder() -> EncoderEmbedder:
    """This process's own. Raises ``ModuleNotFoundError`` where its package is not installed."""
    return EncoderEmbedder()


def _pieces(texts: Sequence[str]) -> Iterator[list[str]]:
    piece, characters = list[str](), 0
    for text in texts:
        length = min(len(text), TEXT_CHARACTERS)
        if piece and characters + length > PIECE_CHARACTERS:
            yield piece
            piece, characters = [], 0
        piece.append(text)
        characters += length
    if piece:
        yield piece


def _encode(texts: Sequence[str]) -> list[list[float]]:
    try:
        return sentence_encoder().encode(texts).tolist()
    except _FAILURES as error:
        raise unavailable(f"The encoder cannot be used: {error}"[:300], "Words have to do until then.") from error


def _try_loading() -> None:
    """What fails here is told to everyone who asks for a vector as well."""
    try:
        _encode(["."])
    except BrainError as error:
        log.warning("encoder_not_loaded", why=str(error), consequence="recall works on words alone")
