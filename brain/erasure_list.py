"""The list of erasures outside the database: what a database restored from an older copy has to erase again.

An append-only file of JSON lines, one file per installation. Each line is signed and names the hash of the line before;
whom it is about is encrypted. Every start compares it with the database: an erasure that only the list knows is asked
for again before anything is served, and where the database knows one that the list does not, the list is missing or
too old, and Brain does not serve.
"""

import asyncio
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from pathlib import Path
from typing import Any
from uuid import UUID

import structlog
from cryptography.exceptions import InvalidSignature, InvalidTag
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from filelock import FileLock

from brain.audit_key import AuditKey, load_audit_key
from brain.file_errors import translate_file_errors
from brain.secret_file import is_there, read_secret, replace_secret
from brain.settings import Settings
from memory.erasure import ErasureRequest, Erasures, LegalProfile
from memory.errors import BrainError, config_error
from memory.postgres.database import Database, PoolLimits
from memory.postgres.erasures import PostgresErasures
from memory.postgres.failures import MovedError

log = structlog.get_logger(__name__)

FOLDER = "erasures"
FIRST = "0" * 64
"""What the first line names as the one before it."""
PATIENCE = 10.0
"""Seconds for the file's lock."""


@dataclass(frozen=True)
class ErasureList:
    """One file, and the key by which its lines are signed and sealed."""

    file: Path
    key: AuditKey

    def read(self) -> list[ErasureRequest]:
        """Every erasure in it. Raises ``E_CONFIG`` for a file that was changed."""
        return [self._open(told) for told in self._lines()]

    def append(self, asked: ErasureRequest) -> None:
        """Add an erasure, durably; one that is there already adds nothing. Raises ``E_CONFIG`` or ``E_DEP_*``."""
        with translate_file_errors(self.file, _RESTORE):
            self.file.parent.mkdir(parents=True, exist_ok=True)
            with FileLock(self.file.with_suffix(".lock"), timeout=PATIENCE, mode=0o600):
                lines = self._lines()
                if all(told["tombstone_id"] != str(asked.tombstone_id) for told in lines):
                    self._write(self._line(asked, lines[-1] if lines else None))

    def sign_anew(self) -> None:
        """Seal and sign every line under the newest secret; a list that is so already stays what it says."""
        with FileLock(self.file.with_suffix(".lock"), timeout=PATIENCE, mode=0o600):
            text, before = "", None
            for told in self._lines():
                line = self._line(self._open(told), before)
                text, before = text + line + "\n", json.loads(line)
            replace_secret(self.file, text.encode())

    def _line(self, asked: ErasureRequest, before: Mapping[str, Any] | None) -> str:
        person = {"user_id": str(asked.user_id), "user_name": asked.user_name, "scope": asked.scope}
        told = {
            "previous": _digest(before) if before else FIRST,
            "tombstone_id": str(asked.tombstone_id),
            "tenant_id": str(asked.tenant_id),
            "person_hash": asked.person_hash,
            "person": b64encode(self.key.seal(_canonical(person), asked.tombstone_id.bytes)).decode(),
            "requested_by": asked.requested_by,
            "requested_at": asked.requested_at.isoformat(),
        }
        return json.dumps(told | {"signature": b64encode(self.key.sign(_canonical(told))).decode()})

    def _write(self, line: str) -> None:
        with os.fdopen(os.open(self.file, os.O_RDWR | os.O_CREAT, 0o600), "r+b") as opened:
            whole = opened.read().rfind(b"\n") + 1
            opened.truncate(whole)  # behind it is the beginning of a line that a crash or a full disk cut off
            opened.seek(whole)
            opened.write(f"{line}\n".encode())
            opened.flush()
            os.fsync(opened.fileno())

    def _lines(self) -> list[dict[str, Any]]:
        text = (read_secret(self.file, _RESTORE) or b"").decode(errors="replace")
        whole = text.splitlines() if text.endswith("\n") else text.splitlines()[:-1]  # a line cut off by a crash
        lines, before = list[dict[str, Any]](), FIRST
        for number, line in enumerate(whole, 1):
            told = self._checked(line, before, number)
            before = _digest(told)
            lines.append(told)
        return lines

    def _checked(self, line: str, before: str, number: int) -> dict[str, Any]:
        try:
            told: dict[str, Any] = json.loads(line)
            signature = b64decode(told["signature"], validate=True)
            unsigned = {name: value for name, value in told.items() if name != "signature"}
            _require_signed(self.key, signature, _canonical(unsigned))
            if told["previous"] != before:
                raise ValueError("out of order")
        except (ValueError, KeyError, TypeError, AttributeError, InvalidSignature):
            raise config_error(
                f"Line {number} of {self.file} was changed, moved or signed with another key.", _RESTORE
            ) from None
        return told

    def _open(self, told: Mapping[str, Any]) -> ErasureRequest:
        tombstone_id = UUID(told["tombstone_id"])
        try:
            person = json.loads(self.key.unseal(b64decode(told["person"]), tombstone_id.bytes))
        except InvalidTag:
            raise config_error(f"{self.file} is sealed with another key.", _RESTORE) from None
        return ErasureRequest(
            tenant_id=UUID(told["tenant_id"]),
            tombstone_id=tombstone_id,
            user_id=UUID(person["user_id"]),
            user_name=person["user_name"],
            person_hash=told["person_hash"],
            scope=person["scope"],
            requested_by=told["requested_by"],
            requested_at=datetime.fromisoformat(told["requested_at"]),
            profile=LegalProfile(),
        )


