"""The graphs behind the conversation, run by hand on a server where everybody signs in and no worker is first."""

from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import a_database
from tests.integration.callers import REFUSED, Callers, Client, says, status_of
from tests.integration.issuer import Issuer
from tests.integration.server import Server, a_server

BEHIND = ("evolution", "correction", "upkeep")
CLAIMED = {"tenant": "acme", "user": "ann"}


@pytest.fixture(scope="module")
def workerless(server_url: str, tmp_path_factory: pytest.TempPathFactory, issuer: Issuer) -> Iterator[Server]:
    """A token required, no model, and nobody who looks at what was said unless asked."""
    settings = {"worker": "false", "embeddings": "none", **issuer.settings}
    with (
        a_database(server_url) as where,
        a_server(tmp_path_factory.mktemp("behind"), where.owner, **settings) as server,
    ):
        server.start()
        server.wait()
        yield server


async def ran(client: Client, graph: str, **asked: Any) -> dict[str, Any]:
    """What the graph came to on a thread of its own, for somebody who claims to be ann."""
    thread = await client.threads.create()
    state = await client.runs.wait(thread["thread_id"], graph, input=asked, context=CLAIMED)
    return dict(state)


async def living(client: Client) -> int:
    return int((await ran(client, "upkeep", dry_run=True))["report"]["figures"]["living"])


async def test_only_the_person_who_signed_in_has_their_own_memories_grown_corrected_and_tidied(
    workerless: Server, callers: Callers
):
    ann, bob = callers.person(workerless, "acme", "ann"), callers.person(workerless, "acme", "bob")
    thread_id = (await ann.threads.create())["thread_id"]
    session_id = (await says(ann, thread_id, "I live in Ghent."))["turn"]["session_id"]

    for asked in ({"session": thread_id}, {"session_id": session_id}):
        assert (await ran(bob, "evolution", **asked))["operations"] == []
        assert (await ran(bob, "correction", **asked))["operations"] == []
    assert (await living(ann), await living(bob)) == (0, 0)

    assert len((await ran(ann, "evolution", session=thread_id))["written"]) == 1
    assert (await living(ann), await living(bob)) == (1, 0)

    await says(ann, thread_id, "I moved, I live in Lyon, not Ghent.")
    assert (await ran(bob, "correction", session=thread_id))["operations"] == []
    assert (await ran(ann, "correction", session=thread_id))["known"] != []
    assert (await ran(ann, "evolution", session_id=session_id))["operations"] != []
    assert await living(ann) == 1


@pytest.mark.parametrize("graph", BEHIND)
async def test_nobody_without_a_token_runs_them(workerless: Server, callers: Callers, graph: str):
    with pytest.raises(REFUSED) as refused:
        await callers.anybody(workerless).runs.wait(None, graph, input={}, context=CLAIMED)
    assert status_of(refused.value) == 401


@pytest.mark.parametrize("graph", BEHIND)
async def test_studio_gets_a_form_and_a_description_for_each(workerless: Server, callers: Callers, graph: str):
    client = callers.person(workerless, "acme", "ann")
    (assistant,) = await client.assistants.search(graph_id=graph)
    schemas = await client.assistants.get_schemas(assistant["assistant_id"])
    assert assistant["description"]
    assert set(schemas["context_schema"]["properties"]) == {"tenant", "user", "channel", "channel_type", "account"}
    assert all(field["description"] for field in schemas["input_schema"]["properties"].values())


@pytest.mark.parametrize("name", ["\u200b", "ann\n", " "])
async def test_names_that_cannot_be_seen_are_refused_before_a_run_begins(
    workerless: Server, callers: Callers, name: str
):
    client = callers.person(workerless, "acme", "ann")
    with pytest.raises(REFUSED) as refused:
        await client.runs.create(None, "brain", input={"messages": []}, context={"session": name})
    assert status_of(refused.value) == 400
    assert "E_BAD_REQUEST: The session name" in str(refused.value)
