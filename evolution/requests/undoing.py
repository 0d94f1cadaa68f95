"""Taking back what was last changed: for a day, from any door, only by the person whose memory it is.

An act is all that one turn, command or call changed. What was forgotten, corrected, superseded or taken back stands
again as it stood before it; what was only noted at the person's word is forgotten.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from uuid import UUID, uuid5

from brain.resources import Resources
from evolution.requests.memory_editor import OFF_RECORD, MemoryEditor
from language.naming import compare_named, read_named
from memory.errors import BrainError
from memory.memory_item import TAKES_AWAY, RecentChange
from memory.scope import Scope

CONCLUDED = "said so"
"""The reason of a change that was concluded from what was said, not asked for."""
_SPACE = UUID("6f0d9a52-3c1f-5b8e-9a54-0d4f6a7c2e31")
MAX_LISTED = 20


@dataclass(frozen=True, kw_only=True)
class RecentAct:
    """One act and what it changed; ``told`` are the words that come back, or go again."""

    act_id: UUID
    at: datetime
    changes: tuple[RecentChange, ...]

    @property
    def told(self) -> tuple[str, ...]:
        """What stood there before it, or what it noted."""
        return tuple(each.before or each.after for each in self.changes)

    @property
    def is_asked_for(self) -> bool:
        """Whether somebody asked for it, rather than that it followed from what was said."""
        return any(each.reason != CONCLUDED for each in self.changes)


async def list_recent_acts(resources: Resources, scope: Scope) -> list[RecentAct]:
    """What can be taken back, the newest first: nothing that was said off the record comes back."""
    found = [each for each in await resources.memory.items.recent_changes(scope) if each.reason != OFF_RECORD]
    acts = [list(group) for _, group in groupby(found, key=lambda each: each.trace_id)]
    return [_act(changes) for changes in acts[:MAX_LISTED]]


async def undo_act(editor: MemoryEditor, act: RecentAct) -> list[str]:
    """Take one act back, once however often it is asked for; what the memories say now, or said."""
    items, said = editor.resources.memory.items, list[str]()
    for each in act.changes:
        author = editor.author(f"undo:{each.memory_id}:{each.version}")
        if each.change in TAKES_AWAY:
            await items.restore(editor.scope, each.memory_id, each.version - 1, author)
        else:
            await items.forget(editor.scope, each.memory_id, author)
        said.append(each.before or each.after)
    return said


def find_act(acts: Sequence[RecentAct], act_id: UUID) -> RecentAct:
    """The act of an id. Raises ``E_NOT_FOUND`` for one that is over, undone, or not this person's."""
    for each in acts:
        if each.act_id == act_id:
            return each
    raise BrainError("E_NOT_FOUND", "No such change can be taken back.", "The list of changes shows those of a day.")


def last_asked_for(acts: Sequence[RecentAct]) -> RecentAct | None:
    """The newest act that somebody asked for."""
    return next((each for each in acts if each.is_asked_for), None)


def acts_about(acts: Sequence[RecentAct], about: str) -> list[RecentAct]:
    """Those that hold all that is named."""
    named = read_named(about, about)
    return [act for act in acts if any(not compare_named(named, told, "", {}).unheld for told in act.told)]


def _act(changes: list[RecentChange]) -> RecentAct:
    """What an act noted beside what it took away is no part of what is undone."""
    taken = [each for each in changes if each.change in TAKES_AWAY]
    first = changes[0]
    return RecentAct(act_id=uuid5(_SPACE, first.trace_id), at=first.changed_at, changes=tuple(taken or changes))
