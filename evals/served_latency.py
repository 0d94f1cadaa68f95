"""What of a call's time is the door's: recall and capture in the process, over HTTP and over MCP.

``python -m evals.served_latency --clients 1 16 64 --seconds 10 --json out.json``

One person's memories on one database, asked the same in the process, by ``brain serve``'s memory API and by its MCP
endpoint; then turns to capture, in the process and over HTTP. No model, no embeddings. With one client all take turns,
call by call; with more, one after the other. The server is a process of its own beside that of the clients.
"""

import argparse
import asyncio
import json
from collections.abc import AsyncGenerator, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any

import httpx
from rich.console import Console
from rich.table import Table

from apps.calibration.measurement import a_database
from apps.memory_api.endpoint import ApiCall
from apps.memory_api.recall import recall_memories
from apps.memory_api.turns import AfterLlm, capture_turn
from brain.context import Context
from brain.identity import Identity, identity_of_user
from brain.models.roles import Models
from brain.resources import Resources
from evals.contenders import brain_database, resources
from evals.evaluation.scratch import a_server
from evals.measure import Call, Load, Rounds, measure_interleaved, timing, under_load
from evals.served import Person, a_served
from graphs.evolution import evolve
from memory.postgres.roles import Addresses
from memory.scope import session_id_of

ME = Person("doors", "ann")
THINGS = ("my sister's flat in Ghent", "the cello lessons", "the red bicycle", "the garden behind the mill", "old maps")
CONNECTIONS = 32
RECALLED, CAPTURED = "recall", "capture"


async def measure(clients: tuple[int, ...], seconds: float, memories: int, url: str | None) -> list[dict[str, Any]]:
    """A row for every act, way and number of clients."""
    with a_server(url) as server:
        async with a_database(server) as where, _ways(where, memories) as ways:
            return [row for count in clients for row in await _rows(ways, count, seconds)]


async def _rows(ways: Mapping[tuple[str, str], Call], clients: int, seconds: float) -> list[dict[str, Any]]:
    if clients == 1:
        taken = await measure_interleaved({" ".join(name): call for name, call in ways.items()}, Rounds(calls=60))
        ones = {name: timing(taken[" ".join(name)]) for name in ways}
        return [
            _row(name, Load(clients=1, per_second=1000 / one.p50, p50=one.p50, p95=one.p95))
            for name, one in ones.items()
        ]
    return [_row(name, await under_load(call, clients, seconds)) for name, call in ways.items()]


def _row(name: tuple[str, str], load: Load) -> dict[str, Any]:
    return {"act": name[0], "way": name[1], **asdict(load)}


@asynccontextmanager
async def _ways(where: Addresses, memories: int) -> AsyncGenerator[dict[tuple[str, str], Call]]:
    """Every act by every way to it."""
    async with AsyncExitStack() as stack:
        database = await stack.enter_async_context(brain_database(where, CONNECTIONS))
        inside = resources(database, None, Models())
        identity = identity_of_user(Context(tenant=ME.tenant, user=ME.user), None)
        await _remember(inside, identity, memories)
        served = stack.enter_context(
            a_served(where, tenant_requests="0", tenant_concurrency="1000", worker="false", mcp_destructive="true")
        )
        limits = httpx.Limits(max_connections=None)
        client = httpx.AsyncClient(base_url=served.url, headers=ME.headers, timeout=120, limits=limits)
        http = await stack.enter_async_context(client)
        yield {
            (RECALLED, "in the process"): partial(_recall_inside, inside, identity),
            (RECALLED, "HTTP"): partial(_recall_http, http),
            (RECALLED, "MCP"): partial(_recall_mcp, http),
            (CAPTURED, "in the process"): partial(_capture_inside, inside, identity),
            (CAPTURED, "HTTP"): partial(_capture_http, http),
        }


async def _remember(inside: Resources, identity: Identity, memories: int) -> None:
    for number in range(memories):
        await _capture_inside(inside, identity, number)
    await evolve(inside, identity.scope, session_id_of(identity.scope, "doors"))


def _question(number: int) -> str:
    return f"What did I say about {THINGS[number % len(THINGS)]}?"


def _turn(number: int) -> dict[str, str]:
    said = f"I thought about {THINGS[number % len(THINGS)]} again, for the {number}th time."
    return {"user_message": said, "assistant_message": "Noted.", "session": "doors"}


def _call(inside: Resources, identity: Identity) -> ApiCall:
    return ApiCall(identity=identity, resources=inside, trace_id=str(inside.new_id()), claims=None, idempotency_key="")


async def _recall_inside(inside: Resources, identity: Identity, number: int) -> object:
    return await recall_memories(recall_memories.request(query=_question(number)), _call(inside, identity))


async def _recall_http(http: httpx.AsyncClient, number: int) -> object:
    return (await http.post("/v1/memory/recall", json={"query": _question(number)})).raise_for_status()


async def _recall_mcp(http: httpx.AsyncClient, number: int) -> object:
    params = {"name": "recall", "arguments": {"query": _question(number)}}
    asked = {"jsonrpc": "2.0", "id": number, "method": "tools/call", "params": params}
    answer = (await http.post("/mcp", json=asked, headers=MCP_HEADERS)).raise_for_status().json()
    if answer.get("error") or answer["result"].get("isError"):
        raise RuntimeError(str(answer)[:500])
    return answer


async def _capture_inside(inside: Resources, identity: Identity, number: int) -> object:
    return await capture_turn(AfterLlm.model_validate(_turn(number)), _call(inside, identity))


async def _capture_http(http: httpx.AsyncClient, number: int) -> object:
    return (await http.post("/v1/memory/after_llm", json=_turn(number))).raise_for_status()


MCP_HEADERS = {"Accept": "application/json, text/event-stream", "MCP-Protocol-Version": "2025-06-18"}


def table(rows: list[dict[str, Any]]) -> Table:
    """Milliseconds, and how many times as long as in the process."""
    shown = Table("act", "way", "clients", "per second", "p50 ms", "p95 ms", "p50 of the process's")
    inside = {(row["act"], row["clients"]): row["p50"] for row in rows if row["way"] == "in the process"}
    for row in rows:
        share = row["p50"] / inside[row["act"], row["clients"]]
        figures = (f"{row[name]:.1f}" for name in ("per_second", "p50", "p95"))
        shown.add_row(row["act"], row["way"], str(row["clients"]), *figures, f"{share:.2f}")
    return shown


def main() -> None:
    """Measure, print, write JSON."""
    parser = argparse.ArgumentParser(prog="python -m evals.served_latency", description=__doc__)
    parser.add_argument("--clients", type=int, nargs="+", default=[1, 16, 64])
    parser.add_argument("--seconds", type=float, default=10.0, help="for each act, way and number of clients above one")
    parser.add_argument("--memories", type=int, default=500, help="turns of the person before anything is timed")
    parser.add_argument("--url", help="a superuser's URL of a server to use; else an embedded one is started")
    parser.add_argument("--json", type=Path, help="where to write the figures")
    told = parser.parse_args()
    rows = asyncio.run(measure(tuple(told.clients), told.seconds, told.memories, told.url))
    Console().print(table(rows))
    if told.json:
        told.json.write_text(json.dumps(rows, indent=1) + "\n")


if __name__ == "__main__":
    main()
