"""Embeddings from any OpenAI-compatible address."""

from collections.abc import Iterator, Sequence

import openai
from openai import AsyncOpenAI
from openai.types import CreateEmbeddingResponse

from brain.models.retry import UNREADABLE
from brain.settings import Settings
from memory.embedding import Vector, unit_vectors
from memory.errors import BrainError, bad_request, config_error, timeout_error, unavailable

MAX_BATCH_TEXTS = 256
MAX_BATCH_BYTES = 250_000
TEXT_BYTES = 8_000
"""A token is at least one byte: no text passes the usual 8,191 tokens, no batch the usual 300,000."""
NO_KEY = "none"


class OpenAIEmbedder:
    """``/v1/embeddings`` in batches; what cannot be reached says so by code, and vectors are made later."""

    def __init__(self, model: str, settings: Settings) -> None:
        key = settings.openai_api_key
        self._model = model
        self._client = AsyncOpenAI(
            api_key=key.get_secret_value() if key else NO_KEY,
            base_url=settings.base_url,
            # A batch may take long. A single query has a deadline in its caller.
            timeout=max(settings.model_timeout, settings.embedding_timeout),
            max_retries=0,
        )

    @property
    def name(self) -> str:
        """Provider and model."""
        return f"openai:{self._model}"

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """One unit vector per text, in order; of a very long text its beginning."""
        vectors: list[Vector] = []
        for batch in _batches([_truncate(text) for text in texts]):
            vectors += await self._embed_batch(batch)
        return vectors

    async def _embed_batch(self, texts: list[str]) -> list[Vector]:
        """A batch that the provider finds too large, or one text of which it refuses, is asked for in halves."""
        try:
            return await self._request_vectors(texts)
        except BrainError as refused:
            if refused.code != "E_BAD_REQUEST" or len(texts) == 1:
                raise
        half = len(texts) // 2
        return [*await self._embed_batch(texts[:half]), *await self._embed_batch(texts[half:])]

    async def _request_vectors(self, texts: list[str]) -> list[Vector]:
        try:
            answer = await self._client.embeddings.create(model=self._model, input=texts, encoding_format="float")
            return unit_vectors(_sort_vectors(answer), len(texts))
        except openai.OpenAIError as error:
            raise _translate_error(error, self._model) from error
        except UNREADABLE as error:
            raise unavailable("The embedding model's answer cannot be read.", "Check BRAIN_BASE_URL.") from error


def _truncate(text: str) -> str:
    """An empty text is refused by providers; a space says as little."""
    return text.encode("utf-8", "replace")[:TEXT_BYTES].decode("utf-8", "ignore") or " "


def _batches(texts: Sequence[str]) -> Iterator[list[str]]:
    batch, size = list[str](), 0
    for text in texts:
        length = len(text.encode())
        if batch and (len(batch) == MAX_BATCH_TEXTS or size + length > MAX_BATCH_BYTES):
            yield batch
            batch, size = [], 0
        batch.append(text)
        size += length
    if batch:
        yield batch


def _sort_vectors(answer: CreateEmbeddingResponse) -> list[list[float]]:
    return [each.embedding for each in sorted(answer.data, key=lambda each: each.index)]


def _translate_error(error: openai.OpenAIError, model: str) -> BrainError:
    match error:
        case openai.APITimeoutError():
            return timeout_error("The embedding model did not answer in time.", "Recall goes on with words alone.")
        case openai.AuthenticationError() | openai.PermissionDeniedError():
            return config_error("The embedding provider refuses the key.", "Check OPENAI_API_KEY.")
        case openai.NotFoundError():
            return config_error(
                f"The provider has no embedding model {model!r}.", "Check BRAIN_EMBEDDINGS and BRAIN_BASE_URL."
            )
        case openai.APIStatusError(status_code=400 | 413 | 422):
            return bad_request("The embedding provider refuses a text.", "Its log says why.")
        case openai.RateLimitError():
            return unavailable("The embedding provider limits the rate of requests.", "Vectors are made later.")
        case _:
            return unavailable("The embedding model cannot be used.", "Run 'brain doctor'.")
