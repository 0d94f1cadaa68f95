"""Giving rows their vectors, behind the conversation."""

from collections.abc import Callable

from brain.resources import Resources
from memory.embedding import Embedder, Vector, as_memory
from memory.index_rows import Unembedded, embedding_text
from memory.scope import Scope

BATCH = 128

Told = Callable[[int], object]
"""Hears after every batch how many rows took their vector."""


def nobody(rows: int) -> None:
    """Nobody waits for it."""


async def embed_waiting(resources: Resources, scope: Scope, told: Told = nobody) -> int:
    """Embed everything of one person that waits for it; returns how many rows. Stopped anywhere, it goes on there.

    A person whom another model serves is left alone: ``brain.embeddings.replacing`` replaces models.
    """
    embedder, index = resources.embedder, resources.memory.index
    if embedder is None:
        return 0
    done, before = 0, list[Unembedded]()
    while (waiting := await index.without_vector(scope, embedder.name, BATCH)) and waiting != before:
        saved = await index.save_vectors(scope, embedder.name, waiting, await vectors_of(embedder, waiting))
        told(saved)
        done, before = done + saved, waiting
    return done


async def vectors_of(embedder: Embedder, rows: list[Unembedded]) -> list[Vector]:
    """One vector per row, of what is embedded of it."""
    return await embedder.embed([as_memory(embedder.name, embedding_text(row)) for row in rows])
