"""Programs that were written for OpenAI's API against Brain in this process: no field of a request is lost."""

import json
from collections.abc import AsyncGenerator
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import httpx2
import openai
import psycopg
import pytest
from langchain_openai import ChatOpenAI, OpenAIEmbeddings
from openai import AsyncOpenAI
from pydantic import BaseModel

from memory.postgres.roles import Addresses
from memory.scope import Speaker, scope_of
from tests.integration.application import an_application, token_of
from tests.openai_script import Step, When
from tests.openai_wire import Call
from tests.scripted_openai import DIMENSIONS, ScriptedOpenAI

CLIENTS = Path(__file__).parents[1] / "data" / "chat_clients"
ADDRESS = "http://127.0.0.1/v1"
WEATHER: dict[str, Any] = {"type": "function", "name": "weather", "parameters": {"type": "object", "properties": {}}}
MODEL = [
    Step(when=When(form="Place"), text='{"city": "Ghent"}', times=None),
    Step(when=When(form="", contains="a place as JSON"), text='{"city": "Ghent"}', times=None),
    Step(
        when=When(form="", contains="Call a place"),
        tool_calls=(Call(name="Place", arguments='{"city": "Ghent"}', id="call_1"),),
        times=None,
    ),
    Step(when=When(form="", contains="18 degrees"), text="It is mild.", times=None),
    Step(
        when=When(form="", contains="weather in Ghent"),
        text="One moment.",
        tool_calls=(Call(name="weather", arguments='{"city": "Ghent"}', id="call_7"),),
        times=None,
    ),
    Step(when=When(form="", contains="a setting of mine"), status=400, times=None),
    Step(when=When(form=""), text="As you say.", times=None),
    Step(status=400, times=None),
]


class Place(BaseModel):
    """A form that a client's program reads."""

    city: str


class Clients:
    """Somebody's clients, as programs make them; ``sent`` is what the model behind was asked for them."""

    def __init__(self, application: Any, model: ScriptedOpenAI, where: Addresses) -> None:
        self.tenant = f"tenant {uuid4()}"
        self.key = token_of(self.tenant)
        self.http = httpx2.AsyncClient(transport=httpx2.ASGITransport(application), timeout=60)
        self.openai = AsyncOpenAI(base_url=ADDRESS, api_key=self.key, http_client=self.http, max_retries=0)
        self._plain = httpx.AsyncClient(transport=httpx.ASGITransport(application), base_url=ADDRESS, timeout=60)
        self._model, self._where, self._seen = model, where, len(model.requests)

    @property
    def sent(self) -> list[dict[str, Any]]:
        """The bodies of replies that the model was asked for."""
        return [each.body for each in self._model.requests[self._seen :] if each.streamed]

    @property
    def heard(self) -> list[str]:
        """What the person said, as the model read it last; Brain's own parts stand before the newest words."""
        asked = [each["content"] for each in self.sent[-1]["messages"] if each["role"] == "user"]
        return [each.rpartition("\n\n")[2] for each in asked]

    @property
    def log(self) -> list[tuple[str, str]]:
        """What was said, in order."""
        scope = scope_of(Speaker(tenant=self.tenant, user="ann"))
        query = "select role, text from brain.conversation_events where tenant_id = %s order by occurred_at, position"
        with psycopg.connect(self._where.owner) as connection:
            return connection.execute(query, (scope.tenant_id,)).fetchall()

    async def post(self, path: str, body: Any, **headers: str) -> httpx.Response:
        """A request as it goes over the wire."""
        return await self._plain.post(path, json=body, headers={**headers, "Authorization": f"Bearer {self.key}"})

    async def send(self, name: str) -> httpx.Response:
        """A recorded request, as that client sends it."""
        recorded = json.loads((CLIENTS / f"{name}.json").read_text("utf-8"))
        path = "/responses" if "input" in recorded["body"] else "/chat/completions"
        return await self.post(path, recorded["body"], **recorded["headers"])

    async def close(self) -> None:
        """Give the connections back."""
        await self._plain.aclose()
        await self.openai.close()


