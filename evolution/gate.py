"""The quality gate: refuses what is not worth a memory, must not become one, or is not believed enough."""

import re
from collections.abc import Sequence

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.safety.sanitizer import sanitize_text
from brain.state import Update
from evolution.speakers import subject_of_speaker
from evolution.state import MAX_MEMORY_CHARACTERS, DroppedCandidate, EvolutionState, ExtractionCandidate, TurnRecord
from language.orders import find_order
from language.people import SPEAKER, find_person
from language.predicates import object_key
from language.privacy import is_private_to_another
from language.rights import is_rights_claim
from language.secrets import has_secret
from memory.provenance import CAPS

CONFIDENCE_FLOOR = 0.3
CERTAINTY_FLOOR = 0.3
MAX_NOTES_OF_A_TURN = 12
"""Memories that one turn may leave; who states more is pasting."""

_LETTER = re.compile(r"[^\W_]")
_ASKS = re.compile(r"[?？]\s*$")


async def gate(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Junk, secrets and what is hardly believed stay out, each with the code of the reason."""
    kept, dropped = filter_candidates(state.candidates, state.said, is_group=runtime.context.scope.is_group)
    return {"candidates": kept, "dropped": dropped}


def filter_candidates(
    candidates: Sequence[ExtractionCandidate], said: Sequence[TurnRecord], *, is_group: bool = False
) -> tuple[list[ExtractionCandidate], list[DroppedCandidate]]:
    """The candidates that may become memories, and the others with the code of the reason."""
    turns = {turn["event_id"]: turn for turn in said}
    kept: list[ExtractionCandidate] = []
    dropped: list[DroppedCandidate] = []
    for each in candidates:
        crowded = sum(one["event_id"] == each["event_id"] for one in kept) >= MAX_NOTES_OF_A_TURN
        reason = "too_many" if crowded else find_objection(each, turns.get(each["event_id"]), is_group=is_group)
        if reason:
            dropped.append(
                DroppedCandidate(content=_redact_content(each, reason), event_id=each["event_id"], reason=reason)
            )
        else:
            kept.append(_downgrade_to_observation(each) if is_rights_claim(each["content"]) else each)
    return kept, dropped


def find_objection(candidate: ExtractionCandidate, turn: TurnRecord | None, *, is_group: bool = False) -> str:
    """The first reason against a candidate; empty for none. In a group nobody's order counts, not even about manner."""
    if turn is None or not 0 <= candidate["start"] < candidate["end"] <= len(turn["text"]):
        return "no_evidence"
    if turn["role"] != "user":
        return "not_said_by_a_person"
    if has_secret(candidate["content"]) or has_secret(f"{candidate['predicate']}: {candidate['object']}"):
        return "secret"
    if _is_order(candidate, turn, is_group=is_group):
        return "instruction"
    if _is_private_to_another(candidate, turn):
        return "private"
    return _worthless_reason(candidate) or _doubt_reason(candidate)


def _is_order(candidate: ExtractionCandidate, turn: TurnRecord, *, is_group: bool) -> bool:
    """Whether it orders the assistant about, in the words of the candidate or of the turn that it quotes."""
    found = {find_order(candidate["content"]), find_order(_quote_of(candidate, turn))}
    return "conduct" in found or (is_group and "manner" in found)


def _is_private_to_another(candidate: ExtractionCandidate, turn: TurnRecord) -> bool:
    quote = _quote_of(candidate, turn)
    is_own = candidate["subject"] == subject_of_speaker(turn)
    person = SPEAKER if is_own else f"{candidate['subject']} {find_person(quote)}"
    return is_private_to_another(quote, person, turn["text"])


def _quote_of(candidate: ExtractionCandidate, turn: TurnRecord) -> str:
    return turn["text"][candidate["start"] : candidate["end"]]


def _downgrade_to_observation(candidate: ExtractionCandidate) -> ExtractionCandidate:
    """What somebody says they may do is their word for it: rights come from the authentication."""
    believed = min(candidate["confidence"], CAPS["observation"])
    return {**candidate, "provenance": "observation", "epistemic_type": "opinion", "confidence": believed}


def _worthless_reason(candidate: ExtractionCandidate) -> str:
    content = candidate["content"]
    if not _LETTER.search(content) or not _LETTER.search(object_key(candidate["object"])):
        return "empty"
    if len(content) > MAX_MEMORY_CHARACTERS or len(candidate["object"]) > MAX_MEMORY_CHARACTERS:
        return "too_long"
    return "question" if _ASKS.search(content) else ""


def _doubt_reason(candidate: ExtractionCandidate) -> str:
    if candidate["confidence"] < CONFIDENCE_FLOOR:
        return "low_confidence"
    if candidate["certainty"] < CERTAINTY_FLOOR:
        return "low_certainty"
    told = (candidate["content"], candidate["object"], candidate["subject"])
    return "instruction" if any(sanitize_text(each).verdict == "blocked" for each in told) else ""


def _redact_content(candidate: ExtractionCandidate, reason: str) -> str:
    """The record of a secret, the person's own or another's, does not repeat it."""
    return "" if reason in ("secret", "private") else candidate["content"][:MAX_MEMORY_CHARACTERS]
