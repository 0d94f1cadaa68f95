"""What stays of a master secret after another took its place: the file ``audit.former`` of the data folder (mode 0600).

Pseudonyms have to stay what they were, or nobody would find what they name: the keys that make them go on, derived
from the first secret and no longer from the newest. Of each former secret the public key stays, which checks what it
signed. A secret that is being replaced is in the file until everything it locked is locked anew, and then gone.
"""

import json
import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Self

from brain.settings import Settings
from memory.errors import config_error

FILE = "audit.former"


@dataclass(frozen=True)
class FormerSecret:
    """Bytes, 32 each: the keys of pseudonyms, the public keys of all former secrets, the one that is being replaced."""

    naming: bytes = field(repr=False)
    person: bytes = field(repr=False)
    public_keys: tuple[bytes, ...]
    retiring: bytes | None = field(default=None, repr=False)

    @classmethod
    def load(cls, settings: Settings) -> Self | None:
        """Read the file; none where no secret was ever replaced. Raises ``E_CONFIG`` for a damaged one."""
        file = settings.data_dir / FILE
        try:
            told = json.loads(file.read_text("ascii"))
            retiring = told["retiring"] and bytes.fromhex(told["retiring"])
            public_keys = tuple(bytes.fromhex(each) for each in told["public_keys"])
            return cls(bytes.fromhex(told["naming"]), bytes.fromhex(told["person"]), public_keys, retiring)
        except FileNotFoundError:
            return None
        except (OSError, ValueError, KeyError, TypeError) as error:
            why = error.strerror if isinstance(error, OSError) else "it was damaged"
            raise config_error(f"{file} cannot be used: {why}.", "Bring it back from where copies are kept.") from None

    def save(self, settings: Settings) -> None:
        """Write the file, durably, in place of the one that is there."""
        told = {
            "naming": self.naming.hex(),
            "person": self.person.hex(),
            "public_keys": [each.hex() for each in self.public_keys],
            "retiring": self.retiring.hex() if self.retiring else None,
        }
        replace_secret(settings.data_dir / FILE, json.dumps(told, indent=1).encode() + b"\n")

    def finish(self, settings: Settings) -> None:
        """Let go of the secret that was replaced."""
        replace(self, retiring=None).save(settings)


def replace_secret(file: Path, content: bytes) -> None:
    """Put a content in place of a file's, complete or not at all; durable on return."""
    with secret_draft(file, content) as draft:
        draft.replace(file)
    sync_folder(file.parent)


@contextmanager
def secret_draft(file: Path, content: bytes) -> Generator[Path]:
    """A file beside another that holds the content durably, is its owner's alone, and is gone afterwards."""
    draft = file.with_name(f".{file.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as opened:
            opened.write(content)
            opened.flush()
            os.fsync(opened.fileno())
        yield draft
    finally:
        draft.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Have what was created or removed in a folder survive the loss of power."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
