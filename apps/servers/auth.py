"""Who may do what on the server. With JWT configured each request proves who asks; without, it is this machine.

Threads, runs and assistants bear the tenant and user who made them, and only these two see them again; a key needs the
scope ``chat`` for them. The store is everybody's own, by the scopes of memory. What no rule names is forbidden to
everybody who had to sign in. Routes of Brain's own ask for their scopes themselves.

LangGraph's server drops the fields of a context that it does not know without a word, so that a misspelt ``user`` would
be somebody else's memory. These rules see what was sent before it is dropped.
"""

from collections.abc import Mapping, MutableMapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any, cast
from uuid import UUID, uuid4

from langgraph_sdk import Auth
from starlette.types import Scope

from apps.access.audit import audit_refusal
from apps.access.authentication import authenticator, scope_refusal, user_of
from apps.access.caller import UNVERIFIED
from apps.access.middleware import header, refusal
from apps.access.tokens import InvalidToken
from apps.threads.registry import thread_registry
from brain.context import Context as TurnContext
from brain.wiring import shared_resources
from memory.api_keys import KeyScope
from memory.errors import BrainError, bad_request
from memory.scope import name_id

auth = Auth()
Context = Auth.types.AuthContext
Value = MutableMapping[str, Any]
Stamp = dict[str, str]

_SYSTEM = "created_by"
"""Metadata by which the server knows the assistants that it made itself, one for each graph."""
FIELDS = tuple(each.name for each in fields(TurnContext) if each.name != "resources")
_SENT = "__context_provided__"
"""Mark of the server: this run came with a context of its own, not with an older client's configuration."""


@auth.authenticate
async def authenticate(scope: dict[str, Any]) -> Auth.types.MinimalUserDict:
    """The identity behind a request: 401 without a valid token, 403 when an open server is asked from afar."""
    try:
        claims = await authenticator().authenticate(header(scope, b"authorization"))
    except InvalidToken as error:
        raise Auth.exceptions.HTTPException(401, f"A valid bearer token is needed: {error}.") from None
    except BrainError as error:
        raise Auth.exceptions.HTTPException(503 if error.is_retryable else 403, str(error)) from None
    return user_of(claims) if claims else _local_user(scope)


@auth.on
async def refuse_others(ctx: Context, value: Value) -> bool:
    """Crons among them: a scheduled run has nobody's verified identity."""
    return stamp_of(ctx) is None


@auth.on.threads
async def authorize_threads(ctx: Context, value: Value) -> Stamp:
    """A thread and its runs belong to who began it."""
    stamp = stamp_of(ctx, "chat")
    await _refuse_erased_thread(value.get("thread_id"), stamp)
    if ctx.action == "create_run":
        _refuse_bad_context(context_of_run(value))
        name_messages(value)
    if stamp is None:
        return {}
    if ctx.action in {"create", "create_run"}:
        await _refuse_foreign_thread(value.get("thread_id"), stamp)
    return _add_stamp(ctx, value, stamp)


@auth.on.assistants
async def authorize_assistants(ctx: Context, value: Value) -> dict[str, Any]:
    """Everybody may use the assistants that the server made; others are their maker's."""
    stamp = stamp_of(ctx, "chat")
    if ctx.action in {"create", "update"}:
        _refuse_bad_context(value.get("context"), 422)
    if stamp is None:
        return {}
    if ctx.action in {"read", "search"}:
        return {"$or": [{_SYSTEM: "system"}, stamp]}
    _add_stamp(ctx, value, stamp)
    _metadata(value).pop(_SYSTEM, None)
    return {**stamp}


@auth.on.store
async def authorize_store(ctx: Context, value: Value) -> None:
    """Each namespace is taken as a part of the caller's own; a key reads and writes it by the scopes of memory."""
    stamp_of(ctx, "memory:write" if ctx.action in {"put", "delete"} else "memory:read")


