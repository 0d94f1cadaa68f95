"""Chat clients of OpenAI's API against a real ``brain serve`` with a scripted model behind it."""

import asyncio
import json
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import openai
import pytest
from pydantic import BaseModel

from memory.postgres import postgres_memory
from memory.postgres.database import Database
from tests.conftest import a_database
from tests.contract.builders import at
from tests.integration.serving import Person, Serving, a_serving
from tests.openai_script import Step, When
from tests.openai_wire import Call
from tests.scripted_openai import ScriptedOpenAI

CLIENTS = Path(__file__).parents[1] / "data" / "chat_clients"
WEATHER: dict[str, Any] = {
    "type": "function",
    "function": {"name": "weather", "parameters": {"type": "object", "properties": {}}},
}
LONG = "Lyon is a lovely city to live in."
MODEL = [
    Step(when=When(form="Place"), text='{"city": "Ghent"}', times=None),
    Step(when=When(form="", contains="a setting of mine"), status=400, times=None),
    Step(when=When(form="", contains="Where do I live?"), text="You live in Ghent.", times=None),
    Step(when=When(form="", contains="18 degrees"), text="It is mild.", times=None),
    Step(
        when=When(form="", contains="weather in Ghent"),
        text="One moment.",
        tool_calls=(Call(name="weather", arguments='{"city": "Ghent"}', id="call_7"),),
        times=None,
    ),
    Step(when=When(form="", contains="moved to Lyon"), text=LONG, stall_after=4, times=None),
    Step(when=When(form="", contains="wait a little"), text="I waited.", delay=1.0, times=None),
    Step(when=When(form=""), text="As you say.", times=None),
    Step(status=400, times=None),
]

Said = list[dict[str, Any]]


class Place(BaseModel):
    """A form that a client's program reads."""

    city: str


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedOpenAI]:
    with ScriptedOpenAI(MODEL) as scripted:
        yield scripted


