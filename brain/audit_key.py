"""The secret behind the audit chain: kept outside the database, so that who can change rows cannot sign them.

One master secret of 32 bytes comes from ``BRAIN_AUDIT_KEY`` or from the file ``audit.key`` (mode 0600) in the data
folder, which first use makes. Every key is derived from it with HKDF-SHA256 under a name of its own. Keep a copy of it
apart from the database and its backups: without it a chain can still be verified, but no longer be continued under the
same public key.
"""

import hmac
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Self
from uuid import UUID

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from brain.secret_file import make_secret_file
from brain.settings import Settings
from memory.errors import config_error

FILE = "audit.key"
BYTES = 32
_SIGNING, _PERSON, _SEAL = b"brain audit signing key 1", b"brain audit person hash 1", b"brain audit seal 1"
_NONCE_BYTES = 12


@dataclass(frozen=True)
class AuditKey:
    """What is derived from one master secret: a signing key, and a keyed hash of persons."""

    _signing: Ed25519PrivateKey = field(repr=False)
    _person: bytes = field(repr=False)
    _seal: AESGCM = field(repr=False)

    @classmethod
    def derive(cls, master: bytes) -> Self:
        """The keys of a master secret of 32 bytes; the same ones every time."""
        signing = Ed25519PrivateKey.from_private_bytes(_expand(master, _SIGNING))
        return cls(signing, _expand(master, _PERSON), AESGCM(_expand(master, _SEAL)))

    @property
    def public_key(self) -> bytes:
        """The Ed25519 public key, 32 bytes: what a stranger needs in order to check a signature."""
        return self._signing.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    def sign(self, message: bytes) -> bytes:
        """The Ed25519 signature of a message, 64 bytes."""
        return self._signing.sign(message)

    def seal(self, text: bytes, about: bytes) -> bytes:
        """The text encrypted (AES-256-GCM, the nonce first), bound to what it is about."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._seal.encrypt(nonce, text, about)

    def unseal(self, sealed: bytes, about: bytes) -> bytes:
        """The text again. Raises ``InvalidTag`` for another key, another thing or changed bytes."""
        return self._seal.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], about)

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
            make_secret_file(file, secrets.token_bytes(BYTES).hex())
        secret = bytes.fromhex(file.read_text("ascii").strip())
    except (OSError, ValueError) as error:
        raise config_error(
            f"The audit key {file} cannot be used: {error}", "Restore it, or set BRAIN_AUDIT_KEY."
        ) from None
    if len(secret) != BYTES:
        raise config_error(f"The audit key {file} does not have {BYTES} bytes.", "Restore it, or set BRAIN_AUDIT_KEY.")
    return secret
