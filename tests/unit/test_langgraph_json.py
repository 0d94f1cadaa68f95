"""What ``langgraph dev`` reads: every name exists, and every switch that matters is where it should be."""

import json
import re
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph_cli import config as cli
from langgraph_sdk import Auth
from starlette.applications import Starlette

from apps.access.middleware import OWN_PAGES, AccessMiddleware
from apps.servers.agent_server import app
from apps.threads.checkpointer import strict_serializer
from graphs.brain import builder, graph

FILE = Path(__file__).parents[2] / "langgraph.json"
CONFIG: dict[str, Any] = json.loads(FILE.read_text())


def named(path: str, mark: str) -> Any:
    module, _, name = path.rpartition(mark)
    return getattr(import_module(module), name)


def test_the_command_line_of_langgraph_accepts_it():
    reader: Any = cli
    assert reader.validate_config_file(FILE)["graphs"] == CONFIG["graphs"]
    assert reader.get_unknown_keys(CONFIG) == []


def test_all_graphs_are_served_and_say_what_they_do():
    assert set(CONFIG["graphs"]) == {"brain", "recall", "evolution", "correction", "upkeep", "soul"}
    assert all(each["description"] for each in CONFIG["graphs"].values())
    assert all(named(each["path"], ":").name == name for name, each in CONFIG["graphs"].items())


@pytest.mark.parametrize("name", CONFIG["graphs"])
def test_every_graph_is_bare_and_draws_its_form(name: str):
    bare = named(CONFIG["graphs"][name]["path"], ":")
    assert bare.checkpointer is None
    assert bare.store is None
    form = bare.get_context_jsonschema()
    assert all({"description", "default"} <= set(field) for field in form["properties"].values())
    assert {"tenant", "user", "channel"} <= set(form["properties"])
    assert not {"resources", "scope"} & set(form["properties"])


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("evolution", {"session", "session_id"}),
        ("correction", {"session", "session_id"}),
        ("upkeep", {"only", "dry_run", "most_lost"}),
        ("soul", {"text", "intent", "evidence"}),
    ],
)
def test_what_goes_into_a_graph_behind_the_conversation_is_a_short_form(name: str, fields: set[str]):
    form = named(CONFIG["graphs"][name]["path"], ":").get_input_jsonschema()["properties"]
    assert set(form) == fields
    assert all({"description", "default"} <= set(field) for field in form.values())


def test_the_exported_turn_is_the_one_that_the_terminal_compiles():
    ours: Any = builder
    assert ours.compile(name="brain").get_graph().to_json() == graph.get_graph().to_json()


def test_every_name_is_what_the_server_expects():
    assert callable(named(CONFIG["checkpointer"]["path"], "."))
    assert isinstance(named(CONFIG["auth"]["path"], ":"), Auth)
    assert isinstance(named(CONFIG["http"]["app"], ":"), Starlette)


def test_the_door_stands_before_everything_and_own_routes_need_a_token():
    assert CONFIG["http"]["enable_custom_route_auth"] is True
    assert CONFIG["http"]["middleware_order"] == "middleware_first"
    assert CONFIG["auth"]["disable_studio_auth"] is True
    assert app.user_middleware[0].cls is AccessMiddleware


def test_the_browser_is_told_what_the_door_holds():
    assert CONFIG["http"]["cors"]["allow_origin_regex"] == OWN_PAGES
    assert "allow_origins" not in CONFIG["http"]["cors"]


def test_nothing_reports_abroad():
    switches = CONFIG["env"]
    assert switches["LANGSMITH_TRACING"] == "false"
    assert switches["LANGGRAPH_NO_VERSION_CHECK"] == "true"
    assert CONFIG["http"]["disable_webhooks"] is True


@pytest.mark.parametrize(
    ("page", "own"),
    [
        ("http://localhost:3000", True),
        ("https://eu.smith.langchain.com", True),
        ("https://smith.langchain.com.evil.example", False),
        ("https://evil.example", False),
    ],
)
def test_own_pages_are_recognised_whole(page: str, own: bool):
    assert bool(re.fullmatch(OWN_PAGES, page)) is own


@dataclass
class Stored:
    """A type that nobody allowed to be rebuilt from a stored row."""

    a: int


def test_only_messages_and_plain_values_are_rebuilt_from_stored_rows():
    row = strict_serializer().dumps_typed([Stored(1), HumanMessage("hi")])
    thing, message = strict_serializer().loads_typed(row)
    assert not isinstance(thing, Stored)
    assert message == HumanMessage("hi")
    assert isinstance(JsonPlusSerializer(allowed_msgpack_modules=True).loads_typed(row)[0], Stored)
