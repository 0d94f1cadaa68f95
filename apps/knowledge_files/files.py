"""The files that an import reads, each as a whole and within bounds; none of them is trusted."""

import os
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from memory.errors import BrainError, bad_request

MAX_FILE_BYTES = 20_000_000
MAX_FILES = 20_000
SUFFIXES = frozenset({".md", ".markdown", ".csv", ".jsonl", ".ndjson"})
KINDS = "Markdown (.md), CSV (.csv) and JSON Lines (.jsonl)"


@dataclass(frozen=True)
class KnowledgeFile:
    """A file by its name inside the folder, or its own name where it was named itself."""

    path: Path
    name: str
    is_misnamed: bool = False
    """Whether its name could not be stored, or would write to a terminal as it likes."""

    @property
    def suffix(self) -> str:
        """What it is."""
        return self.path.suffix.lower()

    @property
    def bytes(self) -> int:
        """How long it is; 0 for what is no file any more."""
        try:
            return self.path.stat().st_size
        except OSError:
            return 0

    def read_text(self) -> str:
        """All of it. Raises ``E_BAD_REQUEST`` for what is too large, no plain file, no text, or badly named."""
        if self.is_misnamed:
            raise bad_request("Its name or folder holds characters that are no text.", "Rename it.")
        try:
            handle = os.open(self.path, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            raise bad_request(f"It cannot be read: {error.strerror}.", "Put a plain file in its place.") from None
        with os.fdopen(handle, "rb") as file:
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise bad_request("It is no plain file.", "Put a plain file in its place.")
            held = file.read(MAX_FILE_BYTES + 1)
        if len(held) > MAX_FILE_BYTES:
            raise bad_request(f"It is longer than {MAX_FILE_BYTES:,} bytes.", "Split it.")
        try:
            return held.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise bad_request(f"It is not valid UTF-8 (at byte {error.start:,}).", "Save it as UTF-8.") from None


def find_files(place: Path) -> list[KnowledgeFile]:
    """A file, or the files below a folder in order, hidden ones and links aside. Raises ``E_BAD_REQUEST`` for none."""
    if place.is_file() and place.suffix.lower() in SUFFIXES:
        return [_file(place, place.name)]
    if not place.is_dir():
        raise bad_request(f"{place} is no folder and none of {KINDS}.", "Name a folder or such a file.")
    found: list[KnowledgeFile] = []
    for path in _walk(place):
        found.append(_file(path, path.relative_to(place).as_posix()))
        if len(found) > MAX_FILES:
            raise bad_request(f"{place} holds more than {MAX_FILES:,} files.", "Import it in parts.")
    if not found:
        raise no_entry_error(place)
    return found


def no_entry_error(place: Path) -> BrainError:
    """Nothing was read: most likely the wrong place was named."""
    return bad_request(f"{place} holds no entry.", f"Entries are sections of {KINDS} with a column or field 'text'.")


def _file(path: Path, name: str) -> KnowledgeFile:
    shown = "".join("?" if unicodedata.category(each) in ("Cc", "Cs") else each for each in name)
    return KnowledgeFile(path, shown, is_misnamed=shown != name)


def _walk(folder: Path) -> Iterator[Path]:
    for parent, folders, names in os.walk(folder):
        folders[:] = sorted(each for each in folders if not each.startswith("."))
        for name in sorted(names):
            path = Path(parent) / name
            if not name.startswith(".") and path.suffix.lower() in SUFFIXES and not path.is_symlink():
                yield path
