"""Two processes over one database, asked in turn: whatever one began, the other goes on with."""

import asyncio
import re
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from itertools import cycle
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import httpx
import psycopg
import pytest
from psycopg.rows import dict_row

from apps.chat_api.request import hash_exchange
from memory.postgres.roles import Addresses
from memory.scope import Scope, Speaker, scope_of
from tests.integration.application import an_application, token_of
from tests.integration.panel_browser import hidden_fields, visible

ADDRESS = "http://127.0.0.1:8123"
JOB = ("I work at Acme.", "My job is nursing.", "My boss at work is called Carl.", "My job starts at six.")
ASK = "Forget everything about my job."


class AnyOf(httpx.AsyncBaseTransport):
    """A balancer: each request goes to the next application, unless one is named."""

    def __init__(self, applications: list[Any]) -> None:
        self.transports = [httpx.ASGITransport(each) for each in applications]
        self._next = cycle(self.transports)

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        named = request.headers.get("x-test-process")
        transport = self.transports[int(named)] if named else next(self._next)
        return await transport.handle_async_request(request)


class Somebody:
    """A person of a tenant of their own, whose requests go to any of the processes."""

    def __init__(self, balancer: AnyOf, where: Addresses) -> None:
        self.tenant, self.where = f"tenant {uuid4()}", where
        self.key = token_of(self.tenant)
        self.http = httpx.AsyncClient(transport=balancer, base_url=ADDRESS, timeout=60)
        self.talk = list[dict[str, str]]()

    @property
    def scope(self) -> Scope:
        return scope_of(Speaker(tenant=self.tenant, user="ann"))

    def rows(self, query: str) -> list[dict[str, Any]]:
        with psycopg.connect(self.where.owner) as connection, connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query.encode(), (self.scope.tenant_id,)).fetchall()

    def said(self) -> list[str]:
        """What the person said, as the log has it."""
        words = "select text from brain.conversation_events where tenant_id = %s and role = 'user' order by position"
        return [row["text"] for row in self.rows(words)]

    async def send(self, path: str, body: Any, **headers: str) -> httpx.Response:
        return await self.http.post(path, json=body, headers={"Authorization": f"Bearer {self.key}", **headers})

    async def say(self, text: str, **headers: str) -> str:
        """A message behind all that was said, as a chat client sends it; the reply."""
        asked = [*self.talk, {"role": "user", "content": text}]
        answer = await self.send("/v1/chat/completions", {"model": "brain", "messages": asked}, **headers)
        assert answer.status_code == 200, answer.text
        reply = answer.json()["choices"][0]["message"]["content"]
        self.talk = [*asked, {"role": "assistant", "content": reply}]
        return reply

    async def open_panel(self) -> None:
        page = (await self.http.get("/panel/sign-in")).text
        signed = await self.post("/panel/sign-in", {**hidden_fields(page), "key": self.key, "next": "/panel"})
        assert signed.status_code == 303

    async def page(self, path: str) -> str:
        answer = await self.http.get(path)
        assert answer.status_code == 200, (path, answer.status_code)
        return answer.text

    async def post(self, path: str, fields: dict[str, str], **headers: str) -> httpx.Response:
        return await self.http.post(path, data=fields, headers={"Origin": ADDRESS, **headers})


