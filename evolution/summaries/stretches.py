"""Where a session is cut into the stretches that summary blocks stand for. The same log is always cut the same way."""

from collections.abc import Sequence
from dataclasses import dataclass

from brain.prompting.budget import baseline
from brain.prompting.tokens import MESSAGE_OVERHEAD, count_tokens
from brain.settings import Settings
from memory.sessions import Turn

_THIRD = 3
_FEWEST_TOKENS = 200
_AFTER = 3
"""Turns by which a stretch is prolonged at most, so that an answer stays with its question."""


@dataclass(frozen=True, kw_only=True)
class Limits:
    """A stretch is full at so many turns or tokens, and folded when as much again is left behind it."""

    turns: int
    tokens: int

    @property
    def read(self) -> int:
        """How many turns show whether a stretch can be folded."""
        return 2 * (self.turns + _AFTER) + 1


def limits_of(settings: Settings) -> Limits:
    """A third of the window each: one to fold, one that stays, and one for what is said until the worker comes.

    So what is not folded yet fits into the window, by turns and by the tokens of S0 section 4.2.
    """
    window = baseline(settings.context_window)["active_window"]
    tokens = settings.fold_tokens or max(_FEWEST_TOKENS, window // _THIRD)
    return Limits(turns=max(1, (settings.window_events - _AFTER) // _THIRD), tokens=tokens)


def next_stretch(turns: Sequence[Turn], limits: Limits, *, whole: bool) -> Sequence[Turn]:
    """The oldest turns that one block shall stand for; none while too little would be left, unless ``whole``."""
    end = _end(turns, limits)
    if whole:
        return turns[:end]
    return turns[:end] if _fills(turns[end:], limits) else ()


def _end(turns: Sequence[Turn], limits: Limits) -> int:
    """Where the first stretch is full, before the next word of a person if that is near."""
    end = _full_at(turns, limits)
    near = turns[end : end + _AFTER]
    ahead = next((n for n, turn in enumerate(near) if turn.role == "user"), len(near))
    return end + ahead


def _full_at(turns: Sequence[Turn], limits: Limits) -> int:
    tokens = 0
    for number, turn in enumerate(turns[: limits.turns], start=1):
        tokens += _cost(turn)
        if tokens >= limits.tokens:
            return number
    return min(len(turns), limits.turns)


def _fills(turns: Sequence[Turn], limits: Limits) -> bool:
    return len(turns) >= limits.turns or sum(map(_cost, turns)) >= limits.tokens


def _cost(turn: Turn) -> int:
    return count_tokens(turn.text) + MESSAGE_OVERHEAD
