"""The few ways in which a language model can fail a turn, each with the reason code that the receipt shows."""

import asyncio
from collections.abc import Mapping
from typing import Literal

from langchain_core.messages import AIMessage

from language.detection import DEFAULT
from language.tables import texts

Unavailable = Literal[
    "model_timeout",
    "model_rate_limited",
    "model_quota_exhausted",
    "model_server_error",
    "model_unreachable",
    "model_interrupted",
    "model_auth_failed",
    "model_not_found",
    "model_bad_request",
    "model_context_exceeded",
]
Interruption = Literal["model_interrupted", "model_timeout"]
INTERRUPTED = "interrupted"
"""The finish reason of a message that holds only what was heard until its answer broke off."""

RETRYABLE: frozenset[Unavailable] = frozenset(
    {"model_timeout", "model_rate_limited", "model_server_error", "model_unreachable", "model_interrupted"}
)
"""What may be different a moment later; a bad key, request or model name will not be."""

ADVICE: Mapping[str, str] = texts("phrases.advice", DEFAULT)
"""By reason code, the sentence that helps."""


class ModelError(Exception):
    """No usable answer. ``reason`` is the code for ``degraded_reason``; rules take over."""

    def __init__(self, reason: str, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class ModelUnavailable(ModelError):
    """Nothing was heard, and asking again is over. ``retry_after`` is the provider's own wish, in seconds."""

    def __init__(self, reason: Unavailable, retry_after: float | None = None) -> None:
        super().__init__(reason, f"{reason}: {ADVICE[reason]}")
        self.reason: Unavailable = reason
        self.retry_after = retry_after

    @property
    def is_retryable(self) -> bool:
        """Whether the same request may succeed a moment later."""
        return self.reason in RETRYABLE


class ModelRefused(ModelError):
    """The model, or the provider's filter, declined. ``text`` may be shown to the user."""

    def __init__(self, text: str) -> None:
        super().__init__("model_refused", f"model_refused: {text}")
        self.text = text


class ModelMalformed(ModelError):
    """The answer cannot be read, twice in a row. ``answer`` is what was said, ``complaint`` what is wrong with it."""

    def __init__(self, complaint: str, answer: str = "") -> None:
        super().__init__("model_malformed", f"model_malformed: {complaint}")
        self.complaint = complaint
        self.answer = answer


class ModelInterrupted(ModelError):
    """The answer broke off after the user had seen some of it: ``partial`` holds those words and no tool calls."""

    def __init__(self, partial: AIMessage, reason: Interruption = "model_interrupted") -> None:
        super().__init__(reason, f"{reason}: the answer broke off after {len(partial.text)} characters.")
        self.partial = partial


class ReplyCancelled(asyncio.CancelledError):
    """The run was cancelled after the user had seen some of the answer: ``partial`` holds those words."""

    def __init__(self, partial: AIMessage) -> None:
        super().__init__()
        self.partial = partial
