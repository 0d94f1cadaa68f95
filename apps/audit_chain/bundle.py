"""Writes a tenant's chain into one file that ``verifier/verify_bundle.py`` checks without Brain."""

import os
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import BinaryIO

from apps.audit_chain.verification import chain_entries
from brain.audit_key import AuditKey
from memory.postgres.chain_reader import ChainReader
from verifier.verify_bundle import FORMAT, Entry, bundle_message, canonical


class BundleWriter:
    """Writes entries, and at the end a signature over every byte before it."""

    def __init__(self, file: BinaryIO) -> None:
        self._file, self._digest = file, sha256()

    def write(self, entry: Entry) -> None:
        """One line."""
        line = canonical(entry)
        self._digest.update(line)
        self._file.write(line)

    def sign(self, key: AuditKey) -> None:
        """The last line."""
        digest = self._digest.digest()
        signature = key.sign(bundle_message(digest))
        entry = {"sha256": digest.hex(), "signature": signature.hex(), "public_key": key.public_key.hex()}
        self._file.write(canonical({"type": "signature", **entry}))


async def export_bundle(reader: ChainReader, key: AuditKey, file: Path, at: datetime) -> int:
    """Write the whole chain as it stands, and return how many links it has; the file is whole or not there.

    It holds what was attested in clear, so that only its owner may read it (mode 0600). Nothing is verified here.
    """
    draft = file.with_name(f"{file.name}.partial")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as opened:
            links = await _write(reader, BundleWriter(opened), key, at)
        draft.replace(file)
    finally:
        draft.unlink(missing_ok=True)
    return links


async def _write(reader: ChainReader, writer: BundleWriter, key: AuditKey, at: datetime) -> int:
    counts = await reader.counts()
    writer.write(
        {
            "type": "header",
            "format": FORMAT,
            "tenant_id": str(reader.tenant_id),
            "exported_at": at.isoformat(),
            "unattested": counts.unattested,
        }
    )
    links = 0
    async for entry in chain_entries(reader):
        writer.write(entry)
        links += entry["type"] == "link"
    writer.sign(key)
    return links
