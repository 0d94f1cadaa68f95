"""Who is signed in: a signed cookie that names a key by its hash, or carries a token; checked at each request."""

import secrets
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import cast
from uuid import UUID

import structlog
from itsdangerous import BadData, URLSafeTimedSerializer
from starlette.requests import Request
from starlette.responses import Response

from apps.access.authentication import authenticator
from apps.access.key_text import hash_key, is_key_text, tenant_of_key
from apps.access.token_keys import InvalidToken
from apps.access.tokens import Claims
from apps.http.errors import HttpRefusal
from brain.secret_file import make_secret_file
from brain.settings import Settings
from memory.sign_outs import SignOuts

log = structlog.get_logger(__name__)

COOKIE, PATH = "brain_panel", "/panel"
FILE = "panel.secret"
SECRET_CHARACTERS = 32
LIFETIME = 12 * 3_600
"""Seconds after which somebody signs in again."""
MAX_TOKEN_CHARACTERS = 2_800
"""Characters of a token that fits into a cookie, signed and encoded."""


def _new_form_token() -> str:
    return secrets.token_urlsafe(24)


@dataclass(frozen=True, kw_only=True)
class PanelSession:
    """A browser's session. ``form_token`` stands in each form, so that no other page can send one.

    A key is named by tenant and hash: its text is not kept. ``token`` is a JSON Web Token.
    """

    form_token: str = field(default_factory=_new_form_token)
    tenant_id: str = ""
    key_sha256: str = ""
    token: str = field(default="", repr=False)

    @classmethod
    def of_credential(cls, shown: str) -> "PanelSession":
        """A session that holds this key or token, not checked yet. Raises ``HttpRefusal`` 413 for a long token."""
        if is_key_text(shown):
            return cls(tenant_id=str(tenant_of_key(shown) or UUID(int=0)), key_sha256=hash_key(shown))
        if len(shown) > MAX_TOKEN_CHARACTERS:
            raise HttpRefusal(413, "E_BAD_REQUEST", "This token is too long for a browser's cookie; use an API key.")
        return cls(token=shown)

    @property
    def is_signed_in(self) -> bool:
        """Whether anything was shown."""
        return bool(self.key_sha256 or self.token)

    @property
    def sha256(self) -> str:
        """By which the session is known when somebody signed out of it."""
        return sha256(self.form_token.encode()).hexdigest()

    async def authenticate(self, sign_outs: SignOuts) -> Claims | None:
        """The identity behind it now; None on an open server.

        Raises ``InvalidToken`` when it proves nothing, or when somebody signed out of it.
        """
        claims = await self._check_credential()
        if claims is not None and await sign_outs.has_ended(claims.tenant_id, self.sha256):
            raise InvalidToken("this session was ended")
        return claims

    async def end(self, sign_outs: SignOuts, at: datetime) -> None:
        """Sign out: the cookie opens nothing any more, wherever it was copied to. Raises ``BrainError``."""
        try:
            claims = await self._check_credential()
        except InvalidToken:
            return  # opens nothing already
        if claims is not None:
            await sign_outs.end(claims.tenant_id, self.sha256, at, at + timedelta(seconds=LIFETIME))

    async def _check_credential(self) -> Claims | None:
        if self.key_sha256:
            return await authenticator().authenticate_key(UUID(self.tenant_id), self.key_sha256)
        return await authenticator().authenticate(f"Bearer {self.token}" if self.token else "")


def read_session(request: Request, settings: Settings) -> PanelSession | None:
    """The session that a browser brings; None for none, an old one, or one that was not signed here."""
    shown = request.cookies.get(COOKIE, "")
    try:
        values = _serializer(settings).loads(shown, max_age=LIFETIME)
        return PanelSession(**cast("dict[str, str]", values))
    except (BadData, TypeError):
        return None


def write_session(response: Response, request: Request, session: PanelSession, settings: Settings) -> None:
    """Give the browser its session. Only pages of this server send it back, and no script reads it."""
    text = str(_serializer(settings).dumps(asdict(session)))
    is_https = request.url.scheme == "https"
    response.set_cookie(COOKIE, text, max_age=LIFETIME, path=PATH, secure=is_https, httponly=True, samesite="strict")


def delete_session(response: Response) -> None:
    """Take the cookie away."""
    response.delete_cookie(COOKIE, path=PATH, httponly=True, samesite="strict")


def _serializer(settings: Settings) -> URLSafeTimedSerializer:
    secret = settings.panel_secret
    text = secret.get_secret_value() if secret else _secret_of_home(settings.data_dir / FILE)
    return URLSafeTimedSerializer(text, salt="brain panel session")


@cache
def _secret_of_home(file: Path) -> str:
    """Where none is configured: the one that all processes with this home share, which the first of them makes."""
    try:
        if not file.exists():
            make_secret_file(file, secrets.token_urlsafe(32))
        if len(kept := file.read_text("ascii").strip()) >= SECRET_CHARACTERS:
            return kept
        log.warning("panel_secret_too_short", file=str(file))
    except (OSError, ValueError) as error:
        log.warning("panel_secret_not_kept", file=str(file), error=type(error).__name__)
    return secrets.token_urlsafe(32)  # sessions end with this process