@pytest.fixture(scope="module")
async def balancer(test_addresses: Addresses, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[AnyOf]:
    home = tmp_path_factory.mktemp("home")
    async with _process(test_addresses, home) as one, _process(test_addresses, home) as other:
        yield AnyOf([one, other])


@asynccontextmanager
async def _process(where: Addresses, home: Path) -> AsyncGenerator[Any]:
    async with an_application(where, home, home=str(home), approval_bulk="2") as application:
        yield application


@pytest.fixture
async def ann(balancer: AnyOf, test_addresses: Addresses) -> AsyncGenerator[Somebody]:
    person = Somebody(balancer, test_addresses)
    yield person
    await person.http.aclose()


async def test_a_conversation_goes_on_in_the_other_process(ann: Somebody):
    told = ["My cat is called Minou.", "It rained all day.", "What is my cat called?"]
    replies = [await ann.say(each) for each in told]
    assert "Minou" in replies[-1]
    assert ann.said() == told


async def test_a_message_that_comes_again_at_the_other_process_is_the_same_turn(ann: Somebody):
    await ann.say("I live in Lyon.", **{"X-Test-Process": "0"})
    before = list(ann.talk)
    first = await ann.say("My cat is called Minou.", **{"X-Test-Process": "0"})
    ann.talk = before  # as a client does that never saw the answer
    again = await ann.say("My cat is called Minou.", **{"X-Test-Process": "1"})
    assert ann.said() == ["I live in Lyon.", "My cat is called Minou."]
    assert again == first


async def _ask_approval(ann: Somebody) -> str:
    for text in JOB:
        await ann.say(text)
    assert "job" in await ann.say(ASK)
    (session,) = ann.rows("select session_id from brain.sessions where tenant_id = %s")
    return str(session["session_id"])


async def test_what_one_asked_is_decided_once_although_two_are_told(ann: Somebody):
    session = await _ask_approval(ann)
    await ann.open_panel()
    page = await ann.page("/panel/approvals")
    interrupt = re.search(r'name="interrupt" value="([^"]+)"', page)
    assert interrupt
    acts = re.findall(r'name="(decision\d+)"', page)
    fields = {**hidden_fields(page), "interrupt": interrupt[1], **dict.fromkeys(acts, "approve")}
    where = f"/panel/approvals/{session}"
    sent = await asyncio.gather(*(ann.post(where, fields, **{"X-Test-Process": each}) for each in "0101"))
    assert sorted(each.status_code for each in sent) == [303, 409, 409, 409]
    changes = ann.rows("select 1 from brain.audit_log where tenant_id = %s and action = 'forget'")
    assert "nursing" not in await ann.say("What is my job?")
    later = await ann.post(where, fields)
    assert later.status_code == 409
    assert ann.rows("select 1 from brain.audit_log where tenant_id = %s and action = 'forget'") == changes


async def test_what_one_asked_is_answered_in_words_at_the_other(ann: Somebody):
    await _ask_approval(ann)
    assert (await ann.say("Yes.")).startswith("I have forgotten")


async def test_a_decision_in_words_is_refused_while_another_is_carried_out(ann: Somebody, balancer: AnyOf):
    session = await _ask_approval(ann)
    gate = balancer.transports[1].app.state.chat.runner.gate  # type: ignore[attr-defined]
    asked = [*ann.talk, {"role": "user", "content": "Yes."}]
    async with gate.decide_alone(ann.scope.tenant_id, session):
        answers = [
            await ann.send("/v1/chat/completions", {"model": "brain", "messages": asked}, **{"X-Test-Process": each})
            for each in "01"
        ]
    assert [each.status_code for each in answers] == [409, 409]
    assert (await ann.say("Yes.")).startswith("I have forgotten")


async def test_a_browser_is_signed_in_at_both_and_out_of_both(ann: Somebody):
    await ann.open_panel()
    for _ in range(2):
        assert "sign-in" not in str((await ann.http.get("/panel")).url)
    kept = dict(ann.http.cookies)
    page = await ann.page("/panel")
    assert (await ann.post("/panel/sign-out", hidden_fields(page))).status_code == 303
    for _ in range(2):
        ann.http.cookies = httpx.Cookies(kept)
        assert (await ann.http.get("/panel")).status_code == 303


async def test_who_stops_remembering_at_one_is_not_remembered_by_the_other(ann: Somebody):
    await ann.open_panel()
    page = await ann.page("/panel/remembering")
    stopped = await ann.post(
        "/panel/remembering/stop",
        {**hidden_fields(page), "minutes": "60", "conversation": ""},
        **{"X-Test-Process": "0"},
    )
    assert stopped.status_code == 303, visible(stopped.text)
    await ann.say("My cat is called Minou.", **{"X-Test-Process": "1"})
    words = "select visibility from brain.conversation_events where tenant_id = %s"
    assert {row["visibility"] for row in ann.rows(words)} == {"session"}


async def test_tools_are_called_wherever_the_client_was_greeted(ann: Somebody):
    headers = {"Accept": "application/json, text/event-stream"}
    about: dict[str, Any] = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t"}}
    about["clientInfo"]["version"] = "1"
    greeted = await ann.send("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": about}, **headers)
    assert greeted.status_code == 200
    assert "mcp-session-id" not in greeted.headers
    for number in (2, 3):
        listed = await ann.send("/mcp", {"jsonrpc": "2.0", "id": number, "method": "tools/list"}, **headers)
        assert {each["name"] for each in listed.json()["result"]["tools"]} > {"recall"}


