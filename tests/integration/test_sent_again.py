"""A first message in a conversation without a name is sent again: by a library of itself, or as it was not heard."""

import json
import socket
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPResponse
from typing import Any

import httpx
import jwt
import pytest
from openai import OpenAI

from tests.conftest import a_database
from tests.integration.brain_process import PATIENCE
from tests.integration.serving import SECRET, Person, Serving, a_serving
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

LONG = " ".join(f"word{number}" for number in range(60))
STEPS = [
    Step(when=When(form="", contains="at first"), text="It took long.", delay=4.0),
    Step(when=When(form="", contains="at first"), text="It was quick.", times=None),
    Step(when=When(form="", contains="takes long"), text="It took long.", delay=4.0, times=None),
    Step(when=When(form="", contains="stalls"), text=LONG, stall_after=5),
    Step(when=When(form=""), text="As you say.", times=None),
    Step(status=400, times=None),
]
Ask = Callable[[OpenAI, str], tuple[str, str]]
"""Says a first message; the answer's name and its words."""


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI(STEPS) as running:
        yield running


@pytest.fixture(scope="module")
def serving(server_url: str, model: ScriptedOpenAI, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    chosen = {**model.settings, "auth_api_keys": "true", "auth_jwt_secret": SECRET}
    with a_database(server_url) as where, a_serving(tmp_path_factory.mktemp("again"), where, **chosen) as served:
        yield served


def chat(client: OpenAI, text: str) -> tuple[str, str]:
    answer = client.chat.completions.create(model="brain", messages=[{"role": "user", "content": text}])
    return answer.id, str(answer.choices[0].message.content)


def streamed(client: OpenAI, text: str) -> tuple[str, str]:
    said: Any = [{"role": "user", "content": text}]
    pieces = list(client.chat.completions.create(model="brain", messages=said, stream=True))
    return pieces[0].id, "".join(piece.choices[0].delta.content or "" for piece in pieces)


def response(client: OpenAI, text: str) -> tuple[str, str]:
    answer = client.responses.create(model="brain", input=text)
    return answer.id, answer.output_text


def body_of(text: str, *, stream: bool = False) -> dict[str, Any]:
    return {"model": "brain", "messages": [{"role": "user", "content": text}], "stream": stream}


def connect(
    serving: Serving, who: Person, text: str, *, stream: bool = False, tried: str | None = None
) -> socket.socket:
    """Send a chat request, and read no answer yet. A library says how often it ``tried`` before."""
    request = httpx.Request(
        "POST",
        f"{serving.server.url}/v1/chat/completions",
        json=body_of(text, stream=stream),
        headers={"Authorization": f"Bearer {who.key}"} | ({} if tried is None else {"X-Stainless-Retry-Count": tried}),
    )
    head = "".join(f"{name}: {value}\r\n" for name, value in request.headers.items())
    connection = socket.create_connection(("127.0.0.1", serving.server.port), timeout=30)
    connection.sendall(f"POST /v1/chat/completions HTTP/1.1\r\n{head}\r\n".encode() + request.content)
    return connection


def heard(connection: socket.socket) -> str:
    """The words of a whole answer."""
    with connection, closing(HTTPResponse(connection)) as answer:
        answer.begin()
        return json.loads(answer.read())["choices"][0]["message"]["content"]


def streamed_to_end(connection: socket.socket) -> tuple[int, str]:
    """Status and body of an answer that ends."""
    with connection, closing(HTTPResponse(connection)) as answer:
        answer.begin()
        return answer.status, answer.read().decode()


def wait_for(true: Callable[[], object]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.05)


def asked_of_model(model: ScriptedOpenAI, text: str) -> int:
    """How often the model was asked to reply to a message."""
    return sum(request.streamed and text in str(request.body["messages"][-1]) for request in model.requests)


def assert_said_once(serving: Serving, who: Person, text: str, reply: str) -> None:
    """In one conversation, with one reply that counts."""
    assert serving.log(who.scope) == [("user", text), ("assistant", reply)]
    assert len(serving.rows("sessions", who.scope)) == 1


@pytest.mark.parametrize("ask", [chat, response])
def test_a_library_that_loses_patience_hears_the_answer(ask: Ask, serving: Serving):
    ann, text = serving.person(), f"My {ask.__name__} takes long."
    name, words = ask(serving.client(ann).with_options(timeout=2.5, max_retries=9), text)
    assert words == "It took long."
    assert_said_once(serving, ann, text, words)
    if ask is response:
        more = serving.client(ann).responses.create(model="brain", input="And now?", previous_response_id=name)
        assert more.output_text == "As you say."
        assert len(serving.rows("sessions", ann.scope)) == 1


def test_a_stream_that_is_asked_for_again_breaks_the_first_one_off(serving: Serving):
    ann, text = serving.person(), "My stream takes its time at first."
    assert streamed(serving.client(ann).with_options(timeout=2.0, max_retries=9), text)[1] == "It was quick."
    assert_said_once(serving, ann, text, "It was quick.")


def test_streams_that_are_asked_for_at_once_all_end_and_the_last_of_them_answers(serving: Serving):
    ann, text = serving.person(), "My row of streams takes long."
    connections = [connect(serving, ann, text, stream=True, tried="1") for _ in range(10)]
    with ThreadPoolExecutor(10) as pool:
        answers = list(pool.map(streamed_to_end, connections))
    assert {status for status, _ in answers} == {200, 503}
    assert all("[DONE]" in body if status == 200 else "broken off" in body for status, body in answers)
    assert_said_once(serving, ann, text, "It took long.")


def test_who_leaves_a_stream_before_its_first_words_and_asks_again_is_answered_in_its_place(
    serving: Serving, model: ScriptedOpenAI
):
    ann, text = serving.person(), "My slow stream takes long."
    first = connect(serving, ann, text, stream=True)
    wait_for(lambda: asked_of_model(model, text))
    first.close()
    time.sleep(0.5)
    status, body = streamed_to_end(connect(serving, ann, text, stream=True))
    assert (status, body.endswith("[DONE]\n\n")) == (200, True)
    assert_said_once(serving, ann, text, "It took long.")


def test_an_answer_was_heard_that_one_of_two_clients_stayed_for(serving: Serving, model: ScriptedOpenAI):
    ann, text = serving.person(), "My two takes long."
    stays = connect(serving, ann, text)
    wait_for(lambda: asked_of_model(model, text))
    goes = connect(serving, ann, text, tried="1")
    time.sleep(0.5)
    goes.close()
    assert heard(stays) == "It took long."
    assert asked_of_model(model, text) == 1
    assert chat(serving.client(ann), text)[1] == "It took long."
    assert len(serving.rows("sessions", ann.scope)) == 2


def test_who_goes_and_asks_again_hears_the_answer_that_is_being_made(serving: Serving, model: ScriptedOpenAI):
    ann, text = serving.person(), "My cat takes long."
    first = connect(serving, ann, text)
    wait_for(lambda: asked_of_model(model, text))
    first.close()
    time.sleep(0.5)
    assert heard(connect(serving, ann, text)) == "It took long."
    assert asked_of_model(model, text) == 1
    assert_said_once(serving, ann, text, "It took long.")


def test_a_reply_that_nobody_heard_is_made_again_in_its_place(serving: Serving, model: ScriptedOpenAI):
    ann, text = serving.person(), "My dog takes long."
    first = connect(serving, ann, text)
    wait_for(lambda: asked_of_model(model, text))
    first.close()
    wait_for(lambda: [row["answering"] for row in serving.rows("chat_exchanges", ann.scope)] == [None])
    assert chat(serving.client(ann), text)[1] == "It took long."
    assert_said_once(serving, ann, text, "It took long.")


def test_a_stream_that_broke_off_is_one_try_of_the_message(serving: Serving):
    ann, text, heard = serving.person(), "My stream stalls.", b""
    connection = connect(serving, ann, text, stream=True)
    while b"word0" not in heard:
        heard += connection.recv(4096)
    connection.close()
    wait_for(lambda: len(serving.log(ann.scope)) == 2)
    wait_for(lambda: [row["answering"] for row in serving.rows("chat_exchanges", ann.scope)] == [None])
    client = serving.client(ann)
    assert streamed(client, text)[1] == "As you say."
    assert_said_once(serving, ann, text, "As you say.")
    said: Any = [
        {"role": "user", "content": text},
        {"role": "assistant", "content": "As you say."},
        {"role": "user", "content": "And now?"},
    ]
    client.chat.completions.create(model="brain", messages=said)
    assert len(serving.rows("sessions", ann.scope)) == 1


def test_a_reply_that_was_lost_on_its_way_is_made_again_for_who_says_so(serving: Serving):
    ann, text = serving.person(), "My bird is called Lori."
    client = serving.client(ann)
    chat(client, text)
    said: Any = [{"role": "user", "content": text}]
    client.chat.completions.create(model="brain", messages=said, extra_headers={"X-Stainless-Retry-Count": "1"})
    assert_said_once(serving, ann, text, "As you say.")


@pytest.mark.parametrize("tried", ["", "0", "00", "-1", "abc", "1.5", "0, 1"])
def test_what_counts_no_tries_says_nothing_of_any(tried: str, serving: Serving):
    ann, text = serving.person(), "My fish is called Bubbles."
    for _ in range(2):
        assert heard(connect(serving, ann, text, tried=tried)) == "As you say."
    assert len(serving.rows("sessions", ann.scope)) == 2


def test_an_answer_is_not_given_to_who_comes_with_other_rights(serving: Serving, model: ScriptedOpenAI):
    tenant, text = serving.person().tenant, "My rights takes long."
    claims = {"tenant": tenant, "sub": "ann", "exp": int(time.time()) + 600}
    manager, plain = (
        Person(tenant, "ann", jwt.encode(claims | more, SECRET, "HS256")) for more in ({"role": "manager"}, {})
    )
    first = connect(serving, manager, text)
    wait_for(lambda: asked_of_model(model, text))
    assert heard(connect(serving, plain, text, tried="1")) == "It took long."
    assert heard(first) == "It took long."
    assert asked_of_model(model, text) == 2


def test_the_same_words_begin_a_conversation_each_time_that_they_were_heard(serving: Serving):
    ann = serving.person()
    client = serving.client(ann)
    for _ in range(2):
        chat(client, "Hello.")
    with ThreadPoolExecutor(3) as pool:
        replies = [words for _, words in pool.map(chat, [client] * 3, ["My list takes long."] * 3)]
    assert replies == ["It took long."] * 3
    assert len(serving.rows("sessions", ann.scope)) == 5
