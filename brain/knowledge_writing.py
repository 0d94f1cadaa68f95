"""Entries on their way into knowledge: secrets masked, vectors made where the model answers."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from uuid import UUID

from brain.resources import Resources
from knowledge.entries import Author, IndexedDraft, KnowledgeDraft, KnowledgeStore, WriteCount
from language.secrets import mask_secrets
from memory.embedding import Vector, as_memory, can_read
from memory.errors import BrainError, unavailable

NO_MODEL = "none"
PIECE = 50
"""Entries that are embedded and written together."""


def require_store(resources: Resources) -> KnowledgeStore:
    """Where knowledge is written. Raises ``E_DEP_UNAVAILABLE`` where Brain goes without it."""
    if resources.knowledge_store is None:
        raise unavailable("Knowledge is switched off.", "Set BRAIN_KNOWLEDGE=on and start again.")
    return resources.knowledge_store


async def index_draft(resources: Resources, draft: KnowledgeDraft, entry_id: UUID) -> IndexedDraft:
    """One entry as it is stored."""
    return (await _index(resources, [draft], [entry_id]))[0]


async def write_knowledge(
    resources: Resources, tenant_id: UUID, drafts: Sequence[KnowledgeDraft], by: Author
) -> WriteCount:
    """Write entries; those that say what was read at their place before cost no vector."""
    store = require_store(resources)
    masked = [_mask(each) for each in drafts]
    new = await store.find_new(tenant_id, masked)
    count = WriteCount(unchanged=len(masked) - len(new))
    for start in range(0, len(new), PIECE):
        piece = new[start : start + PIECE]
        count += await store.put(tenant_id, await _index(resources, piece, [resources.new_id() for _ in piece]), by)
    return count


async def embed_waiting(resources: Resources, tenant_id: UUID, advance: Callable[[int], None]) -> int:
    """Make the vectors that entries lack. Returns how many. Raises ``BrainError`` where the model fails."""
    store, embedder, made = require_store(resources), resources.embedder, 0
    if embedder is None:
        return 0
    while waiting := await store.list_unembedded(tenant_id, embedder.name, PIECE):
        texts = [as_memory(embedder.name, text) for _, text in waiting]
        vectors = dict(zip((entry_id for entry_id, _ in waiting), await embedder.embed(texts), strict=True))
        await store.set_vectors(tenant_id, embedder.name, vectors)
        made += len(waiting)
        advance(len(waiting))
    return made


async def _index(resources: Resources, drafts: Sequence[KnowledgeDraft], ids: Sequence[UUID]) -> list[IndexedDraft]:
    masked = [_mask(each) for each in drafts]
    model, vectors = await _embed(resources, [each.text for each in masked])
    return [
        IndexedDraft(draft=draft, entry_id=entry_id, model=model if vector else NO_MODEL, vector=vector)
        for draft, entry_id, vector in zip(masked, ids, vectors, strict=True)
    ]


async def _embed(resources: Resources, texts: Sequence[str]) -> tuple[str, Sequence[Vector | None]]:
    """Nothing where the model fails: words find the entry until ``brain knowledge embed`` is run."""
    embedder, nothing = resources.embedder, [None] * len(texts)
    if embedder is None or not all(can_read(embedder.name, text) for text in texts):
        return NO_MODEL, nothing
    try:
        return embedder.name, await embedder.embed([as_memory(embedder.name, text) for text in texts])
    except BrainError:
        return NO_MODEL, nothing


def _mask(draft: KnowledgeDraft) -> KnowledgeDraft:
    text = mask_secrets(draft.text)
    return draft if text == draft.text else replace(draft, text=text)
