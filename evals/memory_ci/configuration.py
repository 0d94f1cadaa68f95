"""The configuration that was measured, in words fit for a page that is shown around: no secrets, addresses or paths."""

import os
import platform
from importlib.metadata import version

from brain.settings import Settings
from memory.recall.policies.registry import find_policy


def describe_configuration(settings: Settings) -> dict[str, str]:
    """What decides over the figures."""
    has_model = bool(settings.openai_api_key or settings.base_url)
    kind, model = settings.embedding_model
    reranker, cross_encoder = settings.cross_encoder_model
    return {
        "Brain": version("brain"),
        "chat model": _strip_path(settings.chat_model) if has_model else "none: rules",
        "fast model": _strip_path(settings.fast_model) if has_model else "none: rules",
        "embeddings": _join(kind, model),
        "cross-encoder": _join(reranker, cross_encoder),
        "reranking by a model": _yes(settings.model_rerank),
        "ranking policy": find_policy(settings.ranking_policy).name,
        "detector": "on" if settings.detect_steering else "off",
        "acts that wait for approval": settings.approval or "none",
        "context window": f"{settings.context_window:,} tokens",
        "private memory": settings.dm_scope,
        "knowledge": settings.knowledge,
        "Python": f"{platform.python_version()}, {platform.system()}",
        "processors": str(os.cpu_count() or "unknown"),
        "left out": "your own skills and MCP servers, webhooks, telemetry, token limits",
    }


def _join(kind: str, model: str) -> str:
    return f"{kind}: {_strip_path(model)}" if model else kind


def _strip_path(name: str) -> str:
    """A model may be named by the file it is in."""
    return name.replace("\\", "/").rstrip("/").rpartition("/")[2]


def _yes(value: bool) -> str:
    return "yes" if value else "no"
