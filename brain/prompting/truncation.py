"""What gives way when a prompt does not fit: two policies behind one interface."""

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Protocol

from brain.prompting.budget import CUT_ORDER, BudgetSignals, Slot, cut_slots, safety_margin, slot_demands, slot_floors
from memory.errors import bad_request


class TruncationPolicy(Protocol):
    """Brings the slots' wishes down to the tokens there are."""

    def truncate(self, slots: Mapping[Slot, int], available: int, signals: BudgetSignals) -> dict[Slot, int]:
        """Slots that add up to at most ``available`` tokens; the leasts are kept while the window holds them all."""
        ...


@dataclass(frozen=True)
class FixedPriority:
    """One slot after the other gives way, down to its least and then, still in order, to nothing."""

    def truncate(self, slots: Mapping[Slot, int], available: int, signals: BudgetSignals) -> dict[Slot, int]:
        """See ``TruncationPolicy``."""
        return cut_slots(slots, slot_floors(signals), available)


@dataclass(frozen=True)
class ConstraintOptimization:
    """Every slot gives way in proportion to how little this turn needs it; the least of each is kept while it can be.

    Maximises the sum of ``weight * log(tokens above the least)`` under the slots' wishes and the window: what is left
    above the leasts is poured in by weight, and what one slot cannot take flows on to the others.
    """

    def truncate(self, slots: Mapping[Slot, int], available: int, signals: BudgetSignals) -> dict[Slot, int]:
        """See ``TruncationPolicy``."""
        floor: dict[Slot, int] = {**slots, **{slot: slot_floors(signals)[slot] for slot in CUT_ORDER}}
        spare = available - sum(floor.values())
        if spare < 0:
            return cut_slots(floor, slot_floors(signals), available)
        return _fill_slots(floor, slots, spare, _weights(signals))


POLICIES: Mapping[str, TruncationPolicy] = MappingProxyType(
    {"fixed_priority": FixedPriority(), "constraint_optimization": ConstraintOptimization()}
)


def truncation_policy(name: str) -> TruncationPolicy:
    """The policy of that name."""
    try:
        return POLICIES[name]
    except KeyError:
        raise bad_request(f"There is no truncation policy {name!r}.", f"Choose one of {', '.join(POLICIES)}.") from None


def allocate(signals: BudgetSignals, policy: TruncationPolicy) -> dict[Slot, int]:
    """The tokens of each slot in this turn; together with the safety margin they fit the model's window."""
    window = signals.model_context_window
    return policy.truncate(slot_demands(signals), window - safety_margin(window), signals)


def _weights(signals: BudgetSignals) -> dict[Slot, float]:
    """How much a further token is worth in each slot that can be cut."""
    return {
        "personal_context": 1.0 + min(signals.memory_richness, 15) / 5,
        "active_window": 1.0 + min(signals.conversation_depth, 40) / 20,
        "entity_slots": 1.0,
        "summary_blocks": 0.8,
        "documents": 0.7,
        "knowledge_context": 0.5 + min(signals.knowledge_relevance, 10) / 5,
    }


def _fill_slots(
    least: Mapping[Slot, int], most: Mapping[Slot, int], spare: int, weights: Mapping[Slot, float]
) -> dict[Slot, int]:
    """Pour ``spare`` into the slots by weight until it is used up or all are full."""
    filled: dict[Slot, int] = dict(least)
    hungry: list[Slot] = [slot for slot in least if most[slot] > least[slot]]
    while spare > 0 and hungry:
        share = spare / sum(weights[slot] for slot in hungry)
        given: dict[Slot, int] = {slot: min(int(share * weights[slot]), most[slot] - filled[slot]) for slot in hungry}
        if not any(given.values()):
            break
        for slot, tokens in given.items():
            filled[slot] += tokens
        spare -= sum(given.values())
        hungry = [slot for slot in hungry if filled[slot] < most[slot]]
    return filled
