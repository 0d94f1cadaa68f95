"""Replacing the embedding model beside live reads: vectors are laid ready, then each person is switched at once."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace

from brain.embeddings.backfill import BATCH, OnProgress, embed_pending, embed_rows, ignore_progress
from brain.resources import Resources
from memory.embedding import Embedder, Vector
from memory.errors import BrainError
from memory.index_rows import UnembeddedRow
from memory.scope import Scope

PAUSES = (1.0, 2.0, 4.0, 8.0, 16.0, 32.0)
"""Seconds before each further attempt at a batch: a limit of requests per minute is waited out."""


@dataclass(frozen=True)
class RetryingEmbedder:
    """An embedder for long work: what may pass by itself is tried again instead of ending the work."""

    embedder: Embedder
    pause: Callable[[float], Awaitable[None]] = asyncio.sleep

    @property
    def name(self) -> str:
        """The model is the same."""
        return self.embedder.name

    async def embed(self, texts: Sequence[str]) -> list[Vector]:
        """The vectors, or the last failure."""
        for seconds in PAUSES:
            try:
                return await self.embedder.embed(texts)
            except BrainError as error:
                if not error.is_retryable:
                    raise
            await self.pause(seconds)
        return await self.embedder.embed(texts)


async def prepare_vectors(resources: Resources, scope: Scope, told: OnProgress = ignore_progress) -> int:
    """Lay ready a vector of ``resources.embedder`` for every row that it does not serve yet; returns how many.

    Reads go on with the model of before. Stopped anywhere, even by force, it goes on there.
    """
    embedder, index = resources.embedder, resources.memory.index
    assert embedder is not None
    done, before = 0, list[UnembeddedRow]()
    while (rows := await index.rows_without_staged_vector(scope, embedder.name, BATCH)) and rows != before:
        staged = await index.stage_vectors(scope, embedder.name, rows, await embed_rows(embedder, rows))
        told(staged)
        done, before = done + staged, rows
    return done


async def switch_model(resources: Resources, scope: Scope, told: OnProgress = ignore_progress) -> int:
    """Serve one person by ``resources.embedder`` from now on; returns how many rows took its vectors.

    What was said since ``stage`` is laid ready first, what is said during the switch gets its vector after it.
    """
    assert resources.embedder is not None
    await prepare_vectors(resources, scope, told)
    switched = await resources.memory.index.switch_vectors(scope, resources.embedder.name)
    return switched + await embed_pending(resources, scope, told)


def with_retries(resources: Resources) -> Resources:
    """The same resources for work that may take hours."""
    return replace(resources, embedder=RetryingEmbedder(resources.embedder) if resources.embedder else None)
