"""Keys of persons: one each, the same one until it is destroyed, and of no use without the master secret."""

from pathlib import Path
from uuid import uuid4

import pytest

from brain import person_keys
from brain.person_keys import CHECK, PersonKey, PersonKeys, open_person_keys
from brain.settings import Settings
from memory.errors import BrainError

MASTER = bytes(range(32))
TENANT, ANN, BOB = uuid4(), uuid4(), uuid4()


@pytest.fixture
def keys(tmp_path: Path) -> PersonKeys:
    return PersonKeys(tmp_path / "keys", MASTER)


def test_a_person_keeps_a_key_of_their_own(keys: PersonKeys):
    ann = keys.fetch(TENANT, ANN)
    assert PersonKeys(keys.folder, MASTER).fetch(TENANT, ANN) == ann
    assert len({ann.secret, keys.fetch(TENANT, BOB).secret, keys.fetch(uuid4(), ANN).secret}) == 3
    assert keys.load_all()[ann.key_id] == ann


def test_a_destroyed_key_is_gone_and_known_to_be(keys: PersonKeys):
    ann, bob = keys.fetch(TENANT, ANN), keys.fetch(TENANT, BOB)
    assert keys.shred(TENANT, ANN)
    assert not keys.shred(TENANT, ANN)
    assert keys.is_shredded(ann.key_id)
    assert set(keys.load_all()) == {bob.key_id}
    again = keys.fetch(TENANT, ANN)
    assert again.key_id != ann.key_id
    assert again.secret != ann.secret


def test_who_was_never_kept_has_nothing_to_destroy(keys: PersonKeys):
    assert not keys.shred(TENANT, ANN)


def test_destroying_overwrites_the_bytes_of_the_file(keys: PersonKeys):
    keys.fetch(TENANT, ANN)
    (file,) = keys.folder.glob("*.key")
    link = file.with_suffix(".kept")
    link.hardlink_to(file)
    before = link.read_bytes()
    keys.shred(TENANT, ANN)
    after = link.read_bytes()
    assert len(after) == len(before)
    assert after[16:] != before[16:]
    link.rename(file)
    assert keys.load_all() == {}
    assert keys.fetch(TENANT, ANN).secret != b""


@pytest.mark.parametrize("step", ["marked", "overwritten"])
def test_a_destruction_that_was_cut_off_holds_and_is_finished(
    keys: PersonKeys, step: str, monkeypatch: pytest.MonkeyPatch
):
    ann = keys.fetch(TENANT, ANN)

    def cut_off(self: object, *_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(PersonKeys if step == "marked" else Path, "_destroy" if step == "marked" else "unlink", cut_off)
        with pytest.raises(KeyboardInterrupt):
            keys.shred(TENANT, ANN)
    assert keys.is_shredded(ann.key_id)
    assert keys.load_all() == {}
    assert keys.fetch(TENANT, ANN).key_id != ann.key_id
    assert keys.is_shredded(ann.key_id)


def test_files_tell_neither_who_it_is_nor_the_key(keys: PersonKeys):
    ann = keys.fetch(TENANT, ANN)
    keys.fetch(TENANT, BOB)
    keys.shred(TENANT, BOB)
    for file in keys.folder.iterdir():
        for told in (TENANT, ANN, BOB):
            assert told.hex not in file.name
            assert told.bytes not in file.read_bytes()
        assert ann.secret not in file.read_bytes()
        assert file.stat().st_mode & 0o077 == 0
    assert keys.folder.stat().st_mode & 0o077 == 0


def test_another_master_secret_is_refused_and_makes_nothing(keys: PersonKeys):
    keys.fetch(TENANT, ANN)
    before = {file.name for file in keys.folder.iterdir()}
    with pytest.raises(BrainError, match="another master secret"):
        PersonKeys(keys.folder, bytes(32))
    assert {file.name for file in keys.folder.iterdir()} == before


def test_a_missing_master_secret_is_named_and_not_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delenv("BRAIN_AUDIT_KEY")
    settings = Settings(data_dir=tmp_path)
    open_person_keys(settings, make=True)
    (tmp_path / "audit.key").unlink()
    with pytest.raises(BrainError, match="missing"):
        open_person_keys(settings, make=False)
    assert not (tmp_path / "audit.key").exists()


def test_reading_does_not_make_a_folder_of_keys(tmp_path: Path):
    with pytest.raises(BrainError, match="There are no keys"):
        open_person_keys(Settings(data_dir=tmp_path), make=False)
    assert list(tmp_path.iterdir()) == []


def test_keys_may_lie_elsewhere(tmp_path: Path):
    settings = Settings(data_dir=tmp_path / "home", keys_dir=tmp_path / "elsewhere")
    open_person_keys(settings, make=True).fetch(TENANT, ANN)
    assert (tmp_path / "elsewhere" / CHECK).exists()
    assert not (tmp_path / "home" / "keys").exists()


def test_a_damaged_key_is_named(keys: PersonKeys):
    keys.fetch(TENANT, ANN)
    (file,) = keys.folder.glob("*.key")
    content = file.read_bytes()
    file.write_bytes(content[:-1] + bytes([content[-1] ^ 1]))
    with pytest.raises(BrainError, match="was damaged"):
        PersonKeys(keys.folder, MASTER).fetch(TENANT, ANN)


def test_of_two_who_make_a_key_at_once_the_first_counts(keys: PersonKeys, monkeypatch: pytest.MonkeyPatch):
    first = PersonKeys(keys.folder, MASTER)
    write = person_keys._write_new  # pyright: ignore[reportPrivateUsage]
    made: list[PersonKey] = []

    def meanwhile(path: Path, content: bytes) -> None:
        monkeypatch.setattr(person_keys, "_write_new", write)
        made.append(first.fetch(TENANT, ANN))
        write(path, content)

    monkeypatch.setattr(person_keys, "_write_new", meanwhile)
    assert [keys.fetch(TENANT, ANN)] == made
