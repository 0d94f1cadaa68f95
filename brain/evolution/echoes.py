"""Is it news, or a memory coming back? What stood in the prompt of a turn proves nothing when it is repeated."""

import re
import unicodedata
from collections.abc import Mapping, Sequence

from brain.evolution.state import Candidate, Said

_SHELF = re.compile(r"^\s*\[[^\]\n]{0,200}\]")
"""The context that a memory's text may begin with: its category, subject and date."""
_BETWEEN = re.compile(r"[\W_]+")


class Echoes:
    """The memories that stood in the prompt of each turn, in words that can be compared."""

    def __init__(self, said: Sequence[Said], recalled: Mapping[str, Sequence[str]]) -> None:
        self._texts = {turn["event_id"]: turn["text"] for turn in said}
        self._heard = {
            turn["event_id"]: [bare(_SHELF.sub("", text)) for text in recalled.get(turn["operation_id"], ())]
            for turn in said
        }

    def repeats(self, candidate: Candidate) -> bool:
        """Whether a candidate only says what a recalled memory said, in its own words or in the turn's.

        Who takes something back repeats nothing.
        """
        if candidate["replaces"] or candidate["replaces_memory"]:
            return False
        value, content = bare(candidate["object"]), bare(candidate["content"])
        quote = bare(self._texts.get(candidate["event_id"], "")[candidate["start"] : candidate["end"]])
        return any(
            value in memory and (content in memory or (quote and quote in memory) or (memory and memory in quote))
            for memory in self._heard.get(candidate["event_id"], ())
        )


def bare(text: str) -> str:
    """Letters and digits alone, so that punctuation, case and width make no difference."""
    return _BETWEEN.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
