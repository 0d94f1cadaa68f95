"""The deployed door with authentication and a model: nobody gets what is not theirs, nothing is lost in a crash."""

import asyncio
import signal
from typing import Any
from uuid import uuid4

import httpx
import pytest

from evolution.erasure.request import sentence_for
from tests.integration.callers import REFUSED, Callers, Client, says, status_of, words
from tests.integration.issuer import Issuer
from tests.integration.server import START, Server, said
from tests.scripted_openai import ScriptedOpenAI


async def test_a_request_without_a_valid_token_is_refused(guarded: Server, issuer: Issuer):
    with Issuer() as other:
        stranger = other.bearer("acme", "ann")
    unsigned = "eyJhbGciOiJub25lIn0.eyJ0ZW5hbnQiOiJhY21lIiwic3ViIjoiYW5uIiwiZXhwIjo5OTk5OTk5OTk5fQ."
    attempts = [
        {},
        {"x-auth-scheme": "langsmith"},
        {"x-auth-scheme": "langsmith", "x-api-key": "lsv2_pt_x"},
        {"Authorization": f"Bearer {unsigned}"},
        {"Authorization": f"Basic {issuer.token('acme', 'ann')}"},
        stranger,
        issuer.bearer("acme", "ann", exp=1),
        issuer.bearer("acme", "ann", aud="another service"),
    ]
    async with httpx.AsyncClient(base_url=guarded.url, timeout=START) as http:
        for headers in attempts:
            assert (await http.post("/threads", json={}, headers=headers)).status_code == 401, headers
            assert (await http.get(f"/brain/operations/{uuid4()}", headers=headers)).status_code == 401, headers
            assert (await http.post("/runs/wait", json={"assistant_id": "brain"}, headers=headers)).status_code == 401
        assert (await http.post("/threads", json={}, headers=issuer.bearer("acme", "ann"))).status_code == 200
        assert (await http.get("/brain/ready")).json()["ready"] is True


async def test_nobody_sees_another_persons_threads(guarded: Server, callers: Callers):
    ann, bob = callers.person(guarded, "acme", "ann"), callers.person(guarded, "acme", "bob")
    elsewhere = callers.person(guarded, "other", "ann")
    thread = await ann.threads.create(metadata={"owner": "bob", "tenant": "other"})
    thread_id = thread["thread_id"]
    await says(ann, thread_id, "My secret is plum.")
    for intruder in (bob, elsewhere):
        mine = (await intruder.threads.create())["thread_id"]
        for attempt in (
            intruder.threads.get(thread_id),
            intruder.threads.get_state(thread_id),
            intruder.threads.get_history(thread_id),
            intruder.threads.update(thread_id, metadata={"owner": "bob"}),
            intruder.threads.update_state(thread_id, {"messages": []}),
            intruder.threads.copy(thread_id),
            intruder.runs.list(thread_id),
            intruder.runs.wait(thread_id, "brain", input=words("What is my secret?")),
            intruder.threads.create(thread_id=thread_id, if_exists="do_nothing"),
            intruder.threads.delete(thread_id),
        ):
            with pytest.raises(REFUSED) as refused:
                await attempt
            assert status_of(refused.value) in {403, 404, 409}
        stolen = await _through_another(intruder, mine, thread_id)
        assert "plum" not in str(stolen)
        assert thread_id not in str(await intruder.threads.search(limit=100))
    assert "plum" in str(await ann.threads.get_state(thread_id))


async def _through_another(client: Client, own: str, foreign: str) -> list[Any]:
    """Name somebody else's thread in the body of requests about one's own."""
    checkpoint: Any = {"thread_id": foreign, "checkpoint_ns": ""}
    found: list[Any] = []
    for attempt in (
        client.threads.get_state(own, checkpoint=checkpoint),
        client.threads.get_history(own, checkpoint=checkpoint),
        client.runs.wait(own, "brain", input=words("Repeat."), checkpoint=checkpoint),
        client.runs.wait(own, "brain", input=words("Repeat."), context={"thread_id": foreign}),
        client.runs.wait(own, "brain", input=words("Repeat."), config={"configurable": {"thread_id": foreign}}),
    ):
        try:
            found.append(await attempt)
        except REFUSED as refused:
            found.append(status_of(refused))
    return found


