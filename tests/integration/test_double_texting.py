"""A second message while the first is answered, and runs that end badly: what the server leaves in memory."""

import asyncio
import signal
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

import psycopg
import pytest
from psycopg.rows import dict_row

from memory.scope import Scope, name_id
from tests.conftest import a_database
from tests.integration.callers import REFUSED, Callers, Client, status_of, words
from tests.integration.server import Server, a_server, said
from tests.openai_script import Step, When
from tests.scripted_openai import ScriptedOpenAI

WHOLE = "Lyon is a lovely city to live in."
SHOWN = WHOLE[:15]
"""What arrives of it before the model falls silent: three pieces of five characters."""
GIVEN_UP = f"{SHOWN}\n\n(The reply broke off here: the model stopped before it was done. Ask again, or say “go on”.)"
MODEL = [
    # What was said before may stand in the prompt of these.
    Step(when=When(form="", contains="And I like it."), text="As you say.", times=None),
    Step(when=When(form="", contains="I never left Bern."), text="As you say.", times=None),
    Step(when=When(form="", contains="moved to Lyon"), text=WHOLE, stall_after=4, times=None),
    Step(when=When(form="", contains="moved to Ghent"), text="Ghent it is.", delay=1.0, times=None),
    Step(when=When(form=""), text="As you say.", times=None),
    Step(status=400, times=None),
]
TABLES = ("conversation_events", "operations", "memory_receipts", "recall_index", "sessions", "replaced_replies")


@dataclass(frozen=True)
class Deployed:
    """A server whose model falls silent in the middle of a sentence, and whose jobs nobody takes."""

    server: Server
    owner: str

    def rows(self, table: str, scope: Scope) -> list[dict[str, Any]]:
        """What a table holds of a person."""
        query = f"select * from brain.{table} where tenant_id = %s and user_id = %s"
        return self._asked(query, (scope.tenant_id, scope.user_id))

    def jobs(self, scope: Scope) -> list[dict[str, Any]]:
        """What waits for a person in the queue, and which runs of theirs are known."""
        jobs = "select task_name from queue.procrastinate_jobs where args ->> 'user_id' = %s and task_name <> 'upkeep'"
        runs = "select run_id as task_name from queue.accepted_turns where user_id::text = %s"
        return self._asked(f"{jobs} union all {runs}", (str(scope.user_id),) * 2)

    def _asked(self, query: str, told: tuple[object, ...]) -> list[dict[str, Any]]:
        with psycopg.connect(self.owner) as connection, connection.cursor(row_factory=dict_row) as cursor:
            return cursor.execute(query.encode(), told).fetchall()

    def log(self, scope: Scope) -> list[tuple[str, bool]]:
        """What was said, in order, and whether it broke off; without replies that were given again."""
        replaced = {row["event_id"] for row in self.rows("replaced_replies", scope)}
        events = sorted(self.rows("conversation_events", scope), key=lambda row: row["position"])
        return [(row["text"], row["broken_off"]) for row in events if row["event_id"] not in replaced]


@pytest.fixture(scope="module")
def deployed(server_url: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Deployed]:
    folder = tmp_path_factory.mktemp("double")
    with ScriptedOpenAI(MODEL) as model, a_database(server_url) as where:
        settings = {**model.settings, "embeddings": "none", "worker": "false"}
        settings["model_timeout"] = "15"
        with a_server(folder, where.owner, **settings) as server:
            server.start()
            server.wait()
            yield Deployed(server, where.owner)


@dataclass(frozen=True)
class Person:
    """Somebody who talks in one thread."""

    client: Client
    thread: str
    name: str

    @property
    def scope(self) -> Scope:
        return Scope(tenant_id=name_id("tenant", "acme"), user_id=name_id("user", "acme", self.name))

    @property
    def context(self) -> dict[str, str]:
        return {"tenant": "acme", "user": self.name}

    async def begins(self, text: str, **more: Any) -> str:
        """The id of a run whose reply has begun."""
        run = asyncio.get_running_loop().create_future()
        listening = asyncio.create_task(self._listen(run, text, more))
        try:
            return await asyncio.wait_for(run, 30)
        finally:
            listening.cancel()

    async def _listen(self, begun: asyncio.Future[str], text: str, more: dict[str, Any]) -> None:
        run = await self.client.runs.create(
            self.thread, "brain", input=words(text), context=self.context, stream_mode=["messages-tuple"], **more
        )
        shown = ""
        async for part in self.client.runs.join_stream(self.thread, run["run_id"]):
            if part.event == "messages":
                shown += str(part.data[0]["content"])
            if len(shown) >= len(SHOWN) and not begun.done():
                begun.set_result(run["run_id"])

    async def says(self, text: str, **more: Any) -> dict[str, Any]:
        asked = words(text)
        return dict(await self.client.runs.wait(self.thread, "brain", input=asked, context=self.context, **more))


@pytest.fixture
async def ann(deployed: Deployed, callers: Callers) -> Person:
    client = callers.anybody(deployed.server)
    return Person(client, (await client.threads.create())["thread_id"], f"ann {uuid4()}")


async def becomes(read: Callable[[], object], wanted: object) -> None:
    """Wait until something is as it should be in the end; what it was instead is told."""
    for _ in range(300):
        if await asyncio.to_thread(read) == wanted:
            return
        await asyncio.sleep(0.1)
    assert read() == wanted


