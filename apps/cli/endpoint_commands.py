"""Commands made from the table of endpoints: its requests are their options, its answers what they print."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import MISSING, field, make_dataclass
from inspect import cleandoc
from typing import Annotated, Any, cast, get_args, get_origin
from uuid import UUID

import typer
from annotated_types import Ge, Le
from pydantic import AwareDatetime
from pydantic.fields import FieldInfo

from apps.cli.memory_ids import find_conflict_id, find_memory_id
from apps.cli.options import AsJson, PersonOptions, choices, command, scope_from, time_zones
from apps.cli.output import emit
from apps.cli.runner import load_settings, run
from apps.iso_times import parse_time
from apps.memory_api.conflicts import ConflictResolution
from apps.memory_api.endpoint import AnyEndpoint, ApiCall, ApiRequest, Reply
from apps.memory_api.memories import OneMemory
from apps.memory_api.paging import Page, PageRequest
from brain.identity import Identity
from brain.resources import Resources
from memory.recall.policies.registry import POLICIES
from memory.scope import Scope
from memory.zones import require_zone

Show = Callable[[Any], None]
"""Prints an answer, or a ``Reply`` that tells how it was found, for a person."""
MAX_LISTED = 10_000
"""Rows of one list; they are read page by page."""
_FIND_ID: Mapping[tuple[type[ApiRequest], str], Callable[[Resources, Scope, str], Awaitable[UUID]]] = {
    (OneMemory, "id"): find_memory_id,
    (ConflictResolution, "id"): find_conflict_id,
    (ConflictResolution, "winner"): find_memory_id,
}
"""Ids that may be typed as a beginning which no other shares."""
_COMPLETIONS: Mapping[str, Callable[[str], list[str]]] = {"time_zone": time_zones, "policy": choices(POLICIES)}
_Key = Annotated[str, typer.Option(help="Idempotency key: the same key never writes twice.")]
_TYPED_AS_TEXT = (UUID, AwareDatetime)


def add_endpoint(
    app: typer.Typer,
    endpoint: AnyEndpoint,
    show: Show,
    word: str = "",
    help_text: str = "",
    **given: object,
) -> None:
    """Add an endpoint as the command that it names, or, with ``given`` for some of its fields, under another word."""
    options = _options_of(endpoint, given)

    def call(options: Any) -> None:
        reply = run(lambda resources: _ask(endpoint, options, given, resources), load_settings())
        if options.json:
            emit(_to_json(reply))
        else:
            show(reply if reply.retrieval_trace is not None else reply.data)

    call.__annotations__["options"] = options
    call.__doc__ = help_text or cleandoc(endpoint.doc)
    command(app, word or endpoint.command.rpartition(" ")[2])(call)


async def _ask(endpoint: AnyEndpoint, options: Any, given: Mapping[str, Any], resources: Resources) -> Reply[Any]:
    identity = Identity(
        scope=scope_from(options, resources.settings.dm_scope), tenant=options.tenant, user=options.user
    )
    call = ApiCall(
        identity=identity,
        resources=resources,
        trace_id=f"cli:{resources.new_id()}",
        idempotency_key=getattr(options, "key", ""),
        door="cli",
    )
    typed = {name: getattr(options, name) for name in endpoint.request.model_fields if hasattr(options, name)}
    values = {name: value for name, value in typed.items() if value not in (None, "", [])}
    values |= {name: await _read_value(endpoint, name, value, values, call) for name, value in values.items()}
    if issubclass(endpoint.request, PageRequest):
        return Reply(await _read_pages(endpoint, {**values, **given}, call))
    return await endpoint(endpoint.read({**values, **given}), call)


async def _read_value(endpoint: AnyEndpoint, name: str, value: Any, values: Mapping[str, Any], call: ApiCall) -> object:
    """A value as the request has it: beginnings of ids whole, times in the zone of the person who types them."""
    if AwareDatetime in get_args(endpoint.request.model_fields[name].annotation):
        return parse_time(value, require_zone(values.get("time_zone") or call.resources.settings.time_zone))
    owners = (find for (kind, key), find in _FIND_ID.items() if key == name and issubclass(endpoint.request, kind))
    find = next(owners, None)
    return await find(call.resources, call.scope, value) if find else value


async def _read_pages(endpoint: AnyEndpoint, values: Mapping[str, Any], call: ApiCall) -> Page[Any]:
    """As many rows as were asked for, however many pages they are."""
    rows: list[Any] = []
    cursor: str | None = ""
    page_size: int = next(each.le for each in PageRequest.model_fields["limit"].metadata if isinstance(each, Le))  # pyright: ignore[reportAssignmentType]
    while cursor is not None and len(rows) < values["limit"]:
        limit = min(values["limit"] - len(rows), page_size)
        page = (await endpoint(endpoint.read({**values, "limit": limit, "cursor": cursor}), call)).data
        rows, cursor = [*rows, *page.items], page.next_cursor
    return Page[Any](items=rows, next_cursor=cursor)


def _to_json(reply: Reply[Any]) -> object:
    """The data; the rows of a list; with a search also how it went."""
    data = reply.data.model_dump(mode="json")
    if isinstance(reply.data, Page):
        return data["items"]
    if reply.retrieval_trace is None:
        return data
    return {**data, "degrade_mode": list(reply.degraded), "retrieval_trace": reply.retrieval_trace}


def _options_of(endpoint: AnyEndpoint, given: Mapping[str, Any]) -> type[Any]:
    """What is typed for a request: its required fields in their order, all others as options."""
    asked = {name: info for name, info in endpoint.request.model_fields.items() if name not in (*given, "cursor")}
    told = [(name, *_option(name, info, endpoint)) for name, info in asked.items()]
    key = [("key", _Key, "")] if endpoint.scope == "memory:write" else []
    options = [*told, *key, ("json", AsJson, False)]
    fields: list[tuple[str, Any, Any]] = [
        (name, kind, field(default_factory=list) if default == [] else field(default=default))
        for name, kind, default in options
    ]
    return make_dataclass("EndpointOptions", fields, bases=(PersonOptions,), frozen=True, kw_only=True)


def _option(name: str, info: FieldInfo, endpoint: AnyEndpoint) -> tuple[Any, Any]:
    """Its type with what the shell shows of it, and its default; ``MISSING`` for what has to be typed."""
    kind, default = _typed(info), info.default
    shown: dict[str, Any] = {"help": info.description, **_bounds(name, info, endpoint)}
    if info.is_required():
        return Annotated[kind, typer.Argument(**shown)], MISSING
    flags = (f"--{name}",) if kind is bool else ()
    if get_origin(kind) is list:
        flags, default = (f"--{_singular(name)}",), list[str]()
        shown["autocompletion"] = choices(get_args(get_args(info.annotation)[0]))
    if name in _COMPLETIONS:
        shown["autocompletion"] = _COMPLETIONS[name]
    return Annotated[kind, typer.Option(*flags, **shown)], default


def _typed(info: FieldInfo) -> Any:
    """How a field is typed: ids and times as text, lists by repeating the option, anything else as what it is."""
    is_optional = type(None) in get_args(info.annotation)
    kind: Any = get_args(info.annotation)[0] if is_optional else info.annotation
    if get_origin(kind) is Annotated:
        kind = get_args(kind)[0]
    if get_origin(kind) is tuple:
        return list[str]
    kind = str if kind in _TYPED_AS_TEXT else kind
    return kind | None if is_optional else kind


def _bounds(name: str, info: FieldInfo, endpoint: AnyEndpoint) -> dict[str, int]:
    low = next((each.ge for each in info.metadata if isinstance(each, Ge)), None)
    high = next((each.le for each in info.metadata if isinstance(each, Le)), None)
    if name == "limit" and issubclass(endpoint.request, PageRequest):
        high = MAX_LISTED
    return {key: cast("int", value) for key, value in (("min", low), ("max", high)) if value is not None}


def _singular(name: str) -> str:
    """Of an option that may be repeated."""
    return f"{name[:-3]}y" if name.endswith("ies") else name.removesuffix("s")
