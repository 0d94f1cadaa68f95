"""``/attach FILE [WORDS]``: a file of this machine as a block of a message."""

from base64 import b64encode
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from memory.errors import bad_request

_QUOTES = "\"'"


@dataclass(frozen=True)
class Attachment:
    """What is said beside a file, which may be nothing, and the file's content block."""

    words: str
    block: dict[str, Any]


def read_attachment(typed: str, most: int) -> Attachment:
    """The file that was typed; a path with spaces stands in quotes. Raises ``E_BAD_REQUEST``."""
    path, words = _split_path(typed)
    file = Path(path).expanduser()
    try:
        if not file.is_file():
            raise bad_request(f"There is no file {path!r}.", "Put a path with spaces in quotes.")
        if (size := file.stat().st_size) > most:
            raise bad_request(f"{path!r} has {size:,} bytes; BRAIN_MEDIA_BYTES allows {most:,}.")
        data = file.read_bytes()
    except OSError as error:
        raise bad_request(f"{path!r} cannot be read: {error.strerror or 'no such path'}.") from None
    block = {"type": "file", "base64": b64encode(data).decode("ascii"), "filename": file.name}
    return Attachment(words, block)


def _split_path(typed: str) -> tuple[str, str]:
    if typed[:1] in _QUOTES and (end := typed.find(typed[0], 1)) > 0:
        return typed[1:end], typed[end + 1 :].strip()
    path, _, words = typed.partition(" ")
    return path, words.strip()