@pytest.fixture(scope="module")
async def served(
    test_addresses: Addresses, tmp_path_factory: pytest.TempPathFactory
) -> AsyncGenerator[tuple[Any, ScriptedOpenAI]]:
    with ScriptedOpenAI(MODEL) as model:
        chosen = {**model.settings, "embeddings": "openai:any"}
        async with an_application(test_addresses, tmp_path_factory.mktemp("clients"), **chosen) as application:
            yield application, model


@pytest.fixture
async def clients(served: tuple[Any, ScriptedOpenAI], test_addresses: Addresses) -> AsyncGenerator[Clients]:
    made = Clients(*served, test_addresses)
    yield made
    await made.close()


def user(text: str) -> dict[str, Any]:
    return {"role": "user", "content": text}


async def test_every_field_of_a_reply_reaches_the_model(clients: Clients):
    wishes: dict[str, Any] = {
        "temperature": 0.2,
        "top_p": 0.9,
        "presence_penalty": 0.5,
        "frequency_penalty": -0.5,
        "seed": 7,
        "stop": ["END"],
        "logit_bias": {"1234": -100},
        "reasoning_effort": "low",
        "verbosity": "low",
        "service_tier": "flex",
        "safety_identifier": "person-1",
        "prompt_cache_key": "house",
        "prompt_cache_retention": "24h",
        "prediction": {"type": "content", "content": "Ostend"},
        "parallel_tool_calls": False,
        "max_completion_tokens": 90,
        "tools": [{"type": "function", "function": {"name": "tide", "strict": True, "parameters": {"type": "object"}}}],
    }
    neutral = {"n": 1, "logprobs": False, "modalities": ["text"], "store": False, "audio": None, "top_logprobs": 0}
    answer = await clients.post("/chat/completions", {"messages": [user("Hello.")], **wishes, **neutral})

    assert answer.status_code == 200, answer.text
    (sent,) = clients.sent
    told = {name: sent.get(name) for name in wishes if name != "tools"}
    assert told == {name: value for name, value in wishes.items() if name != "tools"}
    assert next(each for each in sent["tools"] if each["function"]["name"] == "tide")["function"]["strict"] is True
    assert not sent.keys() & (neutral.keys() - {"n"})


@pytest.mark.parametrize(
    ("path", "field", "value"),
    [
        ("chat/completions", "n", 2),
        ("chat/completions", "audio", {"voice": "alloy", "format": "wav"}),
        ("chat/completions", "modalities", ["text", "audio"]),
        ("chat/completions", "logprobs", True),
        ("chat/completions", "store", True),
        ("chat/completions", "functions", []),
        ("chat/completions", "num_ctx", 8192),
        ("chat/completions", "temperature", 3),
        ("chat/completions", "stream_options", {"include_obfuscation": True}),
        ("chat/completions", "stop", ["a", "b", "c", "d", "e"]),
        ("chat/completions", "tool_choice", {"type": "allowed_tools"}),
        ("responses", "store", False),
        ("responses", "background", True),
        ("responses", "conversation", "conv_1"),
        ("responses", "include", ["reasoning.encrypted_content"]),
        ("responses", "previous_response_id", "resp_of_somebody_else"),
        ("responses", "tools", [{"type": "web_search"}]),
        ("responses", "reasoning", {"summary": "auto"}),
        ("responses", "text", {"format": {"type": "json_schema"}}),
        ("responses", "max_tokens", 9),
        ("responses", "input", [{"type": "item_reference", "id": "msg_1"}]),
        ("embeddings", "dimensions", 7),
        ("embeddings", "input", []),
        ("embeddings", "input", [1, 2, 3]),
        ("embeddings", "input", ""),
        ("embeddings", "input", ["a"] * 2_049),
        ("embeddings", "encoding_format", "int8"),
    ],
    ids=str,
)
async def test_what_is_not_offered_or_not_known_is_named(clients: Clients, path: str, field: str, value: Any):
    said = {"chat/completions": {"messages": [user("Hello.")]}}.get(path, {"input": "Hello."})
    answer = await clients.post(f"/{path}", {**said, field: value})

    error = answer.json()["error"]
    assert (answer.status_code, error["code"], error["type"]) == (400, "E_BAD_REQUEST", "invalid_request_error")
    assert error["param"].split(".")[0] == field
    assert error["message"].startswith(error["param"])
    assert clients.log == []


