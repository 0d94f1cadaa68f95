"""The panel's session cookie: signed, short-lived, and without the text of a key."""

import time
from uuid import UUID

import pytest
from itsdangerous import URLSafeTimedSerializer
from starlette.requests import Request
from starlette.responses import Response

from apps.access.key_text import hash_key, make_key_text
from apps.http.errors import HttpRefusal
from apps.panel.session_cookie import COOKIE, LIFETIME, MAX_TOKEN_CHARACTERS, PanelSession, read_session, write_session
from brain.settings import Settings
from memory.errors import BrainError

SECRET = "a secret of the tests, longer than thirty-two characters"
SETTINGS = Settings(panel_secret=SECRET)  # pyright: ignore[reportArgumentType]


def a_request(cookie: str = "", scheme: str = "http") -> Request:
    headers = [(b"host", b"brain.example"), (b"cookie", f"{COOKIE}={cookie}".encode())]
    return Request({"type": "http", "scheme": scheme, "path": "/panel", "query_string": b"", "headers": headers})


def written(session: PanelSession, settings: Settings = SETTINGS, scheme: str = "http") -> str:
    response = Response()
    write_session(response, a_request(scheme=scheme), session, settings)
    return response.headers["set-cookie"]


def value_of(cookie: str) -> str:
    return cookie.partition("=")[2].partition(";")[0]


def test_a_session_comes_back_as_it_was_and_names_a_key_by_its_hash():
    key = make_key_text(UUID(int=7))
    session = PanelSession.of_credential(key)
    assert (session.tenant_id, session.key_sha256, session.token) == (str(UUID(int=7)), hash_key(key), "")
    assert read_session(a_request(value_of(written(session))), SETTINGS) == session


def test_a_cookie_is_secure_over_https_and_never_read_by_scripts():
    assert "Secure" in written(PanelSession(), scheme="https")
    assert "Secure" not in written(PanelSession())
    assert "HttpOnly" in written(PanelSession())
    assert "SameSite=strict" in written(PanelSession())


def test_what_was_signed_by_another_secret_or_too_long_ago_counts_for_nothing(monkeypatch: pytest.MonkeyPatch):
    cookie = value_of(written(PanelSession()))
    assert read_session(a_request(cookie), Settings(panel_secret=SECRET[::-1])) is None  # pyright: ignore[reportArgumentType]
    assert read_session(a_request(cookie[:-1]), SETTINGS) is None
    assert read_session(a_request(""), SETTINGS) is None
    now = time.time()
    monkeypatch.setattr(time, "time", lambda: now + LIFETIME + 2)
    assert read_session(a_request(cookie), SETTINGS) is None


def test_what_is_signed_but_no_session_counts_for_nothing():
    cookie = URLSafeTimedSerializer(SECRET, salt="brain panel session").dumps({"unknown": 1})
    assert read_session(a_request(str(cookie)), SETTINGS) is None


def test_without_a_secret_a_process_makes_its_own():
    own = Settings()
    assert read_session(a_request(value_of(written(PanelSession(), own))), own) is not None
    assert read_session(a_request(value_of(written(PanelSession(), own))), SETTINGS) is None


def test_a_token_that_no_cookie_can_carry_is_refused():
    assert PanelSession.of_credential("x" * MAX_TOKEN_CHARACTERS).is_signed_in
    with pytest.raises(HttpRefusal) as refused:
        PanelSession.of_credential("x" * (MAX_TOKEN_CHARACTERS + 1))
    assert refused.value.status == 413
    assert len(value_of(written(PanelSession(token="x" * MAX_TOKEN_CHARACTERS)))) < 4_000


def test_a_secret_that_can_be_guessed_is_refused():
    with pytest.raises(BrainError, match="BRAIN_PANEL_SECRET is shorter"):
        Settings(panel_secret="short")  # pyright: ignore[reportArgumentType]
