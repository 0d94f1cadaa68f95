"""A new master secret: what the former one locked is locked anew, what it named keeps its name."""

from base64 import b64encode
from pathlib import Path
from uuid import UUID

import pytest
from pydantic import SecretStr

from brain.audit_key import FILE, load_audit_key, load_master
from brain.erasure_list import FOLDER, ErasureList
from brain.former_secret import FILE as FORMER
from brain.former_secret import FormerSecret
from brain.master_rotation import rotate_master
from brain.person_keys import PersonKeys, open_person_keys
from brain.settings import Settings
from memory.erasure import ErasureRequest
from memory.errors import BrainError
from tests.contract.builders import an_erasure_request

TENANT, ANN, BOB = UUID(int=1), UUID(int=2), UUID(int=3)


@pytest.fixture(autouse=True)
def no_key_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRAIN_AUDIT_KEY")


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """Of a house with the keys of two people and an erasure."""
    settings = Settings(data_dir=tmp_path)
    keys_of(settings).fetch(TENANT, BOB)
    list_of(settings).append(an_erasure(settings))
    return settings


def keys_of(settings: Settings) -> PersonKeys:
    return open_person_keys(settings, make=True)


def list_of(settings: Settings) -> ErasureList:
    return ErasureList(settings.data_dir / FOLDER / "house.jsonl", load_audit_key(settings))


def an_erasure(settings: Settings) -> ErasureRequest:
    return an_erasure_request(TENANT, ANN, person_hash=load_audit_key(settings).person_hash(TENANT, ANN))


def test_everything_is_found_as_before_under_a_new_secret(settings: Settings):
    before, keys, erased = load_audit_key(settings), keys_of(settings).load_all(), list_of(settings).read()
    master = load_master(settings)

    done = rotate_master(settings)

    after = load_audit_key(settings)
    assert load_master(settings) != master
    assert (done.keys, done.lists, done.waits_for_setting) == (1, 1, False)
    assert after.public_key != before.public_key
    assert after.public_keys == {after.public_key, before.public_key}
    assert after.person_hash(TENANT, ANN) == before.person_hash(TENANT, ANN)
    assert keys_of(settings).load_all() == keys
    assert keys_of(settings).fetch(TENANT, BOB).key_id in keys
    assert list_of(settings).read() == erased


def test_the_former_secret_opens_nothing_any_more_and_is_kept_nowhere(settings: Settings, tmp_path: Path):
    former = load_audit_key(settings)
    master = load_master(settings)

    rotate_master(settings)

    for file in (each for each in tmp_path.rglob("*") if each.is_file()):
        assert master not in file.read_bytes()
        assert master.hex().encode() not in file.read_bytes()
    with pytest.raises(BrainError, match="another master secret"):
        PersonKeys(settings.data_dir / "keys", master)
    with pytest.raises(BrainError, match="signed with another key"):
        ErasureList(settings.data_dir / FOLDER / "house.jsonl", former).read()


def test_a_second_rotation_keeps_the_first_names_and_all_public_keys(settings: Settings):
    hashes = {load_audit_key(settings).person_hash(TENANT, ANN)}
    publics = {load_audit_key(settings).public_key}
    keys = keys_of(settings).load_all()
    for _ in range(2):
        rotate_master(settings)
        hashes.add(load_audit_key(settings).person_hash(TENANT, ANN))
        publics.add(load_audit_key(settings).public_key)

    assert len(hashes) == 1
    assert load_audit_key(settings).public_keys == publics
    assert len(publics) == 3
    assert keys_of(settings).load_all() == keys


@pytest.mark.parametrize("cut", range(6))
def test_a_rotation_cut_off_anywhere_goes_on_and_loses_nothing(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, cut: int
):
    """Each replaced file is a place to be cut off at, before it is replaced."""
    keys, erased = keys_of(settings).load_all(), list_of(settings).read()
    replaced = _cut_off_at(cut, monkeypatch)

    with pytest.raises(KeyboardInterrupt):
        rotate_master(settings)
    monkeypatch.undo()
    monkeypatch.delenv("BRAIN_AUDIT_KEY")

    assert replaced == [cut]
    assert keys_of(settings).load_all() == keys
    assert list_of(settings).read() == erased
    rotate_master(settings)
    former = FormerSecret.load(settings)
    assert former is not None
    assert former.retiring is None
    assert keys_of(settings).load_all() == keys
    assert list_of(settings).read() == erased


def test_a_secret_in_the_environment_waits_until_it_is_set_anew(settings: Settings):
    old = Settings(data_dir=settings.data_dir, audit_key=_told(load_master(settings)))
    new = Settings(data_dir=settings.data_dir, audit_key=_told(bytes(range(32))))
    (settings.data_dir / FILE).unlink()
    keys = keys_of(old).load_all()

    assert rotate_master(old).waits_for_setting
    assert keys_of(old).load_all() == keys_of(new).load_all() == keys
    assert not rotate_master(new).waits_for_setting

    assert keys_of(new).load_all() == keys
    with pytest.raises(BrainError, match="another master secret"):
        keys_of(old)


def test_keys_without_the_file_that_names_them_are_refused(settings: Settings):
    rotate_master(settings)
    (settings.data_dir / FORMER).unlink()

    with pytest.raises(BrainError, match="have other names"):
        keys_of(settings)


@pytest.mark.parametrize("text", ["", "[]", '{"naming": "00"}', '{"naming": 1}'])
def test_a_damaged_file_is_refused_and_left_alone(tmp_path: Path, text: str):
    (tmp_path / FORMER).write_text(text)
    with pytest.raises(BrainError, match="E_CONFIG"):
        load_audit_key(Settings(data_dir=tmp_path))
    assert (tmp_path / FORMER).read_text() == text


def test_a_key_is_not_made_under_a_secret_that_was_replaced_meanwhile(settings: Settings):
    stale = keys_of(settings)
    rotate_master(settings)

    with pytest.raises(BrainError, match="another master secret"):
        stale.fetch(TENANT, ANN)

    assert keys_of(settings).fetch(TENANT, ANN) in keys_of(settings).load_all().values()


def _told(secret: bytes) -> SecretStr:
    return SecretStr(b64encode(secret).decode())


def _cut_off_at(cut: int, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Interrupt the replacing of the n-th file; the list holds its number once that happened."""
    original, counted, replaced = Path.replace, iter(range(1_000)), list[int]()

    def replace(path: Path, target: Path) -> Path:
        if next(counted) == cut:
            replaced.append(cut)
            raise KeyboardInterrupt
        return original(path, target)

    monkeypatch.setattr(Path, "replace", replace)
    return replaced
