"""``/brain/operations/{id}``: what became of an accepted turn."""

from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from apps.access.authentication import authenticator, require_scope
from apps.access.middleware import header
from apps.http.caller import Caller
from apps.http.errors import plain_error, refusal_of
from brain.context import Context
from brain.identity import identity_of_user
from brain.wiring import shared_resources
from memory.errors import BrainError
from memory.names import parse_id
from memory.scope import Scope
from memory.turns import Operation


async def get_operation(request: Request) -> Response:
    """What became of an accepted turn of the caller's own."""
    try:
        return JSONResponse(_json(await _find(request)))
    except Exception as error:
        return plain_error(refusal_of(error))


async def _find(request: Request) -> Operation:
    claims = await authenticator().authenticate(header(request.scope, b"authorization"))
    require_scope(claims, "chat")
    scope = _scope(request, Caller(claims).user_named(None))
    found = await shared_resources().memory.log.operation(scope, parse_id(request.path_params["operation_id"]))
    if found is None:
        raise BrainError("E_NOT_FOUND", "There is no such operation.")
    return found


def _scope(request: Request, user: Any) -> Scope:
    """The verified identity's scope; on an open server, that of the person whom the caller names."""
    told, unsaid = request.query_params, Context()
    claimed = Context(
        tenant=told.get("tenant", unsaid.tenant),
        user=told.get("user", unsaid.user),
        channel=told.get("channel", unsaid.channel),
        channel_type=told.get("channel_type", unsaid.channel_type),
        account=told.get("account", unsaid.account),
    )
    return identity_of_user(claimed, user).scope


def _json(found: Operation) -> dict[str, object]:
    return {
        "operation_id": str(found.operation_id),
        "status": found.status,
        "reason": found.reason,
        "memory_ids": [str(each) for each in found.memory_ids],
    }


routes = [Route("/brain/operations/{operation_id}", get_operation)]