async def test_reject_takes_nothing_of_the_second_message(deployed: Deployed, ann: Person):
    run = await ann.begins("I moved to Lyon.")
    with pytest.raises(REFUSED) as refused:
        await ann.says("No, to Bern.", multitask_strategy="reject")
    assert status_of(refused.value) == 409
    assert deployed.log(ann.scope) == [("I moved to Lyon.", False)]
    await ann.client.runs.cancel(ann.thread, run, wait=True)
    await becomes(lambda: deployed.log(ann.scope), [("I moved to Lyon.", False), (SHOWN, True)])


async def test_enqueue_answers_both_in_order(deployed: Deployed, ann: Person):
    await ann.client.runs.create(ann.thread, "brain", input=words("I moved to Ghent."), context=ann.context)
    state = await ann.says("And I like it.", multitask_strategy="enqueue")
    assert said(state) == "As you say."
    texts = ["I moved to Ghent.", "Ghent it is.", "And I like it.", "As you say."]
    assert deployed.log(ann.scope) == [(text, False) for text in texts]
    assert [row["status"] for row in deployed.rows("operations", ann.scope)] == ["queued", "queued"]


async def test_interrupt_keeps_what_was_said_and_what_was_shown(deployed: Deployed, ann: Person):
    await ann.begins("I moved to Lyon.")
    state = await ann.says("And I like it.", multitask_strategy="interrupt")
    assert said(state) == "As you say."
    everything = {("I moved to Lyon.", False), (SHOWN, True), ("And I like it.", False), ("As you say.", False)}
    await becomes(lambda: set(deployed.log(ann.scope)), everything)
    await becomes(lambda: {row["status"] for row in deployed.rows("operations", ann.scope)}, {"queued"})
    indexed = {row["text"] for row in deployed.rows("recall_index", ann.scope)}
    assert indexed == {text for text, _ in everything}


async def test_rollback_leaves_the_second_message_alone(deployed: Deployed, ann: Person):
    run = await ann.begins("I moved to Lyon.")
    state = await ann.says("I never left Bern.", multitask_strategy="rollback")
    assert said(state) == "As you say."
    await becomes(lambda: deployed.log(ann.scope), [("I never left Bern.", False), ("As you say.", False)])
    for table in TABLES:
        assert run not in str(deployed.rows(table, ann.scope))
        assert "Lyon" not in str(deployed.rows(table, ann.scope))
    assert len(deployed.rows("operations", ann.scope)) == 1
    assert len(deployed.jobs(ann.scope)) == 2


async def test_a_run_that_is_rolled_back_leaves_nothing_at_all(deployed: Deployed, ann: Person):
    run = await ann.begins("I moved to Lyon.")
    assert deployed.log(ann.scope) == [("I moved to Lyon.", False)]
    await ann.client.runs.cancel(ann.thread, run, wait=True, action="rollback")
    await becomes(lambda: sum(len(deployed.rows(table, ann.scope)) for table in TABLES), 0)
    await becomes(lambda: deployed.jobs(ann.scope), [])


async def test_a_client_that_leaves_has_said_what_it_said(deployed: Deployed, ann: Person):
    stream: Any = ann.client.runs.stream(
        ann.thread,
        "brain",
        input=words("I moved to Lyon."),
        context=ann.context,
        stream_mode="messages-tuple",
        on_disconnect="cancel",
    )
    shown = ""
    async for part in stream:
        shown += str(part.data[0]["content"]) if part.event == "messages" else ""
        if len(shown) >= len(SHOWN):
            break
    await stream.aclose()
    await becomes(lambda: deployed.log(ann.scope), [("I moved to Lyon.", False), (SHOWN, True)])


async def test_the_words_of_a_turn_are_not_told_back_to_it(deployed: Deployed, ann: Person):
    state = await ann.says("I play the cello.")
    assert state["memories"] == []
    assert state["turn"]["own"]


async def test_a_reply_that_is_asked_for_again_stands_for_the_first_one(deployed: Deployed, ann: Person):
    await ann.says("I am a musician.")
    before = await ann.client.threads.get_state(ann.thread)
    message = {"role": "user", "content": "I play the cello.", "id": "m1"}
    from_there = {"checkpoint_id": before["checkpoint"]["checkpoint_id"], "context": ann.context}
    for _ in range(2):
        await ann.client.runs.wait(ann.thread, "brain", input={"messages": [message]}, **from_there)
    assert [text for text, _ in deployed.log(ann.scope)][2:] == ["I play the cello.", "As you say."]
    assert len(deployed.rows("conversation_events", ann.scope)) == 5
    assert len(deployed.rows("operations", ann.scope)) == 2
    replies = [row["text"] for row in deployed.rows("recall_index", ann.scope) if row["role"] == "assistant"]
    assert replies == ["As you say.", "As you say."]


@pytest.mark.parametrize(
    ("how", "durability"),
    [
        (signal.SIGKILL, "exit"),
        pytest.param(signal.SIGKILL, "sync", marks=pytest.mark.exhaustive),
        pytest.param(signal.SIGTERM, "exit", marks=pytest.mark.exhaustive),
    ],
)
async def test_a_server_that_ends_in_the_middle_answers_the_turn_again_and_logs_it_once(
    deployed: Deployed, ann: Person, how: signal.Signals, durability: str
):
    await ann.begins("I moved to Lyon.", durability=durability)
    before = time.time()
    await becomes(lambda: any(each.stat().st_mtime > before for each in deployed.server.records), True)
    await asyncio.to_thread(deployed.server.stop, how)
    deployed.server.start()
    await asyncio.to_thread(deployed.server.wait)
    # The model falls silent again, this time until it is given up.
    await becomes(lambda: deployed.log(ann.scope), [("I moved to Lyon.", False), (GIVEN_UP, True)])
    assert len(deployed.rows("operations", ann.scope)) == 1
