"""A key for each person, outside the database and its backups: destroying it makes that person unreadable in all of
them.

The folder ``keys`` of the data folder has a file for each person, named by a pseudonym (HMAC-SHA256): 16 bytes of key
id, a nonce, and 32 random bytes sealed with AES-256-GCM under the master secret. A key that was destroyed leaves its
id behind (``<id>.shredded``), so that a lost key is told from a destroyed one. Overwriting a file reaches its bytes
on a plain disk; where a disk or file system keeps old blocks, what is left there is still sealed under the master
secret.
"""

import hmac
import os
import secrets
from contextlib import suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from filelock import FileLock

from brain.audit_key import FILE, load_master
from brain.settings import Settings
from memory.errors import BrainError, config_error

NOBODY = UUID(int=0)
"""Stands for the person where rows belong to a whole tenant, and for the tenant where they belong to none."""
BYTES, ID_BYTES, NONCE_BYTES = 32, 16, 12
_TAG_BYTES = 16
CHECK = "master.check"
"""What only the right master secret opens, so that a wrong one makes no second key for anybody."""
_WRAPPING, _NAMING, _CHECKING = b"brain person keys wrapping 1", b"brain person keys naming 1", b"brain person keys 1"


@dataclass(frozen=True)
class PersonKey:
    """A person's key: an id that says nothing of whose it is, and 32 bytes."""

    key_id: UUID
    secret: bytes = field(repr=False)


class PersonKeys:
    """The keys of one installation in their folder. Threads and processes may share it."""

    def __init__(self, folder: Path, master: bytes) -> None:
        """Raises ``E_CONFIG`` for a folder whose keys another master secret wrapped."""
        self.folder = folder
        self._wrapping = AESGCM(_expand(master, _WRAPPING))
        self._naming = _expand(master, _NAMING)
        self._check_master()

    def fetch(self, tenant_id: UUID, user_id: UUID) -> PersonKey:
        """The key of a person, made if there is none; after a destroyed one a new one."""
        try:
            return self._fetch(self._path(tenant_id, user_id))
        except OSError as error:
            raise _unusable(self.folder, error) from None

    def _fetch(self, path: Path) -> PersonKey:
        while True:
            if (found := self._read(path)) is None:
                self._make(path)
            elif self.is_shredded(found.key_id):  # cut off in the middle of it
                self._destroy(path, found.key_id)
            else:
                return found

    def load_all(self) -> dict[UUID, PersonKey]:
        """Every key there is, by id."""
        found = (self._read(path) for path in self.folder.glob("*.key"))
        return {key.key_id: key for key in found if key is not None and not self.is_shredded(key.key_id)}

    def is_shredded(self, key_id: UUID) -> bool:
        """Whether a key was destroyed on purpose."""
        return self._mark(key_id).exists()

    def shred(self, tenant_id: UUID, user_id: UUID) -> bool:
        """Destroy the key of a person for good; whether there was one. Durable when this returns."""
        path = self._path(tenant_id, user_id)
        try:
            key_id = UUID(bytes=path.read_bytes()[:ID_BYTES])
        except FileNotFoundError:
            return False
        _write_new(self._mark(key_id), b"")
        sync(self.folder)
        self._destroy(path, key_id)
        return True

    def _destroy(self, path: Path, key_id: UUID) -> None:
        """Overwrite what is secret in a file, and remove it; one process at a time, so that a newer key stays."""
        with FileLock(self.folder / ".lock", mode=0o600):
            with suppress(FileNotFoundError), path.open("r+b") as file:
                if file.read(ID_BYTES) != key_id.bytes:
                    return
                file.write(secrets.token_bytes(NONCE_BYTES + BYTES + _TAG_BYTES))
                file.flush()
                os.fsync(file.fileno())
            path.unlink(missing_ok=True)
            sync(self.folder)

    def _make(self, path: Path) -> None:
        key_id, nonce = secrets.token_bytes(ID_BYTES), secrets.token_bytes(NONCE_BYTES)
        wrapped = self._wrapping.encrypt(nonce, secrets.token_bytes(BYTES), path.stem.encode() + key_id)
        _write_new(path, key_id + nonce + wrapped)

    def _read(self, path: Path) -> PersonKey | None:
        try:
            content = path.read_bytes()
        except FileNotFoundError:
            return None
        key_id, nonce, wrapped = content[:ID_BYTES], content[ID_BYTES:][:NONCE_BYTES], content[ID_BYTES + NONCE_BYTES :]
        try:
            return PersonKey(UUID(bytes=key_id), self._wrapping.decrypt(nonce, wrapped, path.stem.encode() + key_id))
        except (InvalidTag, ValueError):
            if len(key_id) == ID_BYTES and self.is_shredded(UUID(bytes=key_id)):
                return PersonKey(UUID(bytes=key_id), b"")
            raise config_error(f"The key {path} was damaged.", "Bring it back from a copy of the keys.") from None

    def _check_master(self) -> None:
        check = self.folder / CHECK
        if not check.exists():
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            nonce = secrets.token_bytes(NONCE_BYTES)
            _write_new(check, nonce + self._wrapping.encrypt(nonce, b"", _CHECKING))
            sync(self.folder)
        content = check.read_bytes()
        try:
            self._wrapping.decrypt(content[:NONCE_BYTES], content[NONCE_BYTES:], _CHECKING)
        except (InvalidTag, ValueError):
            raise _wrong_master(f"The keys in {self.folder} belong to another master secret.") from None

    def _path(self, tenant_id: UUID, user_id: UUID) -> Path:
        return self.folder / f"{hmac.new(self._naming, tenant_id.bytes + user_id.bytes, sha256).hexdigest()}.key"

    def _mark(self, key_id: UUID) -> Path:
        return self.folder / f"{key_id.hex}.shredded"


def keys_folder(settings: Settings) -> Path:
    """Where the keys of this installation are, or will be."""
    return settings.keys_dir or settings.data_dir / "keys"


def open_person_keys(settings: Settings, make: bool) -> PersonKeys:
    """The keys of this installation. Raises ``E_CONFIG`` without their master secret, and without any unless made."""
    folder = keys_folder(settings)
    there = (folder / CHECK).exists()
    if not there and not make:
        raise config_error(
            f"There are no keys in {folder}, and without them this backup cannot be read.",
            "Bring back the folder of keys, or name it in BRAIN_KEYS_DIR.",
        )
    if there and settings.audit_secret is None and not (settings.data_dir / FILE).exists():
        raise _wrong_master(f"The master secret that wrapped the keys in {folder} is missing.")
    try:
        return PersonKeys(folder, load_master(settings))
    except OSError as error:
        raise _unusable(folder, error) from None


def sync(folder: Path) -> None:
    """Have what was created or removed in a folder survive the loss of power."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _unusable(folder: Path, error: OSError) -> BrainError:
    return config_error(f"The keys in {folder} cannot be used: {error.strerror}.", "Make that folder accessible.")


def _wrong_master(what: str) -> BrainError:
    return config_error(what, f"Bring back {FILE} in BRAIN_HOME, or set BRAIN_AUDIT_KEY.")


def _expand(master: bytes, name: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=BYTES, salt=None, info=name).derive(master)


def _write_new(path: Path, content: bytes) -> None:
    """Complete or not at all; of several writers the first one counts."""
    draft = path.with_name(f".{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        try:
            os.link(draft, path)
        except FileExistsError:
            return
    finally:
        draft.unlink(missing_ok=True)
