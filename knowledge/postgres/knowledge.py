"""What an organisation knows, from PostgreSQL, for a turn."""

import asyncio
from uuid import UUID

from knowledge.corpus import Found, KnowledgeCorpus
from knowledge.cut import CONSIDERED, choose_entries
from knowledge.port import KnowledgeBundle, KnowledgeEntry, KnowledgeQuestion, QuestionVector
from knowledge.postgres.sessions import KnowledgeDatabase
from knowledge.postgres.shelf import CorpusShelf, KnowledgeTooLarge

ON_THE_LOOP = 2_000
"""Entries up to which a question is compared where it is asked; more take a thread, so that nobody else waits."""
STORE = "knowledge"
TOO_LARGE = "knowledge_too_large"


class PostgresKnowledge:
    """``KnowledgePort`` on the tables of ``brain.knowledge_*``."""

    def __init__(self, database: KnowledgeDatabase, megabytes: int) -> None:
        self.shelf = CorpusShelf(database, megabytes)

    async def consult(self, question: KnowledgeQuestion) -> KnowledgeBundle:
        """What bears on the question, and in which tone the organisation wants it answered."""
        try:
            held = await self.shelf.get_current(question.tenant_id)
        except KnowledgeTooLarge:
            return KnowledgeBundle(degraded=(TOO_LARGE,))
        if held is None:
            return KnowledgeBundle()
        corpus, version = held
        found, tones = await _ask(corpus, question)
        return KnowledgeBundle(entries=found, tones=tones, version=version, stores_used=(STORE,))

    async def search(self, question: KnowledgeQuestion, limit: int) -> tuple[KnowledgeEntry, ...]:
        """The entries that come nearest, best first; none where there is too much to be held."""
        try:
            held = await self.shelf.get_current(question.tenant_id)
        except KnowledgeTooLarge:
            return ()
        if held is None:
            return ()
        found = await asyncio.to_thread(held[0].rank, question, await question.embed(), limit)
        return tuple(_entry(each) for each in found)

    def capabilities(self) -> frozenset[str]:
        """All there are."""
        return frozenset({"semantic", "graph", "tone"})

    async def version(self, tenant_id: UUID) -> int:
        """How often the tenant's knowledge was changed."""
        return await self.shelf.fetch_version(tenant_id)


async def _ask(
    corpus: KnowledgeCorpus, question: KnowledgeQuestion
) -> tuple[tuple[KnowledgeEntry, ...], tuple[str, ...]]:
    vector = await question.embed() if len(corpus) else None
    if len(corpus) <= ON_THE_LOOP:
        return _answer(corpus, question, vector)
    return await asyncio.to_thread(_answer, corpus, question, vector)


def _answer(
    corpus: KnowledgeCorpus, question: KnowledgeQuestion, vector: QuestionVector | None
) -> tuple[tuple[KnowledgeEntry, ...], tuple[str, ...]]:
    chosen = choose_entries(
        question.text, corpus.rank(question, vector, CONSIDERED), is_fitted=vector is not None and vector.is_fitted
    )
    return tuple(map(_entry, chosen)), corpus.tones(question.profile, question.at.timestamp())


def _entry(found: Found) -> KnowledgeEntry:
    row = found.row
    return KnowledgeEntry(
        entry_id=str(row.entry_id),
        text=row.text,
        source=row.source or "enterprise",
        topic=row.topic,
        brand=row.brand,
        platform=row.platform,
        score=round(found.own, 4),
    )
