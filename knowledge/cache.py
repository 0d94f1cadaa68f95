"""Knowledge changes seldom: answers are kept until somebody writes."""

from collections import OrderedDict
from dataclasses import dataclass, field
from uuid import UUID

from knowledge.port import KnowledgeBundle, KnowledgePort, KnowledgeQuestion

CAPACITY = 1_024
Key = tuple[KnowledgeQuestion, int]


@dataclass
class KnowledgeCache:
    """Another port with a memory for its answers, keyed by the question and the tenant's knowledge version."""

    behind: KnowledgePort
    capacity: int = CAPACITY
    _kept: OrderedDict[Key, KnowledgeBundle] = field(default_factory=OrderedDict[Key, KnowledgeBundle])

    async def consult(self, question: KnowledgeQuestion) -> KnowledgeBundle:
        """The known answer of this version, or a new one."""
        key = (question, self.behind.version(question.tenant_id))
        if key not in self._kept:
            self._kept[key] = await self.behind.consult(question)
        self._kept.move_to_end(key)
        while len(self._kept) > self.capacity:
            self._kept.popitem(last=False)
        return self._kept[key]

    def capabilities(self) -> frozenset[str]:
        """Those of the port behind."""
        return self.behind.capabilities()

    def version(self, tenant_id: UUID) -> int:
        """That of the port behind."""
        return self.behind.version(tenant_id)
