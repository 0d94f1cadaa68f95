"""What was said and not yet looked at: one person's accepted turns of one session, with what explains them."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from uuid import UUID

from memory.turns import Event


@dataclass(frozen=True, kw_only=True)
class PendingTurns:
    """Whole operations, oldest first. ``more`` says that others wait behind them.

    ``before`` are the turns of the session right before the first of them. By operation, ``recalled`` are the texts of
    the memories that stood in the prompt of that turn, without the logged turns that stood there, and ``models`` the
    language models that the turn asked, as its receipt tells; what was logged without a receipt is left out. What was
    forgotten is blank in ``said`` and absent from ``before``.
    """

    operations: tuple[UUID, ...] = ()
    said: tuple[tuple[UUID, Event], ...] = ()
    before: tuple[Event, ...] = ()
    recalled: Mapping[UUID, tuple[str, ...]] = field(default_factory=dict[UUID, tuple[str, ...]])
    models: Mapping[UUID, tuple[str, ...]] = field(default_factory=dict[UUID, tuple[str, ...]])
    more: bool = False


@dataclass(frozen=True)
class Backlog:
    """How many sessions' jobs wait: those of one tenant, and those of everybody."""

    tenant: int
    everybody: int


def blank_spans(event: Event, spans: Iterable[Sequence[int]]) -> Event:
    """A turn with blanks in the place of what was forgotten of it; every other character stays where it was."""
    text = event.text
    for start, end in spans:
        text = text[:start] + " " * len(text[start:end]) + text[end:]
    return replace(event, text=text)
