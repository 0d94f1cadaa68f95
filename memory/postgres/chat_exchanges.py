"""Exchanges with chat clients on PostgreSQL."""

from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from memory.chat_exchanges import CANDIDATES, ChatExchange, ExchangeQuery
from memory.postgres.database import Database, scope_params
from memory.scope import Scope


@dataclass(frozen=True)
class PostgresChatExchanges:
    """The promises are those of the port."""

    database: Database

    async def find(self, scope: Scope, query: ExchangeQuery) -> list[ChatExchange]:
        asked = scope_params(scope) | vars(query) | {"limit": CANDIDATES}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("find_chat_exchanges", asked, ChatExchange)

    async def get(self, scope: Scope, exchange_id: UUID) -> ChatExchange | None:
        asked = scope_params(scope) | {"exchange_id": exchange_id}
        async with self.database.scope_session(scope) as session:
            found = await session.fetch("get_chat_exchange", asked, ChatExchange)
        return found[0] if found else None

    async def ends(self, scope: Scope, session_name: str) -> list[ChatExchange]:
        asked = scope_params(scope) | {"session_name": session_name}
        async with self.database.scope_session(scope) as session:
            return await session.fetch("ends_of_chat", asked, ChatExchange)

    async def save(self, scope: Scope, exchange: ChatExchange, keep_after: datetime) -> None:
        async with self.database.scope_session(scope) as session:
            session.execute("drop_old_chat_exchanges", scope_params(scope) | {"keep_after": keep_after})
            session.execute("save_chat_exchange", scope_params(scope) | vars(exchange))
