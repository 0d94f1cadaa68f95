"""What does the client itself cost a turn, around a server and a model that answer at once?

``python -m evals.client_overhead --turns 300 --json out.json``

A turn is one recall and one capture: requests are built, sent through httpx without a network, and their answers read.
The agent is LangChain's, with and without the middleware. Milliseconds of this process's own processor time, which
other programs on the machine hardly disturb, and of the wall clock.
"""

import argparse
import asyncio
import json
from collections.abc import Mapping
from dataclasses import asdict
from functools import partial
from pathlib import Path
from time import perf_counter, process_time
from typing import Any

import httpx
from brain_memory import BrainClient
from brain_memory.langchain import BrainMiddleware
from brain_memory.taint import is_borrowed
from langchain.agents import create_agent  # pyright: ignore[reportUnknownVariableType]
from langchain_core.language_models import FakeListChatModel
from rich.console import Console
from rich.table import Table

from evals.measure import Call, Rounds, Timing, measure_interleaved, timing

BOUND = 2.0
"""Milliseconds that the client may cost a turn."""
MEMORIES = 10
SAID = "Where shall I have dinner tonight, and whom shall I ask along?"
REPLY = "There is a small place by the canal that you liked last spring; Maud lives around the corner from it."
ARGUMENTS = {"to": "maud@example.org", "subject": "Dinner", "text": REPLY * 5}


class InstantServer:
    """A memory server that is no part of the measurement: its answers are ready before they are asked for."""

    def __init__(self) -> None:
        self._bodies = {name: json.dumps(_envelope(data)).encode() for name, data in _answers().items()}

    def handle(self, request: httpx.Request) -> httpx.Response:
        """The answer of a route."""
        body = self._bodies[request.url.path.rpartition("/")[2]]
        return httpx.Response(200, content=body, headers={"Content-Type": "application/json"})


def contenders(client: BrainClient) -> dict[str, Call]:
    """What is timed, by name."""
    model = FakeListChatModel(responses=[REPLY])
    bare: Any = create_agent(model)  # pyright: ignore[reportUnknownVariableType]
    remembering: Any = create_agent(model, middleware=[BrainMiddleware(client)])
    asked = {"messages": [{"role": "user", "content": SAID}]}
    texts = [each["text"] for each in _memories()]

    async def call_plainly(number: int) -> None:
        client.after_llm(SAID, REPLY, client.before_llm(SAID))

    async def call_as_coroutine(number: int) -> None:
        await client.aafter_llm(SAID, REPLY, await client.abefore_llm(SAID))

    async def run(agent: Any, number: int) -> None:
        await agent.ainvoke(asked)

    async def check_tool(number: int) -> None:
        is_borrowed(ARGUMENTS, texts, SAID)

    return {
        "client, plain calls": call_plainly,
        "client, coroutines": call_as_coroutine,
        "gate before a tool": check_tool,
        "agent without memory": partial(run, bare),
        "agent with memory": partial(run, remembering),
    }


async def measure(turns: int) -> dict[str, dict[str, Timing]]:
    """Timings by clock and contender."""
    async with BrainClient("http://memory.test", transport=httpx.MockTransport(InstantServer().handle)) as client:
        rounds, asked = Rounds(calls=turns, warm_up=20), contenders(client)
        clocks = {"processor": process_time, "wall": perf_counter}
        found = {name: await measure_interleaved(asked, rounds, clock) for name, clock in clocks.items()}
    return {name: {who: timing(took) for who, took in each.items()} for name, each in found.items()}


def show(found: Mapping[str, Mapping[str, Timing]]) -> None:
    """The table, and what the middleware costs an agent."""
    table = Table("ms, p50 / p95 (least–greatest p50)", *found, title="The client's own time for a turn")
    for name in next(iter(found.values())):
        table.add_row(name, *(str(each[name]) for each in found.values()))
    console = Console(width=110)
    console.print(table)
    extra = found["processor"]["agent with memory"].p50 - found["processor"]["agent without memory"].p50
    own = found["processor"]["client, coroutines"].p50
    console.print(f"The client itself: {own:.2f} ms of {BOUND:.0f}. With the agent's steps for it: {extra:.2f} ms.")


def _envelope(data: Mapping[str, Any]) -> dict[str, Any]:
    return {"data": data, "trace_id": "t", "request_id": "r", "tenant_id": "x", "degrade_mode": []}


def _answers() -> dict[str, dict[str, Any]]:
    told = "\n".join(f"<memory>{each['text']}</memory>" for each in _memories())
    return {
        "before_llm": {"context": told, "memories": _memories(), "session": "api"},
        "after_llm": {"operation_id": "o", "session": "api"},
    }


def _memories() -> list[dict[str, Any]]:
    said = (
        "My sister Maud moved to Ghent in spring number {}, and we have dinner by the canal whenever I visit her there."
    )
    shared = {"lane": "turn", "said_at": "2026-03-01T12:00:00+00:00", "speaker": "user", "score": 0.5}
    return [{"id": f"m{number}", "text": said.format(number), **shared} for number in range(MEMORIES)]


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--turns", type=int, default=300, help="per repetition, of which there are three")
    parser.add_argument("--json", type=Path, help="where to keep every figure")
    chosen = parser.parse_args()
    found = asyncio.run(measure(chosen.turns))
    show(found)
    if chosen.json:
        kept = {clock: {name: asdict(each) for name, each in timings.items()} for clock, timings in found.items()}
        chosen.json.write_text(json.dumps(kept, indent=1))


if __name__ == "__main__":
    main()
