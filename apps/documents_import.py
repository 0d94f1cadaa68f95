"""Bringing an edited folder of documents back: what moved on meanwhile is reported, never overwritten."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Literal

from apps.documents_folder import MOST_FILES, DocumentFile, files_in, unknown_files_in, write_back, write_conflict
from brain.documents.edits import Edits, MemoryEdit, edits_of, own_part, rebase_edits
from brain.documents.files import BaseVersion, EditedFile
from brain.documents.profile_refresh import try_refresh_profile
from brain.resources import Resources
from memory.contracts import Author
from memory.documents.document import Document, document_id, profile_kind
from memory.errors import BrainError, bad_request
from memory.scope import Scope

Outcome = Literal["unchanged", "saved", "created", "conflict", "refused", "passed over"]


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
        return islice(unknown_files_in(self.folder), MOST_FILES)

    async def _import_file(self, found: DocumentFile) -> ImportResult:
        try:
            return await self._merge_file(found, _require_edit(found, self.scope))
        except BrainError as error:
            if error.code != "E_BAD_REQUEST":
                raise
            return ImportResult(file=found.path, outcome="refused", message=str(error))

    async def _merge_file(self, found: DocumentFile, edited: EditedFile) -> ImportResult:
        held = await self._fetch_current(found)
        if held is None:
            return await self._save(found, edited, None)
        if held.is_same_as(edited.draft) or not _has_changes(edited, held):
            if held.is_same_as(edited.draft):
                self._write_back(edited, held)
            return ImportResult(file=found.path, outcome="unchanged", version=held.version)
        base = await self._find_base(edited, held)
        if base is None or (base.version != held.version and own_part(base) != own_part(held)):
            return self._conflict(found, held)
        edits = edits_of(base, edited.draft)
        if reasons := (*edits.refused, *await self._check_memories(edits)):
            return ImportResult(file=found.path, outcome="refused", version=held.version, message="; ".join(reasons))
        return await self._apply_edits(found, edited, (base, held, edits))

    async def _apply_edits(
        self, found: DocumentFile, edited: EditedFile, what: tuple[Document, Document, Edits]
    ) -> ImportResult:
        """Memories first: what they leave of the document is what the person's own lines are put into."""
        base, held, edits = what
        if edits.memories and not self.dry_run:
            for each in edits.memories:
                await self._change(found, each)
            await self._regenerate_parts(held)
            held = await self._fetch_current(found) or held
        draft = rebase_edits(base, edited.draft, held)
        if held.is_same_as(draft):
            brought = ImportResult(file=found.path, outcome="saved", version=held.version, message=self._dry_run_note)
            self._write_back(edited, held)
        else:
            brought = await self._save(found, replace(edited, draft=draft), held)
        return replace(brought, message="; ".join(each for each in (_memory_summary(edits), brought.message) if each))

    async def _regenerate_parts(self, edited: Document) -> None:
        """The generated parts by what is remembered after the changes."""
        await try_refresh_profile(self.resources, self.scope)
        if edited.kind == "memory":
            # They bring LangGraph along, which --help need not wait for.
            from brain.job_context import JobContext
            from evolution.upkeep.curation_store import refresh_curation

            await refresh_curation(JobContext(scope=self.scope, resources=self.resources))

    async def _change(self, found: DocumentFile, edit: MemoryEdit) -> None:
        items = self.resources.memory.items
        author = self._author(f"import:{found.path}:{edit.memory_id}:{self.resources.new_id()}")
        if edit.words:
            await items.correct(self.scope, edit.memory_id, edit.words, author)
        else:
            await items.forget(self.scope, edit.memory_id, author)

    async def _check_memories(self, edits: Edits) -> list[str]:
        """Memories that ended while their line was being edited."""
        wanted = [each.memory_id for each in edits.memories]
        found = await self.resources.memory.items.get_many(self.scope, wanted)
        living = {item.memory_id for item in found if item.status == "active"}
        over = [each for each in wanted if each not in living]
        return [f"memory {each} is over by now; export again" for each in over]

    async def _find_base(self, edited: EditedFile, held: Document) -> Document | None:
        """The version that the file was made of, where it was made of this document and is still kept."""
        told = _base_of(edited, held)
        if told is None or told == _current_base(held):
            return held if told else None
        kept = await self.resources.memory.documents.history(self.scope, held.document_id)
        return next((each for each in kept if _current_base(each) == told), None)

    async def _fetch_current(self, found: DocumentFile) -> Document | None:
        documents = self.resources.memory.documents
        at_hand = await documents.find(self.scope, (document_id(self.scope, found.kind, found.name),))
        return at_hand[0] if at_hand else None

    async def _save(self, found: DocumentFile, edited: EditedFile, held: Document | None) -> ImportResult:
        outcome: Outcome = "saved" if held else "created"
        version = held.version if held else 0
        if self.dry_run:
            return ImportResult(file=found.path, outcome=outcome, version=version + 1, message=self._dry_run_note)
        author = self._author(f"import:{found.path}:{version}")
        try:
            saved = await self.resources.memory.documents.save(self.scope, edited.draft, version, author)
        except BrainError as error:
            now = await self._fetch_current(found)
            if error.code != "E_CONFLICT" or now is None:
                raise
            return self._conflict(found, now)
        self._write_back(edited, saved)
        return ImportResult(file=found.path, outcome=outcome, version=saved.version)

    @property
    def _dry_run_note(self) -> str:
        return "not written: a dry run" if self.dry_run else ""

    def _author(self, key: str) -> Author:
        return Author(operator=self.operator, reason="edited as a file", idempotency_key=key, at=self.resources.clock())

    def _write_back(self, edited: EditedFile, document: Document) -> None:
        """The file is of the version that it led to, so that it can be edited again; not the file of somebody else."""
        if not self.dry_run and (edited.base is None or edited.base.document_id == str(document.document_id)):
            write_back(self.folder, document)

    def _conflict(self, found: DocumentFile, held: Document) -> ImportResult:
        message = f"version {held.version} was written meanwhile by {held.author}"
        if not self.dry_run:
            beside = write_conflict(self.folder, found.path, held)
            message += f"; it is in {beside}: put your changes there, then move it over {found.path} and import again"
        return ImportResult(file=found.path, outcome="conflict", version=held.version, message=message)


