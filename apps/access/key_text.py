"""The text of an API key: shown once when it is made, afterwards known by its hash alone."""

import secrets
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error
from hashlib import sha256
from uuid import UUID

PREFIX = "brain_"
_TENANT_BYTES, _SECRET_BYTES = 16, 32
_LENGTH = len(PREFIX) + (_TENANT_BYTES + _SECRET_BYTES) * 4 // 3


def make_key_text(tenant_id: UUID) -> str:
    """A new key: the tenant's id, by which it is looked up, and 256 random bits, in URL-safe Base64."""
    return PREFIX + urlsafe_b64encode(tenant_id.bytes + secrets.token_bytes(_SECRET_BYTES)).decode()


def is_key_text(text: str) -> bool:
    """Whether somebody means this to be a key of Brain's."""
    return text.startswith(PREFIX)


def tenant_of_key(text: str) -> UUID | None:
    """The tenant that a key names; None for a text that is no key. Proves nothing: the hash does."""
    if len(text) != _LENGTH or not is_key_text(text) or not text.isascii():
        return None
    try:
        return UUID(bytes=urlsafe_b64decode(text.removeprefix(PREFIX))[:_TENANT_BYTES])
    except (Error, ValueError):
        return None


def hash_key(text: str) -> str:
    """SHA-256 in hexadecimal. A key is random, so nothing slower is needed against guessing."""
    return sha256(text.encode()).hexdigest()
