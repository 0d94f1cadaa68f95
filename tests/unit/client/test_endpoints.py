"""The client's methods for every endpoint of the memory API."""

import ast
import json
from collections import defaultdict

import pytest

from apps.memory_api.routes import HTTP_ENDPOINTS
from client.generate import FILE, OWN_METHODS, render
from tests.unit.client.fake_server import FakeServer, Mode, call


def test_the_methods_are_those_of_the_document():
    assert ast.dump(ast.parse(FILE.read_text("utf-8"))) == ast.dump(ast.parse(render())), "python client/generate.py"
    client = FakeServer().client()
    assert all(hasattr(client, each.name) for each in HTTP_ENDPOINTS if each.name not in OWN_METHODS)


@pytest.mark.parametrize("mode", ["sync", "async"])
async def test_paths_queries_and_bodies_are_filled_in(mode: Mode):
    server = FakeServer(answers=defaultdict(dict))
    client = server.client(user="ann")
    await call(mode, client.list_memories, limit=3, all=True)
    await call(mode, client.correct_memory, "m/1", "I like tea.", idempotency_key="once")
    await call(mode, client.forget_memory, "m1", reason="asked for")
    listed, corrected, forgotten = server.requests
    assert (listed.method, listed.url.raw_path) == ("GET", b"/v1/memory/memories?limit=3&all=true")
    assert (corrected.method, corrected.url.raw_path) == ("PATCH", b"/v1/memory/memories/m%2F1")
    assert json.loads(corrected.content) == {"text": "I like tea."}
    assert (corrected.headers["Idempotency-Key"], corrected.headers["X-Brain-User"]) == ("once", "ann")
    assert (forgotten.method, forgotten.url.raw_path) == ("DELETE", b"/v1/memory/memories/m1?reason=asked+for")
