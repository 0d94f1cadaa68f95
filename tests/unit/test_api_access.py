"""Keys, shares and names: who comes in, how often, and as whom."""

import asyncio
from uuid import uuid4

import pytest

from apps.access.authentication import Authenticator, require_scope
from apps.access.key_text import hash_key, is_key_text, make_key_text, tenant_of_key
from apps.access.token_keys import InvalidToken
from apps.access.tokens import Claims
from apps.http.errors import HttpRefusal, openai_error_body, refusal_of
from apps.http.tenant_limits import TENANTS, TenantLimits
from apps.servers.serve import answers_to
from memory.errors import BrainError, bad_request, unavailable
from memory.ports import MemoryCore
from memory.scope import name_id
from tests.contract.builders import a_key, at
from tests.fakes import a_settings
from tests.this_test import me, own_memory

ACME = name_id("tenant", "acme")


def test_a_key_names_its_tenant_and_no_other_key():
    one, other = make_key_text(ACME), make_key_text(ACME)

    assert is_key_text(one)
    assert tenant_of_key(one) == tenant_of_key(other) == ACME
    assert hash_key(one) != hash_key(other)
    for wrong in ("", "brain_", one[:-1], one + "A", "sk-" + one[3:], "brain_" + "é" * 64, "brain_" + "!" * 64):
        assert tenant_of_key(wrong) is None


async def test_a_key_proves_tenant_user_and_scopes_while_it_is_valid(memory: MemoryCore):
    tenant_id = me().tenant_id
    text = make_key_text(tenant_id)
    key = a_key(tenant_id=tenant_id, sha256=hash_key(text), scopes=("chat", "on_behalf"), expires_at=at(60))
    await memory.api_keys.add(key)
    now = at(1)
    checks = Authenticator(a_settings(auth_api_keys=True), None, lambda: memory.api_keys, lambda: now)

    claims = await checks.authenticate(f"Bearer {text}")
    assert claims == Claims(tenant="acme", user="ann", scopes=frozenset({"chat", "on_behalf"}), key_id=str(key.key_id))
    require_scope(claims, "chat")
    with pytest.raises(BrainError, match="admin"):
        require_scope(claims, "admin")
    now = at(60)
    for shown in (f"Bearer {text}", f"Bearer {make_key_text(uuid4())}", "Bearer brain_x", "Bearer sk-1", "Basic x", ""):
        with pytest.raises(InvalidToken):
            await checks.authenticate(shown)


@pytest.mark.usefixtures("memory")
async def test_an_open_server_takes_whoever_shows_no_key_of_brains():
    checks = Authenticator(a_settings(), None, lambda: own_memory().api_keys, lambda: at())

    assert await checks.authenticate("Bearer sk-anything") is None
    with pytest.raises(InvalidToken):
        await checks.authenticate(f"Bearer {make_key_text(ACME)}")


def test_each_tenant_has_its_own_requests_and_they_come_back():
    now = 0.0
    limits = TenantLimits(2, 10, lambda: now)

    limits.count("a")
    limits.count("a")
    with pytest.raises(HttpRefusal) as refusal:
        limits.count("a")
    assert (refusal.value.status, refusal.value.headers) == (429, {"Retry-After": "30"})
    limits.count("b")
    now = 30.0
    limits.count("a")


def test_places_are_given_back_whatever_happens():
    limits = TenantLimits(0, 1)
    with limits.admit("a"), pytest.raises(HttpRefusal, match="at once"), limits.admit("a"):
        pass
    with pytest.raises(asyncio.CancelledError), limits.admit("a"):
        raise asyncio.CancelledError
    with limits.admit("a"):
        pass


def test_made_up_tenants_do_not_fill_the_memory_and_never_push_out_a_busy_one():
    limits = TenantLimits(0, 1)
    with limits.admit("busy"):
        for number in range(TENANTS + 5):
            with limits.admit(f"tenant {number}"):
                pass
        with pytest.raises(HttpRefusal), limits.admit("busy"):
            pass


@pytest.mark.parametrize(
    ("host", "answers"),
    [
        ("localhost", True),
        ("localhost:8123", True),
        ("127.0.0.1:8123", True),
        ("[::1]:8123", True),
        ("Chat.Example:443", True),
        ("evil.example", False),
        ("localhost.evil.example", False),
        ("127.0.0.1.evil.example", False),
        ("", False),
    ],
)
def test_a_server_answers_to_addresses_and_to_its_own_names(host: str, answers: bool):
    settings = a_settings(auth_api_keys=True, allowed_hosts="chat.example, other.example")
    assert answers_to(host, settings) is answers


@pytest.mark.parametrize(
    ("error", "status", "kind", "code"),
    [
        (bad_request("No."), 400, "invalid_request_error", "E_BAD_REQUEST"),
        (InvalidToken("x"), 401, "authentication_error", "E_UNAUTHENTICATED"),
        (BrainError("E_TENANT_FORBIDDEN", "No."), 403, "permission_error", "E_TENANT_FORBIDDEN"),
        (BrainError("E_NOT_FOUND", "No."), 404, "not_found_error", "E_NOT_FOUND"),
        (unavailable("Away."), 503, "server_error", "E_DEP_UNAVAILABLE"),
        (TimeoutError(), 504, "server_error", "E_DEP_TIMEOUT"),
        (RuntimeError("secret words"), 500, "server_error", "E_INTERNAL"),
    ],
)
def test_every_error_has_its_status_and_openais_shape(error: Exception, status: int, kind: str, code: str):
    refusal = refusal_of(error)
    told = openai_error_body(refusal)["error"]

    assert (refusal.status, told["type"], told["code"]) == (status, kind, code)
    assert "secret words" not in told["message"]
