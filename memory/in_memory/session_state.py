"""A session as a turn finds it: its window, summaries, and what stands over from the turn before."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from uuid import UUID

from memory.contracts import Event, InjectedMemory, MemoryItem, Receipt
from memory.in_memory.forgotten_turns import says_forgotten
from memory.in_memory.ledger import sum_tokens
from memory.in_memory.store import Compartment, InMemoryStore
from memory.scope import Scope
from memory.session_state import SessionState

SHOWN_BLOCKS = 5
"""How many blocks the statement that opens a session brings."""
MOST_PINS = 50
"""How many pinned memories it brings."""
MOST_WISHES = 10
"""How many memories it brings of how the person wants to be spoken to and called."""


def build_session_state(
    store: InMemoryStore,
    scope: Scope,
    session_id: UUID,
    asked: tuple[int, Sequence[UUID], date | None],
    own: UUID | None,
) -> SessionState:
    """The session as it stands; without the turn that was accepted before and comes again."""
    (window, documents, day), space = asked, store.compartment_of(scope)
    spent = sum_tokens(store, scope, day) if day else 0
    wanted = tuple(space.documents[each] for each in documents if each in space.documents)
    before = space.turn(own)[0].position if own else space.positions.get(session_id, 0)
    spoken = [
        (operation, event)
        for operation, event in space.events
        if event.session_id == session_id and event.position < before and operation not in space.left
    ]
    if not spoken:
        return SessionState(documents=wanted, tokens_spent=spent, pinned=_pinned_memories(space), wishes=_wishes(space))
    last, run_id = spoken[-1][0], space.runs.get(spoken[-1][1].event_id)
    waiting = [each for each in space.receipts.get(last, []) if space.runs.get(each.receipt_id) == run_id]
    blocks = [each for each in space.blocks.get(session_id, []) if each.last_position < before]
    reached = blocks[-1].last_position if blocks else -1
    live = [e for _, e in spoken if e.position > reached and e.event_id not in space.replaced]
    hidden = {event.event_id: event.sha256 for _, event in spoken if is_unreadable(space, event)}
    gone = {event.sha256 for _, event in spoken if is_unreadable(space, event, or_excluded=False)}
    return SessionState(
        window=tuple([event for event in live if event.event_id not in hidden][-window:]),
        summaries=tuple(each.text for each in blocks if each.text and not each.withdrawn)[-SHOWN_BLOCKS:],
        unsummarised=max(before - reached - 1, 0),
        entity_slots=space.slots.get(session_id, {}),
        injected=tuple(_injected_memories(waiting)),
        turns=before,
        documents=wanted,
        tokens_spent=spent,
        gone=frozenset(gone),
        withheld=frozenset(hidden.values()) - gone,
        pinned=_pinned_memories(space),
        wishes=_wishes(space),
        carried=space.carried.get(session_id, {}),
    )


def is_unreadable(space: Compartment, event: Event, *, or_excluded: bool = True) -> bool:
    """Whether the words were withheld or are to be forgotten."""
    hidden = space.visibilities.get(event.event_id) == "log"
    return hidden or says_forgotten(space, event.event_id, or_excluded=or_excluded)


def _pinned_memories(space: Compartment) -> tuple[MemoryItem, ...]:
    """The memories of every prompt, the last one pinned first."""
    pinned = (item for item in space.items.values() if item.use == "pinned" and item.status == "active")
    dated = [(_pinned_at(space, item.memory_id), item.memory_id, item) for item in pinned]
    return tuple(item for *_, item in sorted(dated, reverse=True)[:MOST_PINS])


def _wishes(space: Compartment) -> tuple[MemoryItem, ...]:
    """How the person wants to be spoken to and called, the newest first."""
    told = (
        item
        for item in space.items.values()
        if item.category in ("answers", "name") and item.status == "active" and item.use != "excluded"
    )
    return tuple(sorted(told, key=lambda item: (item.observed_at, item.memory_id), reverse=True)[:MOST_WISHES])


def _pinned_at(space: Compartment, memory_id: UUID) -> datetime:
    return max(each.recorded_at for each in space.versions[memory_id] if each.change == "set_use")


def _is_only_pinned(receipt: Receipt) -> bool:
    """Whether the memory stood in the prompt for its pin alone: then nothing is learned from how it was taken."""
    return receipt.details.get("decision_reason") == "pinned" and receipt.details.get("signals") == {}


def _injected_memories(receipts: Iterable[Receipt]) -> Iterator[InjectedMemory]:
    for receipt in receipts:
        placed = receipt.details.get("context_position") is not None and not _is_only_pinned(receipt)
        if receipt.receipt_type == "injection" and placed and receipt.user_feedback_signal is None:
            assert receipt.memory_id is not None
            assert receipt.lane is not None
            text = str(receipt.details.get("text", ""))
            yield InjectedMemory(
                receipt_id=receipt.receipt_id, memory_id=receipt.memory_id, lane=receipt.lane, text=text
            )
