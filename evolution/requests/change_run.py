"""A turn in which a person asks something of memory: what its steps need, and how each of them concludes."""

from dataclasses import dataclass, replace
from typing import Any, Literal, NotRequired, TypedDict
from uuid import UUID

from brain.change_approval import ApprovalReason, QuestionChoice
from brain.context import Context
from brain.state import ChangeAct, ChangeOutcome, MemoryChange, TurnInfo
from evolution.requests.change_targets import ChangeTarget, TargetQuery, TurnSpan
from evolution.requests.memory_editor import OFF_RECORD, MemoryEditor
from memory.session_state import SessionState
from memory.turns import Visibility
from memory.write_decision import is_protected

_OPEN: frozenset[ChangeOutcome] = frozenset(
    {"unknown", "unnamed", "in_past", "asked", "nearest", "says_more", "proposed", "confirm"}
)
"""A request to forget that is not carried out yet."""
_OPEN_CORRECTION: frozenset[ChangeOutcome] = frozenset({"unknown", "asked"})
"""A request to correct that is not carried out yet, and of which no memory is made."""
_VISIBLE: dict[ChangeAct, Visibility] = {"forget": "log", "dont_note": "session", "undo": "session"}
"""Where a turn is read whose request was carried out; what a person wants forgotten is found by no later recall."""


CARRIED_OUT = "carried out in the turn"
"""The reason code of a turn that only asked something of memory."""


class OpenQuestion(TypedDict):
    """What was asked back, until the next turn answers it."""

    act: Literal["forget", "correct", "undo"]
    choices: list[QuestionChoice]
    whole: NotRequired[bool]
    """Whether only all of them can be chosen, or none."""
    contents: NotRequired[list[str]]
    """What each of them would say once it is corrected."""
    unsure: NotRequired[bool]
    """Whether none of them holds what was named: a mere "ok" is no answer then."""


@dataclass(frozen=True, kw_only=True)
class ChangeRun:
    """One request, and the session as it stood when the request came."""

    context: Context
    turn: TurnInfo
    query: TargetQuery
    editor: MemoryEditor
    opened: SessionState
    user: str = ""
    """The name by which they are known."""
    is_approved: bool = False

    @property
    def has_model(self) -> bool:
        """Whether a model decides what is forgotten and corrected, by its tools."""
        return self.context.resources.models.chat is not None

    @property
    def is_off_record(self) -> bool:
        """Whether the person talks off the record."""
        return bool(self.opened.carried.get("off_record"))

    def keep_unchanged(self) -> MemoryChange:
        """An ordinary turn: an open question is dropped, and off the record stays off the record."""
        return self.conclude("", "kept")

    def conclude(
        self, act: ChangeAct, outcome: ChangeOutcome, *, carried: dict[str, Any] | None = None, **more: Any
    ) -> MemoryChange:
        """What became of the request; ``carried`` goes on to the next turn, ``more`` are fields of the change."""
        open_request = outcome in {"forget": _OPEN, "correct": _OPEN_CORRECTION}.get(act, ())
        withheld = self.is_off_record or act in ("dont_note", "off_record") or open_request
        visibility = _VISIBLE.get(act, "all") if outcome == "done" or act == "dont_note" else "all"
        values: dict[str, Any] = {
            "act": act,
            "outcome": outcome,
            "told": [],
            "new": "",
            "notes": [],
            "visibility": "session" if withheld and visibility == "all" else visibility,
            "settled": CARRIED_OUT if outcome == "done" or open_request else OFF_RECORD if withheld else "",
            "carried": self._carry_on(act) | (carried or {}),
        }
        return MemoryChange(**(values | more))

    def _carry_on(self, act: ChangeAct) -> dict[str, Any]:
        """What earlier turns left that the next turn still needs."""
        return {"off_record": True} if self.is_off_record and act != "on_record" else {}


async def find_chosen(run: ChangeRun, choice: QuestionChoice) -> ChangeTarget:
    """What a choice means, as it was when it was offered."""
    ids = [UUID(event_id) for event_id, _, _ in choice["spoken"]]
    found = await run.context.resources.memory.log.events(run.query.scope, ids) if ids else []
    events = {str(each.event_id): each for each in found}
    spoken = [TurnSpan(events[name], start, end) for name, start, end in choice["spoken"] if name in events]
    return ChangeTarget(
        text=choice["text"],
        person="",
        topics={},
        memory_ids=tuple(map(UUID, choice["memory_ids"])),
        spoken=tuple(spoken),
        is_withheld=bool(spoken) and not choice["memory_ids"] and all(each.event.withheld for each in spoken),
    )


async def find_living(run: ChangeRun, choice: QuestionChoice) -> ChangeTarget | None:
    """What a choice means now; None when all of it has ended meanwhile."""
    chosen = await find_chosen(run, choice)
    found = await run.context.resources.memory.items.get_many(run.query.scope, list(chosen.memory_ids))
    living = tuple(each.memory_id for each in found if each.status == "active")
    return replace(chosen, memory_ids=living) if living or chosen.spoken else None


def choices_of(targets: list[ChangeTarget]) -> list[QuestionChoice]:
    """The targets as they are kept until the next turn."""
    return [
        QuestionChoice(
            text=each.text,
            memory_ids=[str(known) for known in each.memory_ids],
            spoken=[(str(span.event.event_id), span.start, span.end) for span in each.spoken],
        )
        for each in targets
    ]


async def approval_reason(run: ChangeRun, targets: list[ChangeTarget]) -> ApprovalReason:
    """Why the change has to wait for approval; empty when it has not."""
    policy = run.context.approval_policy
    ids = {known for each in targets for known in each.memory_ids}
    if policy.is_bulk(len(ids) + sum(len(each.spoken) for each in targets)):
        return "bulk"
    if "conflicts" in policy.acts and ids and await _settles_constraint(run, ids):
        return "conflict"
    return ""


async def _settles_constraint(run: ChangeRun, ids: set[UUID]) -> bool:
    """Whether one of the memories is a side of an open conflict about a constraint."""
    memory, scope = run.context.resources.memory, run.query.scope
    opened = await memory.conflicts.list_conflicts(scope)
    sides = [side for each in opened if ids & {each.held_id, each.new_id} for side in (each.held_id, each.new_id)]
    contested = await memory.items.get_many(scope, list(dict.fromkeys(sides))) if sides else []
    return any(map(is_protected, contested))
