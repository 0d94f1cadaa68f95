"""The secret behind the audit chain: kept outside the database, so that who can change rows cannot sign them.

One master secret of 32 bytes comes from ``BRAIN_AUDIT_KEY`` or from the file ``audit.key`` (mode 0600) in the data
folder, which first use makes. Every key is derived from it with HKDF-SHA256 under a name of its own. Keep a copy of it
apart from the database and its backups: without it a chain can still be verified, but no longer be continued under the
same public key. Another can take its place (``brain.master_rotation``); what stays of the former one is in
``brain.former_secret``.
"""

import hmac
import secrets
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Self
from uuid import UUID

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from brain.file_errors import translate_file_errors
from brain.former_secret import FormerSecret
from brain.secret_file import make_secret_file, read_secret
from brain.settings import Settings
from memory.errors import config_error

FILE = "audit.key"
BYTES = 32
PERSON = b"brain audit person hash 1"
_SIGNING, _SEAL = b"brain audit signing key 1", b"brain audit seal 1"
_NONCE_BYTES = 12
_RESTORE = "Restore it, or set BRAIN_AUDIT_KEY."


@dataclass(frozen=True)
class AuditKey:
    """What is derived from one master secret: a signing key, and a keyed hash of persons."""

    _signing: Ed25519PrivateKey = field(repr=False)
    _person: bytes = field(repr=False)
    _seal: AESGCM = field(repr=False)
    _retiring: "AuditKey | None" = field(default=None, repr=False)
    former_public_keys: tuple[bytes, ...] = field(default=(), repr=False)

    @classmethod
    def derive(cls, master: bytes, former: FormerSecret | None = None) -> Self:
        """The keys of a master secret of 32 bytes, the same ones every time, and what stays of those before it."""
        signing, seal = Ed25519PrivateKey.from_private_bytes(expand(master, _SIGNING)), AESGCM(expand(master, _SEAL))
        if former is None:
            return cls(signing, expand(master, PERSON), seal)
        retiring = cls.derive(former.retiring) if former.retiring and former.retiring != master else None
        return cls(signing, former.person, seal, retiring, former.public_keys)

    @property
    def public_key(self) -> bytes:
        """The Ed25519 public key, 32 bytes: what a stranger needs in order to check a signature."""
        return self._signing.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)

    @property
    def public_keys(self) -> frozenset[bytes]:
        """This public key and those of all former secrets: what may have signed a chain that goes on."""
        return frozenset((self.public_key, *self.former_public_keys))

    @property
    def signers(self) -> frozenset[bytes]:
        """The public keys of what is signed anew when a secret is replaced: of this one, and of one being replaced."""
        return frozenset(each.public_key for each in (self, self._retiring) if each)

    def sign(self, message: bytes) -> bytes:
        """The Ed25519 signature of a message, 64 bytes."""
        return self._signing.sign(message)

    def seal(self, text: bytes, about: bytes) -> bytes:
        """The text encrypted (AES-256-GCM, the nonce first), bound to what it is about."""
        nonce = secrets.token_bytes(_NONCE_BYTES)
        return nonce + self._seal.encrypt(nonce, text, about)

    def unseal(self, sealed: bytes, about: bytes) -> bytes:
        """The text again. Raises ``InvalidTag`` for another key, another thing or changed bytes."""
        try:
            return self._seal.decrypt(sealed[:_NONCE_BYTES], sealed[_NONCE_BYTES:], about)
        except InvalidTag:
            if self._retiring is None:
                raise
            return self._retiring.unseal(sealed, about)

    def person_hash(self, tenant_id: UUID, user_id: UUID) -> str:
        """A pseudonym of a person, 64 hexadecimal digits (HMAC-SHA256), which nobody can compute without the secret."""
        return hmac.new(self._person, tenant_id.bytes + user_id.bytes, sha256).hexdigest()


def load_audit_key(settings: Settings) -> AuditKey:
    """The keys of this installation; the file is made if there is neither setting nor file. Raises ``E_CONFIG``."""
    return AuditKey.derive(load_master(settings), FormerSecret.load(settings))


def load_master(settings: Settings) -> bytes:
    """The master secret, 32 bytes; the file is made if there is neither setting nor file. Raises ``E_CONFIG``."""
    return settings.audit_secret or _read_or_make(settings.data_dir / FILE)


def person_hash(settings: Settings, tenant_id: UUID, user_id: UUID) -> str:
    """The pseudonym of a person under the key of this installation."""
    return load_audit_key(settings).person_hash(tenant_id, user_id)


def expand(master: bytes, name: bytes) -> bytes:
    """A key of 32 bytes for one purpose."""
    return HKDF(algorithm=SHA256(), length=BYTES, salt=None, info=name).derive(master)


def _read_or_make(file: Path) -> bytes:
    kept = read_secret(file, _RESTORE)
    if kept is None:
        with translate_file_errors(file, _RESTORE):
            make_secret_file(file, new_secret())
        kept = read_secret(file, _RESTORE) or b""
    try:
        secret = bytes.fromhex(kept.decode("ascii").strip())
    except ValueError as error:
        raise config_error(f"The audit key {file} cannot be used: {error}", _RESTORE) from None
    if len(secret) != BYTES:
        raise config_error(f"The audit key {file} does not have {BYTES} bytes.", _RESTORE)
    return secret


def new_secret() -> str:
    """What a file of a master secret holds: 32 random bytes in hexadecimal digits."""
    return secrets.token_bytes(BYTES).hex()
