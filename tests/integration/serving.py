"""``brain serve`` as a process of its own, with the people and keys of a test."""

import asyncio
from collections.abc import Generator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import psycopg
from openai import OpenAI
from psycopg.rows import dict_row

from apps.access.key_text import hash_key, make_key_text
from memory.api_keys import ApiKey, KeyScope
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses
from memory.scope import Scope, Speaker, name_id, scope_of
from tests.contract.builders import at
from tests.integration.forked_process import BRAIN, ForkedProcess
from tests.integration.server import Server, a_server

SECRET = "a secret of the tests, longer than thirty-two characters"


class BrainServe(Server):
    """The server of Brain's own."""

    def start(self, arguments: Sequence[str] = ()) -> None:
        """Start it, whether or not it becomes ready."""
        with (self.folder / "server.log").open("ab") as log:
            self.process = ForkedProcess(
                [BRAIN, "serve", *arguments],
                cwd=self.folder,
                env={**self.environment, "BRAIN_PORT": str(self.port)},
                stdout=log,
                stderr=log,
                start_new_session=True,
            )


@dataclass(frozen=True)
class Person:
    """Somebody of a tenant, and the key of their client."""

    tenant: str
    user: str
    key: str
    key_id: str = ""
    scopes: tuple[KeyScope, ...] = ()

    @property
    def scope(self) -> Scope:
        """The rows that are theirs."""
        return scope_of(Speaker(tenant=self.tenant, user=self.user))


@dataclass(frozen=True)
class Serving:
    """A running server, and what it has stored."""

    server: BrainServe
    where: Addresses
    clients: ExitStack

    def person(self, tenant: str = "", user: str = "ann", scopes: tuple[KeyScope, ...] = ("chat",)) -> Person:
        """Somebody with a valid key, in a tenant of their own unless one is named."""
        return make_person(self.where, tenant, user, scopes)

    def client(self, person: Person | None = None, **more: Any) -> OpenAI:
        """OpenAI's own client; no retries, so that a test sees each answer."""
        key = person.key if person else "none"
        client = OpenAI(base_url=f"{self.server.url}/v1", api_key=key, max_retries=0, timeout=60, **more)
        return self.clients.enter_context(client)

    def log(self, scope: Scope) -> list[tuple[str, str]]:
        """What was said, in order: who and what; without replies that were given again."""
        events = self.rows("conversation_events", scope)
        replaced = {row["event_id"] for row in self.rows("replaced_replies", scope)}
        ordered = sorted(events, key=lambda row: (row["occurred_at"], row["position"]))
        return [(row["role"], row["text"]) for row in ordered if row["event_id"] not in replaced]

    def rows(self, table: str, scope: Scope) -> list[dict[str, Any]]:
        """What a table holds of a person."""
        query = f"select * from brain.{table} where tenant_id = %s and user_id = %s"
        with psycopg.connect(self.where.owner) as connection, connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query.encode(), (scope.tenant_id, scope.user_id)).fetchall()


@contextmanager
def a_serving(folder: Path, where: Addresses, **settings: str) -> Generator[Serving]:
    """A server over a migrated database that is ready; ended for certain afterwards."""
    asyncio.run(migrate(where))
    chosen = {"embeddings": "none", "worker": "false", "evolution_debounce": "0", **settings}
    with a_server(folder, where.owner, **chosen) as plain, ExitStack() as clients:
        server = BrainServe(plain.folder, plain.environment, plain.port)
        try:
            server.start()
            server.wait()
            yield Serving(server, where, clients)
        finally:
            server.stop()


def make_person(
    where: Addresses, tenant: str = "", user: str = "ann", scopes: tuple[KeyScope, ...] = ("chat",)
) -> Person:
    """Somebody with a valid key in a migrated database, in a tenant of their own unless one is named."""
    tenant = tenant or f"tenant {uuid4()}"
    tenant_id = name_id("tenant", tenant)
    text, key_id = make_key_text(tenant_id), uuid4()
    key = ApiKey(
        tenant_id=tenant_id,
        key_id=key_id,
        sha256=hash_key(text),
        tenant_name=tenant,
        user_name=user,
        label="test",
        scopes=scopes,
        created_at=at(),
    )
    asyncio.run(_add_key(where.app, key))
    return Person(tenant, user, text, str(key_id), scopes)


async def _add_key(url: str, key: ApiKey) -> None:
    async with Database(url) as database:
        await postgres_memory(database).api_keys.add(key)
