"""``brain serve`` as a process: without a model, for several at once, told to end in the middle of an answer."""

import signal
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import httpx
import jwt
import openai
import psycopg
import pytest
from psycopg.sql import SQL, Identifier

from memory.scope import Scope, Speaker, scope_of
from tests.conftest import a_database
from tests.integration.panel_browser import at_panel, hidden_fields, remember
from tests.integration.serving import SECRET, Person, Serving, a_serving
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

SLOW = "This answer takes its time."
ME = scope_of(Speaker(tenant="local", user="me"))


@pytest.fixture(scope="module")
def alone(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    """An open server without a model, with its worker inside."""
    folder = tmp_path_factory.mktemp("alone")
    with a_database(server_url) as where, a_serving(folder, where, worker="true", approval_bulk="2") as served:
        yield served


@pytest.fixture
def busy(server_url: str, tmp_path: Path) -> Iterator[tuple[Serving, ScriptedOpenAI]]:
    """A server of small limits whose model answers when the test lets go."""
    steps = [Step(when=When(form=""), text=SLOW, held=True, times=None), Step(status=400, times=None)]
    limits = {"tenant_requests": "6", "tenant_concurrency": "2", "stop_patience": "20"}
    with ScriptedOpenAI(steps) as model, a_database(server_url) as where:
        chosen = {**model.settings, "auth_jwt_secret": SECRET, **limits}
        with a_serving(tmp_path, where, **chosen) as served:
            yield served, model


def say(serving: Serving, text: str, who: Person | None = None, **more: Any) -> str:
    """Say something in a conversation of its own; the reply."""
    told: Any = [{"role": "user", "content": text}]
    chat: Any = serving.client(who).chat.completions
    reply = chat.create(model="any", messages=told, **more)
    return str(reply.choices[0].message.content)


def wait_for_memory(serving: Serving, scope: Scope, statements: int = 1) -> None:
    """Until so many statements have been remembered."""
    deadline = time.monotonic() + 60
    while len(rows := serving.rows("memory_items", scope)) < statements:
        assert time.monotonic() < deadline, rows
        time.sleep(0.2)


def test_without_a_model_memory_answers_across_conversations(alone: Serving):
    say(alone, "My sister lives in Ghent.")
    wait_for_memory(alone, ME)

    assert "Ghent" in say(alone, "Where does my sister live?", user="somebody else")
    assert "根特" not in say(alone, "我妹妹住在哪里？")
    assert {row["user_id"] for row in alone.rows("sessions", ME)} == {ME.user_id}


def test_without_a_model_a_clients_own_requests_are_answered_by_rules(alone: Serving):
    task = (
        '### Task:\nGive a title.\n### Output:\n{ "title": "…" }\n<chat_history>\nUSER: 我的猫叫米苏。\n</chat_history>'
    )
    before = len(alone.rows("conversation_events", ME))

    assert say(alone, task) == '{"title": "我的猫叫米苏"}'
    assert len(alone.rows("conversation_events", ME)) == before


def test_a_change_that_waits_for_approval_is_asked_for_and_answered(alone: Serving):
    ann, said = alone.person(), list[Any]()
    lines = ("I work at Acme.", "My boss at work is called Carl.", "My job starts at six.")
    for text in (*lines, "Forget everything about my job.", "yes", "What do you know about me?"):
        said.append({"role": "user", "content": text})
        reply = alone.client(ann).chat.completions.create(model="brain", messages=said)
        said.append({"role": "assistant", "content": reply.choices[0].message.content})
        if text in lines:
            wait_for_memory(alone, ann.scope, len(said) // 2)
    question, done = said[-5]["content"], said[-3]["content"]

    assert "My job starts at six" in question
    assert question.endswith("Answer yes or no.")
    assert "forgotten" in done
    assert "at six" not in said[-1]["content"]
    assert len(alone.rows("sessions", ann.scope)) == 1


def test_an_open_server_honours_keys_and_refuses_false_ones(alone: Serving):
    ann = alone.person()
    say(alone, "I am Ann.", ann)

    assert alone.log(ann.scope)[0] == ("user", "I am Ann.")
    with pytest.raises(openai.AuthenticationError):
        say(alone, "Hi.", Person("", "", f"{ann.key[:-4]}AAAA"))
    assert httpx.get(f"{alone.server.url}/v1/models", headers={"Host": "rebound.example"}).status_code == 403


def test_probes_need_no_key(alone: Serving):
    health = httpx.get(f"{alone.server.url}/healthz")
    ready = httpx.get(f"{alone.server.url}/readyz", timeout=30)

    assert (health.status_code, health.json()) == (200, {"status": "ok"})
    assert (ready.status_code, ready.json()["ready"]) == (200, True)
    assert ready.json()["parts"]["worker"] == "ok"


def test_it_is_not_ready_while_the_database_cannot_write(alone: Serving):
    """A limit on what it may write stands for a full disk, which refuses the same file."""
    with psycopg.connect(alone.where.owner, autocommit=True) as owner:
        role = Identifier(alone.where.app_role)
        try:
            owner.execute(SQL("alter role {} set temp_file_limit = '1MB'").format(role))
            _reconnect(alone, owner)
            deadline = time.monotonic() + 30
            while (told := _parts(alone))["memory"] != "ok" and time.monotonic() < deadline:
                time.sleep(0.2)
            assert (told["disk"], told["memory"]) == ("E_DEP_UNAVAILABLE", "ok")
            assert httpx.get(f"{alone.server.url}/readyz", timeout=30).status_code == 503
        finally:
            owner.execute(SQL("alter role {} reset temp_file_limit").format(role))
            _reconnect(alone, owner)
    alone.server.wait()


def _parts(serving: Serving) -> dict[str, str]:
    return httpx.get(f"{serving.server.url}/readyz", timeout=30).json()["parts"]


def _reconnect(serving: Serving, owner: psycopg.Connection) -> None:
    """What a role is set to holds for new connections only."""
    owner.execute(
        "select pg_terminate_backend(pid) from pg_stat_activity where usename = %s", (serving.where.app_role,)
    )


def test_whoever_asks_too_much_is_told_when_to_ask_again(busy: tuple[Serving, ScriptedOpenAI]):
    serving, model = busy
    ann, bob = serving.person(), serving.person()
    with ThreadPoolExecutor(2) as pool:
        waiting = [pool.submit(say, serving, f"Number {number}.", ann) for number in range(2)]
        deadline = time.monotonic() + 30
        while len(model.requests) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        with pytest.raises(openai.RateLimitError) as too_many:
            say(serving, "One more.", ann)
        model.let_go()
        assert [each.result() for each in waiting] == [SLOW, SLOW]
    too_fast = _ask_until_refused(serving, ann)

    assert too_many.value.response.headers["Retry-After"] == "1"
    assert 1 <= int(too_fast.response.headers["Retry-After"]) <= 60
    assert too_fast.code == "E_TOO_MANY_REQUESTS"
    assert say(serving, "I am not Ann.", bob) == SLOW


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/memory/recall", "/mcp"])
def test_half_bodies_take_no_place_of_their_tenant(busy: tuple[Serving, ScriptedOpenAI], path: str):
    serving, _ = busy
    ann = serving.person(scopes=("chat", "memory:read"))
    with ExitStack() as stack:
        for _ in range(2):
            stack.enter_context(_half_request(serving, path, ann))
        deadline = time.monotonic() + 30
        while "brain_http_requests_in_flight 3" not in (told := httpx.get(f"{serving.server.url}/metrics").text):
            assert time.monotonic() < deadline, told
            time.sleep(0.05)
        answer = httpx.get(
            f"{serving.server.url}/v1/models", headers={"Authorization": f"Bearer {ann.key}"}, timeout=30
        )
        assert answer.status_code == 200, answer.text


def _half_request(serving: Serving, path: str, who: Person) -> socket.socket:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {who.key}\r\nContent-Length: 9\r\n\r\n{{"
    connection = socket.create_connection(("127.0.0.1", serving.server.port), timeout=30)
    connection.sendall(head.encode())
    return connection


def test_a_server_that_is_told_to_end_gives_the_answers_at_hand(busy: tuple[Serving, ScriptedOpenAI]):
    serving, model = busy
    ann = serving.person()
    claims = {"tenant": ann.tenant, "sub": "bob", "exp": datetime.now(UTC) + timedelta(hours=1)}
    bob = Person(ann.tenant, "bob", jwt.encode(claims, SECRET, "HS256"))
    assert serving.server.process is not None
    with ThreadPoolExecutor(2) as pool:
        whole = pool.submit(say, serving, "I live in Ghent.", ann)
        streamed = pool.submit(_stream, serving, bob)
        deadline = time.monotonic() + 30
        while len(model.requests) < 2 and time.monotonic() < deadline:
            time.sleep(0.05)
        serving.server.process.send_signal(signal.SIGTERM)
        threading.Timer(1.0, model.let_go).start()
        assert whole.result() == SLOW
        assert streamed.result() == SLOW

    assert serving.server.process.wait(20) == 0
    assert serving.log(ann.scope) == [("user", "I live in Ghent."), ("assistant", SLOW)]
    assert serving.log(bob.scope) == [("user", "I am Bob."), ("assistant", SLOW)]
    assert len(serving.rows("chat_exchanges", bob.scope)) == 1
    assert "Traceback" not in serving.server.log


def _stream(serving: Serving, who: Person) -> str:
    said: Any = [{"role": "user", "content": "I am Bob."}]
    pieces = serving.client(who).chat.completions.create(model="any", messages=said, stream=True)
    return "".join(piece.choices[0].delta.content or "" for piece in pieces)


def _ask_until_refused(serving: Serving, who: Person) -> openai.RateLimitError:
    """However slow the machine is: places are given back slower than anybody asks."""
    for number in range(60):
        try:
            say(serving, f"Number {number}.", who)
        except openai.RateLimitError as refusal:
            return refusal
    raise AssertionError("nothing was refused")


def test_the_panel_of_an_open_server_asks_nobody_to_sign_in_and_lets_no_foreign_page_in(alone: Serving):
    place = f"/panel/memories/{remember(alone, Person('local', 'me', ''), 'I like green tea.')}"
    with at_panel(alone) as browser:
        assert browser.get("/panel/sign-in").headers["location"] == "/panel"
        assert "I like green tea." in browser.text("/panel")
        assert browser.send(place, f"{place}/confirm").status_code == 303
        fields = hidden_fields(browser.get(place).text)
        assert browser.post(f"{place}/forget", fields, "https://evil.example").status_code == 403
        assert browser.get("/panel", Host="evil.example").status_code == 403
        rebound = {"Host": "evil.example", "Origin": "http://evil.example"}
        message = fields | {"session": "panel 1", "words": "What do I like?"}
        assert browser.http.post("/panel/chat", data=message, headers=rebound).status_code == 403
        assert browser.post("/panel/chat", message).status_code == 303
    url = alone.server.url
    assert httpx.post(f"{url}{place}/forget", headers={"Origin": url}, data=fields).status_code == 403
