"""Files of keys and secrets that are there and cannot be read: named, with what to do, and none is made in silence."""

import errno
from collections.abc import Callable
from pathlib import Path
from uuid import UUID

import pytest

from brain.audit_key import FILE, AuditKey, load_audit_key
from brain.erasure_list import ErasureList
from brain.file_errors import file_error, passing_error
from brain.former_secret import FILE as FORMER
from brain.former_secret import FormerSecret
from brain.local_postgres.server import EmbeddedPostgres
from brain.person_keys import CHECK, PersonKeys, has_keys, open_person_keys
from brain.secret_file import is_there, make_secret_file, read_secret
from brain.settings import Settings
from memory.errors import BrainError
from tests.contract.builders import an_erasure_request

MASTER = bytes(range(32))
TENANT, ANN = UUID(int=1), UUID(int=2)
Harm = Callable[[Path], None]


def make_folder(file: Path) -> None:
    """Permission bits do not bind root; a folder can be read as a file by nobody."""
    file.mkdir(parents=True)


def lead_nowhere(file: Path) -> None:
    """As a link does whose disk is away."""
    file.parent.mkdir(parents=True, exist_ok=True)
    file.symlink_to(file.with_name("on a disk that is away"))


def lead_in_a_circle(file: Path) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.symlink_to(file)


UNREADABLE = pytest.mark.parametrize("harm", [make_folder, lead_nowhere, lead_in_a_circle])


@pytest.fixture(autouse=True)
def no_key_in_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("BRAIN_AUDIT_KEY")


def refused(act: Callable[[], object], file: Path) -> None:
    """With the name of the file or its folder, and nothing is left beside it."""
    before = beside(file)
    with pytest.raises(BrainError) as told:
        act()
    assert told.value.code == "E_CONFIG"
    assert str(file) in told.value.message
    assert told.value.hint
    assert beside(file) == before


def beside(file: Path) -> set[Path]:
    return {each for each in file.parent.iterdir() if each.name != ".lock"}


@UNREADABLE
def test_an_audit_key(harm: Harm, tmp_path: Path):
    settings, file = Settings(data_dir=tmp_path), tmp_path / FILE
    harm(file)
    refused(lambda: load_audit_key(settings), file)
    refused(lambda: open_person_keys(settings, make=True), file)


@UNREADABLE
def test_a_former_secret_is_not_taken_for_none(harm: Harm, tmp_path: Path):
    settings, file = Settings(data_dir=tmp_path), tmp_path / FORMER
    load_audit_key(settings)
    harm(file)
    refused(lambda: FormerSecret.load(settings), file)
    refused(lambda: load_audit_key(settings), file)


@UNREADABLE
def test_what_tells_the_right_master_secret(harm: Harm, tmp_path: Path):
    file = tmp_path / "keys" / CHECK
    harm(file)
    refused(lambda: PersonKeys(tmp_path / "keys", MASTER), file)
    assert has_keys(Settings(data_dir=tmp_path))


@UNREADABLE
def test_a_persons_key_is_neither_made_anew_nor_taken_for_destroyed(harm: Harm, tmp_path: Path):
    keys = PersonKeys(tmp_path / "keys", MASTER)
    keys.fetch(TENANT, ANN)
    (file,) = keys.folder.glob("*.key")
    file.unlink()
    harm(file)
    refused(lambda: keys.fetch(TENANT, ANN), file)
    refused(keys.load_all, file)
    refused(lambda: keys.shred(TENANT, ANN), file)


def test_a_folder_of_keys_whose_disk_is_away_is_not_made_anew(tmp_path: Path):
    settings = Settings(data_dir=tmp_path / "home", keys_dir=tmp_path / "keys")
    lead_nowhere(tmp_path / "keys")
    load_audit_key(settings)
    assert has_keys(settings)
    refused(lambda: open_person_keys(settings, make=True), tmp_path / "keys")


@UNREADABLE
def test_a_list_of_erasures_is_not_begun_anew(harm: Harm, tmp_path: Path):
    kept = ErasureList(tmp_path / "erasures" / "list.jsonl", AuditKey.derive(MASTER))
    harm(kept.file)
    assert is_there(kept.file)
    refused(kept.read, kept.file)
    asked = an_erasure_request(TENANT, ANN)
    with pytest.raises(BrainError, match="E_CONFIG"):
        kept.append(asked)


@pytest.mark.parametrize("harm", [make_folder, lead_in_a_circle])
def test_a_password_of_the_embedded_database(harm: Harm, tmp_path: Path):
    file = tmp_path / "database.json"
    harm(file)
    refused(EmbeddedPostgres(tmp_path).has_clients, file)


def test_what_another_process_makes_meanwhile_is_not_there_yet(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    def read_too_early(file: Path) -> bytes:
        make_secret_file(file, "made")
        raise FileNotFoundError(errno.ENOENT, "")

    monkeypatch.setattr(Path, "read_bytes", read_too_early)
    assert read_secret(tmp_path / FILE, "") is None


def test_what_is_not_there_is_made(tmp_path: Path):
    assert not is_there(tmp_path / "none" / FILE)
    load_audit_key(Settings(data_dir=tmp_path))
    assert is_there(tmp_path / FILE)


@pytest.mark.parametrize(
    ("number", "code"),
    [
        (errno.ENOSPC, "E_DEP_UNAVAILABLE"),
        (errno.EMFILE, "E_DEP_UNAVAILABLE"),
        (errno.ETIMEDOUT, "E_DEP_TIMEOUT"),
        (errno.EACCES, "E_CONFIG"),
        (errno.EROFS, "E_CONFIG"),
    ],
)
def test_what_passes_may_be_tried_again(number: int, code: str, tmp_path: Path):
    told = file_error(tmp_path / FILE, OSError(number, "words of the system"), "Mend it.")
    assert told.code == code
    assert "words of the system" in told.message
    assert ("Mend it." in told.hint) is (code == "E_CONFIG")


def test_what_passes_is_seen_behind_other_errors():
    try:
        try:
            raise OSError(errno.EMFILE, "Too many open files")
        except OSError as error:
            raise LookupError("a table of words") from error
    except LookupError as error:
        told = passing_error(error)
    assert told is not None
    assert told.is_retryable
    assert "Too many open files" in told.message
    assert passing_error(LookupError("no such row")) is None