async def test_a_setting_that_the_model_refuses_is_named(clients: Clients):
    asked = [user("Please use a setting of mine.")]
    with pytest.raises(openai.BadRequestError, match="temperature") as refused:
        await clients.openai.chat.completions.create(model="brain", messages=asked, temperature=0.3)  # pyright: ignore
    assert refused.value.param == "temperature"


async def test_openais_parse_reads_a_form_by_either_api(clients: Clients):
    chat = await clients.openai.chat.completions.parse(
        model="brain",
        messages=[user("A place, please.")],  # pyright: ignore[reportArgumentType]
        response_format=Place,
    )
    response = await clients.openai.responses.parse(model="brain", input="Another place, please.", text_format=Place)

    assert chat.choices[0].message.parsed == response.output_parsed == Place(city="Ghent")
    forms = [sent["response_format"]["json_schema"] for sent in clients.sent]
    assert [(form["name"], form["strict"]) for form in forms] == [("Place", True)] * 2


@pytest.mark.parametrize(
    ("method", "words"),
    [
        ("json_schema", "A place, please."),
        ("function_calling", "Call a place."),
        ("json_mode", "Say a place as JSON."),
    ],
)
async def test_langchain_reads_a_form_by_each_of_its_ways(clients: Clients, method: Any, words: str):
    model: Any = ChatOpenAI(model="brain", base_url=ADDRESS, api_key=clients.key, http_async_client=clients.http)  # pyright: ignore
    reads = model.with_structured_output(Place, method=method)
    assert await reads.ainvoke(words) == Place(city="Ghent")


async def test_langchain_talks_by_the_responses_api_and_streams(clients: Clients):
    model: Any = ChatOpenAI(
        model="brain",
        base_url=ADDRESS,
        api_key=clients.key,  # pyright: ignore[reportArgumentType]
        http_async_client=clients.http,
        use_responses_api=True,
    )
    assert (await model.ainvoke("My cat is grey.")).text == "As you say."
    pieces = [each.text async for each in model.astream("My dog is black.")]
    assert "".join(pieces) == "As you say."
    assert len([each for each in pieces if each]) > 1


@pytest.mark.parametrize(
    "name",
    [
        "open_webui_chat_parameters",
        "open_webui_chat_tools",
        "librechat_chat_agent",
        "librechat_chat_responses",
    ],
)
async def test_what_open_webui_and_librechat_send_is_answered(clients: Clients, name: str):
    answer = await clients.send(name)

    assert answer.headers["content-type"].startswith("text/event-stream"), answer.text
    assert [role for role, _ in clients.log] == ["user", "assistant"]
    body = json.loads((CLIENTS / f"{name}.json").read_text("utf-8"))["body"]
    (sent,) = clients.sent
    for field in {"temperature", "top_p", "seed", "stop", "logit_bias", "reasoning_effort"} & body.keys():
        assert sent[field] == body[field]


async def test_a_setting_of_ollama_in_open_webui_is_named(clients: Clients):
    answer = await clients.send("open_webui_chat_ollama_options")
    assert (answer.status_code, answer.json()["error"]["param"]) == (400, "num_ctx")


async def test_a_response_goes_on_behind_the_one_that_it_names(clients: Clients):
    responses: Any = clients.openai.responses
    first = await responses.create(model="brain", input="I live in Ghent.", instructions="Be brief.")
    second = await responses.create(model="brain", input="Yes.", previous_response_id=first.id)
    third = await responses.create(model="brain", input="Yes.", previous_response_id=second.id)
    assert (first.output_text, first.status, third.previous_response_id) == ("As you say.", "completed", second.id)
    assert first.usage.total_tokens == first.usage.input_tokens + first.usage.output_tokens > 0

    assert clients.heard == ["I live in Ghent.", "Yes.", "Yes."]
    assert [text for role, text in clients.log if role == "user"] == ["I live in Ghent.", "Yes.", "Yes."]

    again = await responses.create(model="brain", input="No.", previous_response_id=first.id)
    assert clients.heard == ["I live in Ghent.", "No."]
    assert again.model_extra["brain"]["session"] == first.model_extra["brain"]["session"]


