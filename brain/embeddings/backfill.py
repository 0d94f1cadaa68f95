"""Giving rows their vectors, behind the conversation."""

from collections.abc import Callable

from brain.embeddings.serving import with_serving_embedder
from brain.resources import Resources
from memory.embedding import Embedder, Vector, as_memory
from memory.index_rows import UnembeddedRow, embedding_text
from memory.scope import Scope

BATCH = 128

OnProgress = Callable[[int], object]
"""Hears after every batch how many rows took their vector."""


def ignore_progress(rows: int) -> None:
    """Nobody waits for it."""


async def embed_pending(resources: Resources, scope: Scope, told: OnProgress = ignore_progress) -> int:
    """Embed everything of one person that waits for it; returns how many rows. Stopped anywhere, it goes on there.

    A person whom another model serves is left alone: ``brain.embeddings.model_switch`` replaces models.
    """
    embedder, index = (await with_serving_embedder(resources, scope)).embedder, resources.memory.index
    if embedder is None:
        return 0
    done, before = 0, list[UnembeddedRow]()
    while (waiting := await index.rows_without_vector(scope, embedder.name, BATCH)) and waiting != before:
        saved = await index.save_vectors(scope, embedder.name, waiting, await embed_rows(embedder, waiting))
        told(saved)
        done, before = done + saved, waiting
    return done


async def embed_rows(embedder: Embedder, rows: list[UnembeddedRow]) -> list[Vector]:
    """One vector per row, of what is embedded of it."""
    return await embedder.embed([as_memory(embedder.name, embedding_text(row, embedder.name)) for row in rows])