def stamp_of(ctx: Context, needs: KeyScope | None = None) -> Stamp | None:
    """What the things of this person are marked with; None on an open server. 403 for a key without the scope.

    A developer whom the server lets in by a header of Studio's is nobody here: signed in, but not by our token.
    """
    if not authenticator().settings.has_authentication:
        return None
    user = cast("Mapping[str, Any]", ctx.user)
    if "tenant" not in user or not user["tenant"]:
        raise Auth.exceptions.HTTPException(401, "A valid bearer token is needed.")
    if needs is not None and needs not in user["scopes"]:
        raise Auth.exceptions.HTTPException(403, str(scope_refusal(needs)))
    return {"tenant": str(user["tenant"]), "owner": str(user["user"])}


def _local_user(scope: Scope) -> Auth.types.MinimalUserDict:
    if reason := refusal(scope, shared_resources().settings):
        raise Auth.exceptions.HTTPException(403, reason)
    return {"identity": "local", "is_authenticated": True}


def _add_stamp(ctx: Context, value: Value, stamp: Stamp) -> Stamp:
    if ctx.action in {"create", "create_run", "update"}:
        _metadata(value).update(stamp)
    return stamp


def _metadata(value: Value) -> dict[str, Any]:
    if not isinstance(value.get("metadata"), dict):
        value["metadata"] = {}
    return cast("dict[str, Any]", value["metadata"])


def _refuse_bad_context(context: object, status: int = 400) -> None:
    """What is laid down in an assistant is refused when it is made, not at each of its runs."""
    try:
        require_valid_context(context)
    except BrainError as error:
        raise Auth.exceptions.HTTPException(status, str(error)) from None


async def _refuse_foreign_thread(thread_id: UUID | None, stamp: Stamp) -> None:
    """A thread that the server forgot still has its owner's checkpoints: nobody else may begin it anew."""
    owner = await thread_registry().fetch_owner(str(thread_id)) if thread_id is not None else None
    if owner is not None and {"tenant": owner.tenant, "owner": owner.owner} != stamp:
        await audit_refusal(stamp, f"thread {thread_id}")
        raise Auth.exceptions.HTTPException(404, f"Thread {thread_id} not found.")


async def _refuse_erased_thread(thread_id: UUID | None, stamp: Stamp | None) -> None:
    """What was erased is gone for good, whatever the server itself still knows of it: 410."""
    tenant_id = name_id("tenant", stamp["tenant"]) if stamp else UNVERIFIED
    erasures = shared_resources().memory.erasures
    if thread_id is not None and await erasures.is_erased_thread(tenant_id, str(thread_id)):
        raise Auth.exceptions.HTTPException(410, f"Thread {thread_id} was erased.")


def require_valid_context(context: object) -> None:
    """Raises ``E_BAD_REQUEST`` for a field that Brain's context has not, and for a value that the field cannot have."""
    sent = cast("Mapping[str, Any]", context or {})
    strange = [str(name) for name in sent if name not in FIELDS]
    if strange:
        near = get_close_matches(strange[0], FIELDS, n=1)
        hint = f"Did you mean {near[0]!r}?" if near else f"Its fields are {', '.join(FIELDS)}."
        raise bad_request(f"The context has no field {strange[0][:60]!r}.", hint)
    TurnContext(**sent)


def context_of_run(value: Mapping[str, Any]) -> object:
    """What the client of a run sent as its context; nothing where it sent none."""
    arguments = _part(value, "kwargs")
    return arguments.get("context") if _SENT in _part(_part(arguments, "config"), "configurable") else None


def _part(whole: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    return cast("Mapping[str, Any]", whole.get(name) or {})


def name_messages(run: Mapping[str, Any]) -> None:
    """Name the messages of a run's input in place, before the server stores the run. Others are their clients' own."""
    given = cast("Mapping[str, Any]", run.get("kwargs") or {}).get("input")
    sent = cast("Mapping[str, Any]", given).get("messages") if isinstance(given, Mapping) else None
    for each in cast("list[Any]", sent if isinstance(sent, list) else [sent]):
        if isinstance(each, MutableMapping) and not cast("Mapping[str, Any]", each).get("id"):
            each["id"] = str(uuid4())
