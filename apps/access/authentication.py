"""Who calls: the one answer for every route, by JSON Web Token or by API key."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import cache
from typing import cast
from uuid import UUID

from langgraph_sdk import Auth

from apps.access.key_text import hash_key, is_key_text, tenant_of_key
from apps.access.roles import with_implied
from apps.access.token_keys import InvalidToken
from apps.access.tokens import Claims, Verifier, bearer_of, verifier_from
from brain.settings import Settings
from brain.wiring import shared_resources
from memory.api_keys import ApiKey, ApiKeys, KeyScope
from memory.errors import BrainError


@dataclass(frozen=True)
class Authenticator:
    """Checks what a request shows. ``keys`` is asked at first use, so that nothing connects before."""

    settings: Settings
    tokens: Verifier | None
    keys: Callable[[], ApiKeys]
    clock: Callable[[], datetime]

    async def authenticate(self, authorization: str) -> Claims | None:
        """The verified identity; None where an open server is asked without a key of Brain's.

        Raises ``InvalidToken`` for what proves nothing, ``BrainError`` when the keys are out of reach.
        """
        shown = bearer_of(authorization)
        if is_key_text(shown):
            return await self._claims_of_key(shown)
        if self.tokens is not None:
            return await self.tokens.verify(authorization)
        if self.settings.has_authentication:
            raise InvalidToken("send an API key: 'Authorization: Bearer brain_…'")
        return None

    async def authenticate_key(self, tenant_id: UUID, sha256: str) -> Claims:
        """The identity of a key that is known by its hash, at this moment. Raises as ``authenticate`` does."""
        key = await self.keys().find(tenant_id, sha256)
        if key is None or not key.is_valid(self.clock()):
            raise _invalid_key()
        return claims_of_key(key)

    async def _claims_of_key(self, shown: str) -> Claims:
        tenant_id = tenant_of_key(shown)
        if tenant_id is None:
            raise _invalid_key()
        return await self.authenticate_key(tenant_id, hash_key(shown))


def _invalid_key() -> InvalidToken:
    return InvalidToken("this API key is unknown, expired or revoked")


def claims_of_key(key: ApiKey) -> Claims:
    """What a valid key proves."""
    return Claims(tenant=key.tenant_name, user=key.user_name, scopes=with_implied(key.scopes), key_id=str(key.key_id))


@cache
def authenticator() -> Authenticator:
    """How this process checks callers, decided once."""
    settings = shared_resources().settings
    return Authenticator(
        settings,
        verifier_from(settings),
        lambda: shared_resources().memory.api_keys,
        lambda: shared_resources().clock(),
    )


def require_scope(claims: Claims | None, scope: KeyScope) -> None:
    """Raises ``E_TENANT_FORBIDDEN`` when an identity may not do this; on an open server everybody may."""
    if claims is not None and scope not in claims.scopes:
        raise scope_refusal(scope)


def scope_refusal(scope: KeyScope) -> BrainError:
    """What a key without this scope is told."""
    told = f"This key may not do that: it lacks the scope {scope}."
    return BrainError("E_TENANT_FORBIDDEN", told, "Use another key.")


def user_of(claims: Claims) -> Auth.types.MinimalUserDict:
    """The user as graphs find it in ``runtime.server_info.user`` and routes in ``request.user``."""
    user = {
        "identity": claims.identity,
        "display_name": claims.user,
        "is_authenticated": True,
        "permissions": list(claims.roles),
        "tenant": claims.tenant,
        "user": claims.user,
        "roles": list(claims.roles),
        "channels": list(claims.channels),
        "org_tier": claims.org_tier,
        "role": claims.role,
        "scopes": sorted(claims.scopes),
    }
    return cast("Auth.types.MinimalUserDict", user)
