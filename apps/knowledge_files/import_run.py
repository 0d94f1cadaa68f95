"""Files into knowledge: each piece is written as soon as it is read, so that a killed run goes on where it was."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from uuid import UUID

from apps.knowledge_files.entry_row import read_row
from apps.knowledge_files.files import KnowledgeFile, find_files, no_entry_error
from apps.knowledge_files.formats import FileRow, read_rows
from brain.knowledge_writing import PIECE, require_store, write_knowledge
from brain.resources import Resources
from knowledge.entries import Author, KnowledgeDraft, WriteCount
from memory.errors import BrainError

MAX_REFUSALS = 1_000
"""Rows that are told one by one; the others are counted."""
Advance = Callable[[KnowledgeFile, int], None]


@dataclass(frozen=True)
class RefusedRow:
    """A row that was not taken, and why."""

    file: str
    place: str
    why: str


@dataclass
class ImportTally:
    """What became of the files so far."""

    files: int = 0
    count: WriteCount = field(default_factory=WriteCount)
    refused: int = 0
    refusals: list[RefusedRow] = field(default_factory=list[RefusedRow])

    def refuse(self, file: KnowledgeFile, place: str, error: BrainError) -> None:
        """Count a row that was not taken."""
        self.refused += 1
        if len(self.refusals) < MAX_REFUSALS:
            self.refusals.append(RefusedRow(file.name, place, f"{error.message} {error.hint}".strip()))

    @property
    def taken(self) -> int:
        """Rows that are in knowledge now."""
        return self.count.added + self.count.changed + self.count.unchanged


@dataclass(frozen=True, kw_only=True)
class ImportWish:
    """Whose knowledge it becomes, who says so, and whether tones may steer every answer."""

    tenant_id: UUID
    by: Author
    tones: bool = False
    fields: tuple[tuple[str, str], ...] = ()
    """What holds for every row that does not say otherwise, such as its brand."""


class KnowledgeImport:
    """One run. The same files again change nothing."""

    def __init__(self, resources: Resources, wish: ImportWish) -> None:
        self.resources, self.wish, self.tally = resources, wish, ImportTally()

    async def run(self, place: Path, advance: Advance) -> ImportTally:
        """Read a file or a folder. Raises ``E_BAD_REQUEST`` where there is not a single entry in it."""
        require_store(self.resources)
        for file in find_files(place):
            await self._read_file(file, advance)
        if not self.tally.taken and not self.tally.refused:
            raise no_entry_error(place)
        return self.tally

    async def _read_file(self, file: KnowledgeFile, advance: Advance) -> None:
        self.tally.files += 1
        try:
            text = file.read_text()
            rows = list(read_rows(file.suffix, text))
        except BrainError as error:
            self.tally.refuse(file, "the file", error)
            advance(file, file.bytes)
            return
        for start in range(0, len(rows), PIECE):
            await self._write(file, rows[start : start + PIECE])
            advance(file, file.bytes * min(PIECE, len(rows) - start) // len(rows))

    async def _write(self, file: KnowledgeFile, rows: Sequence[FileRow]) -> None:
        drafts = [draft for draft in (self._draft(file, row) for row in rows) if draft]
        if drafts:
            self.tally.count += await write_knowledge(self.resources, self.wish.tenant_id, drafts, self.wish.by)

    def _draft(self, file: KnowledgeFile, row: FileRow) -> KnowledgeDraft | None:
        try:
            if row.refusal:
                raise row.refusal
            told = {**dict(self.wish.fields), **{name: value for name, value in row.values.items() if value != ""}}
            return read_row(told, file.name, tones=self.wish.tones)
        except BrainError as error:
            self.tally.refuse(file, row.place, error)
            return None
