"""People of one tenant who told something, and the count over them."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

from brain.knowledge_database import KnowledgeSessions
from brain.resources import Resources
from evolution.promotion.count import count_tenant
from knowledge.entries import EntryFilter
from knowledge.postgres.knowledge import PostgresKnowledge
from knowledge.postgres.store import PostgresKnowledgeStore
from language.statements import read_sentence
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.promotion_count import open_promotion_count
from memory.postgres.roles import Addresses
from memory.promotion import PromotionProposal
from memory.scope import Scope
from tests.contract.builders import a_draft, a_session, a_turn, by_ann, cited, said
from tests.fakes import NOW, Leanings, a_settings, resources_of


@dataclass
class Company:
    """A tenant whose people talk."""

    where: Addresses
    database: Database
    tenant_id: UUID = field(default_factory=uuid4)
    people: dict[str, UUID] = field(default_factory=dict[str, UUID])
    key: str = "main"
    least_people: int = 3
    settings: dict[str, Any] = field(default_factory=dict[str, Any])

    @property
    def resources(self) -> Resources:
        leanings = Leanings(
            memory=postgres_memory(self.database),
            knowledge=PostgresKnowledge(self.sessions, 8),
            settings=a_settings(promotion_people=self.least_people, **self.settings),
        )
        return replace(resources_of(leanings), knowledge_store=self.store)

    @property
    def sessions(self) -> KnowledgeSessions:
        return KnowledgeSessions(self.database)

    @property
    def store(self) -> PostgresKnowledgeStore:
        return PostgresKnowledgeStore(self.sessions)

    async def known(self) -> list[str]:
        """What the organisation knows of promotions."""
        return [each.text for each in await self.store.list_entries(self.tenant_id, EntryFilter(), 50)]

    def person(self, name: str) -> Scope:
        user_id = self.people.setdefault(name, uuid4())
        return Scope(tenant_id=self.tenant_id, user_id=user_id, key=self.key)

    async def tell(self, name: str, text: str, *, days_ago: float = 1, session: Any = None, **more: Any) -> UUID:
        """One person says one thing in a conversation of their own; the id of the memory of it."""
        scope, memory, at = self.person(name), postgres_memory(self.database), NOW - timedelta(days=days_ago)
        session, event = session or a_session(str(uuid4())), said(text)
        await memory.log.capture(scope, a_turn(event, session=session))
        values: dict[str, Any] = {
            "item_type": "fact",
            "epistemic_type": "fact",
            "predicate": "other",
            "content": text,
            "category": read_sentence(text).topic,
            "slot": f"user|{uuid4()}",
            "observed_at": at,
            "valid_at": at,
            "session_id": session.session_id,
            "citations": (cited(event, text),),
        }
        receipt = await memory.items.write(
            scope, a_draft(text, **(values | more)), by_ann(str(uuid4()), minutes=-1440 * days_ago)
        )
        return receipt.memory_id

    async def tell_all(self, texts: Sequence[str], **more: Any) -> list[UUID]:
        """Each by somebody else."""
        return [await self.tell(f"person {number}", text, **more) for number, text in enumerate(texts)]

    async def count(self) -> list[PromotionProposal]:
        """What is proposed after a count."""
        async with open_promotion_count(self.where.owner) as count:
            await count_tenant(self.resources, count, self.tenant_id)
        return list(await self.resources.memory.promotions.list_of(self.tenant_id, "proposed"))
