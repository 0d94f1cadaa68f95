"""Bringing an edited folder of documents back: what moved on meanwhile is reported, never overwritten."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Literal

from apps.documents_folder import MOST_FILES, Found, files_in, strangers_in, write_conflict
from brain.documents.files import Base, Edited
from brain.resources import Resources
from memory.contracts import Author
from memory.documents.document import Document, DocumentDraft, document_id, profile_kind
from memory.errors import BrainError, bad_request
from memory.scope import Scope

Outcome = Literal["unchanged", "saved", "created", "conflict", "refused", "passed over"]


@dataclass(frozen=True, kw_only=True)
class Brought:
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

    async def run(self) -> list[Brought]:
        """Each file on its own: one that is refused does not keep the others out. Last come those that are none."""
        taken = [await self._brought(found) for found in files_in(self.folder)]
        return [*taken, *(Brought(file=path, outcome="passed over", message=why) for path, why in self._strangers())]

    def _strangers(self) -> Iterator[tuple[str, str]]:
        return islice(strangers_in(self.folder), MOST_FILES)

    async def _brought(self, found: Found) -> Brought:
        try:
            return await self._settled(found, _taken(found, self.scope))
        except BrainError as error:
            if error.code != "E_BAD_REQUEST":
                raise
            return Brought(file=found.path, outcome="refused", message=str(error))

    async def _settled(self, found: Found, edited: Edited) -> Brought:
        held = await self._held(found)
        version = held.version if held else 0
        if held is not None and (held.says(edited.draft) or not _changed(edited, held)):
            return Brought(file=found.path, outcome="unchanged", version=version)
        if held is not None and _base(edited, held) != _now(held):
            return self._conflict(found, held)
        return await self._saved(found, edited.draft, held)

    async def _held(self, found: Found) -> Document | None:
        documents = self.resources.memory.documents
        at_hand = await documents.find(self.scope, (document_id(self.scope, found.kind, found.name),))
        return at_hand[0] if at_hand else None

    async def _saved(self, found: Found, draft: DocumentDraft, held: Document | None) -> Brought:
        outcome: Outcome = "saved" if held else "created"
        version = held.version if held else 0
        if self.dry_run:
            return Brought(file=found.path, outcome=outcome, version=version + 1, message="not written: a dry run")
        author = Author(
            operator=self.operator,
            reason="edited as a file",
            idempotency_key=f"import:{found.path}:{version}",
            at=self.resources.clock(),
        )
        try:
            saved = await self.resources.memory.documents.save(self.scope, draft, version, author)
        except BrainError as error:
            now = await self._held(found)
            if error.code != "E_CONFLICT" or now is None:
                raise
            return self._conflict(found, now)
        return Brought(file=found.path, outcome=outcome, version=saved.version)

    def _conflict(self, found: Found, held: Document) -> Brought:
        message = f"version {held.version} was written meanwhile by {held.author}"
        if not self.dry_run:
            beside = write_conflict(self.folder, found.path, held)
            message += f"; it is in {beside}: put your changes there, then move it over {found.path} and import again"
        return Brought(file=found.path, outcome="conflict", version=held.version, message=message)


def _taken(found: Found, scope: Scope) -> Edited:
    """What the file says, for this owner. Raises ``E_BAD_REQUEST``."""
    if found.edited is None:
        raise found.refusal or bad_request(f"{found.path} cannot be read.")
    if found.kind in ("user_profile", "group_profile") and found.kind != profile_kind(scope):
        raise bad_request(f"{found.path} is a {found.kind}.", "Name the group with --channel, or leave it out.")
    return found.edited


def _changed(edited: Edited, held: Document) -> bool:
    """A copy of an older version that nobody touched asks for nothing."""
    return edited.changed or _base(edited, held) is None


def _base(edited: Edited, held: Document) -> Base | None:
    """The version that the file was made of, where it was made of this document."""
    return edited.base if edited.base and edited.base.document_id == str(held.document_id) else None


def _now(held: Document) -> Base:
    return Base(document_id=str(held.document_id), version=held.version, sha256=held.sha256)
