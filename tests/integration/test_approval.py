"""Approval through the deployed server and its official client, as chat clients answer it."""

import asyncio
import signal
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from tests.conftest import a_database
from tests.integration.callers import Callers, Client, says, words
from tests.integration.server import Server, a_server, said

JOB = ("I work at Acme.", "My job is nursing.", "My boss at work is called Carl.", "My job starts at six.")
ASK = "Forget everything about my job."


@pytest.fixture(scope="module")
def cautious(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    folder = tmp_path_factory.mktemp("approval")
    settings = {"approval_bulk": "2", "embeddings": "none", "worker": "false"}
    with a_database(server_url) as where, a_server(folder, where.owner, **settings) as server:
        server.start()
        server.wait()
        yield server


def is_shown_by_chat_clients(interrupt: dict[str, Any]) -> bool:
    """What Agent Chat UI asks of an interrupt before it draws its form for approvals."""
    value = interrupt["value"]
    actions, reviews = value["action_requests"], value["review_configs"]
    drawn = all(isinstance(each["name"], str) and isinstance(each["args"], dict) for each in actions)
    listed = all(
        isinstance(each["action_name"], str) and isinstance(each["allowed_decisions"], list) for each in reviews
    )
    return bool(actions and reviews) and drawn and listed


async def waiting(client: Client, context: dict[str, str]) -> tuple[str, dict[str, Any]]:
    """A thread that waits for a decision, and its interrupt."""
    thread = (await client.threads.create())["thread_id"]
    for text in JOB:
        await says(client, thread, text, **context)
    state = await says(client, thread, ASK, **context)
    (interrupt,) = state["__interrupt__"]
    return thread, interrupt


async def decides(client: Client, thread: str, context: dict[str, str], answer: object) -> dict[str, Any]:
    return dict(await client.runs.wait(thread, "brain", command={"resume": answer}, context=context))


@pytest.fixture
def ann() -> dict[str, str]:
    return {"tenant": "acme", "user": f"ann {uuid4()}"}


async def test_a_request_is_shown_and_answered_after_a_restart(cautious: Server, callers: Callers, ann: dict[str, str]):
    client = callers.anybody(cautious)
    thread, interrupt = await waiting(client, ann)
    assert is_shown_by_chat_clients(interrupt)
    assert (await client.threads.get(thread))["status"] == "interrupted"
    await asyncio.to_thread(cautious.stop, signal.SIGTERM)
    cautious.start()
    await asyncio.to_thread(cautious.wait)
    kept = await client.threads.get_state(thread)
    assert kept["next"] == ["approve"]
    assert kept["tasks"][0]["interrupts"][0]["value"] == interrupt["value"]
    state = await decides(client, thread, ann, {"decisions": [{"type": "approve"}]})
    assert said(state).startswith("I have forgotten")
    assert (await client.threads.get(thread))["status"] == "idle"
    told = said(await says(client, thread, "What is my job?", **ann))
    assert "nursing" not in told


async def test_an_answer_that_cannot_be_read_leaves_the_request_open(
    cautious: Server, callers: Callers, ann: dict[str, str]
):
    client = callers.anybody(cautious)
    thread, _ = await waiting(client, ann)
    state = await decides(client, thread, ann, {"decision": "yes"})
    assert state["__interrupt__"][0]["value"]["error"].startswith("E_BAD_REQUEST")
    refused = await decides(client, thread, ann, {"decisions": [{"type": "reject", "message": "not now"}]})
    assert said(refused) == "All right, nothing is forgotten."


@pytest.mark.parametrize("strategy", ["enqueue", "interrupt", "rollback", "reject"])
async def test_a_new_message_goes_on_without_the_request_under_every_strategy(
    cautious: Server, callers: Callers, ann: dict[str, str], strategy: str
):
    client = callers.anybody(cautious)
    thread, _ = await waiting(client, ann)
    state = await client.runs.wait(
        thread, "brain", input=words("What is my job?"), context=ann, multitask_strategy=strategy
    )
    assert "nursing" in said(state)
    assert ASK in [each["content"] for each in state["messages"]]
    assert (await client.threads.get(thread))["status"] == "idle"


async def test_nobody_elses_memory_is_touched_by_a_decision(cautious: Server, callers: Callers, ann: dict[str, str]):
    client = callers.anybody(cautious)
    thread, _ = await waiting(client, ann)
    stranger = {"tenant": "other", "user": ann["user"]}
    await decides(client, thread, stranger, "approve")
    fresh = (await client.threads.create())["thread_id"]
    assert "nursing" in said(await says(client, fresh, "What is my job?", **ann))
