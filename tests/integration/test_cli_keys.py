"""``brain keys``: shown once, listed without its text, revoked."""

import asyncio
from pathlib import Path

import pytest

from apps.access.key_text import hash_key, tenant_of_key
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.roles import Addresses
from memory.scope import name_id
from tests.integration.brain_process import Brain, as_url


@pytest.fixture
def brain(test_addresses: Addresses, tmp_path: Path) -> Brain:
    return Brain(as_url(test_addresses.owner), tmp_path)


def test_a_key_is_shown_once_and_kept_as_a_hash(brain: Brain, test_addresses: Addresses):
    made = brain.ask("keys", "create", "--user", "ann", "--scope", "chat", "--days", "3", "--json").json
    listed = brain.ask("keys", "list", "--json")

    tenant_id = name_id("tenant", brain.tenant)
    assert tenant_of_key(made["key"]) == tenant_id
    assert made["key"] not in listed.out
    assert hash_key(made["key"]) not in listed.out
    (key,) = listed.json
    assert (key["user_name"], key["scopes"], key["state"]) == ("ann", ["chat"], "valid")

    async def kept() -> str:
        async with Database(test_addresses.app) as database:
            (found,) = await postgres_memory(database).api_keys.list_keys(tenant_id)
            return found.sha256

    assert asyncio.run(kept()) == hash_key(made["key"])


def test_a_revoked_key_is_listed_as_such(brain: Brain):
    made = brain.ask("keys", "create", "--label", "laptop", "--json").json
    brain.ask("keys", "revoke", made["key_id"])

    assert [key["state"] for key in brain.ask("keys", "list", "--json").json] == ["revoked"]
    assert "laptop" in brain.ask("keys", "list").out


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("create", "--scope", "king"), "E_BAD_REQUEST: There is no scope 'king'"),
        (("create", "--label", "x" * 201), "E_BAD_REQUEST: The label"),
        (("create", "--user", " "), "E_BAD_REQUEST"),
        (("revoke", "nonsense"), "E_BAD_REQUEST"),
        (("revoke", "01900000-0000-7000-8000-000000000000"), "E_NOT_FOUND"),
    ],
)
def test_what_makes_no_sense_is_refused_in_one_line(brain: Brain, words: tuple[str, ...], told: str):
    refused = brain.ask("keys", *words)

    assert refused.code == 1
    assert refused.err.startswith(told)
    assert len(refused.err.splitlines()) == 1


def test_a_renewed_key_has_the_same_rights_and_the_former_one_an_end(brain: Brain):
    made = brain.ask("keys", "create", "--user", "ann", "--scope", "chat", "--json").json
    renewed = brain.ask("keys", "renew", made["key_id"], "--hours", "2", "--json").json

    former, new = sorted(brain.ask("keys", "list", "--json").json, key=lambda key: key["key_id"] == renewed["key_id"])
    assert renewed["key"] != made["key"]
    assert (new["user_name"], new["scopes"], new["state"], new["expires_at"]) == ("ann", ["chat"], "valid", None)
    assert former["state"] == "valid"
    assert former["expires_at"] == renewed["former_ends_at"]


def test_a_key_that_has_ended_is_not_renewed(brain: Brain):
    made = brain.ask("keys", "create", "--json").json
    brain.ask("keys", "revoke", made["key_id"])

    assert "E_CONFLICT" in brain.ask("keys", "renew", made["key_id"]).err
    assert len(brain.ask("keys", "list", "--json").json) == 1
