"""The tree of turns that a thread is: the twin of ``follow_branch`` in the database."""

from datetime import datetime
from uuid import UUID

from memory.contracts import NewTurn
from memory.in_memory.forgotten_turns import says_forgotten
from memory.in_memory.store import Compartment, ThreadPlace
from memory.index_rows import rows_of_event
from memory.scope import Scope


def follow_branch(space: Compartment, scope: Scope, turn: NewTurn, known: UUID | None) -> datetime | None:
    """Make the turn that a new one follows, or a known one, the head of its thread."""
    leaf = known or turn.parent_id
    if turn.thread_id is None or (leaf is None and not turn.from_start):
        return None
    return move_head(space, scope, turn.thread_id, leaf, turn.words.occurred_at)


def move_head(space: Compartment, scope: Scope, thread: str, leaf: UUID | None, at: datetime) -> datetime | None:
    """Leave the turns behind that do not lead to a turn. None when nothing moves, else when it was followed before."""
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
        _move(space, scope, each, at)
    return before if moved else None


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
        space.places[turn.operation_id] = ThreadPlace(turn.thread_id, turn.parent_id)
