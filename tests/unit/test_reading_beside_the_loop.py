"""Reading what was pasted takes long; whoever else runs in the worker is served meanwhile."""

import asyncio
import threading

import pytest
from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.models.roles import Models
from evolution import correct
from evolution.absolutization import absolutize
from evolution.extraction import analyze
from evolution.extraction.prompt import ExtractionInput
from evolution.state import EvolutionState, ExtractionCandidate
from memory.scope import Scope, name_id
from tests.fakes import Leanings, resources_of

ANN = Scope(tenant_id=name_id("tenant", "t"), user_id=name_id("user", "t", "ann"))
PATIENCE = 30.0
"""Seconds after which the loop is held up for certain."""


class Slow:
    """Reads until the loop has served somebody else; on the loop itself that never happens."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.served = False

    def __call__(self, *_: object, **__: object) -> list[ExtractionCandidate]:
        served = threading.Event()
        self._loop.call_soon_threadsafe(served.set)
        self.served = served.wait(PATIENCE)
        return []


async def test_the_analysis_by_rules(monkeypatch: pytest.MonkeyPatch):
    slow = Slow()
    monkeypatch.setattr(analyze, "extract_by_rules", slow)
    await analyze.analyze_turns(Models(chat=None, fast=None), ExtractionInput(said=[]))
    assert slow.served


async def test_what_is_taken_back(monkeypatch: pytest.MonkeyPatch):
    slow = Slow()
    monkeypatch.setattr(correct, "extract_by_rules", slow)
    context = JobContext(scope=ANN, resources=resources_of(Leanings()))
    await correct.find_corrections(context, EvolutionState(session_id="s"))
    assert slow.served


async def test_making_it_understandable_alone(monkeypatch: pytest.MonkeyPatch):
    slow = Slow()
    monkeypatch.setattr(absolutize, "absolutize_by_rules", slow)
    runtime = Runtime(context=JobContext(scope=ANN, resources=resources_of(Leanings())))
    await absolutize.absolutize(EvolutionState(session_id="s"), runtime)
    assert slow.served
