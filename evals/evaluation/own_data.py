"""Brain's own data sets. They are part of the source tree, not of the installed package."""

from pathlib import Path

from memory.errors import bad_request

_DATA = Path(__file__).parents[1] / "data"

EVERYDAY = "everyday.jsonl"
"""Conversations with questions, in English and Chinese."""
LABELLED = "memory_*.??.jsonl"
"""Conversations labelled with what should be remembered, in English and Chinese."""
RECORDED = "memory_recorded.jsonl"
"""Recorded answers of a model to the labelled conversations."""


def own_data(pattern: str) -> tuple[Path, ...]:
    """Our files of this name or pattern, sorted. Raises ``E_BAD_REQUEST`` where Brain was installed without them."""
    found = tuple(sorted(_DATA.glob(pattern)))
    if not found:
        raise bad_request(
            "The data sets of Brain are not part of the installed package.",
            "Name files of your own, or run the command in a copy of the source.",
        )
    return found
