"""Secrets of an installation that are kept in a file of its home, for its own user alone."""

import os
import secrets
from pathlib import Path


def make_secret_file(file: Path, text: str) -> None:
    """Complete or not at all, and once: of several processes that begin at the same time one makes it for all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    draft = file.with_name(f"{file.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as opened:
            opened.write(text + "\n")
            opened.flush()
            os.fsync(opened.fileno())
        try:
            os.link(draft, file)
        except FileExistsError:
            return
    finally:
        draft.unlink(missing_ok=True)
