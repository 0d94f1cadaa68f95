"""The SHA-256 by which a file is known again."""

from hashlib import file_digest
from pathlib import Path


def digest_file(path: Path) -> str:
    """Of all its bytes, in hexadecimal; however large it is, a piece at a time."""
    with path.open("rb") as source:
        return file_digest(source, "sha256").hexdigest()
