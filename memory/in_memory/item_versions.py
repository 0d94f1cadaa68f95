"""One change of a memory on its way onto the shelf: item, version, index row and receipt."""

from dataclasses import replace
from typing import Literal
from uuid import UUID

from memory.contracts import Author, Change, Citation, MemoryItem, MemoryVersion, WriteReceipt
from memory.in_memory.forgotten_turns import forgotten_turns, says_forgotten
from memory.in_memory.sessions import withdraw_summaries
from memory.in_memory.store import Compartment
from memory.in_memory.turn_standing import weigh_turns
from memory.index_rows import IndexRow, row_of_item
from memory.revision import events_of, snapshot, unknown_memory


def get_item(space: Compartment, memory_id: UUID) -> MemoryItem:
    """The memory as it stands. Raises ``E_NOT_FOUND``."""
    try:
        return space.items[memory_id]
    except KeyError:
        raise unknown_memory() from None


def find_receipt(space: Compartment, author: Author) -> WriteReceipt | None:
    """The receipt that this author's idempotency key already got, or None."""
    return space.answers.get(author.idempotency_key)


def issue_receipt(
    space: Compartment, memory_id: UUID, author: Author, status: Literal["accepted", "merged"] = "accepted"
) -> WriteReceipt:
    """The receipt of a write; it answers the same idempotency key again."""
    receipt = WriteReceipt(receipt_id=space.new_id(), memory_id=memory_id, written_at=author.at, status=status)
    space.answers[author.idempotency_key] = receipt
    return receipt


def cite(space: Compartment, memory_id: UUID, *citations: Citation) -> None:
    """Add the turns that a memory rests on; known ones stay."""
    known = space.citations.get(memory_id, ())
    space.citations[memory_id] = tuple(dict.fromkeys((*known, *citations)))


def put_item(space: Compartment, item: MemoryItem, change: Change, author: Author) -> None:
    """The new state with its version; what was deleted leaves the index together with its turns."""
    space.items[item.memory_id] = item
    if item.status != "active":
        _close_conflicts(space, item.memory_id, author)
    if item.status == "deleted":
        _hide_item(space, item.memory_id)
    else:
        space.rows[item.memory_id] = _row(space, item, author)
    if change == "restore":
        space.rows |= {key: row for key, row in space.hidden.items() if not says_forgotten(space, row.turn_id)}
    weigh_turns(space, map(UUID, events_of(item)))
    space.versions.setdefault(item.memory_id, []).append(
        MemoryVersion(
            version=item.version,
            change=change,
            snapshot=snapshot(item),
            reason=author.reason,
            operator=author.operator,
            recorded_at=author.at,
        )
    )


def _close_conflicts(space: Compartment, memory_id: UUID, author: Author) -> None:
    for key, each in space.conflicts.items():
        if each.status == "open" and memory_id in (each.held_id, each.new_id):
            space.conflicts[key] = replace(each, status="discarded", settled_at=author.at, settled_by=author.operator)


def _hide_item(space: Compartment, memory_id: UUID) -> None:
    space.rows.pop(memory_id, None)
    gone = forgotten_turns(space, memory_id)
    hidden = [row for event_id in gone for row in space.rows_of_turn(event_id)]
    space.hidden |= {row.source_id: space.rows.pop(row.source_id) for row in hidden}
    withdraw_summaries(space, gone)


def _row(space: Compartment, item: MemoryItem, author: Author) -> IndexRow:
    """The row of a memory; while its words stay, it is known how often they were used."""
    row, held = row_of_item(item, author.at), space.rows.get(item.memory_id)
    if held is None or held.text != row.text:
        return row
    return replace(row, injected_count=held.injected_count, positive_count=held.positive_count)
