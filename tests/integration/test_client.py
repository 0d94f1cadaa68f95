"""The client and its examples against Brain itself: in this process, and as a server beside it."""

from collections.abc import AsyncGenerator, Callable, Iterator
from typing import Any
from uuid import uuid4

import httpx
import pytest
import respx
from brain_memory import BrainClient, BrainRefused
from brain_memory.langchain import BrainMiddleware, BrainRetriever, RemoteStore
from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from openai import AsyncOpenAI

from examples import langchain_agent, langgraph_graph, openai_loop
from memory.postgres.roles import Addresses
from tests.integration.application import an_application, token_of
from tests.integration.serving import Serving, a_serving
from tests.openai_wire import Said, completion
from tests.respx_httpx2 import HTTPX2
from tests.unit.client.agents import ScriptedModel, an_agent, ask, calls

BOTH = ("memory:read", "memory:write")
ClientMaker = Callable[..., BrainClient]


@pytest.fixture(scope="module")
async def application(test_addresses: Addresses, tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[Any]:
    """``brain serve`` without a server."""
    async with an_application(test_addresses, tmp_path_factory.mktemp("application")) as app:
        yield app


@pytest.fixture
async def a_client(application: Any) -> AsyncGenerator[ClientMaker]:
    """Clients in the process, each of a person of this test's own tenant."""
    tenant, made = f"tenant {uuid4()}", list[BrainClient]()

    def make(user: str = "ann") -> BrainClient:
        made.append(BrainClient(key=token_of(tenant, user), timeout=20, transport=httpx.ASGITransport(application)))
        return made[-1]

    yield make
    for client in made:
        await client.aclose()


async def test_what_one_conversation_says_the_next_recalls_and_nobody_else(a_client: ClientMaker):
    ann, bob = a_client("ann"), a_client("bob")
    recalled = await ann.abefore_llm("My sister Maud lives in Ghent.", session="first")
    captured = await ann.aafter_llm("My sister Maud lives in Ghent.", "I see.", recalled)
    assert (captured.session, captured.is_pending) == ("first", False)
    found = await ann.abefore_llm("Where does my sister live?", session="second")
    assert "My sister Maud lives in Ghent." in found.text
    assert found.untrusted == {"My sister Maud lives in Ghent."}
    assert [each.text for each in await ann.arecall("Where does my sister live?")] == list(found.untrusted)
    (document,) = await BrainRetriever(client=ann).ainvoke("Where does my sister live?")
    assert document.page_content == "My sister Maud lives in Ghent."
    assert (await bob.abefore_llm("Where does my sister live?")).text == ""


async def test_a_key_of_a_capture_counts_once(a_client: ClientMaker):
    ann = a_client()
    first = await ann.aafter_llm("I like green tea.", "I see.", key="k")
    assert (await ann.aafter_llm("I like green tea.", "I see.", key="k")).operation_id == first.operation_id
    with pytest.raises(BrainRefused, match="E_CONFLICT"):
        await ann.aafter_llm("I like coffee.", "I see.", key="k")


async def test_a_token_that_does_not_hold_is_refused(application: Any):
    async with BrainClient(key="none", transport=httpx.ASGITransport(application)) as client:
        with pytest.raises(BrainRefused, match="E_UNAUTHENTICATED"):
            await client.abefore_llm("Who am I?")


async def test_a_person_that_a_token_may_not_speak_for_is_refused(a_client: ClientMaker):
    with pytest.raises(BrainRefused, match="E_TENANT_FORBIDDEN"):
        await a_client("ann").abefore_llm("Who am I?", user="安")


async def test_the_store_keeps_values_of_one_person(a_client: ClientMaker):
    mine, other = RemoteStore(a_client("ann")), RemoteStore(a_client("bob"))
    await mine.aput(("notes", "tea"), "k1", {"text": "Ann likes green tea."})
    await mine.aput(("notes", "wine"), "k2", {"text": "Ann likes no wine."}, index=False, ttl=5)
    found = await mine.aget(("notes", "tea"), "k1")
    assert found is not None
    assert found.value == {"text": "Ann likes green tea."}
    assert (await mine.asearch(("notes",), query="green tea"))[0].key == "k1"
    assert await mine.alist_namespaces(prefix=("notes",)) == [("notes", "tea"), ("notes", "wine")]
    assert await other.aget(("notes", "tea"), "k1") is None
    await mine.adelete(("notes", "tea"), "k1")
    assert await mine.aget(("notes", "tea"), "k1") is None


async def test_the_example_agent_remembers_and_sends_nothing_on_the_word_of_memory_alone(a_client: ClientMaker):
    client = a_client()
    model = ScriptedModel(replies=[AIMessage("Noted.")])
    agent = langchain_agent.build_agent(model, client)
    await ask("async", agent, "My aunt Frederika lives in Ghent.", config={"configurable": {"thread_id": "1"}})
    model.replies = [calls("send_postcard", to="Frederika", text="Hello"), AIMessage("Done.")]
    state = await ask("async", agent, "Where does my aunt live?", config={"configurable": {"thread_id": "2"}})
    assert "My aunt Frederika lives in Ghent." in model.texts[1][1]
    assert model.texts[1][2] == "Where does my aunt live?"
    (answered,) = [each for each in state["messages"] if isinstance(each, ToolMessage)]
    assert answered.text.startswith("GUARD_TAINTED")


async def test_the_example_loop_remembers(a_client: ClientMaker):
    client, prompts = a_client(), list[Any]()

    def reply(request: httpx.Request) -> httpx.Response:
        prompts.append(request.read().decode())
        return httpx.Response(200, json=completion(Said(text="I see.")))

    async with (
        AsyncOpenAI(api_key="k", base_url="http://model.test/v1") as openai,
        respx.mock(base_url="http://model.test/v1", using=HTTPX2) as router,
    ):
        router.post("/chat/completions").mock(side_effect=reply)
        history = list[Any]()
        for said in ("My dog is called Nepomuk.", "What is my dog called?"):
            assert await openai_loop.answer(openai, client, history, said) == "I see."
        fresh = list[Any]()
        await openai_loop.answer(openai, client, fresh, "What is my dog called?")
    assert len(history) == 4
    assert "Nepomuk" in prompts[-1]
    assert "Nepomuk" not in repr(fresh)


async def test_the_example_graph_remembers_and_counts_its_turns(a_client: ClientMaker):
    client = a_client()
    model = ScriptedModel(replies=[AIMessage("I see.")])
    graph, context = langgraph_graph.build_graph(client), langgraph_graph.Context(model=model, memory=client)
    for said in ("My dog is called Nepomuk.", "What is my dog called?"):
        await graph.ainvoke({"messages": [HumanMessage(said)]}, context=context)
    assert [len(texts) for texts in model.texts] == [1, 2]
    assert "My dog is called Nepomuk." in model.texts[1][0]
    counted = await RemoteStore(client).aget(("statistics",), "turns")
    assert counted is not None
    assert counted.value == {"count": 2}


@pytest.fixture(scope="module")
def serving(test_addresses: Addresses, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Serving]:
    chosen = {"auth_api_keys": "true", "tenant_requests": "0"}
    with a_serving(tmp_path_factory.mktemp("client"), test_addresses, **chosen) as up:
        yield up


def test_a_key_that_speaks_for_others_keeps_their_memories_apart(serving: Serving):
    agent_key = serving.person(user="agent", scopes=(*BOTH, "on_behalf"))
    with BrainClient(serving.server.url, key=agent_key.key, timeout=20) as client:
        model = ScriptedModel(replies=[AIMessage("I see.")])
        memory = BrainMiddleware(client, user=lambda run: run.context["user"])
        agent = an_agent(memory, model, context_schema=dict)
        for user, said in (("安", "My dog is called Nepomuk."), ("bob", "Hello."), ("安", "What is my dog called?")):
            agent.invoke({"messages": [HumanMessage(said)]}, context={"user": user})
        assert client.before_llm("What is my dog called?").text == ""
        assert client.before_llm("What is my dog called?", user="bob").text == ""
    assert "Nepomuk" in model.texts[-1][0]


class Cable(httpx.HTTPTransport):
    """A way to the server that can be cut."""

    is_cut = False

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        if self.is_cut:
            raise httpx.ConnectError("cut")
        return super().handle_request(request)


def test_a_turn_that_a_server_missed_is_there_when_it_is_back(serving: Serving):
    ann, cable = serving.person(scopes=BOTH), Cable()
    with BrainClient(serving.server.url, key=ann.key, timeout=20, transport=cable) as client:
        cable.is_cut = True
        assert client.after_llm("My dog is called Nepomuk.", "I see.").is_pending
        assert not client.before_llm("What is my dog called?").is_available
        cable.is_cut = False
        assert client.flush() == 0
        assert "My dog is called Nepomuk." in client.before_llm("What is my dog called?").text
    assert serving.log(ann.scope) == [("user", "My dog is called Nepomuk."), ("assistant", "I see.")]
