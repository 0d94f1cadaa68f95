"""What a person hands over, a file, a folder or a zip archive, as members to read. Nothing is ever unpacked.

An archive is somebody else's: its names, sizes and links are checked before anything of it is read.
"""

import os
import stat
import zipfile
import zlib
from collections.abc import Callable, Generator, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import file_digest, sha256
from pathlib import Path, PurePosixPath
from typing import IO
from zoneinfo import ZoneInfo

from apps.file_digest import digest_file
from memory.errors import bad_request

READABLE = frozenset({".json", ".jsonl", ".af", ".md", ".html"})
"""How names of members end that may hold something; pictures and the like are passed over."""
MAX_MEMBERS = 100_000
MAX_BYTES = 8 << 30
"""Bytes of all readable members together."""
MAX_RATIO, RATIO_FROM_BYTES = 200, 1 << 20
"""How many times larger than its packed bytes a member may be, from a size on. Bombs grow a 1000 times."""


@dataclass(frozen=True)
class Member:
    """A file among those handed over. ``written_at`` is when it was exported, as far as the file knows."""

    name: str
    size: int
    written_at: datetime
    open: Callable[[], AbstractContextManager[IO[bytes]]]

    @property
    def ending(self) -> str:
        """``.json`` and the like, in small letters."""
        return PurePosixPath(self.name).suffix.lower()


@dataclass(frozen=True)
class Archive:
    """The readable members of what was handed over, by name, and a hash by which the same is known again."""

    name: str
    sha256: str
    members: tuple[Member, ...]


@contextmanager
def open_archive(path: Path, time_zone: str) -> Generator[Archive]:
    """Open a file, a folder or a zip archive. Raises ``E_BAD_REQUEST`` for what cannot, or must not, be read."""
    try:
        if path.is_dir():
            members = _checked([_file_member(each, path) for each in _walk(path)])
            yield Archive(path.resolve().name, _digest_members(members), members)
        elif path.is_file() and zipfile.is_zipfile(path):
            with zipfile.ZipFile(path) as packed:
                members = _checked([_zip_member(packed, each, time_zone) for each in _entries(packed)])
                yield Archive(path.name, digest_file(path), members)
        elif path.is_file():
            yield Archive(path.name, digest_file(path), _checked([_file_member(path, path.parent)]))
        else:
            raise bad_request(f"{path} is no file and no folder.", "Check the path.")
    except (OSError, zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError) as error:
        reason = error.strerror if isinstance(error, OSError) else "the archive is damaged"
        raise bad_request(f"{path} cannot be read: {reason}.", "Check the path, or download it again.") from None


def _walk(folder: Path) -> Iterator[Path]:
    found = 0
    for place, folders, files in os.walk(folder, followlinks=False):
        for name in (*folders, *files):
            if (each := Path(place, name)).is_symlink():
                raise _hostile(each.relative_to(folder).as_posix(), "is a link")
        for name in sorted(files):
            found += 1
            if found > MAX_MEMBERS:
                raise bad_request(f"{folder} holds more than {MAX_MEMBERS:,} files.", "Name the export's own folder.")
            if Path(name).suffix.lower() in READABLE and (each := Path(place, name)).is_file():
                yield each


def _file_member(path: Path, folder: Path) -> Member:
    told = path.stat()
    written = datetime.fromtimestamp(told.st_mtime, UTC)
    return Member(path.relative_to(folder).as_posix(), told.st_size, written, lambda: path.open("rb"))


def _entries(packed: zipfile.ZipFile) -> Iterator[zipfile.ZipInfo]:
    """The readable entries; one that must not be there refuses the whole archive."""
    entries = packed.infolist()
    if len(entries) > MAX_MEMBERS:
        raise bad_request(f"The archive holds more than {MAX_MEMBERS:,} files.", "Import a part of it.")
    for entry in entries:
        _check_entry(entry)
        if not entry.is_dir() and PurePosixPath(entry.filename).suffix.lower() in READABLE:
            yield entry


def _check_entry(entry: zipfile.ZipInfo) -> None:
    name = entry.orig_filename.replace("\\", "/")
    if "\x00" in name or name.startswith("/") or ".." in name.split("/") or name[1:2] == ":":
        raise _hostile(name, "points out of the archive")
    if stat.S_ISLNK(entry.external_attr >> 16):
        raise _hostile(name, "is a link")
    if entry.flag_bits & 1:
        raise bad_request(f"{name[:200]!r} in the archive is encrypted.", "Unpack it first.")
    if entry.file_size > max(RATIO_FROM_BYTES, entry.compress_size * MAX_RATIO):
        raise _hostile(name, f"grows more than {MAX_RATIO} times when it is unpacked")


def _zip_member(packed: zipfile.ZipFile, entry: zipfile.ZipInfo, time_zone: str) -> Member:
    try:
        written = datetime(*entry.date_time, tzinfo=ZoneInfo(time_zone))
    except ValueError:
        written = datetime(1980, 1, 1, tzinfo=UTC)
    return Member(entry.filename, entry.file_size, written, lambda: packed.open(entry))


def _checked(members: list[Member]) -> tuple[Member, ...]:
    if sum(each.size for each in members) > MAX_BYTES:
        raise bad_request(f"There are more than {MAX_BYTES >> 30} GiB to read.", "Import a part of it.")
    return tuple(sorted(members, key=lambda each: each.name))


def _hostile(name: str, why: str) -> Exception:
    return bad_request(f"{name[:200]!r} {why}, so nothing of it was read.", "Ask for the export again.")


def _digest_members(members: tuple[Member, ...]) -> str:
    whole = sha256()
    for each in members:
        with each.open() as source:
            whole.update(f"{each.name}\x00{file_digest(source, 'sha256').hexdigest()}\n".encode())  # pyright: ignore[reportArgumentType]
    return whole.hexdigest()
