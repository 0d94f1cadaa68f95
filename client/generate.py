"""Writes ``brain_memory/endpoints.py``, the client's methods, from the document of the memory API.

``python client/generate.py`` in Brain's own environment; a test fails while the file is older than the document.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from apps.memory_api.openapi import openapi_document

FILE = Path(__file__).parent / "brain_memory" / "endpoints.py"
OWN_METHODS = frozenset({"recall_for_prompt", "capture_turn", "run_batch"})
"""Endpoints for which the client has methods with answers of their own."""
_TYPES = {"string": "str", "integer": "int", "number": "float", "boolean": "bool", "array": "Sequence[Any]"}
_HEAD = '''"""The endpoints of the memory API as methods. ``generate.py`` makes them: nobody edits them by hand."""

from collections.abc import Mapping, Sequence
from typing import Any

# ruff: noqa: PLR0913 - names and arguments are those of the API


class MemoryEndpoints:
    """Each answers with the data of the API as plain JSON; methods that begin with ``a`` are for coroutines.

    Values that are None are left out. ``user`` names the person of a call. The same ``idempotency_key`` writes
    once. All raise ``BrainUnavailable`` where the server gives no answer, and ``BrainRefused`` for what it refuses.
    """

    def _request(self, route: str, values: Mapping[str, Any], user: str | None, key: str = "") -> dict[str, Any]:
        raise NotImplementedError

    async def _arequest(self, route: str, values: Mapping[str, Any], user: str | None, key: str = "") -> dict[str, Any]:
        raise NotImplementedError
'''


def render() -> str:
    """The whole module."""
    operations = [
        (f"{method.upper()} {path.removeprefix('/v1/memory/')}", operation)
        for path, item in openapi_document()["paths"].items()
        for method, operation in item.items()
        if operation["operationId"] not in OWN_METHODS
    ]
    return _HEAD + "".join(_methods(route, operation) for route, operation in operations)


def _methods(route: str, operation: Mapping[str, Any]) -> str:
    is_write = any(each["name"] == "Idempotency-Key" for each in operation["parameters"])
    fields = list(_fields(operation))
    needed = "".join(f", {name}: {kind}" for name, kind, required in fields if required)
    others = "".join(f", {name}: {kind} | None = None" for name, kind, required in fields if not required)
    once = (', idempotency_key: str = ""', ", idempotency_key") if is_write else ("", "")
    names = ", ".join(f'"{name}": {name}' for name, _, _ in fields)
    doc, name = operation["summary"], operation["operationId"]
    return "".join(
        f'''
    {prefix}def {a}{name}(self{needed}, *{others}, user: str | None = None{once[0]}) -> dict[str, Any]:
        """{doc}"""
        return {wait}self._{a}request("{route}", {{{names}}}, user{once[1]})
'''
        for prefix, a, wait in (("", "", ""), ("async ", "a", "await "))
    )


def _fields(operation: Mapping[str, Any]) -> Iterator[tuple[str, str, bool]]:
    """Name, type and whether it has to be given: what stands in the path first."""
    for each in sorted(operation["parameters"], key=lambda each: each["in"] != "path"):
        if each["in"] != "header":
            yield each["name"], _type(each["schema"]), each["required"]
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    for name, shape in body.get("properties", {}).items():
        yield name, _type(shape), name in body["required"]


def _type(shape: Mapping[str, Any]) -> str:
    known = [each for each in shape.get("anyOf", [shape]) if each != {"type": "null"}]
    return _TYPES.get(known[0].get("type", "string"), "Mapping[str, Any]")


if __name__ == "__main__":
    FILE.write_text(render(), "utf-8")
