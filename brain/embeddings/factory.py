"""Which embedding model turns text into vectors. ``none``: recall works on words alone."""

from typing import TYPE_CHECKING

import structlog

from brain.settings import Settings
from memory.embedding import Embedder
from memory.errors import bad_request, config_error

if TYPE_CHECKING:
    from brain.embeddings.encoder import EncoderEmbedder

log = structlog.get_logger(__name__)

EARLIER_DEFAULT = "openai:text-embedding-3-small"


def build_embedder(settings: Settings) -> Embedder | None:
    """The configured embedder, not yet loaded. Providers are imported when chosen: some weigh hundreds of megabytes."""
    kind, name = settings.embedding_model
    try:
        match kind:
            case "none":
                return None
            case "encoder":
                return find_encoder(settings)
            case "openai":
                from brain.embeddings.openai import OpenAIEmbedder

                return OpenAIEmbedder(name, settings)
            case "torch":
                from brain.embeddings.local import TorchEmbedder

                return TorchEmbedder(name)
            case "local":
                from brain.embeddings.local import OnnxEmbedder

                return OnnxEmbedder(name)
    except ImportError as missing:
        raise config_error(
            f"The embedding provider {kind} is not installed ({missing.name}).",
            f"Run pip install 'brain[{kind}]' first.",
        ) from missing


def build_earlier_embedder(settings: Settings) -> Embedder | None:
    """OpenAI's small model, the default where there was a key; None where somebody chose, or without a key."""
    if settings.embeddings is not None or settings.openai_api_key is None:
        return None
    return build_embedder(settings.model_copy(update={"embeddings": EARLIER_DEFAULT}))


def find_encoder(settings: Settings) -> "EncoderEmbedder | None":
    """The encoder of this process, unless words are to do; without its package they have to, as the log says."""
    if settings.embedding_model[0] == "none":
        return None
    from brain.embeddings.encoder import PACKAGE, encoder_embedder

    try:
        return encoder_embedder()
    except ModuleNotFoundError:
        log.warning("encoder_missing", package=PACKAGE, consequence="recall works on words alone")
        return None


def select_embedding_model(model: str, settings: Settings) -> Settings:
    """The same settings with another embedding model, written as ``BRAIN_EMBEDDINGS`` writes it.

    Raises ``E_BAD_REQUEST`` for what names no model.
    """
    chosen = settings.model_copy(update={"embeddings": model or "none"})
    try:
        kind, _ = chosen.embedding_model
    except ValueError as unknown:
        raise bad_request(str(unknown), "Name one such as openai:text-embedding-3-small.") from None
    if kind == "none":
        raise bad_request("Without a model there are no vectors to switch to.", "Set BRAIN_EMBEDDINGS=none instead.")
    return chosen
