"""What a folder with a person's memory holds, and whether it is as it was written."""

import json
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from apps.file_digest import digest_file
from memory.errors import BrainError, bad_request

MANIFEST, ROWS = "manifest.json", "rows"
MAX_MANIFEST_BYTES = 64 << 20


class Manifest(BaseModel):
    """Whose memory it is, and every file with its SHA-256. ``columns`` and ``rows`` are those of each table.

    ``sha256`` is of all the rest. It says nothing of when it was written: the same memory gives the same folder.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    kind: Literal["brain-export"] = "brain-export"
    version: Literal[1] = 1
    tenant: str
    user: str
    scope: str
    columns: dict[str, list[str]]
    rows: dict[str, int]
    files: dict[str, str]
    sha256: str = Field(default="", pattern="^[0-9a-f]*$")

    @property
    def digest(self) -> str:
        """Of everything but itself."""
        return sha256(self.model_dump_json(exclude={"sha256"}).encode()).hexdigest()


def write_manifest(folder: Path, manifest: Manifest) -> None:
    """The last file of an export: only a whole one has it."""
    told = manifest.model_copy(update={"sha256": manifest.digest}).model_dump()
    (folder / MANIFEST).write_text(json.dumps(told, ensure_ascii=False, indent=1) + "\n", "utf-8")


def read_manifest(folder: Path) -> Manifest:
    """What the folder holds. Raises ``E_BAD_REQUEST`` for one that is no export, or is not as it was written."""
    path = folder / MANIFEST
    try:
        if path.stat().st_size > MAX_MANIFEST_BYTES:
            raise _not_ours(folder)
        manifest = Manifest.model_validate_json(path.read_bytes())
    except BrainError:
        raise
    except (OSError, ValidationError, ValueError):
        raise _not_ours(folder) from None
    if manifest.sha256 != manifest.digest:
        raise _changed(MANIFEST)
    _check_files(folder, manifest.files)
    return manifest


def digest_files(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file, by path."""
    files = sorted(path for path in folder.rglob("*") if path.is_file() and path.name != MANIFEST)
    return {path.relative_to(folder).as_posix(): digest_file(path) for path in files}


def _check_files(folder: Path, files: Mapping[str, str]) -> None:
    """Every file is there as it was, and no other: what is not ours is not read."""
    there: set[str] = set()
    for path in folder.rglob("*"):
        name = path.relative_to(folder).as_posix()
        if path.is_symlink() or not (path.is_dir() or path.is_file()):
            raise _changed(name)
        if path.is_file() and name != MANIFEST:
            there.add(name)
    if strange := sorted(there ^ set(files)):
        raise _changed(strange[0])
    for name, digest in files.items():
        if digest_file(folder / name) != digest:
            raise _changed(name)


def _not_ours(folder: Path) -> BrainError:
    return bad_request(f"{folder} is no export of Brain's.", "'brain export FOLDER' writes one.")


def _changed(name: str) -> BrainError:
    return bad_request(f"{name[:200]!r} is not as the export wrote it, so nothing was read.", "Export again.")
