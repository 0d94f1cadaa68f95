"""The few sentences that Brain can say by itself; each language has them in a file of its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class Phrases:
    """Sentences and templates; ``courtesies`` go by what a message does, ``statuses`` mark what is no longer sure."""

    no_model: str
    spent: str
    failed: str
    remember: str
    talked: str
    nothing: str
    nothing_at_all: str
    nothing_said: str
    noted: str
    cannot: str
    courtesies: Mapping[str, str]
    user_said: str
    brain_said: str
    other_said: str
    known: str
    statuses: Mapping[str, str]
    advice: Mapping[str, str] = field(default_factory=dict[str, str])
    """What to do about a model that failed, by reason; English words are used where there are none."""
