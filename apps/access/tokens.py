"""Bearer tokens: JSON Web Tokens that say which person of which tenant is asking."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, cast
from uuid import UUID

import httpx
import jwt

from apps.access.roles import PERSON_SCOPES, scopes_of_roles
from apps.access.token_keys import InvalidToken, JwksKeys, Keys, SharedSecret
from brain.settings import Settings
from memory.api_keys import KeyScope
from memory.errors import BrainError
from memory.scope import name_id

LEEWAY = 10
"""Seconds by which the clocks of issuer and server may differ."""


@dataclass(frozen=True, kw_only=True)
class Claims:
    """What a verified token or key says; ``key_id`` is empty for a token."""

    tenant: str
    user: str
    roles: tuple[str, ...] = ()
    channels: tuple[str, ...] = ()
    org_tier: str = ""
    role: str = ""
    scopes: frozenset[KeyScope] = PERSON_SCOPES
    key_id: str = ""

    @property
    def identity(self) -> str:
        """One opaque name for tenant and user together: no two pairs share it."""
        return str(name_id("user", self.tenant, self.user))

    @property
    def tenant_id(self) -> UUID:
        """The tenant as memory knows it."""
        return name_id("tenant", self.tenant)


@dataclass(frozen=True)
class Verifier:
    """Checks signature, expiry, audience and issuer."""

    keys: Keys
    audience: str | None = None
    issuer: str | None = None

    async def verify(self, authorization: str) -> Claims:
        """The claims of ``Bearer …``. Raises ``InvalidToken`` for anything that does not hold."""
        token = bearer_of(authorization)
        if not token:
            raise InvalidToken("there is none; send 'Authorization: Bearer …'")
        try:
            key, algorithm = await self.keys.key_for(token)
            return _claims(self._decode(token, key, algorithm))
        except jwt.PyJWTError as error:
            raise InvalidToken(type(error).__name__) from error
        except BrainError as error:
            raise InvalidToken(error.message) from error

    def _decode(self, token: str, key: Any, algorithm: str) -> Mapping[str, object]:
        return jwt.decode(
            token,
            key,
            algorithms=[algorithm],
            audience=self.audience,
            issuer=self.issuer,
            leeway=LEEWAY,
            options={"require": ["exp", "sub", "tenant"], "verify_aud": self.audience is not None},
        )


def bearer_of(authorization: str) -> str:
    """The token of ``Bearer …``; empty for any other header."""
    scheme, _, token = authorization.strip().partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def verifier_from(settings: Settings) -> Verifier | None:
    """How this server checks tokens; None when it has no authentication."""
    keys: Keys
    if settings.auth_jwt_secret is not None:
        keys = SharedSecret(settings.auth_jwt_secret.get_secret_value())
    elif settings.auth_jwks_url is not None:
        keys = JwksKeys(settings.auth_jwks_url, httpx.AsyncClient())
    else:
        return None
    return Verifier(keys, settings.auth_audience, settings.auth_issuer)


def _claims(told: Mapping[str, object]) -> Claims:
    roles = _texts(told, "roles")
    claims = Claims(
        tenant=_text(told, "tenant"),
        user=_text(told, "sub"),
        roles=roles,
        scopes=scopes_of_roles(roles),
        channels=_texts(told, "channels"),
        org_tier=_text(told, "org_tier"),
        role=_text(told, "role"),
    )
    if not claims.tenant or not claims.user:
        raise InvalidToken("tenant or sub is empty")
    name_id("user", claims.tenant, claims.user)
    return claims


def _text(told: Mapping[str, object], name: str) -> str:
    value = told.get(name)
    if value is not None and not isinstance(value, str):
        raise InvalidToken(f"{name} is not text")
    return value or ""


def _texts(told: Mapping[str, object], name: str) -> tuple[str, ...]:
    value = told.get(name)
    if value is None:
        return ()
    items = cast("list[object]", value) if isinstance(value, list) else [value]
    if not all(isinstance(item, str) for item in items):
        raise InvalidToken(f"{name} is not a list of text")
    return tuple(str(item) for item in items)
