"""Who calls a route, and what every route asks first: may they, and is it their turn?"""

from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from starlette.requests import Request
from starlette.types import ASGIApp, Receive, Scope, Send

from apps.access.authentication import authenticator, require_scope, user_of
from apps.access.caller import act_for
from apps.access.middleware import header
from apps.access.tokens import Claims
from apps.http import metrics
from apps.http.body_limit import ArrivingBodies, replay
from apps.http.errors import ErrorShape, refusal_of
from apps.http.shared_limits import SharedLimits
from brain.context import Context
from memory.api_keys import KeyScope
from memory.errors import bad_request
from memory.scope import name_id

CHAT_HEADERS = ("X-OpenWebUI-Chat-Id", "X-Conversation-Id", "X-LibreChat-Conversation-Id", "X-Chat-Id")
USER_HEADERS = ("X-OpenWebUI-User-Id", "X-LibreChat-User-Id", "X-User-Id")
"""Where chat clients name the conversation, and the person who talks."""
SINGLE = frozenset(
    name.lower().encode() for name in ("Authorization", "X-Brain-User", "Idempotency-Key", *CHAT_HEADERS, *USER_HEADERS)
)
"""Headers that tell who asks and where: a gateway that appends one cannot be outvoted by a caller's own before it."""


class VerifiedUser(dict[str, Any]):
    """A verified identity as LangGraph hands it to the nodes of a run."""

    @property
    def identity(self) -> str:
        """One opaque name for tenant and user together."""
        return str(self["identity"])


@dataclass(frozen=True)
class Caller:
    """The verified identity; without claims the person of an open server."""

    claims: Claims | None = None

    @property
    def tenant(self) -> str:
        """The organisation whose share a request uses."""
        return self.claims.tenant if self.claims else Context().tenant

    @property
    def tenant_id(self) -> UUID:
        """Under whose tenancy what the request does is stored."""
        return name_id("tenant", self.tenant)

    def user_named(self, user: str | None) -> VerifiedUser | None:
        """The identity for a run: the caller's own, or that of the person on whose behalf a key may speak."""
        if self.claims is None:
            return None
        speaks_for = user if user and self.may("on_behalf") else self.claims.user
        return VerifiedUser(user_of(replace(self.claims, user=speaks_for)))  # pyright: ignore[reportArgumentType]

    def may(self, scope: KeyScope) -> bool:
        """Whether the identity has this scope. Nobody acts on behalf of others on an open server."""
        return self.claims is not None and scope in self.claims.scopes


@dataclass(frozen=True)
class CallerMiddleware:
    """Around a route: authentication, the route's scope, the body, the tenant's share. Errors in the route's own shape.

    A request takes a place of its tenant when all of it has arrived.
    """

    app: ASGIApp
    needs: KeyScope
    shape: ErrorShape

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse."""
        started = False

        async def send_noted(message: dict[str, object]) -> None:
            nonlocal started
            started = True
            await send(message)  # pyright: ignore[reportArgumentType]

        try:
            refuse_repeated(scope)
            caller = await self._identify(scope)
            limits, bodies = _doorkeepers(scope)
            limits.count(caller.tenant)
            body = await bodies.read(Request(scope, receive), caller.tenant)
            async with limits.admit(caller.tenant):
                with act_for(caller.tenant_id):
                    scope.setdefault("state", {})["caller"] = caller
                    await self.app(scope, replay(body, receive), send_noted)  # pyright: ignore[reportArgumentType]
        except Exception as error:
            if started:
                raise
            await self.shape(refusal_of(error))(scope, receive, send)

    async def _identify(self, scope: Scope) -> Caller:
        try:
            claims = await authenticator().authenticate(header(scope, b"authorization"))
            require_scope(claims, self.needs)
        except Exception:
            metrics.refused.labels("access").inc()
            raise
        return Caller(claims)


def _doorkeepers(scope: Scope) -> tuple[SharedLimits, ArrivingBodies]:
    state = scope["app"].state
    return state.limits, state.bodies


def refuse_repeated(scope: Scope) -> None:
    """Raises ``E_BAD_REQUEST`` for a header of ``SINGLE`` that was sent more than once."""
    names = [name for name, _ in scope["headers"] if name in SINGLE]
    if len(names) > len(set(names)):
        raise bad_request("A header that tells who asks was sent more than once.", "Send it once.")


def caller_of(request: Request) -> Caller:
    """Who calls this route."""
    caller: Caller = request.state.caller
    return caller
