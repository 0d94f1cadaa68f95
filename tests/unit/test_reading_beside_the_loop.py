"""Reading what was pasted takes long; whoever else runs in the worker is served meanwhile."""

import asyncio
from collections.abc import Awaitable, Callable
from time import sleep

import pytest
from langgraph.runtime import Runtime

from brain.errand import Errand
from brain.models.roles import Models
from evolution import correcting
from evolution.extraction import model
from evolution.extraction.prompt import Reading
from evolution.state import Candidate, EvolutionState
from memory.scope import Scope, name_id
from nodes.evolution import absolutize
from tests.fakes import Leanings, resources_of

ANN = Scope(tenant_id=name_id("tenant", "t"), user_id=name_id("user", "t", "ann"))
PATIENCE = 0.3


def slowly(*_: object) -> list[Candidate]:
    sleep(PATIENCE)
    return []


async def served_meanwhile(work: Callable[[], Awaitable[object]]) -> int:
    """How often somebody else had a turn."""
    served = 0

    async def somebody_else() -> None:
        nonlocal served
        while True:
            served += 1
            await asyncio.sleep(PATIENCE / 10)

    other = asyncio.create_task(somebody_else())
    await work()
    other.cancel()
    return served


async def test_the_analysis_by_rules(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(model, "by_rules", slowly)
    assert await served_meanwhile(lambda: model.analysed(Models(chat=None, fast=None), Reading(said=[]))) > 2


@pytest.mark.parametrize("name", ["corrections", "taken_back_unseen"])
async def test_what_is_taken_back(monkeypatch: pytest.MonkeyPatch, name: str):
    monkeypatch.setattr(correcting, "by_rules", slowly)
    monkeypatch.setattr(correcting, "_all_taken_back", slowly)
    errand = Errand(scope=ANN, resources=resources_of(Leanings()))
    assert await served_meanwhile(lambda: getattr(correcting, name)(errand, EvolutionState(session_id="s"))) > 2


async def test_making_it_understandable_alone(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(absolutize, "absolute", slowly)
    runtime = Runtime(context=Errand(scope=ANN, resources=resources_of(Leanings())))
    assert await served_meanwhile(lambda: absolutize.absolutize(EvolutionState(session_id="s"), runtime)) > 2
