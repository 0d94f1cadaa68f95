"""The corpora of the tenants that are asked about, in bounded memory, each brought up to date by the tenant's version.

Every question asks the database for the version first, in one small statement: what was written anywhere counts for the
next question everywhere, and what was removed is gone.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass, field
from uuid import UUID

from knowledge.corpus import CorpusRow, IndexedText, KnowledgeCorpus
from knowledge.postgres.sessions import KnowledgeDatabase, KnowledgeSession
from retrieval.wire import decode_halves, decode_ints

PAGE = 2_000
"""Entries that are read at a time."""
MAX_RELATIONS = 50_000
"""Relations of one tenant by whose names entries are found."""


class KnowledgeTooLarge(Exception):
    """A tenant's knowledge alone takes more memory than all of it may."""


@dataclass(frozen=True)
class _Version:
    version: int


@dataclass(frozen=True, kw_only=True)
class _ChangedEntry(IndexedText):
    changed_in: int
    is_removed: bool
    words: bytes
    grams: bytes
    length: int
    embedding_model: str
    embedding: bytes | None


@dataclass(frozen=True)
class _RelatedNames:
    entry_id: UUID
    subject: str
    object: str


@dataclass
class _Held:
    """A tenant's corpus, up to which version it was read, and who reads on."""

    corpus: KnowledgeCorpus = field(default_factory=KnowledgeCorpus)
    version: int = 0
    size: int = 0
    too_large: bool = False
    """Whether that version of it took more memory than all may."""
    reading: asyncio.Task[None] | None = None


class CorpusShelf:
    """Least recently asked first, all within ``megabytes``."""

    def __init__(self, database: KnowledgeDatabase, megabytes: int, page: int = PAGE) -> None:
        self._database, self._room, self._page = database, megabytes * 1_000_000, page
        self._held: OrderedDict[UUID, _Held] = OrderedDict()

    @property
    def size(self) -> int:
        """About how many bytes all of them take."""
        return sum(each.size for each in self._held.values())

    def __len__(self) -> int:
        return len(self._held)

    async def fetch_version(self, tenant_id: UUID) -> int:
        """How often the tenant's knowledge was changed."""
        async with self._database.session(tenant_id) as session:
            found = await session.fetch("knowledge_version", {"tenant_id": tenant_id}, _Version)
        return found[0].version if found else 0

    async def get_current(self, tenant_id: UUID) -> tuple[KnowledgeCorpus, int] | None:
        """The tenant's entries as they stand now; None where there never were any. Raises ``KnowledgeTooLarge``.

        Reading goes on when who asked gives up waiting, so that the next question finds it done.
        """
        version = await self.fetch_version(tenant_id)
        if not version:
            return None
        held = self._held.setdefault(tenant_id, _Held())
        self._held.move_to_end(tenant_id)
        if held.version > version:  # the database was restored: what was read of it counts no more
            held = self._held[tenant_id] = _Held()
        while held.version < version:
            if held.reading is None or held.reading.done():
                held.reading = asyncio.create_task(self._read_on(tenant_id, held, version))
            await asyncio.shield(held.reading)
        if held.too_large:
            raise KnowledgeTooLarge
        return held.corpus, held.version

    async def _read_on(self, tenant_id: UUID, held: _Held, version: int) -> None:
        try:
            await self._read(tenant_id, held)
        except KnowledgeTooLarge:
            held.corpus, held.size, held.too_large = KnowledgeCorpus(), 0, True
        held.version = version
        while self.size > self._room:
            self._held.popitem(last=False)

    async def _read(self, tenant_id: UUID, held: _Held) -> None:
        """Raises ``KnowledgeTooLarge`` where this tenant's alone does not fit."""
        if held.corpus.is_mostly_gaps or held.too_large:
            held.corpus, held.version, held.too_large = KnowledgeCorpus(), 0, False
        async with self._database.session(tenant_id) as session:
            changed = await self._read_changes(session, tenant_id, held.version)
            names = await session.fetch(
                "knowledge_names", {"tenant_id": tenant_id, "most": MAX_RELATIONS}, _RelatedNames
            )
        await asyncio.to_thread(_apply, held.corpus, changed, names)
        held.size = held.corpus.size
        if held.size > self._room:
            raise KnowledgeTooLarge

    async def _read_changes(self, session: KnowledgeSession, tenant_id: UUID, since: int) -> list[_ChangedEntry]:
        """All that changed after a version. Raises ``KnowledgeTooLarge`` as soon as it is known to be."""
        found, after, size = list[_ChangedEntry](), (since, UUID(int=(1 << 128) - 1)), 0
        while True:
            params = {"tenant_id": tenant_id, "after_version": after[0], "after_entry": after[1], "page": self._page}
            page = await session.fetch("knowledge_changes", params, _ChangedEntry)
            found += page
            size += sum(2 * len(each.embedding or b"") + 2 * len(each.words) + len(each.text) for each in page)
            if size > self._room:
                raise KnowledgeTooLarge
            if len(page) < self._page:
                return found
            after = (page[-1].changed_in, page[-1].entry_id)


def _apply(corpus: KnowledgeCorpus, changed: Sequence[_ChangedEntry], names: Sequence[_RelatedNames]) -> None:
    """Of an entry that changed twice while it was read, the last word counts."""
    last = {each.entry_id: each for each in changed}
    gone = [entry_id for entry_id, each in last.items() if each.is_removed]
    corpus.update([_corpus_row(each) for each in last.values() if not each.is_removed], gone)
    related = dict[str, set[UUID]]()
    for each in names:
        for name in (each.subject, each.object):
            related.setdefault(name, set()).add(each.entry_id)
    corpus.name_things({name: frozenset(entries) for name, entries in related.items()})


def _corpus_row(each: _ChangedEntry) -> CorpusRow:
    return CorpusRow(
        entry_id=each.entry_id,
        kind=each.kind,
        text=each.text,
        topic=each.topic,
        org_tier=each.org_tier,
        role=each.role,
        brand=each.brand,
        platform=each.platform,
        source=each.source,
        valid_from=each.valid_from,
        valid_until=each.valid_until,
        words=decode_ints(each.words),
        grams=decode_ints(each.grams),
        length=each.length,
        model=each.embedding_model,
        vector=None if each.embedding is None else decode_halves(each.embedding),
    )
