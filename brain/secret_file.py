"""Secrets of an installation that are kept in files, for its own user alone."""

import os
import secrets
from collections.abc import Generator
from contextlib import contextmanager, suppress
from pathlib import Path

from brain.file_errors import file_error, translate_file_errors


def is_there(file: Path) -> bool:
    """Whether there is a file, readable or not.

    A link that leads nowhere counts, the file's own or a folder's: what it points to may be on a disk that is away, and
    must not be made anew meanwhile.
    """
    try:
        file.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return _leads_nowhere(file)
    except OSError:
        return True
    return True


def read_secret(file: Path, hint: str) -> bytes | None:
    """The content of a file, None where there is none. Raises ``E_CONFIG`` for one that is there and cannot be read."""
    try:
        return file.read_bytes()
    except OSError as error:
        # A file that another process made since was none when it was read.
        if isinstance(error, FileNotFoundError | NotADirectoryError) and not _leads_nowhere(file):
            return None
        raise file_error(file, error, hint) from None


def _leads_nowhere(file: Path) -> bool:
    return any(each.is_symlink() and not each.exists() for each in (file, *file.parents))


def make_secret_file(file: Path, text: str) -> None:
    """A line, complete or not at all, and once: of several processes that begin at once, one makes it for all."""
    file.parent.mkdir(parents=True, exist_ok=True)
    with secret_draft(file, text.encode() + b"\n") as draft, suppress(FileExistsError):
        os.link(draft, file)


def replace_secret_file(file: Path, text: str) -> None:
    """Put a line in place of a file's content, complete or not at all; durable on return."""
    replace_secret(file, text.encode() + b"\n")


def replace_secret(file: Path, content: bytes) -> None:
    """Put a content in place of a file's, complete or not at all; durable on return."""
    with translate_file_errors(file, "Make its folder writable."):
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
