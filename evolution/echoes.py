"""Is it news, or a memory coming back? What stood in the prompt of a turn proves nothing when it is repeated."""

import re
import unicodedata

from evolution.state import EvolutionState, ExtractionCandidate, KnownMemory
from language.predicates import object_key

_SHELF = re.compile(r"^\s*\[[^\]\n]{0,200}\]")
"""The context that a memory's text may begin with: its category, subject and date."""
_BETWEEN = re.compile(r"[\W_]+")


class Echoes:
    """The memories that stood in the prompt of each turn, in words that can be compared."""

    def __init__(self, state: EvolutionState) -> None:
        self._texts = {turn["event_id"]: turn["text"] for turn in state.said}
        self._heard = {
            turn["event_id"]: [
                strip_punctuation(_SHELF.sub("", text)) for text in state.recalled.get(turn["operation_id"], ())
            ]
            for turn in state.said
        }
        self._known = [(strip_punctuation(each["content"]), _matter(each)) for each in state.known]

    def is_echo(self, candidate: ExtractionCandidate) -> bool:
        """Whether a candidate only says what a recalled memory said: in its words, in the turn's, or in its place.

        Who takes something back repeats nothing.
        """
        if candidate["replaces"] or candidate["replaces_memory"]:
            return False
        heard = self._heard.get(candidate["event_id"], ())
        if any(content in heard and matter == _matter(candidate) for content, matter in self._known):
            return True
        value, content = strip_punctuation(candidate["object"]), strip_punctuation(candidate["content"])
        quote = strip_punctuation(self._texts.get(candidate["event_id"], "")[candidate["start"] : candidate["end"]])
        return any(
            value in memory and (content in memory or (quote and quote in memory) or (memory and memory in quote))
            for memory in heard
        )


def _matter(stated: ExtractionCandidate | KnownMemory) -> tuple[str, str, bool]:
    return stated["slot"], object_key(stated["object"]), stated["negated"]


def strip_punctuation(text: str) -> str:
    """Letters and digits alone, so that punctuation, case and width make no difference."""
    return _BETWEEN.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
