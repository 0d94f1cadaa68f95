"""Turns in which a memory was used and how people took it."""

from dataclasses import replace
from uuid import UUID

from memory.ports import MemoryCore
from memory.receipts import Reaction
from memory.scope import Scope
from tests.contract.builders import a_session, a_turn, an_injection, said


async def used(memory: MemoryCore, scope: Scope, memory_id: UUID, *signals: str, drawn_on: bool = True) -> None:
    """One turn per signal in which the memory was injected, and the turn in which the user took it so."""
    session = a_session()
    for number, signal in enumerate(signals, start=1):
        injected = replace(
            an_injection(memory_id), utilized=drawn_on, utilization_signal="keyword_match" if drawn_on else "none"
        )
        await memory.log.capture(scope, a_turn(said("Well", minutes=number), session=session, receipts=(injected,)))
        reaction = Reaction(receipt_id=injected.receipt_id, memory_id=memory_id, signal=signal)
        await memory.log.capture(
            scope, a_turn(said("So", minutes=number + 0.5), session=session, reactions=(reaction,))
        )
