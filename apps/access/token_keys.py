"""The keys that tokens are checked with: one secret, or what the issuer publishes (JWKS)."""

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from time import monotonic
from typing import Any, Protocol

import httpx
import jwt
import structlog

log = structlog.get_logger(__name__)

KEYS_FRESH = 600.0
"""Seconds for which published keys are used without asking again."""
KEYS_PAUSE = 15.0
"""Seconds between two questions at least, however many unknown key ids callers make up."""
KEYS_TIMEOUT = 5.0

_ALGORITHMS = {"RS256", "ES256"}


class InvalidToken(Exception):
    """The token proves nothing; the message says what is wrong with it, and never contains it."""


class Keys(Protocol):
    """Where the key of a token comes from."""

    async def key_for(self, token: str) -> tuple[Any, str]:
        """The key and the one algorithm it is for, whatever the token says. Raises ``InvalidToken``."""
        ...


@dataclass(frozen=True)
class SharedSecret:
    """One secret that issuer and server know."""

    secret: str = field(repr=False)

    async def key_for(self, token: str) -> tuple[Any, str]:
        """HS256 and nothing else."""
        return self.secret, "HS256"


@dataclass
class JwksKeys:
    """The issuer's keys (JWKS), kept for a while, and used on when the issuer cannot be asked."""

    url: str
    client: httpx.AsyncClient
    clock: Callable[[], float] = monotonic
    _keys: dict[str, jwt.PyJWK] = field(default_factory=dict[str, jwt.PyJWK], init=False)
    _fetched: float | None = field(default=None, init=False)
    _asked: float | None = field(default=None, init=False)
    _one: asyncio.Lock = field(default_factory=asyncio.Lock, init=False)

    async def key_for(self, token: str) -> tuple[Any, str]:
        """The key that the token names, or the only one there is."""
        name = str(jwt.get_unverified_header(token).get("kid") or "")
        if self._is_stale(KEYS_FRESH, self._fetched) or self._find_key(name) is None:
            await self._refresh()
        key = self._find_key(name)
        if key is None:
            raise InvalidToken("it is signed with a key that the issuer does not publish")
        return key.key, key.algorithm_name

    def _find_key(self, name: str) -> jwt.PyJWK | None:
        if name:
            return self._keys.get(name)
        return next(iter(self._keys.values())) if len(self._keys) == 1 else None

    def _is_stale(self, seconds: float, since: float | None) -> bool:
        return since is None or self.clock() - since > seconds

    async def _refresh(self) -> None:
        async with self._one:
            if not self._is_stale(KEYS_PAUSE, self._asked):
                return
            self._asked = self.clock()
            try:
                answer = await self.client.get(self.url, timeout=KEYS_TIMEOUT)
                self._keys = _signing_keys(answer.raise_for_status().json())
                self._fetched = self.clock()
            except (httpx.HTTPError, jwt.PyJWTError, ValueError, TypeError, AttributeError) as error:
                log.warning("jwks_unreachable", url=self.url, error=type(error).__name__, keys_kept=len(self._keys))


def _signing_keys(published: dict[str, Any]) -> dict[str, jwt.PyJWK]:
    """Signing keys by id. The key decides its one algorithm, so that a token cannot choose a weaker one."""
    return {
        key.key_id or "": key
        for key in jwt.PyJWKSet.from_dict(published).keys
        if key.algorithm_name in _ALGORITHMS and key.public_key_use in ("sig", None)
    }
