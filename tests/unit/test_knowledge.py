"""Knowledge: absent, slow, down, remembered."""

import asyncio
from uuid import UUID

import pytest
from structlog.testing import capture_logs

from knowledge.port import KnowledgeBundle, KnowledgeEntry, KnowledgeQuestion, NoKnowledge
from nodes.consult_knowledge import consult_knowledge
from tests.fakes import Leanings, a_run, a_settings, a_state

RULES = KnowledgeBundle(entries=(KnowledgeEntry(entry_id="k1", text="No slang.", topic="tone"),), version=1)


class Store:
    """A knowledge store that counts its questions and can be slow or down."""

    def __init__(self, delay: float = 0.0, fault: Exception | None = None) -> None:
        self.delay, self.fault, self.asked, self.written = delay, fault, list[KnowledgeQuestion](), 0

    async def consult(self, question: KnowledgeQuestion) -> KnowledgeBundle:
        self.asked.append(question)
        await asyncio.sleep(self.delay)
        if self.fault:
            raise self.fault
        return RULES

    def capabilities(self) -> frozenset[str]:
        return frozenset({"semantic"})

    async def search(self, question: KnowledgeQuestion, limit: int) -> tuple[KnowledgeEntry, ...]:
        return ()

    async def version(self, tenant_id: UUID) -> int:
        return self.written


async def test_without_knowledge_a_turn_lacks_nothing():
    assert await consult_knowledge(a_state(), a_run()) == {"knowledge": KnowledgeBundle()}
    assert NoKnowledge().capabilities() == frozenset()


async def test_knowledge_is_asked_about_the_organisation_and_the_words_only():
    store = Store()
    update = await consult_knowledge(a_state("May I?"), a_run(Leanings(knowledge=store), org_tier="brand_hq"))
    assert update == {"knowledge": RULES}
    assert (store.asked[0].text, store.asked[0].profile.org_tier) == ("May I?", "brand_hq")


@pytest.mark.parametrize(
    ("store", "seconds", "reason"),
    [(Store(delay=600), 0.01, "knowledge_timeout"), (Store(fault=OSError("down")), 60, "knowledge_stores_unavailable")],
)
async def test_slow_or_broken_knowledge_is_left_out_and_named(store: Store, seconds: float, reason: str):
    run = a_run(Leanings(knowledge=store, settings=a_settings(knowledge_timeout=seconds)))
    assert await consult_knowledge(a_state(), run) == {"knowledge": KnowledgeBundle(), "degraded": [reason]}


async def test_a_broken_store_is_logged_for_whoever_runs_it():
    with capture_logs() as events:
        await consult_knowledge(a_state(), a_run(Leanings(knowledge=Store(fault=RuntimeError("down")))))
    assert [each["event"] for each in events] == ["knowledge_stores_unavailable"]
