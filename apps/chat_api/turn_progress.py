"""What goes by while a turn runs for a chat client."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from brain.metering import Usage
from brain.state import TurnInfo, merge_unique

INTERRUPT = "__interrupt__"
"""The channel of what a turn waits for."""

OnWords = Callable[[str], None]


@dataclass
class Progress:
    """What went by while the graph ran."""

    on_words: OnWords
    words: list[str] = field(default_factory=list[str])
    degraded: list[str] = field(default_factory=list[str])
    usage: list[Usage] = field(default_factory=list[Usage])
    interrupts: Sequence[Any] = ()
    operation_id: str = ""

    @property
    def text(self) -> str:
        """The reply so far."""
        return "".join(self.words)

    def speak(self, words: str) -> None:
        """Pass on words of the reply."""
        self.words.append(words)
        self.on_words(words)

    def step(self, updates: Mapping[str, Any]) -> None:
        """Fold in one step: each node's update, or the list of them when the node ran several times."""
        self.interrupts = updates.get(INTERRUPT, self.interrupts)
        for node, update in updates.items():
            if node != INTERRUPT:
                for each in cast("list[Any]", update) if isinstance(update, list) else [update]:
                    self._take(each or {})

    def _take(self, update: Mapping[str, Any]) -> None:
        turn: TurnInfo | None = update.get("turn")
        self.operation_id = turn["operation_id"] if turn else self.operation_id
        self.degraded = merge_unique(self.degraded, update.get("degraded") or [])
        self.usage += update.get("usage") or []
