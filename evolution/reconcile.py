"""Is it news, and what does it take the place of? What stood in a turn's prompt proves nothing when it is repeated."""

import asyncio
import re
import unicodedata
from collections.abc import Mapping

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.endings import mark_endings
from evolution.known_memories import find_older_memories
from evolution.prior_candidates import reuse_prior
from evolution.state import DroppedCandidate, EvolutionState, ExtractionCandidate, KnownMemory
from language.predicates import is_same_subject, object_key

_SHELF = re.compile(r"^\s*\[[^\]\n]{0,200}\]")
"""The context that a memory's text may begin with: its category, subject and date."""
_BETWEEN = re.compile(r"[\W_]+")
_MORE_WORDS = 2
"""Words beside a memory's own that still make no news of it."""


async def reconcile(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Echoes of recalled memories are dropped; what a statement ends is a living memory of the same person."""
    kept, dropped = reconcile_candidates(state)
    if any(each["source"] == "rules" for each in kept):
        older = await find_older_memories(runtime.context, kept)
        kept = await asyncio.to_thread(mark_endings, kept, older)
    return {"candidates": kept, "dropped": dropped}


def reconcile_candidates(state: EvolutionState) -> tuple[list[ExtractionCandidate], list[DroppedCandidate]]:
    """The candidates that are news, and those that are not with the reason."""
    echoes = Echoes(state)
    known = {each["memory_id"]: each for each in state.known}
    kept: list[ExtractionCandidate] = []
    dropped: list[DroppedCandidate] = []
    for each in state.candidates:
        before = reuse_prior(each, state.drawn)
        if before is None and echoes.is_echo(each):
            dropped.append(DroppedCandidate(content=each["content"], event_id=each["event_id"], reason="echo"))
        else:
            kept.append(_check_replacement(before or each, known))
    return kept, dropped


def _check_replacement(candidate: ExtractionCandidate, known: Mapping[str, KnownMemory]) -> ExtractionCandidate:
    """A memory of somebody else, or one that nobody knows of, is never replaced by name."""
    old = known.get(candidate["replaces_memory"])
    if old is not None and is_same_subject(candidate["subject"], old["subject"]):
        return candidate
    return {**candidate, "replaces_memory": ""}


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
            _is_repeated(memory, quote)
            or (value in memory and (content in memory or (quote and quote in memory) or (memory and memory in quote)))
            for memory in heard
        )


def _is_repeated(memory: str, quote: str) -> bool:
    """Whether the words are the memory's own with hardly another one: "Yes, I like green tea"."""
    return bool(memory) and memory in quote and len(quote.replace(memory, " ", 1).split()) <= _MORE_WORDS


def _matter(stated: ExtractionCandidate | KnownMemory) -> tuple[str, str, bool]:
    return stated["slot"], object_key(stated["object"]), stated["negated"]


def strip_punctuation(text: str) -> str:
    """Letters and digits alone, so that punctuation, case and width make no difference."""
    return _BETWEEN.sub(" ", unicodedata.normalize("NFKC", text).casefold()).strip()
