"""What a backup holds, how a folder is known to be one, and whether it is as it was made."""

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal, Self

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from apps.file_digest import digest_file
from brain.settings_cells import HOME
from memory.errors import bad_request

MANIFEST, DUMP, DRAFT = "manifest.json", "dump", ".partial"


class Reference(BaseModel):
    """A foreign key; ``optional`` are those of its columns that may be empty."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    table: str
    columns: tuple[str, ...]
    optional: tuple[str, ...]
    to: str
    to_columns: tuple[str, ...]


class SealedRows(BaseModel):
    """How the rows of a backup are kept: the columns of each table's file, and what refers to what."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    backup: Annotated[str, Field(pattern=r"^(?:[0-9a-f]{2})+$")]
    columns: dict[str, tuple[str, ...]]
    references: tuple[Reference, ...]


class Manifest(BaseModel):
    """What a backup holds: written last, so that only a whole one has it.

    ``rows`` are counted in the very snapshot that was dumped, ``files`` are SHA-256 by path, ``migrations`` by name.
    In the first format the rows are in the dump, readable to everybody. ``cell``: of which database, where there are
    several.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    format: Literal[1, 2] = 2
    brain: str
    server: int
    made_at: datetime
    migrations: dict[str, str]
    rows: dict[str, int]
    left_out: tuple[str, ...]
    files: dict[str, str]
    sealed: SealedRows | None = None
    cell: str = HOME

    @model_validator(mode="after")
    def _check_sealed(self) -> Self:
        """The first format has no sealed rows, the second nothing else; and those of each table were counted."""
        if (self.sealed is None) != (self.format == 1):
            raise ValueError("the rows are not kept as this format says")
        if self.sealed and not self.rows.keys() >= self.sealed.columns.keys():
            raise ValueError("the rows of a table were not counted")
        return self


@dataclass(frozen=True)
class Backup:
    """A whole backup, and where it is."""

    folder: Path
    manifest: Manifest


def find_backup(folder: Path) -> Backup:
    """The backup in a folder, or the newest of those in it. Raises ``E_BAD_REQUEST`` where there is none."""
    whole = [folder, *sorted(folder.glob("brain-*"), reverse=True)] if folder.is_dir() else []
    for each in whole:
        if (each / MANIFEST).is_file() and not each.name.endswith(DRAFT):
            try:
                return Backup(each, Manifest.model_validate_json((each / MANIFEST).read_bytes()))
            except ValidationError:
                raise bad_request(f"{each / MANIFEST} is none of Brain's.", "Name another backup.") from None
    raise bad_request(f"There is no backup in {folder}.", "Name the folder that 'brain backup' wrote to.")


def drop_oldest(parent: Path, keep: int) -> list[Path]:
    """Remove all but the newest backups of a folder; which ones went."""
    whole = sorted(path for path in parent.glob("brain-*") if (path / MANIFEST).is_file())
    gone = whole[: max(0, len(whole) - keep)]
    for each in gone:
        (each / MANIFEST).unlink()  # from here on it is none
        shutil.rmtree(each)
    return gone


def compute_checksums(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file, by path."""
    return {str(path.relative_to(folder)): digest_file(path) for path in sorted(folder.rglob("*")) if path.is_file()}


def check_files(backup: Backup) -> None:
    """Raises ``E_BAD_REQUEST`` where a file is not as it was when the manifest was written."""
    kept: Mapping[str, str] = backup.manifest.files
    for name, digest in kept.items():
        path = backup.folder / name
        if not path.is_file() or digest_file(path) != digest:
            raise bad_request(f"{path} is missing or was changed since the backup was made.", "Use another backup.")
