"""A key for each person, outside the database and its backups: destroying it makes that person unreadable in all of
them.

The folder ``keys`` of the data folder has a file for each person, named by a pseudonym (HMAC-SHA256): 16 bytes of key
id, a nonce, and 32 random bytes sealed with AES-256-GCM under the master secret. Where another master secret takes the
place of the former one, each file is sealed anew and keeps its name. A key that was destroyed leaves its
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
from filelock import FileLock

from brain.audit_key import FILE, expand, load_master
from brain.file_errors import translate_file_errors
from brain.former_secret import FILE as FORMER
from brain.former_secret import FormerSecret
from brain.secret_file import is_there, read_secret, replace_secret, secret_draft, sync_folder
from brain.settings import Settings
from memory.errors import BrainError, config_error

NOBODY = UUID(int=0)
"""Stands for the person where rows belong to a whole tenant, and for the tenant where they belong to none."""
BYTES, ID_BYTES, NONCE_BYTES = 32, 16, 12
_TAG_BYTES = 16
CHECK = "master.check"
"""What only the right master secret opens, so that a wrong one makes no second key for anybody."""
WRAPPING, NAMING = b"brain person keys wrapping 1", b"brain person keys naming 1"
_CHECKING = b"brain person keys 1"
_ACCESSIBLE = "Make the folder of keys accessible, or bring it back from its copy."


@dataclass(frozen=True)
class PersonKey:
    """A person's key: an id that says nothing of whose it is, and 32 bytes."""

    key_id: UUID
    secret: bytes = field(repr=False)


