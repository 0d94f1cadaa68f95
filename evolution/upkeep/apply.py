"""Carries out verdicts: one versioned write each, only so many at once, and every one accounted for."""

from collections.abc import Callable, Sequence
from datetime import datetime
from hashlib import sha256

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.upkeep.state import ActionOutcome, Step, UpkeepAction, UpkeepState
from evolution.upkeep.verdict import ConflictSettlement, Measure, PlannedChange, UpkeepVerdict
from memory.errors import BrainError
from memory.memory_item import Author, MemoryItem
from memory.upkeep import ActiveMemory, Consolidation, UpkeepChange, iterate_living

ALWAYS_ALLOWED = 5
"""So many may always go: of a handful of memories, any share is large."""


async def judge_each(
    state: UpkeepState, runtime: Runtime[JobContext], step: Step, judge: Callable[[ActiveMemory], UpkeepVerdict | None]
) -> Update:
    """Judge every living memory by itself and carry the verdicts out; nothing where the step is not called for.

    What a person pinned stays as it is.
    """
    if step not in state.steps:
        return {}
    living = iterate_living(runtime.context.resources.memory.upkeep, runtime.context.scope)
    planned = [
        PlannedChange(verdict, (each.item,))
        async for each in living
        if each.item.use != "pinned" and (verdict := judge(each))
    ]
    return await apply_changes(state, runtime, step, planned)


async def apply_changes(
    state: UpkeepState, runtime: Runtime[JobContext], step: Step, planned: Sequence[PlannedChange]
) -> Update:
    """Write every change, or say what would be written. A step that would put too much away does nothing at all."""
    actions = [_action(step, each) for each in planned]
    if alarm := _loss_alarm(state, step, actions):
        return {"actions": [{**action, "outcome": "held"} for action in actions], "alarms": [alarm]}
    if state.dry_run:
        return {"actions": actions}
    at = datetime.fromisoformat(state.at)
    done: list[UpkeepAction] = []
    for each, action in zip(planned, actions, strict=True):
        done.append({**action, "outcome": await _write(runtime.context, each.verdict, at)})
        runtime.stream_writer({"step": step, "done": len(done), "of": len(actions)})
    return {"actions": done}


async def _write(context: JobContext, verdict: UpkeepVerdict, at: datetime) -> ActionOutcome:
    """A memory that changed since it was judged is judged again next time."""
    author = Author(operator="upkeep", reason=verdict.why, idempotency_key=_key(verdict.measure), at=at)
    try:
        await _apply(context, verdict.measure, author)
    except BrainError as error:
        if error.code not in ("E_CONFLICT", "E_NOT_FOUND"):
            raise
        return "passed"
    return "done"


async def _apply(context: JobContext, measure: Measure, author: Author) -> None:
    memory, scope = context.resources.memory, context.scope
    match measure:
        case UpkeepChange():
            await memory.upkeep.apply_change(scope, measure, author)
        case Consolidation():
            await memory.upkeep.consolidate(scope, measure, author)
        case ConflictSettlement():
            await memory.conflicts.resolve(scope, measure.conflict_id, measure.settlement, author)


def _key(measure: Measure) -> str:
    match measure:
        case UpkeepChange():
            return f"upkeep:{measure.change}:{measure.memory_id}:{measure.version}"
        case ConflictSettlement():
            return f"upkeep:settle:{measure.conflict_id}"
        case Consolidation():
            members = "\n".join(f"{memory_id}:{version}" for memory_id, version in sorted(measure.members))
            return f"upkeep:consolidate:{sha256(members.encode()).hexdigest()}"


def _loss_alarm(state: UpkeepState, step: Step, actions: Sequence[UpkeepAction]) -> str | None:
    living = state.figures["living"] if state.figures else 0
    gone = sum(each["loses"] for each in state.actions if each["outcome"] in ("done", "planned"))
    going = sum(each["loses"] for each in actions)
    if going == 0 or gone + going <= max(ALWAYS_ALLOWED, state.most_lost * living):
        return None
    return f"{step} held back: it would put {going} of {living} memories away, more than {state.most_lost:.0%}"


def _action(step: Step, planned: PlannedChange) -> UpkeepAction:
    verdict, items = planned.verdict, planned.items
    change, loses = _effect(verdict.measure, len(items))
    several = " | ".join(item.content for item in items), items[0].content
    told = _differences(items[0], verdict.measure) if isinstance(verdict.measure, UpkeepChange) else several
    return UpkeepAction(
        step=step,
        change=change,
        target=str(items[0].memory_id),
        why=verdict.why,
        before=told[0],
        after=told[1],
        loses=loses,
        outcome="planned",
    )


def _effect(measure: Measure, concerned: int) -> tuple[str, int]:
    """What the change is called, and how many living memories it takes away."""
    match measure:
        case UpkeepChange():
            return measure.change, int(measure.status is not None)
        case Consolidation():
            return "consolidate", concerned - 1
        case ConflictSettlement():
            return measure.settlement.resolution, int(measure.settlement.resolution != "keep")


def _differences(item: MemoryItem, tending: UpkeepChange) -> tuple[str, str]:
    """What the memory says, and the fields that change, before and after."""
    news = {name: value for name, value in tending.new_values.items() if value != getattr(item, name)}
    before = ", ".join(_render_value(name, getattr(item, name)) for name in news)
    after = ", ".join(_render_value(name, value) for name, value in news.items())
    return f"{item.content} [{before}]", after


def _render_value(name: str, value: object) -> str:
    match value:
        case datetime():
            return f"validated {value:%Y-%m-%d}"
        case float():
            return f"{name} {value:.2f}"
        case None:
            return "never validated" if name == "last_validated_at" else f"no {name}"
        case _:
            return str(value)
