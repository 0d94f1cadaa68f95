"""What comes in by the doors finds its tenant, whichever cell it lives in, and is told when that is away."""

import asyncio
import signal
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
import psycopg
import pytest

from memory.postgres.cells import HOME
from memory.scope import name_id
from tests.integration import two_cells
from tests.integration.application import an_application, token_of
from tests.integration.brain_process import PATIENCE, Brain, as_url
from tests.integration.two_cells import CELL, TwoCells

cells = two_cells.cells

MEMORIES = "/v1/memory/memories"


@pytest.fixture
def brain(cells: TwoCells, tmp_path: Path) -> Brain:
    told = {"BRAIN_CELLS": f"{CELL}={as_url(cells.where[CELL].owner)}", "BRAIN_HOME": str(tmp_path / "home")}
    return Brain(as_url(cells.where[HOME].owner), tmp_path, settings=told)


def tenant_of(brain: Brain) -> UUID:
    return name_id("tenant", brain.tenant)


@asynccontextmanager
async def served(brain: Brain, cells: TwoCells, cell_url: str = "", **settings: str) -> AsyncGenerator[Any]:
    """``brain serve`` over both, its cell perhaps at another address."""
    told = f"{CELL}={cell_url}" if cell_url else brain.settings["BRAIN_CELLS"]
    home = brain.settings["BRAIN_HOME"]
    async with an_application(cells.where[HOME], brain.folder, cells=told, home=home, **settings) as application:
        transport = httpx.ASGITransport(application)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1", timeout=60.0) as http:
            yield http


async def get(http: httpx.AsyncClient, token: str) -> httpx.Response:
    return await http.get(MEMORIES, headers={"Authorization": f"Bearer {token}"})


def live_elsewhere(cells: TwoCells, tenant: str) -> None:
    """Home says that a tenant lives in the cell."""
    with psycopg.connect(cells.where[HOME].owner) as owner:
        owner.execute(
            "insert into brain.tenant_cells (tenant_id, state, cell) values (%s, 'gone', %s)",
            (name_id("tenant", tenant), CELL),
        )


async def test_a_key_is_good_wherever_its_tenant_lives_until_it_is_revoked(brain: Brain, cells: TwoCells):
    await asyncio.to_thread(brain.says, "Hello", user="ann")
    made = (await asyncio.to_thread(brain.ask, "keys", "create", "--user", "ann", "--json")).json
    async with served(brain, cells) as http:
        assert (await get(http, made["key"])).status_code == 200
        for to in (CELL, HOME, CELL):
            await cells.move(tenant_of(brain), to)
            assert (await get(http, made["key"])).status_code == 200
        revoked = await asyncio.to_thread(brain.ask, "keys", "revoke", made["key_id"])
        assert revoked.code == 0, revoked.err
        assert (await get(http, made["key"])).status_code == 401


async def test_a_tenant_whose_cell_is_away_is_told_so_by_a_code(brain: Brain, cells: TwoCells):
    live_elsewhere(cells, "away")
    async with served(brain, cells, "postgresql://brain:x@127.0.0.1:1/brain") as http:
        for _ in range(2):
            refused = await get(http, token_of("away"))
            assert (refused.status_code, refused.json()["error"]["code"]) == (503, "E_DEP_UNAVAILABLE")
            assert CELL in refused.json()["error"]["message"]
            assert (await get(http, token_of("here"))).status_code == 200
        ready = await http.get("/readyz")
        assert ready.json()["cells"] == {CELL: "E_DEP_UNAVAILABLE"}
        assert ready.json()["parts"]["memory"] == "ok"


async def test_a_cell_that_says_nothing_keeps_nobody_of_the_others_waiting(brain: Brain, cells: TwoCells):
    live_elsewhere(cells, "away")
    over = asyncio.Event()

    async def say_nothing(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await over.wait()
        writer.close()

    server = await asyncio.start_server(say_nothing, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    async with server, served(brain, cells, f"postgresql://brain:x@127.0.0.1:{port}/brain") as http:
        waiting = asyncio.create_task(get(http, token_of("away")))
        await asyncio.sleep(0.3)
        for _ in range(5):
            assert (await get(http, token_of("here"))).status_code == 200
        assert not waiting.done()
        assert (await waiting).status_code == 503
        over.set()


async def test_a_tenant_in_a_cell_that_no_setting_names_is_not_served(brain: Brain, cells: TwoCells):
    live_elsewhere(cells, "away")
    with psycopg.connect(cells.where[HOME].owner) as owner:
        owner.execute("update brain.tenant_cells set cell = 'west'")
    async with served(brain, cells) as http:
        refused = await get(http, token_of("away"))
    assert (refused.status_code, refused.json()["error"]["code"]) == (500, "E_CONFIG")
    assert "west" in refused.json()["error"]["message"]


async def test_a_person_of_a_tenant_in_another_cell_is_erased_there_for_good(brain: Brain, cells: TwoCells):
    for user in ("ann", "bob"):
        await asyncio.to_thread(brain.says, f"I am {user} and I live in Ghent.", user=user)
    await cells.move(tenant_of(brain), CELL)
    done = await asyncio.to_thread(brain.ask, "erase", "--user", "ann", "--yes", "--json")
    assert done.code == 0, done.err
    assert done.json["state"] == "completed"
    assert "files" not in done.json["certificate"]["kept"]  # the cell's own files were scrubbed
    for to in (CELL, HOME):
        await cells.move(tenant_of(brain), to)
        said = cells.rows(to, tenant_of(brain))["brain.conversation_events"]
        assert said
        assert not [each for each in said if "I am ann" in each]
        assert [each for each in said if "I am bob" in each]
    certified = await asyncio.to_thread(brain.ask, "erasures", "show", done.json["id"], "--json")
    assert certified.json["state"] == "completed"


async def test_a_worker_ends_the_move_of_a_mover_that_was_killed_between_the_cells(brain: Brain, cells: TwoCells):
    await asyncio.to_thread(brain.says, "Before the move", user="ann", session="s")
    assert await asyncio.to_thread(cells.move_until_killed, tenant_of(brain), CELL, "switching") == -signal.SIGKILL
    refused = await asyncio.to_thread(brain.ask, "memories", "list", "--user", "ann")
    assert (refused.code, "E_DEP_UNAVAILABLE" in refused.err) == (1, True)
    with brain.running("worker"):
        async with asyncio.timeout(PATIENCE):
            while cells.rows(HOME, tenant_of(brain)):  # noqa: ASYNC110 - a process removes it
                await asyncio.sleep(0.2)
    assert cells.rows(CELL, tenant_of(brain))["brain.conversation_events"]
    assert (await asyncio.to_thread(brain.ask, "memories", "list", "--user", "ann")).code == 0


async def test_chat_works_on_what_was_said_in_the_cell_where_its_tenant_lives(brain: Brain, cells: TwoCells):
    await asyncio.to_thread(brain.says, "Hello", user="ann", session="s")
    await asyncio.to_thread(brain.ask, "worker", "--until-idle")
    await cells.move(tenant_of(brain), CELL)
    working = replace(brain, settings={**brain.settings, "BRAIN_WORKER": "true"})
    await asyncio.to_thread(working.says, "My cat is called Minou.", user="ann", session="s")
    assert [each for each in cells.jobs(CELL, tenant_of(brain)) if each[1] == "evolve"] == []
