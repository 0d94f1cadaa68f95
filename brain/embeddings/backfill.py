"""Giving rows their vectors, behind the conversation."""

from collections.abc import Callable
from uuid import UUID

import structlog

from brain.embeddings.serving import with_serving_embedder
from brain.resources import Resources
from memory.embedding import Embedder, LoadedBehind, Vector, as_memory
from memory.errors import BrainError
from memory.index_rows import UnembeddedRow, embedding_text, rows_of_utterance, to_unembedded
from memory.scope import Scope
from memory.turns import Utterance

log = structlog.get_logger(__name__)

BATCH = 128
AT_ONCE = 500
"""Characters of a turn whose passages have their vectors when the turn ends."""

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


async def embed_said(resources: Resources, scope: Scope, session_id: UUID, said: Utterance) -> None:
    """Let the beginning of what was just said be found by its meaning at once, where the encoder can tell it.

    The rest waits for the worker, as does all of it where another model serves the person or the encoder fails.
    """
    embedder = resources.embedder
    if not isinstance(embedder, LoadedBehind) or not embedder.is_ready:
        return
    begun = [each for each in rows_of_utterance(scope, session_id, said) if each.span[0] < AT_ONCE]
    rows = [to_unembedded(each) for each in begun]
    try:
        await resources.memory.index.save_vectors(scope, embedder.name, rows, await embed_rows(embedder, rows))
    except BrainError as error:
        log.warning("embedding_left_to_worker", error=error.code)


async def embed_rows(embedder: Embedder, rows: list[UnembeddedRow]) -> list[Vector]:
    """One vector per row, of what is embedded of it."""
    return await embedder.embed([as_memory(embedder.name, embedding_text(row, embedder.name)) for row in rows])