class PersonKeys:
    """The keys of one installation in their folder. Threads and processes may share it."""

    def __init__(self, folder: Path, master: bytes, former: FormerSecret | None = None) -> None:
        """Raises ``E_CONFIG`` for a folder whose keys another master secret wrapped or named."""
        self.folder = folder
        self._wrapping = AESGCM(expand(master, WRAPPING))
        self._retiring = AESGCM(expand(former.retiring, WRAPPING)) if former and former.retiring else None
        self._naming = former.naming if former else expand(master, NAMING)
        self._names = sha256(self._naming).digest() if former else b""
        self._check_master()

    def fetch(self, tenant_id: UUID, user_id: UUID) -> PersonKey:
        """The key of a person, made if there is none; after a destroyed one a new one."""
        with translate_file_errors(self.folder, _ACCESSIBLE):
            return self._fetch(self._path(tenant_id, user_id))

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
        if (content := read_secret(path, _ACCESSIBLE)) is None:
            return False
        key_id = UUID(bytes=content[:ID_BYTES])
        with translate_file_errors(self.folder, _ACCESSIBLE):
            _write_new(self._mark(key_id), b"")
            sync_folder(self.folder)
            self._destroy(path, key_id)
        return True

    def seal_anew(self) -> int:
        """Seal every key under the newest master secret; how many those are."""
        with self._lock():
            files = sorted(self.folder.glob("*.key"))
            for path in files:
                if (key := self._read(path)) is not None and key.secret:
                    replace_secret(path, self._wrapped(path, key.key_id.bytes, key.secret))
            replace_secret(self.folder / CHECK, self._seal(self._names, _CHECKING))
        return len(files)

    def _destroy(self, path: Path, key_id: UUID) -> None:
        """Overwrite what is secret in a file, and remove it; one process at a time, so that a newer key stays."""
        with self._lock():
            with suppress(FileNotFoundError), path.open("r+b") as file:
                if file.read(ID_BYTES) != key_id.bytes:
                    return
                file.write(secrets.token_bytes(NONCE_BYTES + BYTES + _TAG_BYTES))
                file.flush()
                os.fsync(file.fileno())
            path.unlink(missing_ok=True)
            sync_folder(self.folder)

    def _make(self, path: Path) -> None:
        """Raises ``E_CONFIG`` where another master secret has taken the place of this one in the meantime."""
        with self._lock():
            self._check_master()
            _write_new(path, self._wrapped(path, secrets.token_bytes(ID_BYTES), secrets.token_bytes(BYTES)))

    def _lock(self) -> FileLock:
        return FileLock(self.folder / ".lock", mode=0o600, is_singleton=True)

    def _wrapped(self, path: Path, key_id: bytes, secret: bytes) -> bytes:
        return key_id + self._seal(secret, path.stem.encode() + key_id)

    def _seal(self, secret: bytes, about: bytes) -> bytes:
        nonce = secrets.token_bytes(NONCE_BYTES)
        return nonce + self._wrapping.encrypt(nonce, secret, about)

    def _unseal(self, sealed: bytes, about: bytes) -> bytes:
        """Raises ``InvalidTag`` or ``ValueError`` for what neither master secret sealed."""
        nonce, wrapped = sealed[:NONCE_BYTES], sealed[NONCE_BYTES:]
        try:
            return self._wrapping.decrypt(nonce, wrapped, about)
        except InvalidTag:
            if self._retiring is None:
                raise
            return self._retiring.decrypt(nonce, wrapped, about)

    def _read(self, path: Path) -> PersonKey | None:
        if (content := read_secret(path, _ACCESSIBLE)) is None:
            return None
        key_id, sealed = content[:ID_BYTES], content[ID_BYTES:]
        try:
            return PersonKey(UUID(bytes=key_id), self._unseal(sealed, path.stem.encode() + key_id))
        except (InvalidTag, ValueError):
            if len(key_id) == ID_BYTES and self.is_shredded(UUID(bytes=key_id)):
                return PersonKey(UUID(bytes=key_id), b"")
            raise config_error(f"The key {path} was damaged.", "Bring it back from a copy of the keys.") from None

    def _check_master(self) -> None:
        check = self.folder / CHECK
        if (sealed := read_secret(check, _ACCESSIBLE)) is None:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            _write_new(check, self._seal(self._names, _CHECKING))
            sync_folder(self.folder)
            sealed = read_secret(check, _ACCESSIBLE) or b""
        try:
            names = self._unseal(sealed, _CHECKING)
        except (InvalidTag, ValueError):
            raise _wrong_master(f"The keys in {self.folder} belong to another master secret.") from None
        if names not in (self._names, b"" if self._retiring else self._names):
            raise config_error(f"The keys in {self.folder} have other names.", f"Bring back {FORMER} in BRAIN_HOME.")

    def _path(self, tenant_id: UUID, user_id: UUID) -> Path:
        return self.folder / f"{hmac.new(self._naming, tenant_id.bytes + user_id.bytes, sha256).hexdigest()}.key"

    def _mark(self, key_id: UUID) -> Path:
        return self.folder / f"{key_id.hex}.shredded"


def keys_folder(settings: Settings) -> Path:
    """Where the keys of this installation are, or will be."""
    return settings.keys_dir or settings.data_dir / "keys"


def has_keys(settings: Settings) -> bool:
    """Whether there are keys of persons, readable or not."""
    return is_there(keys_folder(settings) / CHECK)


def open_person_keys(settings: Settings, make: bool) -> PersonKeys:
    """The keys of this installation. Raises ``E_CONFIG`` without their master secret, and without any unless made."""
    folder = keys_folder(settings)
    there = has_keys(settings)
    if not there and not make:
        raise config_error(
            f"There are no keys in {folder}, and without them this backup cannot be read.",
            "Bring back the folder of keys, or name it in BRAIN_KEYS_DIR.",
        )
    if there and settings.audit_secret is None and not is_there(settings.data_dir / FILE):
        raise _wrong_master(f"The master secret that wrapped the keys in {folder} is missing.")
    with translate_file_errors(folder, _ACCESSIBLE):
        return PersonKeys(folder, load_master(settings), FormerSecret.load(settings))


def _wrong_master(what: str) -> BrainError:
    return config_error(what, f"Bring back {FILE} in BRAIN_HOME, or set BRAIN_AUDIT_KEY.")


def _write_new(path: Path, content: bytes) -> None:
    """Complete or not at all; of several writers the first one counts."""
    with secret_draft(path, content) as draft, suppress(FileExistsError):
        os.link(draft, path)