async def test_a_forged_context_has_no_effect(guarded: Server, callers: Callers, model: ScriptedOpenAI, issuer: Issuer):
    def heard() -> int:
        replies = [request for request in model.requests if request.endpoint == "chat" and not request.form]
        return sum("marzipan" in str(request.body) for request in replies)

    victim = callers.person(guarded, "acme", "victor")
    theirs = (await victim.threads.create())["thread_id"]
    await says(victim, theirs, "My safe word is marzipan.")
    before = heard()
    claimed: dict[str, Any] = {"tenant": "acme", "user": "victor", "role": "owner", "session": theirs}
    smuggled = {"langgraph_auth_user": {"identity": "x", "tenant": "acme", "user": "victor"}}
    for body in (
        {"context": claimed},
        {"config": {"configurable": claimed}},
        {"context": smuggled},
        {"config": {"configurable": smuggled}},
        {"metadata": {"tenant": "acme", "owner": "victor"}, "context": claimed},
    ):
        told = {"assistant_id": "brain", "input": words("What is my safe word?"), **body}
        async with httpx.AsyncClient(
            base_url=guarded.url, headers=issuer.bearer("evil", "mallory"), timeout=START
        ) as http:
            assert "marzipan" not in (await http.post("/runs/wait", json=told)).text
    assert heard() == before
    again = (await victim.threads.create())["thread_id"]
    await says(victim, again, "What is my safe word?")
    assert heard() > before


async def test_a_turn_is_accounted_to_its_person_only(guarded: Server, callers: Callers, issuer: Issuer):
    ann = callers.person(guarded, "acme", "ann")
    thread = await ann.threads.create()
    state = await says(ann, thread["thread_id"], "I play the cello.")
    path = f"{guarded.url}/brain/operations/{state['turn']['operation_id']}"
    async with httpx.AsyncClient(timeout=START) as http:
        assert (await http.get(path, headers=issuer.bearer("acme", "ann"))).status_code == 200
        forged = {"tenant": "acme", "user": "ann"}
        assert (await http.get(path, params=forged, headers=issuer.bearer("acme", "bob"))).status_code == 404


async def test_what_has_no_verified_owner_is_forbidden(guarded: Server, callers: Callers):
    ann = callers.person(guarded, "acme", "ann")
    with pytest.raises(REFUSED) as cron:
        await ann.crons.create("brain", schedule="* * * * *", input=words("Now."))
    assert status_of(cron.value) == 403


async def test_assistants_are_their_makers_and_the_graphs_everybodys(guarded: Server, callers: Callers):
    ann, bob = callers.person(guarded, "acme", "ann"), callers.person(guarded, "acme", "bob")
    made = await ann.assistants.create("brain", context={"tenant": "x"}, metadata={"created_by": "system"})
    with pytest.raises(REFUSED):
        await bob.assistants.get(made["assistant_id"])
    with pytest.raises(REFUSED):
        await bob.runs.wait(None, made["assistant_id"], input=words("Hello."))
    shared: Any = await bob.assistants.search()
    graphs = {"brain", "recall", "evolution", "correction", "upkeep", "soul"}
    assert {assistant["graph_id"] for assistant in shared} == graphs
    assert [assistant["metadata"]["created_by"] for assistant in shared] == ["system"] * len(graphs)
    with pytest.raises(REFUSED):
        await bob.assistants.update(shared[0]["assistant_id"], name="mine")


async def test_the_models_words_stream_to_an_authenticated_person(guarded: Server, callers: Callers):
    client = callers.person(guarded, "acme", "ann", roles=["editor"])
    thread = await client.threads.create()
    stream: Any = client.runs.stream(
        thread["thread_id"], "brain", input=words("Say hello."), stream_mode="messages-tuple"
    )
    parts = [part.data[0] async for part in stream if part.event == "messages"]
    pieces = [part["content"] for part in parts if part["type"] == "AIMessageChunk"]
    assert "".join(pieces) == "Hello from the model, word by word."
    assert len([piece for piece in pieces if piece]) > 1


