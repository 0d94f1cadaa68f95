"""A person's own memories, as the commands of a chat list and change them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal
from uuid import UUID

from brain.documents.profile_refresh import try_refresh_profile
from brain.identity import Identity
from brain.overview import KnownKind, choose_known, kind_of
from brain.recall import RecallRequest, recall
from brain.resources import Resources
from evolution.requests.change_targets import ChangeTarget
from evolution.requests.memory_editor import MemoryEditor
from evolution.requests.undoing import RecentAct, list_recent_acts, undo_act
from memory.memory_item import MemoryItem
from memory.recall.query import Filters
from memory.storable_text import require_storable_text
from skills.context import ToolContext
from skills.memory_changes import rank_targets_about

MAX_LISTED, MAX_KNOWN = 20, 500
"""Memories that are listed, and among how many newest they are chosen."""


@dataclass(frozen=True)
class ListedMemories:
    """Memories, the kinds of what was chosen among all, and how many more there are."""

    targets: list[ChangeTarget]
    kinds: Sequence[KnownKind] = ()
    more: int = 0


@dataclass(frozen=True, kw_only=True)
class ChatMemories:
    """Each change is one of the person's own, under a key of its own, and can be taken back by its steps."""

    resources: Resources
    owner: Identity
    session_id: UUID
    time_zone: str

    async def list_memories(self, words: str) -> ListedMemories:
        """What is known, by kind and what matters first; with words the memories that bear on them, best first."""
        if words:
            return ListedMemories([_target(each) for each in await self._search(words)])
        known = await self.resources.memory.items.list_newest(self.owner.scope, limit=MAX_KNOWN)
        shown = choose_known(known, MAX_LISTED)
        return ListedMemories(
            [_target(each) for each in shown], [kind_of(each) for each in shown], len(known) - len(shown)
        )

    async def rank_targets(self, act: Literal["forget", "correct"], words: str) -> list[ChangeTarget]:
        """What the words may mean, the likeliest first, noted or only said."""
        return await rank_targets_about(require_storable_text(words), act, self._tool_context())

    async def forget(self, target: ChangeTarget) -> None:
        """Take it out of every reading."""
        await self._editor().forget([target])
        await self._refresh_profile()

    async def correct(self, target: ChangeTarget, content: str) -> None:
        """Put what is true in its place."""
        await self._editor().correct(target, require_storable_text(content))
        await self._refresh_profile()

    async def list_changes(self) -> list[RecentAct]:
        """What can be taken back, the newest first."""
        return await list_recent_acts(self.resources, self.owner.scope)

    async def take_back(self, act: RecentAct) -> list[str]:
        """Undo one change; what the memories say now."""
        said = await undo_act(self._editor(), act)
        await self._refresh_profile()
        return said

    async def _search(self, words: str) -> list[MemoryItem]:
        request = RecallRequest(
            text=require_storable_text(words),
            at=self.resources.clock(),
            time_zone=self.time_zone,
            filters=Filters(lanes=("fact",)),
            limit=MAX_LISTED,
        )
        found = await recall(self.resources, self.owner.scope, request)
        ids = [each.candidate.source_id for each in found.ranked]
        by_id = {each.memory_id: each for each in await self.resources.memory.items.get_many(self.owner.scope, ids)}
        return [by_id[each] for each in ids if each in by_id]

    async def _refresh_profile(self) -> None:
        await try_refresh_profile(self.resources, self.owner.scope, self.time_zone)

    def _editor(self) -> MemoryEditor:
        key = f"chat:{self.resources.new_id()}"
        return MemoryEditor(
            resources=self.resources, scope=self.owner.scope, key=key, at=self.resources.clock(), trace_id=key
        )

    def _tool_context(self) -> ToolContext:
        return ToolContext(
            identity=self.owner,
            resources=self.resources,
            session_id=self.session_id,
            call_id=str(self.resources.new_id()),
            at=self.resources.clock(),
            time_zone=self.time_zone,
            user_text="",
        )


def _target(item: MemoryItem) -> ChangeTarget:
    return ChangeTarget(
        text=item.content,
        person="",
        topics={},
        memory_ids=(item.memory_id,),
        moments=(item.observed_at,),
        use=item.use,
    )
