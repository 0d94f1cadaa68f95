"""What is left of a replayed conversation, read against its labels."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from evals.evaluation.memory_data import Label
from evals.evaluation.memory_judge import Judged, judge
from evals.evaluation.memory_replay import Lived
from memory.memory_item import MemoryItem


@dataclass(frozen=True)
class Reading:
    """A life as its labels see it."""

    lived: Lived

    @cached_property
    def judged(self) -> dict[UUID, Judged]:
        """Every memory that was ever stored."""
        return {item.memory_id: judge(self.lived.conversation, item) for item in self.lived.items}

    @property
    def wanted(self) -> list[Label]:
        """What must be remembered at some time."""
        return [label for label in self.lived.conversation.labels if not label.optional]

    def holders(self, label: Label) -> list[MemoryItem]:
        """The memories that say it."""
        return [each.item for each in self.judged.values() if label.label in each.labels]

    def names(self, memory_id: UUID) -> set[str]:
        """The labels that a memory meets, by name."""
        judged = self.judged.get(memory_id)
        return set(judged.labels) if judged else set()

    def held(self, names: Iterable[str]) -> bool:
        """Whether any of these labels was ever remembered."""
        return any(self.holders(self.lived.conversation.label_of[name]) for name in names)

    def evidence(self, names: Iterable[str]) -> set[str]:
        """The turns that say what these labels ask for."""
        return {turn for name in names for turn in self.lived.conversation.label_of[name].evidence}

    def tells(self, name: str, about: Iterable[Label]) -> set[str]:
        """Which of these labels a turn, by its name, or a memory, by its id, says."""
        says = {str(each): self.names(each) for each in self.judged}.get(name)
        return {label.label for label in about if (name in label.evidence if says is None else label.label in says)}

    def labels(self, memory_id: UUID) -> list[Label]:
        """What a memory says, as labels."""
        return [self.lived.conversation.label_of[name] for name in self.names(memory_id)]


Verdicts = Callable[[Reading], list[bool]]
"""A figure before it is counted: each case, and whether it is one of those that the figure is the share of."""
