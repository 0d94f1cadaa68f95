"""``/v1/memory``: the memory API over HTTP, each answer in the same envelope."""

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from time import perf_counter
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from apps.access.audit import audit_refusal
from apps.http.caller import Caller, CallerMiddleware, caller_of
from apps.http.errors import HttpRefusal
from apps.http.metrics import METHODS
from apps.memory_api.endpoint import AnyEndpoint, ApiCall, Reply
from apps.memory_api.openapi import openapi_document
from apps.memory_api.routes import HTTP_ENDPOINTS
from brain.context import Context
from brain.identity import Identity, identity_of_user
from brain.resources import Resources
from memory.errors import BrainError, bad_request
from memory.names import require_name
from memory.privileged_reads import PrivilegedRead

USER, KEY, REASON = "X-Brain-User", "Idempotency-Key", "X-Brain-Reason"
RETRYABLE = frozenset({429, 503, 504})
"""Statuses after which the same request may succeed later."""
_MAX_KEY_CHARACTERS = 200
_MAX_REASON_CHARACTERS = 500


@dataclass
class Envelope:
    """What every answer carries beside its data."""

    trace_id: str
    request_id: str
    tenant_id: str | None = None
    started: float = field(default_factory=perf_counter)

    def wrap(self, reply: Reply[Any]) -> dict[str, Any]:
        """An answer."""
        data = reply.data.model_dump(mode="json")
        return {"data": data, **self._fields(reply.degraded, reply.retrieval_trace)}

    def refuse(self, refusal: HttpRefusal) -> Response:
        """A refusal."""
        told = {"code": refusal.code, "message": refusal.message, "retryable": refusal.status in RETRYABLE}
        return JSONResponse({"error": told, **self._fields()}, refusal.status, refusal.headers)

    def _fields(self, degraded: Sequence[str] = (), trace: Mapping[str, Any] | None = None) -> dict[str, Any]:
        return {
            "trace_id": self.trace_id,
            "request_id": self.request_id,
            "tenant_id": self.tenant_id,
            "latency_ms": round((perf_counter() - self.started) * 1000, 3),
            "degrade_mode": list(degraded),
            "retrieval_trace": trace,
        }


@dataclass(frozen=True)
class MemoryPath:
    """What answers one path, by method."""

    endpoints: Mapping[str, AnyEndpoint]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse in the same envelope."""
        request = Request(scope)
        resources = _resources(request)
        envelope = Envelope(str(resources.new_id()), request.state.request_id)
        endpoint = self.endpoints.get("GET" if scope["method"] == "HEAD" else scope["method"])
        if endpoint is None:
            allowed = {"Allow": ", ".join(self.endpoints)}
            refusal = HttpRefusal(405, "E_BAD_REQUEST", "This address does not take that method.", allowed)
            await envelope.refuse(refusal)(scope, receive, send)
            return
        answer = _Answer(endpoint, resources, envelope)
        await CallerMiddleware(answer, endpoint.scope, envelope.refuse)(scope, receive, send)


@dataclass(frozen=True)
class _Answer:
    endpoint: AnyEndpoint
    resources: Resources
    envelope: Envelope

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        call = await self._identify(request)
        self.envelope.tenant_id = str(call.scope.tenant_id)
        asked = await self._read(request)
        async with asyncio.timeout(self.resources.settings.request_timeout):
            reply = await self.endpoint(asked, call)
        response = JSONResponse(self.envelope.wrap(reply), self.endpoint.status)
        await response(scope, receive, send)

    async def _identify(self, request: Request) -> ApiCall:
        caller = caller_of(request)
        return ApiCall(
            identity=await _identity_of(request, caller),
            resources=self.resources,
            trace_id=self.envelope.trace_id,
            claims=caller.claims,
            idempotency_key=_idempotency_key(request),
        )

    async def _read(self, request: Request) -> Any:
        path = {name: str(value) for name, value in request.path_params.items()}
        if self.endpoint.has_body:
            return self.endpoint.read_body(await request.body(), path)
        return self.endpoint.read_query({**request.query_params, **path})


def _resources(request: Request) -> Resources:
    found: Resources = request.app.state.chat.resources
    return found


async def _identity_of(request: Request, caller: Caller) -> Identity:
    """The caller, or the person on whose behalf a key speaks. Raises ``E_TENANT_FORBIDDEN``."""
    own = identity_of_user(Context(), caller.user_named(None))
    named = _header_text(request, USER)
    if not named or named == own.user:
        return own
    if caller.may("on_behalf"):
        return identity_of_user(Context(), caller.user_named(require_name("user", named)))
    if not caller.may("admin"):
        await audit_refusal({"tenant": own.tenant, "owner": own.user}, f"user {named[:60]}")
        raise BrainError("E_TENANT_FORBIDDEN", f"{USER} names another person.", "Only a key scoped on_behalf may.")
    return await _identity_with_reason(request, caller, require_name("user", named))


async def _identity_with_reason(request: Request, caller: Caller, named: str) -> Identity:
    """Somebody else's memory for an administrator, to be read: with a reason, which that person is told of."""
    reason = _header_text(request, REASON)
    if request.method not in ("GET", "HEAD"):
        raise BrainError("E_TENANT_FORBIDDEN", "An administrator may read what is somebody else's, and not change it.")
    if not 0 < len(reason) <= _MAX_REASON_CHARACTERS:
        raise bad_request(f"Reading what is somebody else's needs a reason in {REASON}.", "The person will see it.")
    assert caller.claims is not None
    found = identity_of_user(Context(), Caller(replace(caller.claims, user=named)).user_named(None))
    read = PrivilegedRead(
        operator=caller.claims.user, reason=reason, trace_id=request.state.request_id, at=_resources(request).clock()
    )
    await _resources(request).memory.privileged_reads.record(found.scope, read)
    return found


def _header_text(request: Request, name: str) -> str:
    """A header's value as UTF-8, which names of people need."""
    shown = request.headers.get(name, "").encode("latin-1")
    try:
        return shown.decode("utf-8").strip()
    except UnicodeDecodeError:
        raise bad_request(f"{name} is not UTF-8.") from None


def _idempotency_key(request: Request) -> str:
    key = _header_text(request, KEY)
    if len(key) > _MAX_KEY_CHARACTERS:
        raise bad_request(f"{KEY} has more than {_MAX_KEY_CHARACTERS} characters.")
    return require_name(KEY, key) if key else ""


def _routes(endpoints: Sequence[AnyEndpoint]) -> list[Route]:
    """One route for each path: what the path does not take is told in the API's own shape."""
    by_path = groupby(sorted(endpoints, key=lambda each: each.path), key=lambda each: each.path)
    return [Route(_pattern(path), MemoryPath({each.method: each for each in same})) for path, same in by_path]


def _pattern(path: str) -> str:
    """A name at the end may hold slashes."""
    return f"{path[:-1]}:path}}" if path.endswith("/{session}") else path


async def show_document(request: Request) -> Response:
    """The API's own description; it tells of nobody, so it needs no key."""
    return JSONResponse(openapi_document())


async def _refuse_path(request: Request) -> Response:
    envelope = Envelope(str(_resources(request).new_id()), request.state.request_id)
    return envelope.refuse(HttpRefusal(404, "E_NOT_FOUND", "There is nothing here."))


routes = [
    Route("/v1/memory/openapi.json", show_document),
    *_routes(HTTP_ENDPOINTS),
    Route("/v1/memory/{rest:path}", _refuse_path, methods=[*METHODS]),
]
