"""Living memories and runs of upkeep, so that each test names only what it is about."""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from evolution.upkeep.state import STEPS, UpkeepFigures, UpkeepState
from memory.memory_item import Change, MemoryDraft, MemoryItem
from memory.ports import MemoryCore
from memory.revision import first_version
from memory.upkeep import ActiveMemory, Feedback
from tests.contract.builders import a_draft
from tests.fakes import NOW, Leanings, resources_of
from tests.this_test import me


def ago(days: float) -> datetime:
    """So many days before now."""
    return NOW - timedelta(days=days)


def an_old_draft(days: float = 0, object_: str = "green tea", **more: object) -> MemoryDraft:
    """A leaning that was observed so many days ago."""
    told: dict[str, Any] = {
        "observed_at": ago(days),
        "valid_at": ago(days),
        "provenance": "observation",
        "confidence": 0.5,
        "epistemic_type": "preference",
    }
    return a_draft(object_, **(told | more))


def an_item(days: float = 0, **more: Any) -> MemoryItem:
    """The memory of such a draft, as it was when it was written."""
    draft = an_old_draft(days, **more)
    return first_version(draft, UUID(int=7), me().user_id, draft.observed_at)


def a_living(item: MemoryItem, *, last_change: Change = "create", **feedback: Any) -> ActiveMemory:
    """The memory with how it fared."""
    taken = Feedback(since=item.created_at, **feedback)
    return ActiveMemory(item=item, feedback=taken, said_at=item.observed_at, last_change=last_change)


def figures(living: int = 100, **more: Any) -> UpkeepFigures:
    """Figures of somebody with so many memories, all of them sound."""
    told: dict[str, Any] = {
        "outdated": 0,
        "ended": 0,
        "doubted": 0,
        "replaced_often": 0,
        "contested": 0,
        "staleness": 0.0,
        "conflict": 0.0,
    }
    return UpkeepFigures(**{"living": living, **told, **more})


def a_state(**more: Any) -> UpkeepState:
    """A run in which every step was chosen."""
    known: dict[str, Any] = {"at": NOW.isoformat(), "steps": list(STEPS), "figures": figures()}
    return UpkeepState(**(known | more))


def a_job_context(memory: MemoryCore, clock: Callable[[], datetime] = lambda: NOW) -> JobContext:
    """Ann's memories."""
    return JobContext(scope=me(), resources=resources_of(Leanings(memory=memory, clock=clock)))


def a_run(memory: MemoryCore) -> Runtime[JobContext]:
    """The runtime that LangGraph would hand to a step."""
    return Runtime(context=a_job_context(memory))
