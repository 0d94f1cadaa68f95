"""Which cross-encoder reranks memories. With none configured, the order of the ranking policy stands."""

from brain.reranking.cross_encoder import CrossEncoder, OnnxCrossEncoder, TorchCrossEncoder
from brain.settings import Settings
from memory.errors import config_error


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
