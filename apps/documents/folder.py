"""A folder of Markdown files: documents written into it, and edited ones read out of it, trusting neither."""

import os
import stat
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal
from uuid import uuid4

from brain.documents.files import EditedFile, document_at, parse_file, path_of, render_file
from memory.documents.document import DOCUMENT_BYTES, FRONT_BYTES, Document, DocumentKind
from memory.errors import BrainError, bad_request

MAX_FILE_BYTES = DOCUMENT_BYTES + 4 * FRONT_BYTES + 1_024
"""Bytes of a file that are read at all."""
MAX_FILES = 20_000
CONFLICT = ".conflict.md"

PLACES = "MEMORY.md, profiles/user.md, profiles/group.md and daily/2026-03-01.md"
"""Where documents stand in a folder, for people to read; a note is called by its day."""
_FOLDERS = ("", "daily", "profiles")
_PLAIN = "Put a plain file or folder in its place."


@dataclass(frozen=True, kw_only=True)
class DocumentFile:
    """A file in the place of a document: what it says, or why it cannot be taken."""

    path: str
    kind: DocumentKind
    name: str
    edited: EditedFile | None = None
    refusal: BrainError | None = None


ExportOutcome = Literal["written", "unchanged", "edited"]


def export_to(folder: Path, document: Document) -> ExportOutcome:
    """Write one document. ``edited`` when the file holds changes that were never imported: it is left alone.

    Raises ``E_BAD_REQUEST`` where the place is no plain file.
    """
    path, text = path_of(document.kind, document.name), render_file(document)
    there = _read_bytes(folder, path)
    if there == text.encode():
        return "unchanged"
    if there is not None and _is_edited(document, path, there):
        return "edited"
    _replace(folder, path, text)
    return "written"


def files_in(folder: Path) -> Iterator[DocumentFile]:
    """Every file that stands in the place of a document, in order; others are none of ours.

    Raises ``E_BAD_REQUEST`` for a folder that is none, or holds too many files.
    """
    if not folder.is_dir():
        raise bad_request(f"{folder} is not a folder.", "Export into it first.")
    for number, path in enumerate(_paths(folder)):
        if number >= MAX_FILES:
            raise bad_request(f"{folder} holds more than {MAX_FILES:,} documents.", "Split it.")
        wanted = document_at(path)
        if wanted is not None:
            yield _read(folder, path, *wanted)


def unknown_files_in(folder: Path) -> Iterator[tuple[str, str]]:
    """What else stands in the folder, hidden files aside, with the reason why it is no document."""
    for path in _paths(folder):
        name = path.rpartition("/")[2]
        if document_at(path) is None and path not in _FOLDERS and not name.startswith("."):
            yield path, _rejection_reason(folder, path)


def _rejection_reason(folder: Path, path: str) -> str:
    if path.endswith(CONFLICT):
        return "it was laid there beside your changes; move it over the file that it is about to import it"
    if (folder / path).is_dir():
        return "it is a folder; only daily/ and profiles/ are looked into"
    return f"no document is called so: documents are {PLACES}"


def write_conflict(folder: Path, path: str, document: Document) -> str:
    """Lay the version that stands in the database beside the edited file; the name of the new file.

    One from before that holds changes already is left alone: importing these will tell what moved on since.
    """
    beside = path.removesuffix(".md") + CONFLICT
    there = _read_bytes(folder, beside)
    if there is None or not _is_edited(document, beside, there):
        _replace(folder, beside, render_file(document))
    return beside


def write_back(folder: Path, document: Document) -> None:
    """Lay the version that an import left in the place of the file that it came from, for the next edit."""
    path, text = path_of(document.kind, document.name), render_file(document)
    if _read_bytes(folder, path) != text.encode():
        _replace(folder, path, text)


def _paths(folder: Path) -> Iterator[str]:
    for part in _FOLDERS:
        _require_own_folder(folder, f"{part}/x" if part else "x")
        if (folder / part).is_dir():
            yield from sorted(f"{part}/{name}" if part else name for name in os.listdir(folder / part))


def _read(folder: Path, path: str, kind: DocumentKind, name: str) -> DocumentFile:
    try:
        data = _read_bytes(folder, path) or b""
        return DocumentFile(path=path, kind=kind, name=name, edited=parse_file(kind, name, _decode(path, data)))
    except BrainError as error:
        return DocumentFile(path=path, kind=kind, name=name, refusal=error)


def _decode(path: str, data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise bad_request(f"{path} is not UTF-8 text.", "Save it as UTF-8 text.") from None


def _read_bytes(folder: Path, path: str) -> bytes | None:
    """What a plain file holds, never read through a symbolic link; None where nothing is. Raises ``E_BAD_REQUEST``."""
    _require_own_folder(folder, path)
    try:
        handle = os.open(folder / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except FileNotFoundError:
        return None
    except OSError as error:
        raise bad_request(f"{path} cannot be read ({error.strerror}).", _PLAIN) from None
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise bad_request(f"{path} is no plain file.", _PLAIN)
        with os.fdopen(handle, "rb", closefd=False) as file:
            data = file.read(MAX_FILE_BYTES + 1)
    finally:
        os.close(handle)
    if len(data) > MAX_FILE_BYTES:
        raise bad_request(f"{path} is larger than {MAX_FILE_BYTES:,} bytes.", "Shorten it.")
    return data


def _is_edited(document: Document, path: str, there: bytes) -> bool:
    """Whether it says what was never imported."""
    try:
        edited = parse_file(document.kind, document.name, _decode(path, there))
    except BrainError:
        return True
    return edited.has_changes and not document.is_same_as(edited.draft)


def _require_own_folder(folder: Path, path: str) -> None:
    place = (folder / path).parent
    if place != folder and place.is_symlink():
        raise bad_request(f"{place.name} is a symbolic link.", _PLAIN)


def _replace(folder: Path, path: str, text: str) -> None:
    """All at once, so that a reader sees the old file or the new one; a link in its place is replaced, not followed."""
    _require_own_folder(folder, path)
    place = folder / path
    place.parent.mkdir(parents=True, exist_ok=True)
    made = place.with_name(f".{place.name}.{uuid4().hex}")
    try:
        made.write_text(text, encoding="utf-8", newline="")
        made.replace(place)
    finally:
        made.unlink(missing_ok=True)