_RESTORE = "Put the file back from where copies of it are kept, beside the audit key."


async def erasure_list(settings: Settings, erasures: Erasures) -> ErasureList:
    """The list of this installation. Raises ``E_CONFIG`` where there is no usable key."""
    file = await find_list_file(settings, erasures)
    return ErasureList(file, await asyncio.to_thread(load_audit_key, settings))


async def find_list_file(settings: Settings, erasures: Erasures) -> Path:
    """Where the list is, whether or not it was begun."""
    folder = settings.erasures_folder or settings.data_dir / FOLDER
    return folder / f"{await erasures.installation_id()}.jsonl"


async def replay_erasures(app_url: str, settings: Settings) -> int:
    """Ask again for what only the list knows; how many erasures that were.

    Raises ``E_CONFIG`` for a list that was changed, is missing or too old.
    """
    async with Database(app_url, PoolLimits(connections=1)) as database:
        erasures = PostgresErasures(database)
        known = await erasures.list_known()
        if not known and not is_there(await find_list_file(settings, erasures)):
            return 0
        kept = await erasure_list(settings, erasures)
        listed = await asyncio.to_thread(kept.read)
        _require_all(known, listed, kept.file)
        missing = _without(listed, known)
        return sum([await _ask_again(erasures, asked) for asked in missing])


async def _ask_again(erasures: PostgresErasures, asked: ErasureRequest) -> bool:
    try:
        await erasures.request(asked)
        await erasures.note_listed(asked.tenant_id, asked.tombstone_id)
        log.warning("erasure_replayed", tombstone_id=str(asked.tombstone_id), why="the database is older than it")
        return True
    except MovedError:
        return False  # the list is of all cells; the one in which the tenant lives erases
    except BrainError as error:
        if error.code != "E_CONFLICT":
            raise
        log.error("erasure_not_replayed", tombstone_id=str(asked.tombstone_id), why="a legal hold is placed")
        return False


def _require_all(known: Mapping[UUID, bool], listed: Sequence[ErasureRequest], file: Path) -> None:
    ids = {asked.tombstone_id for asked in listed}
    lost = [each for each, was_listed in known.items() if was_listed and each not in ids]
    if lost:
        raise config_error(
            f"{file} is missing or too old: the database knows {len(lost)} erasures that are not in it.",
            f"{_RESTORE} BRAIN_ERASURES_FOLDER names where it is.",
        )


def _without(listed: Iterable[ErasureRequest], known: Mapping[UUID, bool]) -> list[ErasureRequest]:
    return [asked for asked in listed if asked.tombstone_id not in known]


def _require_signed(key: AuditKey, signature: bytes, message: bytes) -> None:
    for signer in key.signers:
        with suppress(InvalidSignature):
            return Ed25519PublicKey.from_public_bytes(signer).verify(signature, message)
    raise InvalidSignature


def _canonical(told: Mapping[str, Any]) -> bytes:
    return json.dumps(told, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()


def _digest(told: Mapping[str, Any]) -> str:
    return sha256(_canonical(told)).hexdigest()
