"""Giving rows their vectors, behind the conversation."""

from brain.resources import Resources
from memory.index_rows import embedding_text
from memory.scope import Scope

BATCH = 128


async def embed_waiting(resources: Resources, scope: Scope) -> int:
    """Embed everything of one person that waits for it; returns how many rows. Stopped anywhere, it goes on there."""
    embedder, index = resources.embedder, resources.memory.index
    if embedder is None:
        return 0
    done = 0
    while waiting := await index.without_vector(scope, BATCH):
        vectors = await embedder.embed([embedding_text(row) for row in waiting])
        await index.save_vectors(scope, embedder.name, waiting, vectors)
        done += len(waiting)
    return done
