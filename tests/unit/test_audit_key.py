"""The secret behind the audit chain."""

import stat
from base64 import b64encode
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from uuid import UUID

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from pydantic import SecretStr

from brain.audit_key import FILE, AuditKey, load_audit_key, person_hash
from brain.settings import Settings
from memory.errors import BrainError

TENANT, PERSON = UUID(int=1), UUID(int=2)


def test_the_first_use_makes_a_file_that_only_its_owner_reads_and_later_ones_use_it(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "new")
    made = load_audit_key(settings)
    assert stat.S_IMODE((tmp_path / "new" / FILE).stat().st_mode) == 0o600
    assert load_audit_key(settings).public_key == made.public_key
    assert [file.name for file in (tmp_path / "new").iterdir()] == [FILE]


def test_many_who_begin_at_once_get_one_key(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path)
    with ThreadPoolExecutor(16) as threads:
        keys = {key.public_key for key in threads.map(load_audit_key, [settings] * 64)}
    assert len(keys) == 1


def test_the_setting_stands_before_the_file(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path, audit_key=SecretStr(b64encode(bytes(32)).decode()))
    assert load_audit_key(settings).public_key == AuditKey.derive(bytes(32)).public_key
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("value", ["short", b64encode(bytes(31)).decode(), "ü" * 44])
def test_a_setting_that_is_no_key_is_refused_without_being_shown(value: str) -> None:
    with pytest.raises(BrainError) as refused:
        Settings(audit_key=SecretStr(value))
    assert "BRAIN_AUDIT_KEY" in refused.value.message
    assert value not in str(refused.value)


@pytest.mark.parametrize("text", ["", "00", "not hexadecimal"])
def test_a_damaged_file_is_refused_and_left_alone(tmp_path: Path, text: str) -> None:
    (tmp_path / FILE).write_text(text)
    with pytest.raises(BrainError, match="E_CONFIG"):
        load_audit_key(Settings(data_dir=tmp_path))
    assert (tmp_path / FILE).read_text() == text


def test_a_signature_is_checked_with_the_public_key_alone() -> None:
    key = AuditKey.derive(bytes(32))
    Ed25519PublicKey.from_public_bytes(key.public_key).verify(key.sign(b"words"), b"words")


def test_a_person_has_another_pseudonym_in_another_tenant_and_under_another_key(tmp_path: Path) -> None:
    key = AuditKey.derive(bytes(32))
    hashes = {
        key.person_hash(TENANT, PERSON),
        key.person_hash(PERSON, TENANT),
        AuditKey.derive(bytes(31) + b"1").person_hash(TENANT, PERSON),
        person_hash(Settings(data_dir=tmp_path), TENANT, PERSON),
    }
    assert len(hashes) == 4
    assert key.person_hash(TENANT, PERSON) == AuditKey.derive(bytes(32)).person_hash(TENANT, PERSON)


def test_nothing_secret_is_shown() -> None:
    assert repr(AuditKey.derive(bytes(32))) == "AuditKey()"