def _require_edit(found: DocumentFile, scope: Scope) -> EditedFile:
    """What the file says, for this owner. Raises ``E_BAD_REQUEST``."""
    if found.edited is None:
        raise found.refusal or bad_request(f"{found.path} cannot be read.")
    if found.kind in ("user_profile", "group_profile") and found.kind != profile_kind(scope):
        raise bad_request(f"{found.path} is a {found.kind}.", "Name the group with --channel, or leave it out.")
    return found.edited


def _has_changes(edited: EditedFile, held: Document) -> bool:
    """A copy of an older version that nobody touched asks for nothing."""
    return edited.has_changes or _base_of(edited, held) is None


def _base_of(edited: EditedFile, held: Document) -> BaseVersion | None:
    """The version that the file was made of, where it was made of this document."""
    return edited.base if edited.base and edited.base.document_id == str(held.document_id) else None


def _memory_summary(edits: Edits) -> str:
    """What became of the memories behind edited lines."""
    corrected = sum(bool(each.words) for each in edits.memories)
    forgotten = len(edits.memories) - corrected
    counted = ((corrected, "corrected"), (forgotten, "forgotten"))
    return "memories " + ", ".join(f"{word}: {number}" for number, word in counted if number) if edits.memories else ""


def _current_base(held: Document) -> BaseVersion:
    return BaseVersion(document_id=str(held.document_id), version=held.version, sha256=held.sha256)
