"""Everything that Brain keeps of a person, into a folder: rows as JSON Lines, and Markdown for people to read.

The same memory gives the same bytes. What is derived (the index) is derived again where it arrives; threads of clients,
keys and the installation's own records stay.
"""

import asyncio
import shutil
from collections import Counter
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import mkdtemp

from apps.portability.manifest import ROWS, Manifest, digest_files, write_manifest
from apps.portability.markdown import write_markdown
from brain.identity import Identity
from brain.resources import Resources
from memory.errors import bad_request
from memory.person_rows import PersonTable

DRAFT = ".partial"


@dataclass(frozen=True)
class Exported:
    """How many rows of each table were written."""

    folder: str
    rows: dict[str, int]


async def export_person(resources: Resources, owner: Identity, folder: Path) -> Exported:
    """Write a person's memory into a new folder, all of it or nothing.

    Raises ``E_BAD_REQUEST`` where the folder is there already, or cannot be made.
    """
    try:
        with _draft_of(folder) as draft:
            rows = await _write_rows(resources, owner, draft)
            tables = await resources.memory.person_rows.list_tables()
            await asyncio.to_thread(write_markdown, draft)
            await asyncio.to_thread(_write_manifest, owner, draft, tables, rows)
    except OSError as error:
        raise bad_request(f"{folder} cannot be written: {error.strerror}.", "Name another place.") from None
    return Exported(str(folder), dict(rows))


@contextmanager
def _draft_of(folder: Path) -> Generator[Path]:
    """A folder beside it, which nobody else may look into, and which takes its place when all is written."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise bad_request(f"{folder} is there already.", "Name a new folder.")
    folder.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(mkdtemp(prefix=f"{folder.name}.", suffix=DRAFT, dir=folder.parent))
    try:
        (draft / ROWS).mkdir()
        yield draft
        if folder.exists():
            folder.rmdir()
        draft.replace(folder)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise


async def _write_rows(resources: Resources, owner: Identity, draft: Path) -> Counter[str]:
    rows: Counter[str] = Counter()

    def take(table: PersonTable, lines: Sequence[str]) -> None:
        rows[table.name] += len(lines)
        with (draft / ROWS / f"{table.name}.jsonl").open("a", encoding="utf-8", newline="\n") as file:
            file.writelines(f"{line}\n" for line in lines)

    await resources.memory.person_rows.read(owner.scope, take)
    return rows


def _write_manifest(owner: Identity, draft: Path, tables: Sequence[PersonTable], rows: Counter[str]) -> None:
    written = sorted((each for each in tables if rows[each.name]), key=lambda each: each.name)
    manifest = Manifest(
        tenant=owner.tenant,
        user=owner.user,
        scope=owner.scope.key,
        columns={each.name: list(each.columns) for each in written},
        rows=dict(sorted(rows.items())),
        files=digest_files(draft),
    )
    write_manifest(draft, manifest)