async def _begin_chat(ann: Somebody) -> dict[str, str]:
    page = await ann.page("/panel/chat")
    name = re.search(r'name="session" value="([^"]+)"', page)
    assert name
    return hidden_fields(page) | {"session": name[1], "words": "Hello."}


async def test_a_form_that_both_get_at_once_is_one_turn(ann: Somebody):
    await ann.open_panel()
    fields = await _begin_chat(ann)
    sent = await asyncio.gather(*(ann.post("/panel/chat", fields, **{"X-Test-Process": each}) for each in "01"))
    assert [each.status_code for each in sent] == [303, 303]
    assert ann.said() == ["Hello."]
    standing = (
        "select 1 from brain.conversation_events e where tenant_id = %s and role = 'assistant' and not exists"
        " (select from brain.replaced_replies r where r.tenant_id = e.tenant_id and r.event_id = e.event_id)"
    )
    assert len(ann.rows(standing)) == 1


@pytest.mark.parametrize("lives", [True, False])
async def test_an_answer_of_another_process_is_waited_for_while_that_lives(ann: Somebody, balancer: AnyOf, lives: bool):
    await ann.open_panel()
    fields = await _begin_chat(ann)
    assert (await ann.post("/panel/chat", fields)).status_code == 303
    other: UUID = balancer.transports[1].app.state.process.process_id if lives else uuid4()  # type: ignore[attr-defined]
    nothing = hash_exchange("Hello.", "")
    unanswered = f"update brain.chat_exchanges set exchange_sha256 = '{nothing}', answering = '{other}'"
    with psycopg.connect(ann.where.owner) as owner:
        owner.execute(f"{unanswered} where tenant_id = %s".encode(), (ann.scope.tenant_id,))
    sent = asyncio.create_task(ann.post("/panel/chat", fields, **{"X-Test-Process": "0"}))
    done, _ = await asyncio.wait([sent], timeout=0.6 if lives else 30.0)
    assert bool(done) is not lives
    with psycopg.connect(ann.where.owner) as owner:
        owner.execute("update brain.chat_exchanges set answering = null where tenant_id = %s", (ann.scope.tenant_id,))
    assert (await sent).status_code == 303
    assert ann.said() == ["Hello."]


async def test_a_process_that_leaves_is_not_ready_and_answers_on(ann: Somebody, balancer: AnyOf):
    process = balancer.transports[0].app.state.process  # type: ignore[attr-defined]
    process.is_leaving, process.is_joining = True, False
    try:
        ready = [await ann.http.get("/readyz", headers={"X-Test-Process": each}) for each in "01"]
        assert ready[0].status_code == 503
        assert ready[0].json() == {"ready": False, "parts": {"process": "leaving"}}
        assert "leaving" not in ready[1].text
        assert await ann.say("Hello.", **{"X-Test-Process": "0"})
    finally:
        process.is_leaving = False
