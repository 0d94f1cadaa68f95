"""A person's edit of a document: lines made of memories change the memories, and nothing newer is overwritten."""

from dataclasses import dataclass, replace
from typing import Literal

from brain.documents.edits import Edits, MemoryEdit, edits_of, own_part, rebase_edits
from brain.documents.files import BaseVersion, EditedFile, path_of
from brain.documents.profile_refresh import try_refresh_profile
from brain.resources import Resources
from memory.documents.document import Document, document_id
from memory.errors import BrainError
from memory.memory_item import Author
from memory.scope import Scope

EditOutcome = Literal["unchanged", "saved", "created", "conflict", "refused"]


@dataclass(frozen=True, kw_only=True)
class EditResult:
    """What became of an edit, and the document as it stands after it; None where a dry run would create it."""

    outcome: EditOutcome
    document: Document | None = None
    message: str = ""


@dataclass(frozen=True, kw_only=True)
class DocumentEditor:
    """Whose documents are edited, by whom and why; a dry run writes nothing."""

    resources: Resources
    scope: Scope
    operator: str
    reason: str
    dry_run: bool = False

    async def apply(self, edited: EditedFile) -> EditResult:
        """Bring an edited copy back. Raises ``E_BAD_REQUEST`` for what no document can say."""
        held = await self._fetch_current(edited)
        if held is None:
            return await self._save(edited, None)
        if held.is_same_as(edited.draft) or not _has_changes(edited, held):
            return EditResult(outcome="unchanged", document=held)
        base = await self._find_base(edited, held)
        if base is None or (base.version != held.version and own_part(base) != own_part(held)):
            return _conflict(held)
        edits = edits_of(base, edited.draft)
        if reasons := (*edits.refused, *await self._check_memories(edits)):
            return EditResult(outcome="refused", document=held, message="; ".join(reasons))
        return await self._apply_edits(edited, (base, held, edits))

    async def _apply_edits(self, edited: EditedFile, what: tuple[Document, Document, Edits]) -> EditResult:
        """Memories first: what they leave of the document is what the person's own lines are put into."""
        base, held, edits = what
        if edits.memories and not self.dry_run:
            for each in edits.memories:
                await self._change(edited, each)
            await self._regenerate_parts(held)
            held = await self._fetch_current(edited) or held
        draft = rebase_edits(base, edited.draft, held)
        if held.is_same_as(draft):
            done = EditResult(outcome="saved", document=held)
        else:
            done = await self._save(replace(edited, draft=draft), held)
        return replace(done, message="; ".join(each for each in (_memory_summary(edits), done.message) if each))

    async def _regenerate_parts(self, edited: Document) -> None:
        """The generated parts by what is remembered after the changes."""
        await try_refresh_profile(self.resources, self.scope)
        if edited.kind == "memory":
            # They bring LangGraph along, which --help need not wait for.
            from brain.job_context import JobContext
            from evolution.upkeep.curate import refresh_curation

            await refresh_curation(JobContext(scope=self.scope, resources=self.resources))

    async def _change(self, edited: EditedFile, edit: MemoryEdit) -> None:
        items = self.resources.memory.items
        author = self._author(edited, f"{edit.memory_id}:{self.resources.new_id()}")
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
        return [f"memory {each} is over by now; read the document again" for each in over]

    async def _find_base(self, edited: EditedFile, held: Document) -> Document | None:
        """The version that the copy was made of, where it was made of this document and is still kept."""
        told = _base_of(edited, held)
        if told is None or told == _current_base(held):
            return held if told else None
        kept = await self.resources.memory.documents.history(self.scope, held.document_id)
        return next((each for each in kept if _current_base(each) == told), None)

    async def _fetch_current(self, edited: EditedFile) -> Document | None:
        wanted = document_id(self.scope, edited.draft.kind, edited.draft.name)
        at_hand = await self.resources.memory.documents.find(self.scope, (wanted,))
        return at_hand[0] if at_hand else None

    async def _save(self, edited: EditedFile, held: Document | None) -> EditResult:
        outcome: EditOutcome = "saved" if held else "created"
        version = held.version if held else 0
        if self.dry_run:
            return EditResult(outcome=outcome, document=held)
        author = self._author(edited, str(version))
        try:
            saved = await self.resources.memory.documents.save(self.scope, edited.draft, version, author)
        except BrainError as error:
            now = await self._fetch_current(edited)
            if error.code != "E_CONFLICT" or now is None:
                raise
            return _conflict(now)
        return EditResult(outcome=outcome, document=saved)

    def _author(self, edited: EditedFile, what: str) -> Author:
        key = f"import:{path_of(edited.draft.kind, edited.draft.name)}:{what}"
        return Author(operator=self.operator, reason=self.reason, idempotency_key=key, at=self.resources.clock())


def _conflict(held: Document) -> EditResult:
    message = f"version {held.version} was written meanwhile by {held.author}"
    return EditResult(outcome="conflict", document=held, message=message)


def _has_changes(edited: EditedFile, held: Document) -> bool:
    """A copy of an older version that nobody touched asks for nothing."""
    return edited.has_changes or _base_of(edited, held) is None


def _base_of(edited: EditedFile, held: Document) -> BaseVersion | None:
    """The version that the copy was made of, where it was made of this document."""
    return edited.base if edited.base and edited.base.document_id == str(held.document_id) else None


def _memory_summary(edits: Edits) -> str:
    """What became of the memories behind edited lines."""
    corrected = sum(bool(each.words) for each in edits.memories)
    forgotten = len(edits.memories) - corrected
    counted = ((corrected, "corrected"), (forgotten, "forgotten"))
    return "memories " + ", ".join(f"{word}: {number}" for number, word in counted if number) if edits.memories else ""


def _current_base(held: Document) -> BaseVersion:
    return BaseVersion(document_id=str(held.document_id), version=held.version, sha256=held.sha256)
