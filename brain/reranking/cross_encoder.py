"""Cross-encoders in this process: one score for each pair of a question and a text, read together."""

import asyncio
import math
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from threading import Event
from typing import Any, Protocol

from brain.embeddings.local import model_file
from brain.local_model import LocalModel, require_package
from brain.settings import Settings
from memory.errors import config_error, unavailable

BATCH = 8
"""Pairs between two looks at the clock."""

Score = Callable[[str, Sequence[str]], Iterable[Any]]


class CrossEncoder(Protocol):
    """Tells how well texts answer a question."""

    @property
    def name(self) -> str:
        """Provider and model, such as ``local:BAAI/bge-reranker-v2-m3-int8``."""
        ...

    async def score(self, question: str, texts: Sequence[str], seconds: float) -> list[float]:
        """A score for each of the first texts, in order, as far as the time allows; the greater, the better.

        Raises ``BrainError`` and nothing else.
        """
        ...


class LocalCrossEncoder:
    """A loaded model that is asked for a few pairs at a time, so that a thread ends soon after its answer is late."""

    def __init__(self, kind: str, name: str, load: Callable[[], Score]) -> None:
        self.name = f"{kind}:{name}"
        self._model = LocalModel(name, load)

    async def score(self, question: str, texts: Sequence[str], seconds: float) -> list[float]:
        """What was scored in time; nothing while the model is still being loaded."""
        found, late = list[float](), Event()
        try:
            async with asyncio.timeout(seconds):
                await self._model.use(partial(_score_batches, question, texts, found, late))
        except TimeoutError:
            pass
        finally:
            late.set()
        return list(found)


class TorchCrossEncoder(LocalCrossEncoder):
    """A sentence-transformers cross-encoder, by name or path."""

    def __init__(self, name: str) -> None:
        require_package("sentence_transformers")
        super().__init__("torch", name, partial(_load_torch, name))


class OnnxCrossEncoder(LocalCrossEncoder):
    """A fastembed cross-encoder, fetched at first use, or a folder that holds such a model."""

    def __init__(self, name: str) -> None:
        require_package("fastembed")
        super().__init__("local", name, partial(_load_onnx, name))


def _score_batches(question: str, texts: Sequence[str], found: list[float], late: Event, score: Score) -> None:
    """Fill ``found`` batch by batch until nobody waits any more. Runs in a thread."""
    for start in range(0, len(texts), BATCH):
        if late.is_set():
            return
        batch = texts[start : start + BATCH]
        scores = [float(each) for each in score(question, batch)]
        if len(scores) != len(batch) or not all(map(math.isfinite, scores)):
            raise unavailable("The cross-encoder gave no score to some of the texts.")
        found.extend(scores)


def _load_torch(name: str) -> Score:
    import_module("transformers.utils.logging").disable_progress_bar()
    model = import_module("sentence_transformers").CrossEncoder(name, device="cpu")
    return lambda question, texts: model.predict([(question, text) for text in texts], show_progress_bar=False)


def _load_onnx(name: str) -> Score:
    kind = import_module("fastembed.rerank.cross_encoder").TextCrossEncoder
    folder = Path(name).expanduser()
    if folder.is_dir():
        _register_model(kind, name, model_file(folder))
        model = kind(name, specific_model_path=str(folder))
    else:
        model = kind(name)
    return lambda question, texts: model.rerank(question, texts, batch_size=BATCH)


def _register_model(kind: Any, name: str, file: str) -> None:
    if all(each["model"].lower() != name.lower() for each in kind.list_supported_models()):
        source = import_module("fastembed.common.model_description").ModelSource(hf=name)
        kind.add_custom_model(model=name, sources=source, model_file=file)


def build_cross_encoder(settings: Settings) -> CrossEncoder | None:
    """The configured cross-encoder, not yet loaded. Raises ``E_CONFIG`` when its library is not installed."""
    kind, name = settings.cross_encoder_model
    try:
        match kind:
            case "none":
                return None
            case "torch":
                return TorchCrossEncoder(name)
            case "local":
                return OnnxCrossEncoder(name)
    except ImportError as missing:
        raise config_error(
            f"The library of the cross-encoder is not installed ({missing.name}).",
            f"Run pip install 'brain[{kind}]' first.",
        ) from missing