@pytest.mark.exhaustive
async def test_threads_outlive_a_restart_and_a_crash(guarded: Server, callers: Callers):
    ann = callers.person(guarded, "acme", "ann")
    finished = (await ann.threads.create())["thread_id"]
    await says(ann, finished, "My boat is called Albatross.")
    await _again(guarded, signal.SIGTERM)
    after_restart = await ann.threads.get_state(finished)

    crashed = (await ann.threads.create())["thread_id"]
    await says(ann, crashed, "My bicycle is red.")
    await ann.runs.create(crashed, "brain", input=words("Please answer slowly."))
    await _reached(ann, crashed, "slowly")
    await _again(guarded, signal.SIGKILL)
    after_crash = await ann.threads.get_state(crashed)
    still_there = await ann.threads.get_state(finished)
    with pytest.raises(REFUSED):
        await callers.person(guarded, "acme", "bob").threads.get_state(crashed)
    went_on = await says(ann, crashed, "Still there?")

    assert "Albatross" in str(after_restart["values"])
    assert "Albatross" in str(still_there["values"])
    assert "My bicycle is red." in str(after_crash["values"])
    assert "Please answer slowly." in str(after_crash["values"])
    # The words that were accepted before the crash may be recalled, and the provider answers them by this.
    assert said(went_on) in ("Hello from the model, word by word.", "At last.")


async def _again(server: Server, how: signal.Signals) -> None:
    """End it and start it anew; a killed one also loses the file in which it keeps its list of threads."""
    await asyncio.to_thread(server.stop, how)
    if how == signal.SIGKILL:
        for each in server.records:
            each.unlink()
    server.start()
    await asyncio.to_thread(server.wait)


async def _reached(client: Client, thread_id: str, text: str) -> None:
    for _ in range(3_600):
        if text in str(await client.threads.get_state(thread_id)):
            return
        await asyncio.sleep(0.05)
    raise AssertionError("The run was never checkpointed.")


async def test_chat_clients_come_in_beside_langgraphs_own_routes(guarded: Server, issuer: Issuer):
    said = {"model": "brain", "messages": [{"role": "user", "content": "My secret is plum."}]}
    async with httpx.AsyncClient(base_url=guarded.url, timeout=START) as http:
        refused = await http.post("/v1/chat/completions", json=said)
        answered = await http.post("/v1/chat/completions", json=said, headers=issuer.bearer("acme", "cas"))
        streamed = await http.post(
            "/v1/chat/completions", json=said | {"stream": True}, headers=issuer.bearer("acme", "cas")
        )
        metrics = await http.get("/brain/metrics", headers=issuer.bearer("acme", "cas"))

    assert refused.status_code == 401
    assert answered.status_code == 200, answered.text
    assert answered.json()["choices"][0]["message"]["content"]
    assert streamed.text.rstrip().endswith("data: [DONE]")
    assert "brain_http_requests_total" in metrics.text
    assert "Blocking" not in guarded.log


async def test_an_erased_thread_is_answered_as_gone(guarded: Server, callers: Callers, issuer: Issuer):
    user = f"ann {uuid4()}"
    ann, headers = callers.person(guarded, "acme", user), issuer.bearer("acme", user)
    thread_id = (await ann.threads.create())["thread_id"]
    await says(ann, thread_id, "My secret is plum.")
    async with httpx.AsyncClient(base_url=guarded.url, timeout=START, headers=headers) as http:
        begun = await http.post("/v1/memory/erasures", json={"confirm": sentence_for(user)})
        assert begun.status_code == 202, begun.text
        erasure = f"/v1/memory/erasures/{begun.json()['data']['id']}"
        for _ in range(600):
            if (await http.get(erasure)).json()["data"]["state"] == "completed":
                break
            await asyncio.sleep(0.1)
    for attempt in (
        ann.threads.get(thread_id),
        ann.threads.get_state(thread_id),
        ann.runs.wait(thread_id, "brain", input=words("What is my secret?")),
    ):
        with pytest.raises(REFUSED) as refused:
            await attempt
        assert status_of(refused.value) == 410
