"""The tree of a thread's turns, in memory; in the database it is the function ``follow_branch``."""

from datetime import datetime
from uuid import UUID

from memory.branch_changes import MOVED, LeftBehind, leave_or_return, settle_ending
from memory.contracts import Author, Change, MemoryItem, NewTurn
from memory.in_memory.forgotten_turns import says_forgotten
from memory.in_memory.store import Compartment, ThreadPlace
from memory.in_memory.unit_of_work import InMemoryUnit
from memory.index_rows import rows_of_event
from memory.scope import Scope

_ROUNDS = 4


def follow_branch(unit: InMemoryUnit, turn: NewTurn, known: UUID | None) -> datetime | None:
    """Make the turn that a forking one follows, or a known one, the head of its thread."""
    leaf = known or turn.parent_id
    if not turn.forks or turn.thread_id is None or (leaf is None and not turn.from_start):
        return None
    return move_head(unit, turn.thread_id, leaf, turn.words.occurred_at)


def move_head(unit: InMemoryUnit, thread: str, leaf: UUID | None, at: datetime) -> datetime | None:
    """Leave the turns behind that do not lead to a turn. None when nothing moves, else when it was followed before."""
    space = unit.space
    turns = {each: place for each, place in space.places.items() if place.thread == thread}
    line = [each for each in turns if each not in space.left]
    if not turns or (leaf is not None and leaf not in turns) or (line[-1] if line else None) == leaf:
        return None
    followed = [space.operations[each].created_at for each, place in turns.items() if place.parent == leaf]
    before = min(followed, default=space.left.get(leaf, at) if leaf else at)
    path: set[UUID] = set()
    while leaf is not None and leaf in turns and leaf not in path:
        path.add(leaf)
        leaf = turns[leaf].parent
    moved = [each for each in turns if _moves(space, each, path)]
    for each in moved:
        _move(space, unit.scope, each, at)
    settle_memories(unit, at)
    return before if moved else None


def settle_memories(unit: InMemoryUnit, at: datetime) -> None:
    """Bring the memories up to the heads of their threads."""
    space = unit.space
    events = frozenset(str(event.event_id) for operation, event in space.events if operation in space.left)
    for item in [each for each in space.items.values() if _is_misplaced(space, each, events)]:
        _put(unit, leave_or_return(item, at))
    for _ in range(_ROUNDS):
        left = LeftBehind(frozenset(each.memory_id for each in space.items.values() if each.status == "left"), events)
        for item in list(space.items.values()):
            if change := settle_ending(item, left, at):
                _put(unit, change)


def _is_misplaced(space: Compartment, item: MemoryItem, left: frozenset[str]) -> bool:
    """Whether a memory counts though all its turns were left behind, or the other way round."""
    ended_by = str(item.provenance.get("ended_by", ""))
    cited = {str(each.event_id) for each in space.citations.get(item.memory_id, ())}
    rests_on = {event for event in cited if event not in ended_by}
    return bool(rests_on) and item.status != "deleted" and left.issuperset(rests_on) == (item.status != "left")


def _put(unit: InMemoryUnit, change: tuple[Change, MemoryItem]) -> None:
    name, item = change
    key = f"branch:{item.memory_id}:{item.version}"
    author = Author(operator="brain", reason=MOVED, idempotency_key=key, at=item.updated_at)
    unit.space.items[item.memory_id] = item
    unit.keep_version(item, name, author, name)


def _moves(space: Compartment, operation: UUID, path: set[UUID]) -> bool:
    if operation in path:
        return operation in space.left
    return operation not in space.left and space.operations[operation].status != "accepted"


def _move(space: Compartment, scope: Scope, operation: UUID, at: datetime) -> None:
    returns = space.left.pop(operation, None) is not None
    if not returns:
        space.left[operation] = at
    for event in space.turn(operation):
        if not returns:
            space.rows = {key: row for key, row in space.rows.items() if row.turn_id != event.event_id}
        elif _is_readable(space, event.event_id):
            space.rows |= {row.source_id: row for row in rows_of_event(scope, event)}


def _is_readable(space: Compartment, event_id: UUID) -> bool:
    open_to_all = space.visibilities.get(event_id, "all") == "all" and event_id not in space.replaced
    return open_to_all and not says_forgotten(space, event_id)


def note_place(space: Compartment, turn: NewTurn) -> None:
    """Remember where a new turn stands in its thread."""
    if turn.thread_id is not None:
        newest = None if turn.forks else find_newest(space, turn.thread_id)
        space.places[turn.operation_id] = ThreadPlace(turn.thread_id, newest or turn.parent_id)


def find_newest(space: Compartment, thread: str | None) -> UUID | None:
    """The head of a thread."""
    return next(iter(list_line(space, thread)[::-1]), None)


def list_line(space: Compartment, thread: str | None) -> list[UUID]:
    """The turns that lead to the head of a thread, in order."""
    return [each for each, place in space.places.items() if place.thread == thread and each not in space.left]


def list_behind(space: Compartment, thread: str, turn: UUID | None) -> list[UUID]:
    """Those of them that come after a turn; all without one, none where the turn is unknown."""
    known = list(space.places)
    if turn is not None and turn not in known:
        return []
    after = known.index(turn) + 1 if turn else 0
    return [each for each in list_line(space, thread) if known.index(each) >= after]
