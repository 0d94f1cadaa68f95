"""The organisation's knowledge as promotion writes into it: the one place that joins them."""

from dataclasses import dataclass
from uuid import UUID

from brain.knowledge_writing import require_store, write_knowledge
from brain.resources import Resources
from knowledge.entries import Author, EntryFilter, KnowledgeDraft

AUTHOR, APPROVED, WITHDRAWN = "promotion", "approved", "withdrawn"
"""Who writes and why, as the history of an entry says it: who approved it stands with the proposal."""
_ENTRIES = 10


@dataclass(frozen=True)
class KnowledgePublisher:
    """``Publish`` over the store of knowledge."""

    resources: Resources

    async def publish(self, tenant_id: UUID, text: str, source: str) -> str:
        """A fact without a topic: what several people like must not rule over what one of them likes."""
        draft = KnowledgeDraft(text=text, source=source, source_key=source)
        await write_knowledge(self.resources, tenant_id, [draft], self._author(APPROVED))
        entries = await require_store(self.resources).list_entries(tenant_id, EntryFilter(source=source), 1)
        return str(entries[0].entry_id) if entries else ""

    async def remove(self, tenant_id: UUID, source: str) -> None:
        """Out of every answer; the words go with the proposal's own."""
        store = require_store(self.resources)
        for each in await store.list_entries(tenant_id, EntryFilter(source=source), _ENTRIES):
            await store.remove(tenant_id, each.entry_id, self._author(WITHDRAWN))

    def _author(self, reason: str) -> Author:
        return Author(name=AUTHOR, reason=reason, at=self.resources.clock())
