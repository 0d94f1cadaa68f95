"""What proves that somebody was erased: kinds, counts and times, signed, without a word of what it was."""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

from brain.audit_key import AuditKey
from memory.erasure import Tombstone

VERSION = 1


def make_certificate(
    tombstone: Tombstone, key: AuditKey, completed_at: datetime, kept: Mapping[str, str]
) -> dict[str, Any]:
    """The certificate of an erasure whose rows are gone. ``kept``: what is still somewhere, and until when or why."""
    told: dict[str, Any] = {
        "version": VERSION,
        "tombstone_id": str(tombstone.tombstone_id),
        "tenant_id": str(tombstone.tenant_id),
        "person_hash": tombstone.person_hash,
        "extent": "one compartment" if tombstone.scope else "everything",
        "requested_at": tombstone.requested_at.isoformat(),
        "requested_by": tombstone.requested_by,
        "due_at": tombstone.due_at.isoformat(),
        "completed_at": completed_at.isoformat(),
        "erased": dict(sorted(tombstone.erased.items())),
        "residue": 0,
        "kept": dict(kept),
        "public_key": b64encode(key.public_key).decode(),
    }
    return told | {"signature": b64encode(key.sign(_signed_bytes(told))).decode()}


def is_genuine(certificate: Mapping[str, Any], public_key: bytes) -> bool:
    """Whether the certificate is as it was signed, by the owner of this public key (32 bytes of Ed25519)."""
    told = {name: value for name, value in certificate.items() if name != "signature"}
    try:
        signature = b64decode(str(certificate.get("signature", "")), validate=True)
        Ed25519PublicKey.from_public_bytes(public_key).verify(signature, _signed_bytes(told))
    except (InvalidSignature, ValueError):
        return False
    return told.get("public_key") == b64encode(public_key).decode()


def _signed_bytes(told: Mapping[str, Any]) -> bytes:
    """Canonical JSON: keys in order, no spaces, UTF-8."""
    return json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
