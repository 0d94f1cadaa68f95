"""Where a session is cut into the stretches that summary blocks stand for. The same log is always cut the same way."""

from collections.abc import Sequence
from dataclasses import dataclass

from brain.prompting.budget import baseline
from brain.prompting.tokens import MESSAGE_OVERHEAD, count_tokens
from brain.settings import Settings
from memory.sessions import SummaryTurn

_THIRD = 3
_FEWEST_TOKENS = 200
_AFTER = 3
"""Turns by which a stretch is prolonged at most, so that an answer stays with its question."""


@dataclass(frozen=True, kw_only=True)
class SegmentLimits:
    """A stretch is full at so many turns or tokens, and folded when as much again is left behind it."""

    turns: int
    tokens: int

    @property
    def turns_to_read(self) -> int:
        """How many turns show whether a stretch can be folded."""
        return 2 * (self.turns + _AFTER) + 1


def segment_limits(settings: Settings) -> SegmentLimits:
    """A third of the window each: one to fold, one that stays, and one for what is said until the worker comes.

    So what is not folded yet fits into the window, by turns and by the tokens of S0 section 4.2.
    """
    window = baseline(settings.context_window)["active_window"]
    tokens = settings.fold_tokens or max(_FEWEST_TOKENS, window // _THIRD)
    return SegmentLimits(turns=max(1, (settings.window_events - _AFTER) // _THIRD), tokens=tokens)


def next_segment(turns: Sequence[SummaryTurn], limits: SegmentLimits, *, whole: bool) -> Sequence[SummaryTurn]:
    """The oldest turns that one block shall stand for; none while too little would be left, unless ``whole``."""
    end = _end(turns, limits)
    if whole:
        return turns[:end]
    return turns[:end] if _is_full(turns[end:], limits) else ()


def _end(turns: Sequence[SummaryTurn], limits: SegmentLimits) -> int:
    """Where the first stretch is full, before the next word of a person if that is near."""
    end = _full_at(turns, limits)
    near = turns[end : end + _AFTER]
    ahead = next((n for n, turn in enumerate(near) if turn.role == "user"), len(near))
    return end + ahead


def _full_at(turns: Sequence[SummaryTurn], limits: SegmentLimits) -> int:
    tokens = 0
    for number, turn in enumerate(turns[: limits.turns], start=1):
        tokens += _cost(turn)
        if tokens >= limits.tokens:
            return number
    return min(len(turns), limits.turns)


def _is_full(turns: Sequence[SummaryTurn], limits: SegmentLimits) -> bool:
    return len(turns) >= limits.turns or sum(map(_cost, turns)) >= limits.tokens


def _cost(turn: SummaryTurn) -> int:
    return count_tokens(turn.text) + MESSAGE_OVERHEAD
