"""Those who talk to a server: the official client, with what the tests say through it."""

from typing import Any

import httpx
from langgraph_sdk import get_client
from langgraph_sdk.errors import APIStatusError

from tests.integration.issuer import Issuer
from tests.integration.server import Server

Client = Any
"""The official client; its own types know less than its answers hold."""
REFUSED = (APIStatusError, httpx.HTTPStatusError)


def words(text: str) -> dict[str, Any]:
    return {"messages": [{"role": "user", "content": text}]}


def status_of(refused: APIStatusError | httpx.HTTPStatusError) -> int:
    """The client raises its own error or its library's, as it happens."""
    return refused.response.status_code


class Callers:
    """Official clients, of nobody in particular or of a person with a token; closed when the test ends."""

    def __init__(self, issuer: Issuer) -> None:
        self._issuer = issuer
        self._open: list[Client] = []

    def anybody(self, server: Server, headers: dict[str, str] | None = None) -> Client:
        client = get_client(url=server.url, headers=headers)
        self._open.append(client)
        return client

    def person(self, server: Server, tenant: str, user: str, **claims: object) -> Client:
        return self.anybody(server, self._issuer.bearer(tenant, user, **claims))

    async def close(self) -> None:
        for client in self._open:
            await client.aclose()


async def says(client: Client, thread_id: str, text: str, **context: Any) -> dict[str, Any]:
    state = await client.runs.wait(thread_id, "brain", input=words(text), context=context or None)
    assert "__error__" not in state, state
    return dict(state)
