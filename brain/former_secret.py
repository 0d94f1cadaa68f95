"""What stays of a master secret after another took its place: the file ``audit.former`` of the data folder (mode 0600).

Pseudonyms have to stay what they were, or nobody would find what they name: the keys that make them go on, derived
from the first secret and no longer from the newest. Of each former secret the public key stays, which checks what it
signed. A secret that is being replaced is in the file until everything it locked is locked anew, and then gone.
"""

import json
from dataclasses import dataclass, field, replace
from typing import Self

from brain.secret_file import read_secret, replace_secret_file
from brain.settings import Settings
from memory.errors import config_error

FILE = "audit.former"
_RESTORE = "Bring it back from where copies are kept."


@dataclass(frozen=True)
class FormerSecret:
    """Bytes, 32 each: the keys of pseudonyms, the public keys of all former secrets, the one that is being replaced."""

    naming: bytes = field(repr=False)
    person: bytes = field(repr=False)
    public_keys: tuple[bytes, ...]
    retiring: bytes | None = field(default=None, repr=False)

    @classmethod
    def load(cls, settings: Settings) -> Self | None:
        """Read the file; none where no secret was ever replaced. Raises ``E_CONFIG`` for an unusable one."""
        file = settings.data_dir / FILE
        kept = read_secret(file, _RESTORE)
        if kept is None:
            return None
        try:
            told = json.loads(kept)
            retiring = told["retiring"] and bytes.fromhex(told["retiring"])
            public_keys = tuple(bytes.fromhex(each) for each in told["public_keys"])
            return cls(bytes.fromhex(told["naming"]), bytes.fromhex(told["person"]), public_keys, retiring)
        except (ValueError, KeyError, TypeError):
            raise config_error(f"{file} cannot be used: it was damaged.", _RESTORE) from None

    def save(self, settings: Settings) -> None:
        """Write the file, durably, in place of the one that is there."""
        told = {
            "naming": self.naming.hex(),
            "person": self.person.hex(),
            "public_keys": [each.hex() for each in self.public_keys],
            "retiring": self.retiring.hex() if self.retiring else None,
        }
        replace_secret_file(settings.data_dir / FILE, json.dumps(told, indent=1))

    def finish(self, settings: Settings) -> None:
        """Let go of the secret that was replaced."""
        replace(self, retiring=None).save(settings)
