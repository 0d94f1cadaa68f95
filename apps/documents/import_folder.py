"""Bringing an edited folder of documents back: what moved on meanwhile is reported, never overwritten."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from apps.documents.edits import DocumentEditor, EditOutcome, EditResult
from apps.documents.folder import MAX_FILES, DocumentFile, files_in, unknown_files_in, write_back, write_conflict
from brain.documents.files import EditedFile
from brain.resources import Resources
from memory.documents.document import Document, profile_kind
from memory.errors import BrainError, bad_request
from memory.scope import Scope

Outcome = EditOutcome | Literal["passed over"]


@dataclass(frozen=True, kw_only=True)
class ImportResult:
    """What became of one file. ``version`` is the document's own after it, 0 where there is none."""

    file: str
    outcome: Outcome
    version: int = 0
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class Import:
    """One import: into whose documents, from which folder, by whom, and whether anything is to be written at all."""

    resources: Resources
    scope: Scope
    folder: Path
    operator: str
    dry_run: bool = False

    async def run(self) -> list[ImportResult]:
        """Each file on its own: one that is refused does not keep the others out. Last come those that are none."""
        taken = [await self._import_file(found) for found in files_in(self.folder)]
        return [
            *taken,
            *(ImportResult(file=path, outcome="passed over", message=why) for path, why in self._unknown_files()),
        ]

    def _unknown_files(self) -> Iterator[tuple[str, str]]:
        return islice(unknown_files_in(self.folder), MAX_FILES)

    async def _import_file(self, found: DocumentFile) -> ImportResult:
        try:
            edited = _require_edit(found, self.scope)
            done = await self._editor.apply(edited)
        except BrainError as error:
            if error.code != "E_BAD_REQUEST":
                raise
            return ImportResult(file=found.path, outcome="refused", message=str(error))
        messages = (done.message, self._dry_run_note(done), self._update_folder(found, edited, done))
        version = done.document.version if done.document else 0
        would_write = self.dry_run and done.outcome in ("saved", "created")
        return ImportResult(
            file=found.path,
            outcome=done.outcome,
            version=version + would_write,
            message="; ".join(each for each in messages if each),
        )

    @property
    def _editor(self) -> DocumentEditor:
        return DocumentEditor(
            resources=self.resources,
            scope=self.scope,
            operator=self.operator,
            reason="edited as a file",
            dry_run=self.dry_run,
        )

    def _dry_run_note(self, done: EditResult) -> str:
        return "not written: a dry run" if self.dry_run and done.outcome in ("saved", "created") else ""

    def _update_folder(self, found: DocumentFile, edited: EditedFile, done: EditResult) -> str:
        """Lay into the folder what the person needs for the next edit; what is said about it."""
        held = done.document
        if self.dry_run or held is None:
            return ""
        if done.outcome == "conflict":
            beside = write_conflict(self.folder, found.path, held)
            return f"it is in {beside}: put your changes there, then move it over {found.path} and import again"
        if done.outcome in ("saved", "created") or (done.outcome == "unchanged" and held.is_same_as(edited.draft)):
            self._write_back(edited, held)
        return ""

    def _write_back(self, edited: EditedFile, document: Document) -> None:
        """The file is of the version that it led to, so that it can be edited again; not the file of somebody else."""
        if edited.base is None or edited.base.document_id == str(document.document_id):
            write_back(self.folder, document)


def _require_edit(found: DocumentFile, scope: Scope) -> EditedFile:
    """What the file says, for this owner. Raises ``E_BAD_REQUEST``."""
    if found.edited is None:
        raise found.refusal or bad_request(f"{found.path} cannot be read.")
    if found.kind in ("user_profile", "group_profile") and found.kind != profile_kind(scope):
        raise bad_request(f"{found.path} is a {found.kind}.", "Name the group with --channel, or leave it out.")
    return found.edited
