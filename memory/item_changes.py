"""Writing to memories through the items port: the same for every store, which brings its unit of work."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from uuid import UUID

from language.predicates import fold_predicate, slot_of
from language.readers import read_value
from memory.contracts import Author, Citation, ItemUse, MemoryDraft, MemoryItem, MemoryVersion, WriteReceipt
from memory.rederivation import Rederivation
from memory.revision import (
    Correction,
    confirm_item,
    correct_item,
    forget_item,
    from_snapshot,
    restate_item,
    restore_item,
    unknown_memory,
)
from memory.scope import Scope
from memory.unit_of_work import UnitOfWork
from memory.writing import Revise, Writing

LONGEST = 2_000
"""Characters of a correction that are read at all; whatever is longer is no single statement."""
_ENDING = " .!。！"


class ItemChanges(ABC):
    """The part of the items port that writes. The promises are those of the port."""

    @abstractmethod
    def _begin(self, scope: Scope) -> AbstractAsyncContextManager[UnitOfWork]:
        """A unit of work that takes effect when it is left without an error."""

    @abstractmethod
    async def history(self, scope: Scope, memory_id: UUID) -> list[MemoryVersion]:
        """All versions, oldest first."""

    async def write(self, scope: Scope, draft: MemoryDraft, author: Author) -> WriteReceipt:
        async with self._begin(scope) as unit:
            return await Writing(unit, author).write(draft)

    async def rederive(self, scope: Scope, rederivation: Rederivation, author: Author) -> WriteReceipt:
        async with self._begin(scope) as unit:
            return await Writing(unit, author).rederive(rederivation)

    async def replace_citations(
        self, scope: Scope, memory_id: UUID, citations: Sequence[Citation], author: Author
    ) -> WriteReceipt:
        async with self._begin(scope) as unit:
            return await Writing(unit, author).replace_citations(memory_id, citations)

    async def correct(self, scope: Scope, memory_id: UUID, content: str, author: Author) -> WriteReceipt:
        def correct(item: MemoryItem) -> MemoryItem:
            return correct_item(item, read_correction(item, content), author.at)

        return await self._revise(scope, memory_id, ("correct", correct), author)

    async def restate(self, scope: Scope, memory_id: UUID, content: str, author: Author) -> WriteReceipt:
        def restate(item: MemoryItem) -> MemoryItem:
            return restate_item(item, read_correction(item, content), author.at)

        return await self._revise(scope, memory_id, ("correct", restate), author)

    async def confirm(self, scope: Scope, memory_id: UUID, author: Author) -> WriteReceipt:
        return await self._revise(scope, memory_id, ("confirm", lambda i: confirm_item(i, author.at)), author)

    async def forget(self, scope: Scope, memory_id: UUID, author: Author) -> WriteReceipt:
        return await self._revise(scope, memory_id, ("forget", lambda i: forget_item(i, author.at)), author)

    async def restore(self, scope: Scope, memory_id: UUID, version: int, author: Author) -> WriteReceipt:
        versions = await self.history(scope, memory_id)
        earlier = next((each for each in versions if each.version == version), None)
        if earlier is None:
            raise unknown_memory()
        past = from_snapshot(earlier.snapshot)
        return await self._revise(scope, memory_id, ("restore", lambda i: restore_item(i, past, author.at)), author)

    async def set_use(self, scope: Scope, memory_id: UUID, use: ItemUse, author: Author) -> WriteReceipt:
        async with self._begin(scope) as unit:
            return await Writing(unit, author).set_use(memory_id, use)

    async def _revise(self, scope: Scope, memory_id: UUID, change: Revise, author: Author) -> WriteReceipt:
        async with self._begin(scope) as unit:
            return await Writing(unit, author).revise(memory_id, change)


def read_correction(item: MemoryItem, words: str) -> Correction:
    """What the words say in the place of this memory: a value that can be read off, or the sentence itself.

    A sentence that stands for itself says its own denial: it is never negated.
    """
    value = read_value(words) if len(words) <= LONGEST else None
    if value and slot_of(item.subject, fold_predicate(value.predicate)) == item.slot:
        return Correction(content=words, object=value.text, negated=False, category=item.category)
    held = _new_object(item, words)
    return Correction(content=words, object=held or words, negated=bool(held) and item.negated, category=item.category)


def _new_object(item: MemoryItem, words: str) -> str:
    """The Lyon of "Ann lives in Lyon" where the memory says "Ann lives in Paris.": its own sentence, another object."""
    before, held, after = item.content.rstrip(_ENDING).rpartition(item.object)
    plain = words.rstrip(_ENDING)
    framed = held and (before or after) and plain.startswith(before) and plain.endswith(after)
    return plain[len(before) : len(plain) - len(after)].strip() if framed else ""
