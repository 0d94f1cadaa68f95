"""The port of exchanges with chat clients, in memory."""

from collections import defaultdict
from dataclasses import dataclass, field
from datetime import datetime
from uuid import UUID

from memory.chat_exchanges import CANDIDATES, ChatExchange, ExchangeQuery
from memory.scope import Scope

Person = tuple[UUID, str, UUID]


@dataclass
class InMemoryChatExchanges:
    """Exchanges by person, in the order of their time."""

    kept: defaultdict[Person, list[ChatExchange]] = field(default_factory=lambda: defaultdict(list[ChatExchange]))

    async def find(self, scope: Scope, query: ExchangeQuery) -> list[ChatExchange]:
        own = [each for each in self._exchanges_of(scope) if query.session_name in (None, each.session_name)]
        same = [each for each in own if each.exchange_sha256 == query.exchange_sha256]
        return (same or [each for each in own if each.said_sha256 == query.said_sha256])[:CANDIDATES]

    async def ends(self, scope: Scope, session_name: str) -> list[ChatExchange]:
        own = [each for each in self._exchanges_of(scope) if each.session_name == session_name]
        return [own[0], own[-1]] if own else []

    async def save(self, scope: Scope, exchange: ChatExchange, keep_after: datetime) -> None:
        others = (each for each in self._exchanges_of(scope) if each.exchange_id != exchange.exchange_id)
        self.kept[_person(scope)] = [*(each for each in others if each.created_at >= keep_after), exchange]

    def _exchanges_of(self, scope: Scope) -> list[ChatExchange]:
        order = sorted(self.kept[_person(scope)], key=lambda each: (each.created_at, each.exchange_id))
        return order[::-1]


def _person(scope: Scope) -> Person:
    return (scope.tenant_id, scope.key, scope.user_id)
