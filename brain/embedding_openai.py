"""Embeddings from any OpenAI-compatible address."""

from collections.abc import Sequence

import openai
from openai import AsyncOpenAI

from brain.settings import Settings
from memory.errors import timed_out, unavailable

BATCH = 256
MAX_CHARACTERS = 8_000
NO_KEY = "none"


class OpenAIEmbedder:
    """``/v1/embeddings`` in batches; what cannot be reached says so by code, and vectors are made later."""

    def __init__(self, model: str, settings: Settings) -> None:
        key = settings.openai_api_key
        self._model = model
        self._client = AsyncOpenAI(
            api_key=key.get_secret_value() if key else NO_KEY,
            base_url=settings.base_url,
            timeout=settings.embedding_timeout,
            max_retries=0,
        )

    @property
    def name(self) -> str:
        """Provider and model."""
        return f"openai:{self._model}"

    async def embed(self, texts: Sequence[str]) -> list[tuple[float, ...]]:
        """One vector per text, in order."""
        vectors: list[tuple[float, ...]] = []
        for start in range(0, len(texts), BATCH):
            vectors += await self._batch([text[:MAX_CHARACTERS] or " " for text in texts[start : start + BATCH]])
        return vectors

    async def _batch(self, texts: list[str]) -> list[tuple[float, ...]]:
        try:
            answer = await self._client.embeddings.create(model=self._model, input=texts, encoding_format="float")
        except openai.APITimeoutError as late:
            raise timed_out("The embedding model did not answer in time.", "Recall goes on with words alone.") from late
        except openai.OpenAIError as error:
            raise unavailable("The embedding model cannot be used.", "Run 'brain doctor'.") from error
        if len(answer.data) != len(texts):
            raise unavailable("The embedding model answered with another number of vectors than it was given texts.")
        return [tuple(each.embedding) for each in sorted(answer.data, key=lambda each: each.index)]
