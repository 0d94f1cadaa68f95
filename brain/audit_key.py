"""The secret behind the audit chain: kept outside the database, so that who can change rows cannot sign them.

One master secret of 32 bytes comes from ``BRAIN_AUDIT_KEY`` or from the file ``audit.key`` (mode 0600) in the data
folder, which first use makes. Every key is derived from it with HKDF-SHA256 under a name of its own. Keep a copy of it
apart from the database and its backups: without it a chain can still be verified, but no longer be continued under the
same public key.
"""

import hmac
import os
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Self
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from brain.settings import Settings
from memory.errors import config_error

FILE = "audit.key"
BYTES = 32
_SIGNING, _PERSON = b"brain audit signing key 1", b"brain audit person hash 1"


@dataclass(frozen=True)
class AuditKey:
    """What is derived from one master secret: a signing key, and a keyed hash of persons."""

    _signing: Ed25519PrivateKey = field(repr=False)
    _person: bytes = field(repr=False)

    @classmethod
    def derive(cls, master: bytes) -> Self:
        """The keys of a master secret of 32 bytes; the same ones every time."""
        return cls(Ed25519PrivateKey.from_private_bytes(_expand(master, _SIGNING)), _expand(master, _PERSON))

    @property
    def public_key(self) -> bytes:
        """The Ed25519 public key, 32 bytes: what a stranger needs in order to check a signature."""
        return self._signing.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, message: bytes) -> bytes:
        """The Ed25519 signature of a message, 64 bytes."""
        return self._signing.sign(message)

    def person_hash(self, tenant_id: UUID, user_id: UUID) -> str:
        """A pseudonym of a person, 64 hexadecimal digits (HMAC-SHA256), which nobody can compute without the secret."""
        return hmac.new(self._person, tenant_id.bytes + user_id.bytes, sha256).hexdigest()


def load_audit_key(settings: Settings) -> AuditKey:
    """The keys of this installation; the file is made if there is neither setting nor file. Raises ``E_CONFIG``."""
    return AuditKey.derive(load_master(settings))


def load_master(settings: Settings) -> bytes:
    """The master secret, 32 bytes; the file is made if there is neither setting nor file. Raises ``E_CONFIG``."""
    return settings.audit_secret or _read_or_make(settings.data_dir / FILE)


def person_hash(settings: Settings, tenant_id: UUID, user_id: UUID) -> str:
    """The pseudonym of a person under the key of this installation."""
    return load_audit_key(settings).person_hash(tenant_id, user_id)


def _expand(master: bytes, name: bytes) -> bytes:
    return HKDF(algorithm=SHA256(), length=BYTES, salt=None, info=name).derive(master)


def _read_or_make(file: Path) -> bytes:
    try:
        if not file.exists():
            _make(file)
        secret = bytes.fromhex(file.read_text("ascii").strip())
    except (OSError, ValueError) as error:
        raise config_error(
            f"The audit key {file} cannot be used: {error}", "Restore it, or set BRAIN_AUDIT_KEY."
        ) from None
    if len(secret) != BYTES:
        raise config_error(f"The audit key {file} does not have {BYTES} bytes.", "Restore it, or set BRAIN_AUDIT_KEY.")
    return secret


def _make(file: Path) -> None:
    """Complete or not at all, and once: of several processes that begin at the same time one makes it for all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{FILE}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(secrets.token_bytes(BYTES).hex() + "\n")
            opened.flush()
            os.fsync(opened.fileno())
        try:
            os.link(draft, file)
        except FileExistsError:
            return
    finally:
        draft.unlink(missing_ok=True)
