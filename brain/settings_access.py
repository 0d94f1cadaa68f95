"""Where a server listens, who may call it, and from where."""

from typing import Self

from pydantic import Field, SecretStr, model_validator
from pydantic_settings import BaseSettings

_LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})
_MIN_SECRET = 32


class AccessSettings(BaseSettings):
    """A part of ``Settings``."""

    host: str = "127.0.0.1"
    port: int = Field(8123, ge=1, le=65535)
    auth_jwt_secret: SecretStr | None = None
    auth_jwks_url: str | None = None
    auth_audience: str | None = None
    auth_issuer: str | None = None
    auth_api_keys: bool = False
    allowed_hosts: str = ""
    cors_origins: str = ""
    trusted_proxies: str = ""
    panel_secret: SecretStr | None = None

    @property
    def has_authentication(self) -> bool:
        """Whether callers over HTTP must present a verified token."""
        return self.has_tokens or self.auth_api_keys

    @property
    def host_names(self) -> tuple[str, ...]:
        """The names, besides addresses and localhost, to which a server with authentication answers."""
        return _split_names(self.allowed_hosts)

    @property
    def origins(self) -> tuple[str, ...]:
        """The web pages (``https://chat.example``) that may call from a browser."""
        return _split_names(self.cors_origins)

    @property
    def proxies(self) -> tuple[str, ...]:
        """The addresses of proxies whose word about a caller's address is taken."""
        return _split_names(self.trusted_proxies)

    @property
    def has_tokens(self) -> bool:
        """Whether callers may present a JSON Web Token."""
        return self.auth_jwt_secret is not None or self.auth_jwks_url is not None

    @model_validator(mode="after")
    def _check_access(self) -> Self:
        if self.auth_jwt_secret and self.auth_jwks_url:
            raise ValueError("BRAIN_AUTH_JWT_SECRET and BRAIN_AUTH_JWKS_URL exclude each other; keep one")
        if self.auth_jwt_secret and len(self.auth_jwt_secret.get_secret_value()) < _MIN_SECRET:
            raise ValueError(f"BRAIN_AUTH_JWT_SECRET is shorter than {_MIN_SECRET} characters, which can be guessed")
        if self.panel_secret and len(self.panel_secret.get_secret_value()) < _MIN_SECRET:
            raise ValueError(f"BRAIN_PANEL_SECRET is shorter than {_MIN_SECRET} characters, which can be guessed")
        if (self.auth_audience or self.auth_issuer) and not self.has_tokens:
            raise ValueError("BRAIN_AUTH_AUDIENCE and BRAIN_AUTH_ISSUER need a BRAIN_AUTH_JWT_SECRET or _JWKS_URL")
        if self.host not in _LOOPBACK and not self.has_authentication:
            raise ValueError(f"BRAIN_HOST={self.host} would be open to everyone; switch authentication on first")
        return self


def _split_names(text: str) -> tuple[str, ...]:
    return tuple(name.strip() for name in text.split(",") if name.strip())