@pytest.fixture(scope="module")
def serving(server_url: str, model: ScriptedOpenAI, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    chosen = {**model.settings, "auth_api_keys": "true", "log_level": "info"}
    limits = {"request_bytes": "200000", "allowed_hosts": "brain.example"}
    with a_database(server_url) as where, a_serving(tmp_path_factory.mktemp("serve"), where, **chosen, **limits) as up:
        yield up


def ask(serving: Serving, who: Person, messages: Sequence[Mapping[str, Any]], **more: Any) -> Any:
    """The answer to a conversation."""
    chat: Any = serving.client(who).chat.completions
    return chat.create(model="brain", messages=messages, **more)


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


def talk(serving: Serving, who: Person, *texts: str, before: Said | None = None, **more: Any) -> Said:
    """Say things one after the other, as a client does that keeps the conversation; the whole of it."""
    said = list(before or [])
    for text in texts:
        said.append(user(text))
        reply = ask(serving, who, said, **more)
        said.append({"role": "assistant", "content": reply.choices[0].message.content})
    return said


def recorded(name: str) -> dict[str, Any]:
    """A request of a client as it goes over the wire."""
    return json.loads((CLIENTS / f"{name}.json").read_text("utf-8"))


def send(serving: Serving, who: Person, name: str) -> httpx.Response:
    """Send a recorded request as that client does."""
    request = recorded(name)
    headers = {**request["headers"], "Authorization": f"Bearer {who.key}"}
    url = f"{serving.server.url}/v1/chat/completions"
    return httpx.post(url, json=request["body"], headers=headers, timeout=60)


def test_a_conversation_is_answered_and_logged_once(serving: Serving):
    ann = serving.person()
    talk(serving, ann, "I live in Ghent.")
    said = talk(serving, ann, "I live in Ghent.", "Where do I live?")

    assert said[-1]["content"] == "You live in Ghent."
    assert len(serving.rows("sessions", ann.scope)) == 2
    assert serving.log(ann.scope)[2:] == [
        ("user", "I live in Ghent."),
        ("assistant", "As you say."),
        ("user", "Where do I live?"),
        ("assistant", "You live in Ghent."),
    ]


def test_an_answer_tells_its_tokens_and_its_turn(serving: Serving):
    ann = serving.person()
    reply = ask(serving, ann, [user("Hello there.")])

    assert (reply.object, reply.model, reply.choices[0].finish_reason) == ("chat.completion", "brain", "stop")
    assert reply.usage.total_tokens == reply.usage.prompt_tokens + reply.usage.completion_tokens > 0
    operations = {str(row["operation_id"]) for row in serving.rows("operations", ann.scope)}
    assert operations == {reply.model_extra["brain"]["operation_id"]}


def test_a_stream_comes_in_pieces_with_its_usage_at_the_end(serving: Serving):
    ann = serving.person()
    chunks = list(ask(serving, ann, [user("Where do I live?")], stream=True, stream_options={"include_usage": True}))

    assert "".join(chunk.choices[0].delta.content or "" for chunk in chunks[:-1]) == "You live in Ghent."
    assert len(chunks) > 4
    assert chunks[0].choices[0].delta.role == "assistant"
    assert chunks[-2].choices[0].finish_reason == "stop"
    assert (chunks[-1].choices, chunks[-1].usage.total_tokens > 0) == ([], True)
    assert len({chunk.id for chunk in chunks}) == 1
    plain = list(ask(serving, ann, [user("Where do I live?")], stream=True))
    assert all(chunk.usage is None for chunk in plain)


def test_a_clients_tool_is_called_by_the_client(serving: Serving, model: ScriptedOpenAI):
    ann = serving.person()
    said: Said = [user("What is the weather in Ghent?")]
    asked = ask(serving, ann, said, tools=[WEATHER]).choices[0]
    call = asked.message.tool_calls[0]
    assert (asked.finish_reason, call.id, call.function.name) == ("tool_calls", "call_7", "weather")
    assert json.loads(call.function.arguments) == {"city": "Ghent"}

    said.append({"role": "assistant", "content": asked.message.content, "tool_calls": [call.model_dump()]})
    said.append({"role": "tool", "tool_call_id": call.id, "content": "18 degrees"})
    answer = ask(serving, ann, said, tools=[WEATHER]).choices[0]
    assert (answer.finish_reason, answer.message.content) == ("stop", "It is mild.")
    offered = model.requests[-1].tools
    assert "weather" in offered
    assert "memory_append" not in offered

    said.append({"role": "assistant", "content": "It is mild."})
    said = talk(serving, ann, "Where do I live?", before=said)
    assert serving.log(ann.scope) == [
        ("user", "What is the weather in Ghent?"),
        ("assistant", "It is mild."),
        ("user", "Where do I live?"),
        ("assistant", "You live in Ghent."),
    ]
    assert len(serving.rows("sessions", ann.scope)) == 1


def test_tool_calls_are_streamed(serving: Serving):
    chunks = list(ask(serving, serving.person(), [user("The weather in Ghent?")], tools=[WEATHER], stream=True))

    calls = [call for chunk in chunks for call in chunk.choices[0].delta.tool_calls or ()]
    assert [(call.index, call.function.name) for call in calls] == [(0, "weather")]
    assert chunks[-1].choices[0].finish_reason == "tool_calls"


def test_the_clients_own_prompt_stands_behind_brains(serving: Serving, model: ScriptedOpenAI):
    ask(serving, serving.person(), [{"role": "system", "content": "Speak like a pirate."}, user("Ahoy 4711.")])

    sent = next(each for each in reversed(model.requests) if "Ahoy 4711." in each.newest and not each.form)
    assert [message["role"] for message in sent.messages[:2]] == ["system", "system"]
    assert sent.messages[1]["content"] == "Speak like a pirate."


def test_an_answer_that_is_wanted_again_replaces_the_first(serving: Serving):
    ann = serving.person()
    said = talk(serving, ann, "I live in Ghent.", "Where do I live?")
    ask(serving, ann, said[:-1])

    assert [words for role, words in serving.log(ann.scope) if role == "user"] == [
        "I live in Ghent.",
        "Where do I live?",
    ]
    assert len(serving.log(ann.scope)) == 4
    assert len(serving.rows("operations", ann.scope)) == 2


def test_a_message_that_is_worded_anew_forks_the_thread(serving: Serving, model: ScriptedOpenAI):
    ann = serving.person()
    said = talk(serving, ann, "I live in Ghent.", "My cat is grey.", "Where do I live?")
    talk(serving, ann, "My cat is black.", "And she is old.", before=said[:2])

    assert len(serving.rows("sessions", ann.scope)) == 1
    rows = {row["checkpoint"]: row for row in serving.rows("chat_exchanges", ann.scope)}
    begun = sorted(rows.values(), key=lambda row: row["created_at"])
    parents = [row["parent_checkpoint"] for row in begun]
    ends = [row["checkpoint"] for row in begun]
    assert parents[1:] == [ends[0], ends[1], ends[0], ends[3]]
    sent = next(json.dumps(each.body) for each in model.requests if "And she is old." in each.newest and not each.form)
    assert "black" in sent
    assert "grey" not in sent


def test_a_named_chat_stays_one_even_when_its_first_message_changes(serving: Serving):
    ann = serving.person()
    named: Any = {"extra_headers": {"X-OpenWebUI-Chat-Id": "chat-a"}}
    talk(serving, ann, "Hi.", "I like tea.", **named)
    talk(serving, ann, "Hello.", **named)
    talk(serving, ann, "Hi.", extra_headers={"X-OpenWebUI-Chat-Id": "chat-b"})

    assert sorted(row["name"] for row in serving.rows("sessions", ann.scope)) == ["chat:chat-a", "chat:chat-b"]
    in_a = [row for row in serving.rows("chat_exchanges", ann.scope) if row["session_name"] == "chat:chat-a"]
    first, _, again = sorted(in_a, key=lambda row: row["created_at"])
    assert first["parent_checkpoint"] == again["parent_checkpoint"]


def test_a_chat_that_its_client_shortens_goes_on(serving: Serving):
    ann = serving.person()
    said = talk(serving, ann, "One is blue.", "Two is red.", "Three is green.")
    talk(serving, ann, "Four is white.", before=said[2:])

    assert len(serving.rows("sessions", ann.scope)) == 1
    assert len(serving.log(ann.scope)) == 8


def test_a_history_that_was_never_seen_is_stored_once(serving: Serving):
    ann = serving.person()
    earlier: Said = [user("I am a baker."), {"role": "assistant", "content": "Lovely."}]
    said = talk(serving, ann, "Where do I live?", before=earlier)
    ask(serving, ann, said[:-1])
    talk(serving, ann, "Good.", before=said)

    assert serving.log(ann.scope) == [
        ("user", "I am a baker."),
        ("assistant", "Lovely."),
        ("user", "Where do I live?"),
        ("assistant", "You live in Ghent."),
        ("user", "Good."),
        ("assistant", "As you say."),
    ]


def test_a_user_counts_only_for_keys_that_speak_on_behalf(serving: Serving):
    ann, gate = serving.person(), serving.person(user="gate", scopes=("chat", "on_behalf"))
    ask(serving, ann, [user("I am Ann.")], user="bob")
    ask(serving, gate, [user("I am Bob.")], user="bob")
    ask(serving, gate, [user("I am the gate.")])

    bob = Person(gate.tenant, "bob", "")
    assert serving.log(ann.scope)[0] == ("user", "I am Ann.")
    assert serving.log(Person(ann.tenant, "bob", "").scope) == []
    assert [words for role, words in serving.log(bob.scope) if role == "user"] == ["I am Bob."]
    assert [words for role, words in serving.log(gate.scope) if role == "user"] == ["I am the gate."]


def test_two_people_and_two_tenants_never_see_each_other(serving: Serving, model: ScriptedOpenAI):
    ann = serving.person()
    bob, other = serving.person(ann.tenant, "bob"), serving.person(user="ann")
    secret = "My safe opens with 90210."
    said = talk(serving, ann, secret, extra_headers={"X-OpenWebUI-Chat-Id": "shared"})
    for stranger in (bob, other):
        seen = len(model.requests)
        talk(serving, stranger, "What opens my safe?", extra_headers={"X-OpenWebUI-Chat-Id": "shared"})
        assert not any("90210" in json.dumps(each.body) for each in model.requests[seen:])
        assert not any("90210" in words for _, words in serving.log(stranger.scope))
    talk(serving, bob, "And now?", before=said)
    assert len(serving.log(ann.scope)) == 2


def test_what_a_client_asks_for_itself_is_never_remembered(serving: Serving):
    ann = serving.person()
    tasks = sorted(path.stem for path in CLIENTS.glob("*.json") if "_chat" not in path.stem)
    answers = {name: send(serving, ann, name) for name in tasks}

    assert len(tasks) == 8
    assert {name: answer.status_code for name, answer in answers.items()} == dict.fromkeys(tasks, 200)
    assert serving.log(ann.scope) == []
    structured = answers["librechat_title_structured"].json()["choices"][0]["message"]["tool_calls"][0]["function"]
    assert structured["name"] == "extract"
    assert json.loads(structured["arguments"]) == {"title": "As you say.", "language": "English"}


@pytest.mark.parametrize(
    ("name", "words", "session"),
    [
        ("open_webui_chat", "My cat is called Miso.", "chat:0b6b1e2a-6a0f-4b7e-8f65-2f9f5f1a7d01"),
        ("librechat_chat", "My dog is called Bob.", "chat:c1f7a5c2-9a7b-4c52-9a38-51d4b4f4a9b2"),
    ],
)
def test_what_people_say_through_a_client_is_remembered(serving: Serving, name: str, words: str, session: str):
    ann = serving.person()
    answer = send(serving, ann, name)

    assert answer.headers["content-type"].startswith("text/event-stream")
    assert answer.text.rstrip().endswith("data: [DONE]")
    assert serving.log(ann.scope) == [("user", words), ("assistant", "As you say.")]
    assert [row["name"] for row in serving.rows("sessions", ann.scope)] == [session]


def test_a_key_that_proves_nothing_is_refused(serving: Serving):
    ann, reader = serving.person(), serving.person(scopes=("memory:read",))
    forged = Person(ann.tenant, "ann", ann.key[:-4] + "AAAA")
    for who in (None, Person("", "", "sk-something"), forged):
        with pytest.raises(openai.AuthenticationError) as refused:
            serving.client(who).models.list()
        assert refused.value.code == "E_UNAUTHENTICATED"
    with pytest.raises(openai.PermissionDeniedError, match="scope chat"):
        ask(serving, reader, [user("Hi.")])


def test_a_revoked_key_opens_nothing_any_more(serving: Serving):
    ann = serving.person()
    assert [each.id for each in serving.client(ann).models.list()] == ["brain"]

    async def revoke() -> None:
        async with Database(serving.where.app) as database:
            keys = postgres_memory(database).api_keys
            (key,) = await keys.list_keys(ann.scope.tenant_id)
            await keys.revoke(key.tenant_id, key.key_id, at())

    asyncio.run(revoke())
    with pytest.raises(openai.AuthenticationError):
        serving.client(ann).models.list()


@pytest.mark.parametrize(
    ("body", "status", "told"),
    [
        (b"{", 400, "JSON"),
        (b'{"messages": []}', 400, "messages"),
        (b'{"messages": [{"role": "king", "content": "hi"}]}', 400, "messages.0.role"),
        (b'{"messages": [{"role": "user", "content": "   "}]}', 400, "empty"),
        (b'{"messages": [{"role": "user", "content": "a\\u0000b"}]}', 400, ""),
        (b'{"messages": [{"role": "user", "content": "\\ud800"}]}', 400, ""),
        (b'{"messages": [{"role": "assistant", "content": "hi"}]}', 400, "user"),
        (b'{"messages": [{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]}', 400, "last"),
        (b'{"messages": [{"role": "user", "content": "x"}, {"role": "tool", "content": "y"}]}', 400, "results"),
        (b'{"messages": [{"role": "user", "content": "x"}], "n": 2}', 400, "n: must"),
        (b'{"messages": [{"role": "user", "content": "' + b"x" * 300_000 + b'"}]}', 413, "larger"),
    ],
)
def test_what_makes_no_sense_is_refused_in_openais_shape(serving: Serving, body: bytes, status: int, told: str):
    ann = serving.person()
    headers = {"Authorization": f"Bearer {ann.key}", "X-Request-Id": "r-1"}
    answer = httpx.post(f"{serving.server.url}/v1/chat/completions", content=body, headers=headers, timeout=60)

    assert (answer.status_code, answer.headers["X-Request-Id"]) == (status, "r-1")
    error = answer.json()["error"]
    assert error["code"] == "E_BAD_REQUEST"
    assert error["type"] == "invalid_request_error"
    assert told in error["message"]
    assert serving.log(ann.scope) == []


def test_a_model_that_does_not_exist_is_not_found(serving: Serving):
    models = serving.client(serving.person()).models
    assert models.retrieve("brain").owned_by == "brain"
    with pytest.raises(openai.NotFoundError):
        models.retrieve("gpt-4.1")


def test_a_stream_that_its_client_leaves_keeps_what_was_shown(serving: Serving):
    ann = serving.person()
    said: Said = [user("I moved to Lyon.")]
    heard = ""
    with ask(serving, ann, said, stream=True) as stream:
        for chunk in stream:
            heard += chunk.choices[0].delta.content or ""
            if heard:
                break
    deadline = time.monotonic() + 20
    while len(serving.log(ann.scope)) < 2 and time.monotonic() < deadline:
        time.sleep(0.1)

    (_, words), (_, shown) = serving.log(ann.scope)
    assert words == "I moved to Lyon."
    assert LONG.startswith(shown)
    logged = {row["position"]: row["broken_off"] for row in serving.rows("conversation_events", ann.scope)}
    assert logged == {0: False, 1: True}
    deadline = time.monotonic() + 20
    while not serving.rows("chat_exchanges", ann.scope) and time.monotonic() < deadline:
        time.sleep(0.1)
    talk(serving, ann, "Where do I live?", before=[*said, {"role": "assistant", "content": heard}])
    assert len(serving.rows("sessions", ann.scope)) == 1


def test_sixteen_talk_at_once(serving: Serving):
    people = [serving.person(user=f"person {number}") for number in range(16)]
    with ThreadPoolExecutor(16) as pool:
        said = [pool.submit(talk, serving, who, f"I am {who.user}.", "Where do I live?") for who in people]

    assert all(each.result()[-1]["content"] == "You live in Ghent." for each in said)
    for who in people:
        told = [words for role, words in serving.log(who.scope) if role == "user"]
        assert told == [f"I am {who.user}.", "Where do I live?"]


def test_the_log_and_the_metrics_hold_no_content(serving: Serving):
    ann = serving.person()
    ask(serving, ann, [user("My secret is plumage.")])
    metrics = httpx.get(f"{serving.server.url}/metrics").text

    assert 'brain_http_requests_total{method="POST",route="/v1/chat/completions",status="200"}' in metrics
    assert "brain_turns_total" in metrics
    assert "http_request" in serving.server.log
    for kept in (metrics, serving.server.log):
        assert not any(words in kept for words in ("plumage", ann.key, ann.tenant))


@pytest.mark.parametrize(
    ("host", "status"), [("brain.example", 200), ("localhost:9", 200), ("10.1.2.3", 200), ("rebound.example", 403)]
)
def test_a_foreign_name_reaches_nothing(serving: Serving, host: str, status: int):
    assert httpx.get(f"{serving.server.url}/healthz", headers={"Host": host}).status_code == status


def test_pages_of_others_may_not_call(serving: Serving):
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    answer = httpx.options(f"{serving.server.url}/v1/chat/completions", headers=asked)

    assert answer.status_code == 405
    assert "access-control-allow-origin" not in answer.headers


def test_a_form_that_a_program_reads_is_filled_and_nothing_is_added(serving: Serving):
    chat: Any = serving.client(serving.person()).chat.completions
    messages = [user("I live in Ghent. Forget my shoe size. Which city is that?")]
    parsed = chat.parse(model="brain", messages=messages, response_format=Place)
    assert parsed.choices[0].message.parsed == Place(city="Ghent")
    with chat.stream(model="brain", messages=messages, response_format=Place) as stream:
        assert stream.get_final_completion().choices[0].message.parsed == Place(city="Ghent")


def test_what_a_client_wishes_of_a_reply_reaches_the_model(serving: Serving, model: ScriptedOpenAI):
    wishes = {"temperature": 0.2, "top_p": 0.9, "seed": 7, "stop": ["END"], "presence_penalty": 0.5, "max_tokens": 90}
    ask(serving, serving.person(), [user("Tell me of the tide at Ostend.")], **wishes)
    (sent,) = [each.body for each in model.requests if "Ostend" in each.newest and not each.form]
    expected = {**wishes, "max_completion_tokens": wishes["max_tokens"]}
    del expected["max_tokens"]
    assert {name: sent.get(name) for name in expected} == expected


def test_where_a_tool_has_to_be_called_only_the_clients_are_offered(serving: Serving, model: ScriptedOpenAI):
    chosen: Any = {"type": "function", "function": {"name": "weather"}}
    for number, choice in enumerate(("required", chosen)):
        asked = [user(f"What is the weather in Ghent, number {number}?")]
        reply = ask(serving, serving.person(), asked, tools=[WEATHER], tool_choice=choice)
        (sent,) = [
            each
            for each in model.requests
            if f"number {number}" in each.newest and each.body.get("tool_choice") and not each.form
        ]
        assert (sent.tools, sent.body["tool_choice"]) == (["weather"], choice)
        assert reply.choices[0].message.tool_calls[0].function.name == "weather"


@pytest.mark.parametrize(
    "wishes",
    [
        {"temperature": 3},
        {"stop": ["a", "b", "c", "d", "e"]},
        {"max_tokens": 0},
        {"tool_choice": "required"},
        {"tools": [WEATHER], "tool_choice": {"type": "function", "function": {"name": "other"}}},
        {"response_format": {"type": "json_schema"}},
        {"response_format": {"type": "xml"}},
    ],
    ids=str,
)
def test_a_wish_that_makes_no_sense_is_refused(serving: Serving, wishes: dict[str, Any]):
    with pytest.raises(openai.BadRequestError) as refused:
        ask(serving, serving.person(), [user("Hello.")], **wishes)
    assert refused.value.code == "E_BAD_REQUEST"


def test_a_wish_that_the_model_refuses_is_the_clients_to_take_back(serving: Serving):
    who, said = serving.person(), [user("Please use a setting of mine.")]
    with pytest.raises(openai.BadRequestError, match="refuses the request with temperature"):
        ask(serving, who, said, temperature=0.3)
    assert ask(serving, who, said).choices[0].message.content
