"""A browser without a screen: cookies, forms with their tokens, links; and what a test gives it to look at."""

import asyncio
import html
import re
from collections.abc import Awaitable, Callable, Generator, Iterator
from contextlib import contextmanager
from typing import TypeVar
from uuid import UUID, uuid4

import httpx
import pytest

from memory.api_keys import KeyScope
from memory.memory_item import Author, Citation
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from tests.contract.builders import NOON, a_draft, a_session, a_turn, at, cited, said
from tests.integration.serving import Person, Serving

T = TypeVar("T")
SCOPES: tuple[KeyScope, ...] = ("chat", "memory:read", "memory:write")


class PanelBrowser:
    """Somebody at the panel."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.http = httpx.Client(base_url=url, timeout=60)

    def get(self, path: str, **headers: str) -> httpx.Response:
        return self.http.get(path, headers=headers)

    def text(self, path: str) -> str:
        """A page as a reader sees it: without tags, white space folded."""
        response = self.get(path)
        assert response.status_code == 200, (path, response.status_code, response.text[-500:])
        return visible(response.text)

    def send(self, page: str, action: str, **fields: str) -> httpx.Response:
        """Send a form of a page, to the address that it has there or another."""
        hidden = hidden_fields(self.get(page).text)
        return self.post(action, {**hidden, **fields})

    def post(self, path: str, fields: dict[str, str], origin: str | None = "") -> httpx.Response:
        headers = {} if origin is None else {"Origin": origin or self.url}
        return self.http.post(path, data=fields, headers=headers)

    def sign_in(self, key: str, wanted: str = "/panel") -> httpx.Response:
        return self.send("/panel/sign-in", "/panel/sign-in", key=key, next=wanted)

    def links(self, path: str, start: str) -> list[str]:
        """The pages that the links of a page lead to, those that begin like this."""
        found = re.findall(r'href="([^"#]*)', self.get(path).text)
        return [html.unescape(each) for each in dict.fromkeys(found) if each.startswith(start)]

    def close(self) -> None:
        self.http.close()


def visible(page: str) -> str:
    """What a page says."""
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


def hidden_fields(page: str) -> dict[str, str]:
    """The token of a page's forms, and the name under which each of them changes something once."""
    found = re.findall(r'<input type="hidden" name="(form_token|once)" value="([^"]*)"', page)
    return {name: html.unescape(value) for name, value in found}


@contextmanager
def at_panel(serving: Serving, who: Person | None = None) -> Generator[PanelBrowser]:
    """A browser, signed in as somebody."""
    browser = PanelBrowser(serving.server.url)
    try:
        if who:
            assert browser.sign_in(who.key).status_code == 303
        yield browser
    finally:
        browser.close()


@pytest.fixture
def ann(serving: Serving) -> Person:
    """Somebody who may use the panel of a module's server."""
    return serving.person(scopes=SCOPES)


@pytest.fixture
def panel(serving: Serving, ann: Person) -> Iterator[PanelBrowser]:
    """Her browser, signed in."""
    with at_panel(serving, ann) as browser:
        yield browser


def in_memory_of(serving: Serving, work: Callable[[MemoryCore], Awaitable[T]]) -> T:
    """Do something to the server's database, as the application's role."""

    async def run() -> T:
        async with Database(serving.where.app) as database:
            return await work(postgres_memory(database))

    return asyncio.run(run())


def remember(serving: Serving, who: Person, content: str, minutes: float = 0) -> UUID:
    """A memory with a turn that says it."""

    async def write(memory: MemoryCore) -> UUID:
        words = said(content, minutes=minutes)
        session = a_session("told before")
        await memory.log.capture(who.scope, a_turn(words, session=session))
        return await write_memory(memory, who, content, (cited(words, content),))

    return in_memory_of(serving, write)


async def write_memory(
    memory: MemoryCore, who: Person, content: str, citations: tuple[Citation, ...] = (), **more: object
) -> UUID:
    """A memory of that content, in a slot of its own unless one is named."""
    values: dict[str, object] = {"content": content, "slot": f"user|{uuid4()}", "observed_at": NOON}
    draft = a_draft(content, citations=citations, **(values | more))
    author = Author(operator="rules", reason="said so", idempotency_key=str(uuid4()), at=at())
    return (await memory.items.write(who.scope, draft, author)).memory_id


def talk(serving: Serving, who: Person, chat: str, *texts: str) -> list[str]:
    """Say things in a conversation as a chat client does; the answers."""
    client, replies, conversation = serving.client(who), list[str](), list[dict[str, str]]()
    for text in texts:
        conversation.append({"role": "user", "content": text})
        answer = client.chat.completions.create(
            model="brain",
            messages=conversation,  # pyright: ignore[reportArgumentType]
            extra_headers={"X-Chat-Id": chat},
        )
        replies.append(str(answer.choices[0].message.content))
        conversation.append({"role": "assistant", "content": replies[-1]})
    return replies
