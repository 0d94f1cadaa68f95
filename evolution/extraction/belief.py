"""How far a sentence is believed: by its kind, and by how plainly it was said (S0 section 3.1.0.1)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from language.kinds import Kind, Topic
from memory.memory_item import EpistemicType, ItemType, ProvenanceLevel

INSISTED: frozenset[Kind] = frozenset({"remember", "slip"})
"""Sentences by which somebody makes sure that it is got right."""


@dataclass(frozen=True, kw_only=True)
class Belief:
    """Where a memory comes from, how far it is believed, and how sure the person was: 0 to 1 each."""

    provenance: ProvenanceLevel
    confidence: float
    certainty: float = 0.9


_STATED = Belief(provenance="confirmed_by_user", confidence=0.85)
_BY_TYPE: Mapping[ItemType, Belief] = {
    "preference": Belief(provenance="observation", confidence=0.5),
    "plan": Belief(provenance="confirmed_by_user", confidence=0.7),
    "pattern": Belief(provenance="analysis", confidence=0.6, certainty=0.7),
}
"""A declared taste stays at 0.5 until it is heard again."""
_SHOWN_BELIEF = Belief(provenance="observation", confidence=0.5, certainty=0.7)
_UNSURE_BELIEF = Belief(provenance="observation", confidence=0.4, certainty=0.5)


def belief_of(item_type: ItemType, *, insisted: bool = False) -> Belief:
    """What is said outright."""
    if insisted:
        return replace(_STATED, confidence=0.9)
    return _BY_TYPE.get(item_type, _STATED)


def weaker_belief(item_type: ItemType, *, hedged: bool) -> Belief:
    """What only shows in what somebody does, or what they are not sure of themselves."""
    least = _UNSURE_BELIEF if hedged else _SHOWN_BELIEF
    return replace(least, confidence=min(least.confidence, belief_of(item_type).confidence))


def epistemic_type(item_type: ItemType, topic: Topic | str) -> EpistemicType:
    """What kind of knowledge it is."""
    if item_type == "preference":
        return "preference"
    return "opinion" if topic == "belief" else "fact"
