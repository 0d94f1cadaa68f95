"""The digest of a stretch of conversation: lines that say who said what on which day, and the turns behind each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from uuid import UUID

from brain.prompting.tokens import count_tokens
from memory.sessions import SummaryTurn
from memory.zones import local_day

SHARE = 5
"""A summary takes about a fifth of what it stands for: in the band of 10 to 25 percent (S1 section 23.2)."""
LEAST, MOST = 100, 400
"""Tokens of a summary, whatever the length of what it stands for."""

MAX_NAME_CHARACTERS = 60
"""Characters of a speaker's name."""


@dataclass(frozen=True, kw_only=True)
class Point:
    """One line of a summary: words that need no context, and the turns that say so.

    ``by`` names who said it; it is empty where the words name the person themselves.
    """

    by: str
    on: date
    text: str
    sources: tuple[UUID, ...]

    @property
    def line(self) -> str:
        """The line as it stands in a summary."""
        return f"- {self.by}: {self.text}" if self.by else f"- {self.text}"


@dataclass(frozen=True, kw_only=True)
class Digest:
    """All that a stretch leaves behind: its summary, and what it names."""

    points: tuple[Point, ...] = ()
    named: Mapping[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])

    @property
    def text(self) -> str:
        """The points under their days; empty when nothing was worth keeping."""
        return render_points(self.points)

    @property
    def sources(self) -> tuple[UUID, ...]:
        """The turns that the summary rests on, in order."""
        return tuple(dict.fromkeys(source for point in self.points for source in point.sources))


def render_points(points: Iterable[Point]) -> str:
    """Lines under their days, in the order given."""
    lines: list[str] = []
    day: date | None = None
    for point in points:
        if point.on != day:
            day = point.on
            lines.append(f"{day.isoformat()}:")
        lines.append(point.line)
    return "\n".join(lines)


def readable_turns(turns: Sequence[SummaryTurn]) -> list[SummaryTurn]:
    """What persons and Brain said, as far as it may be quoted: all that a summary draws on."""
    return [turn for turn in turns if turn.quotable and turn.role in ("user", "assistant")]


def summary_budget(turns: Sequence[SummaryTurn]) -> int:
    """How many tokens the summary of these turns may take."""
    return min(MOST, max(LEAST, sum(count_tokens(turn.text) for turn in turns) // SHARE))


def day_of(turn: SummaryTurn) -> date:
    """The day on which it was said, where it was said."""
    return local_day(turn.occurred_at, turn.time_zone)


def speaker_of(turn: SummaryTurn) -> str:
    """How a summary names who spoke; what Brain said is always marked as such, and nobody passes for it.

    A name comes from outside: it neither begins a line nor ends the part before the colon.
    """
    if turn.role == "assistant":
        return "assistant"
    name = " ".join(turn.speaker.replace(":", " ").replace("：", " ").split())[:MAX_NAME_CHARACTERS]
    return f"{name} (a person)" if name.casefold() == "assistant" else name or "user"
