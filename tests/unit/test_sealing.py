"""The worker's sealing: soon, again and again, and never in the way of an end."""

import asyncio
from base64 import b64encode
from collections.abc import Callable
from pathlib import Path
from time import monotonic

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pydantic import SecretStr
from structlog.testing import capture_logs

from apps.jobs import sealing
from apps.jobs.sealing import LINKS, seal_regularly, seal_waiting
from brain.settings import Settings
from memory.audit_chain import ChainHead, Sealing, SignHead
from memory.errors import unavailable
from tests.this_test import me
from verifier.verify_bundle import head_message

SETTINGS = Settings(audit_key=SecretStr(b64encode(bytes(32)).decode()))


class Chain:
    """Answers each sealing by the next of some numbers of links, or fails with one that is none."""

    def __init__(self, *links: int | None) -> None:
        self.links, self.asked = list(links), 0
        self.signed = asyncio.Event()

    async def seal(self, sign: SignHead, most: int) -> Sealing:
        self.asked += 1
        found = self.links.pop(0) if self.links else 0
        if found is None:
            raise unavailable("The database is away.")
        head = ChainHead(tenant_id=me().tenant_id, position=7, hash=bytes(32), sealed_at="2026-11-24T12:00:00Z")
        signed = sign(head)
        message = head_message(str(head.tenant_id), 7, "00" * 32, head.sealed_at)
        Ed25519PublicKey.from_public_bytes(signed.public_key).verify(signed.signature, message)
        self.signed.set()
        return Sealing(links=found, tenants=1)


class Stuck(Chain):
    """Never answers."""

    async def seal(self, sign: SignHead, most: int) -> Sealing:
        self.signed.set()
        await asyncio.Event().wait()
        raise AssertionError


async def test_all_that_waits_is_sealed_in_batches():
    chain = Chain(LINKS, LINKS, 3)
    assert await seal_waiting(chain, SETTINGS) == 2 * LINKS + 3
    assert chain.asked == 3


async def test_it_goes_on_after_a_failure(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(sealing, "PAUSE", 0.001)
    chain = Chain(None, None, 1)
    with capture_logs() as told:
        async with seal_regularly(chain, SETTINGS), asyncio.timeout(5):
            await chain.signed.wait()
    assert [each["code"] for each in told if each["event"] == "chain_not_sealed"] == ["E_DEP_UNAVAILABLE"] * 2


@pytest.mark.parametrize("kind", [Chain, Stuck])
async def test_it_ends_at_once(kind: Callable[[], Chain]):
    chain = kind()
    async with seal_regularly(chain, SETTINGS), asyncio.timeout(5):
        await chain.signed.wait()
        begun = monotonic()
    assert monotonic() - begun < 1


async def test_without_a_key_nothing_is_sealed_and_work_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("BRAIN_AUDIT_KEY")
    (tmp_path / "audit.key").write_text("damaged")
    chain = Chain(3)
    with capture_logs() as told:
        assert await seal_waiting(chain, Settings(data_dir=tmp_path)) == 0
    assert chain.asked == 0
    assert [each["code"] for each in told] == ["E_CONFIG"]