async def test_nobody_goes_on_behind_a_response_of_somebody_else(
    clients: Clients, served: tuple[Any, ScriptedOpenAI], test_addresses: Addresses
):
    theirs: Any = await clients.openai.responses.create(model="brain", input="My safe opens with 90210.")
    stranger = Clients(*served, test_addresses)
    with pytest.raises(openai.NotFoundError) as refused:
        await stranger.openai.responses.create(model="brain", input="What opens it?", previous_response_id=theirs.id)
    assert refused.value.param == "previous_response_id"
    assert (stranger.log, stranger.sent) == ([], [])
    await stranger.close()


async def test_a_clients_tool_runs_by_the_responses_api(clients: Clients):
    responses: Any = clients.openai.responses
    said: list[Any] = [user("What is the weather in Ghent?")]
    first = await responses.create(model="brain", input=said, tools=[WEATHER])
    (call,) = [item for item in first.output if item.type == "function_call"]
    assert (call.name, json.loads(call.arguments), call.call_id) == ("weather", {"city": "Ghent"}, "call_7")

    result = {"type": "function_call_output", "call_id": call.call_id, "output": "18 degrees"}
    sent = [item.model_dump() for item in first.output]
    answer = await responses.create(model="brain", input=[*said, *sent, result], tools=[WEATHER])
    assert answer.output_text == "It is mild."
    assert clients.log[-1] == ("assistant", "It is mild.")
    with pytest.raises(openai.BadRequestError, match="whole conversation"):
        await responses.create(model="brain", input=[*said, *sent, result], previous_response_id=first.id)


async def test_a_response_is_streamed_in_openais_events(clients: Clients):
    responses: Any = clients.openai.responses
    said = "What is the weather in Ghent?"
    stream: Any = await responses.create(model="brain", input=said, tools=[WEATHER], stream=True)
    events: list[Any] = [event async for event in stream]

    kinds = [event.type.removeprefix("response.") for event in events]
    assert kinds[:4] == ["created", "in_progress", "output_item.added", "content_part.added"]
    assert [kind for kind in kinds[4:] if kind != "output_text.delta"] == [
        "output_text.done",
        "content_part.done",
        "output_item.done",
        "output_item.added",
        "function_call_arguments.delta",
        "function_call_arguments.done",
        "output_item.done",
        "completed",
    ]
    assert [event.sequence_number for event in events] == [*range(len(events))]
    whole = events[-1].response
    assert (whole.output_text, whole.id) == ("One moment.", events[0].response.id)
    assert "".join(event.delta for event in events if event.type == "response.output_text.delta") == "One moment."
    behind = await responses.create(model="brain", input="Thanks.", previous_response_id=whole.id)
    assert behind.model_extra["brain"]["session"] == whole.model_extra["brain"]["session"]


async def test_embeddings_are_brains_own_as_numbers_and_as_bytes(clients: Clients):
    create: Any = clients.openai.embeddings.create
    numbers = await create(model="any", input=["tea", "coffee"], encoding_format="float")
    packed = await create(model="any", input=["tea", "coffee"], dimensions=DIMENSIONS)

    assert [each.index for each in numbers.data] == [0, 1]
    assert packed.data[1].embedding == pytest.approx(numbers.data[1].embedding, abs=1e-6)
    assert len(numbers.data[0].embedding) == DIMENSIONS
    assert (numbers.model, numbers.usage.total_tokens > 0, clients.log) == ("openai:any", True, [])


async def test_langchain_makes_embeddings(clients: Clients):
    model = OpenAIEmbeddings(
        model="any",
        base_url=ADDRESS,
        api_key=clients.key,  # pyright: ignore[reportArgumentType]
        http_async_client=clients.http,
        check_embedding_ctx_length=False,
    )
    assert len(await model.aembed_query("tea")) == DIMENSIONS
