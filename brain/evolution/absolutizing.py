"""Making what was said understandable alone: names for pronouns, dates for relative times."""

from collections.abc import Sequence

from brain.evolution.state import Candidate, Said


def absolute(candidates: Sequence[Candidate], turns: Sequence[Said]) -> list[Candidate]:
    """The candidates in words that need no context."""
    return list(candidates)
