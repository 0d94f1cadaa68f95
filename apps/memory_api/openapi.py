"""The API's document (OpenAPI 3.1), made from the table of routes."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.metadata import version
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from apps.memory_api.endpoint import AnyEndpoint
from apps.memory_api.routes import HTTP_ENDPOINTS
from memory.errors import Code

Schema = dict[str, Any]

OF_HTTP = ("E_UNAUTHENTICATED", "E_TOO_MANY_REQUESTS")
"""Codes of refusals that only HTTP knows."""
REFUSALS: Mapping[str, str] = {
    "400": "The request cannot be accepted as it is.",
    "401": "A valid bearer token or API key is needed.",
    "403": "This key may not do that, or not for this person.",
    "404": "There is no such thing, or it is somebody else's.",
    "408": "The request did not arrive in time.",
    "409": "Others changed the same thing meanwhile, or the key was used for something else.",
    "413": "The request is too large.",
    "429": "Too many requests; Retry-After says when to try again.",
    "500": "Something unforeseen happened.",
    "503": "Something that is needed is away; try again.",
    "504": "Something that is needed did not answer in time; try again.",
}
_REF = "#/components/schemas/{model}"
_ABOUT = (
    "Memory for any agent: two calls around its model (before_llm, after_llm), and everything that a person may do"
    " with what is remembered. Every answer has the same envelope."
)
_USER: Schema = {
    "name": "X-Brain-User",
    "in": "header",
    "description": "The person on whose behalf a key scoped on_behalf speaks, as UTF-8; the key's own when left out.",
    "schema": {"type": "string", "maxLength": 512},
}
_KEY: Schema = {
    "name": "Idempotency-Key",
    "in": "header",
    "description": "The same key does the same thing once.",
    "schema": {"type": "string", "maxLength": 200},
}
_IDS: Schema = {
    "trace_id": {"type": "string", "description": "Names this call, in receipts and histories as well."},
    "request_id": {"type": "string", "description": "Names the request, as in the header X-Request-Id."},
    "tenant_id": {"type": ["string", "null"], "description": "The organisation; null where nobody signed in."},
    "latency_ms": {"type": "number", "minimum": 0},
    "degrade_mode": {"type": "array", "items": {"type": "string"}, "description": "What it had to do without."},
    "retrieval_trace": {"type": ["object", "null"], "description": "How a search found what it found."},
}


@cache
def openapi_document() -> Schema:
    """The whole document."""
    definitions = _definitions(HTTP_ENDPOINTS)
    paths = _paths(HTTP_ENDPOINTS, definitions)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Brain memory API", "version": version("brain"), "description": _ABOUT},
        "security": [{"bearer": []}],
        "paths": paths,
        "components": {
            "securitySchemes": {"bearer": {"type": "http", "scheme": "bearer", "description": "JWT or API key."}},
            "schemas": {**_referenced(definitions, paths), "Refusal": _refusal()},
            "responses": {status: _refusal_response(told) for status, told in REFUSALS.items()},
        },
    }


def _definitions(endpoints: Sequence[AnyEndpoint]) -> Schema:
    """Every model that a request or an answer is made of."""
    asked = [(each.request, "validation") for each in endpoints]
    answered = [(each.answer, "serialization") for each in endpoints]
    models: list[tuple[type[BaseModel], JsonSchemaMode]] = list(dict.fromkeys([*asked, *answered]))  # pyright: ignore
    return models_json_schema(models, ref_template=_REF)[1]["$defs"]


def _referenced(definitions: Schema, paths: Schema) -> Schema:
    """Without the requests themselves, which stand where they are used."""
    told = json.dumps([definitions, paths])
    return {name: shape for name, shape in definitions.items() if f'"{_REF.format(model=name)}"' in told}


def _paths(endpoints: Sequence[AnyEndpoint], definitions: Schema) -> Schema:
    paths: Schema = {}
    for each in endpoints:
        paths.setdefault(each.path, {})[each.method.lower()] = _operation(each, definitions)
    return paths


def _operation(endpoint: AnyEndpoint, definitions: Schema) -> Schema:
    schema = definitions[_name_of(endpoint.request, definitions)]
    operation: Schema = {
        "operationId": endpoint.name,
        "summary": endpoint.summary,
        "description": f"{_doc(endpoint.request)} Needs the scope {endpoint.scope}.",
        "parameters": list(_parameters(endpoint, schema)),
        "responses": {str(endpoint.status): _answer(endpoint, definitions)}
        | {status: {"$ref": f"#/components/responses/{status}"} for status in REFUSALS},
    }
    if endpoint.has_body:
        operation["requestBody"] = {"required": True, "content": {"application/json": _body(endpoint, schema)}}
    return operation


def _parameters(endpoint: AnyEndpoint, schema: Schema) -> Iterator[Schema]:
    required = schema.get("required", ())
    for name, shape in schema.get("properties", {}).items():
        in_path = name in endpoint.path_names
        if in_path or not endpoint.has_body:
            example = {"example": endpoint.example[name]} if name in endpoint.example else {}
            place = "path" if in_path else "query"
            yield {"name": name, "in": place, "required": name in required, "schema": _drop_null(shape), **example}
    yield _USER
    if endpoint.scope == "memory:write":
        yield _KEY


def _drop_null(shape: Schema) -> Schema:
    """A parameter may be left out, but no text in a URL is null."""
    kept = {name: value for name, value in shape.items() if name != "anyOf" and (name, value) != ("default", None)}
    (only,) = [each for each in shape.get("anyOf", [{}]) if each != {"type": "null"}]
    return {**kept, **only}


def _body(endpoint: AnyEndpoint, schema: Schema) -> Schema:
    """The request without what stands in its path."""
    own = {name: shape for name, shape in schema["properties"].items() if name not in endpoint.path_names}
    required = [name for name in schema.get("required", ()) if name in own]
    example = {name: value for name, value in endpoint.example.items() if name in own}
    return {"schema": {**schema, "properties": own, "required": required}, "example": example}


def _answer(endpoint: AnyEndpoint, definitions: Schema) -> Schema:
    name = _name_of(endpoint.answer, definitions)
    fields: Schema = {"data": {"$ref": _REF.format(model=name)}, **_IDS}
    return {"description": _doc(endpoint.answer), "content": {"application/json": {"schema": _closed(fields)}}}


def _refusal() -> Schema:
    codes = [*get_args(Code), *OF_HTTP]
    error = _closed(
        {
            "code": {"type": "string", "enum": codes},
            "message": {"type": "string", "description": "What happened, and what to do next."},
            "retryable": {"type": "boolean", "description": "Whether the same request may succeed later."},
        }
    )
    return _closed({"error": error, **_IDS})


def _refusal_response(told: str) -> Schema:
    return {"description": told, "content": {"application/json": {"schema": {"$ref": "#/components/schemas/Refusal"}}}}


def _closed(fields: Schema) -> Schema:
    return {"type": "object", "properties": fields, "required": list(fields), "additionalProperties": False}


def _name_of(model: type[BaseModel], definitions: Schema) -> str:
    """By which name the definitions hold a model: generic ones are spelt otherwise there."""
    name = model.__name__.replace("[", "_").replace("]", "_")
    assert name in definitions, name
    return name


def _doc(model: type[BaseModel]) -> str:
    return " ".join((model.__doc__ or "").split())
