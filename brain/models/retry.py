"""Which failures of a provider are tried again, how soon, and under which reason code each is reported."""

import asyncio
import math
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import TypeVar

import openai
from langchain_core.exceptions import ContextOverflowError

from brain.models.errors import ModelError, ModelMalformed, ModelRefused, ModelUnavailable, Unavailable

T = TypeVar("T")

UNREADABLE = (ValueError, TypeError, LookupError, AttributeError)
"""What the client library raises on an answer in another format: HTML, broken JSON, no choices, no vectors."""

FAILURES = (openai.OpenAIError, *UNREADABLE)

_BY_CODE: dict[str, Unavailable] = {
    "insufficient_quota": "model_quota_exhausted",
    "context_length_exceeded": "model_context_exceeded",
}
_BY_TYPE: tuple[tuple[type[Exception], Unavailable], ...] = (
    (ContextOverflowError, "model_context_exceeded"),
    (openai.APITimeoutError, "model_timeout"),
    (openai.APIConnectionError, "model_unreachable"),
    (openai.RateLimitError, "model_rate_limited"),
    (openai.AuthenticationError, "model_auth_failed"),
    (openai.PermissionDeniedError, "model_auth_failed"),
    (openai.NotFoundError, "model_not_found"),
    (openai.InternalServerError, "model_server_error"),
    (openai.APIStatusError, "model_bad_request"),
    (openai.APIError, "model_server_error"),
)


@dataclass(frozen=True, kw_only=True)
class Retry:
    """A few attempts with doubling pauses, in seconds. One that asks for more patience is left alone."""

    attempts: int = 3
    first_pause: float = 0.5
    longest_pause: float = 8.0
    longest_retry_after: float = 20.0
    sleep: Callable[[float], Awaitable[None]] = asyncio.sleep

    async def run(self, ask: Callable[[], Awaitable[T]], deadline: asyncio.Timeout) -> T:
        """The first answer, or the last failure. Only what may pass by itself is asked again, and only in time."""
        for attempt in range(1, self.attempts):
            try:
                return await ask()
            except ModelUnavailable as failure:
                pause = self._pause(attempt, failure)
                if not self._can_retry(failure) or pause >= _seconds_left(deadline):
                    raise
                await self.sleep(pause)
        return await ask()

    def _can_retry(self, failure: ModelUnavailable) -> bool:
        """What has already kept a person waiting is not waited for again."""
        if failure.reason == "model_timeout":
            return False
        return failure.is_retryable and (failure.retry_after or 0.0) <= self.longest_retry_after

    def _pause(self, attempt: int, failure: ModelUnavailable) -> float:
        if failure.retry_after is not None:
            return failure.retry_after
        return min(self.first_pause * 2 ** (attempt - 1), self.longest_pause)


def _seconds_left(deadline: asyncio.Timeout) -> float:
    when = deadline.when()
    return math.inf if when is None else when - asyncio.get_running_loop().time()


def failure_of(error: Exception) -> ModelError:
    """Our name for what the client library raised."""
    if isinstance(error, openai.ContentFilterFinishReasonError):
        return ModelRefused("The provider's content filter stopped the answer.")
    if isinstance(error, openai.LengthFinishReasonError):
        return ModelMalformed("The answer was cut at the length limit.")
    if isinstance(error, openai.APIError) and error.code in _BY_CODE:
        return ModelUnavailable(_BY_CODE[error.code])
    for kind, reason in _BY_TYPE:
        if isinstance(error, kind):
            return ModelUnavailable(reason, _retry_after(error))
    return ModelMalformed(f"The provider's answer cannot be read ({type(error).__name__}: {str(error)[:200]}).")


def _retry_after(error: Exception) -> float | None:
    """The provider's wish in seconds; a date or nonsense counts as no wish."""
    if not isinstance(error, openai.APIStatusError):
        return None
    for header, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        text = error.response.headers.get(header, "")
        if text.replace(".", "", 1).isdecimal():
            return float(text) / unit
    return None
