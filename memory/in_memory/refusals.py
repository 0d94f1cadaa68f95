"""The refusals port, in memory."""

from dataclasses import dataclass
from datetime import datetime

from memory.in_memory.store import InMemoryStore
from memory.refusals import Refusal
from memory.scope import Scope


@dataclass
class InMemoryRefusals:
    """Refusals on the store, one list per tenant."""

    store: InMemoryStore

    async def record(self, scope: Scope, refusal: Refusal) -> None:
        self.store.refusals.setdefault(scope.tenant_id, []).append(refusal)

    async def count(self, scope: Scope, since: datetime) -> int:
        return sum(each.at >= since for each in self.store.refusals.get(scope.tenant_id, []))
