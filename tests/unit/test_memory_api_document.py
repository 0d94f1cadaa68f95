"""The document of the memory API tells what the table of routes holds."""

import json
from pathlib import Path
from typing import Any

import pytest

from apps.memory_api.endpoint import Endpoint
from apps.memory_api.openapi import openapi_document
from apps.memory_api.paging import read_cursor_text, write_cursor_text
from apps.memory_api.routes import HTTP_ENDPOINTS
from memory.errors import BrainError


@pytest.mark.parametrize("endpoint", HTTP_ENDPOINTS, ids=lambda each: each.name)
def test_every_example_is_a_request(endpoint: Endpoint[Any, Any]):
    body = {name: value for name, value in endpoint.example.items() if name not in endpoint.path_names}
    path = {name: str(endpoint.example[name]) for name in endpoint.path_names}
    if endpoint.has_body:
        assert endpoint.read_body(json.dumps(body).encode(), path)
    else:
        assert endpoint.read_query({name: str(value) for name, value in endpoint.example.items()})


def test_every_route_is_in_the_document_under_a_name_of_its_own():
    document = openapi_document()
    operations = [op for item in document["paths"].values() for op in item.values()]
    names = [each["operationId"] for each in operations]
    assert len(operations) == len(HTTP_ENDPOINTS) == len(set(names))
    assert all(each["summary"].endswith(".") for each in operations)


def test_nothing_in_the_document_points_to_nowhere():
    document = openapi_document()
    schemas, responses = document["components"]["schemas"], document["components"]["responses"]
    for path in _references(document):
        *_, kind, name = path.split("/")
        assert name in {"schemas": schemas, "responses": responses}[kind], path


def test_no_parameter_of_a_url_can_be_null():
    operations = [op for item in openapi_document()["paths"].values() for op in item.values()]
    parameters = [each for operation in operations for each in operation["parameters"]]
    assert {"a", "kind"} <= {each["name"] for each in parameters}
    assert not any("null" in json.dumps(each) for each in parameters)


def _references(part: Any) -> list[str]:
    if isinstance(part, dict):
        own = [part["$ref"]] if isinstance(part.get("$ref"), str) else []  # pyright: ignore
        return own + [each for value in part.values() for each in _references(value)]  # pyright: ignore
    return [each for value in part for each in _references(value)] if isinstance(part, list) else []  # pyright: ignore


def test_a_cursor_comes_back_as_it_went():
    assert read_cursor_text(write_cursor_text("日记", "2026-03-01"), 2) == ["日记", "2026-03-01"]
    unstorable = (write_cursor_text("a", "b\x00"), write_cursor_text("a", "\ud800"))
    for broken in ("", "no", "é", "bm9uZQ", write_cursor_text("one"), *unstorable):
        with pytest.raises(BrainError, match="E_BAD_REQUEST"):
            read_cursor_text(broken, 2)


@pytest.mark.parametrize("endpoint", HTTP_ENDPOINTS, ids=lambda each: each.name)
def test_every_route_is_explained(endpoint: Endpoint[Any, Any]):
    explained = (Path(__file__).parents[2] / "docs" / "memory-api.md").read_text("utf-8")
    assert f"`{endpoint.method} {endpoint.path}`" in explained
