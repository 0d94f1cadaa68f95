"""The quality gateway: what is not worth a memory, must not become one, or is not believed enough."""

import re
from collections.abc import Sequence

from brain.safety.sanitizer import clean
from evolution.state import LONGEST_MEMORY, Candidate, Dropped, Said
from language.predicates import object_key
from language.rights import claims_rights
from language.secrets import holds_secret
from memory.revision import CAPS

CONFIDENCE_FLOOR = 0.3
CERTAINTY_FLOOR = 0.3
MOST_OF_A_TURN = 12
"""Memories that one turn may leave; who states more is pasting."""

_LETTER = re.compile(r"[^\W_]")
_ASKS = re.compile(r"[?？]\s*$")


def gated(candidates: Sequence[Candidate], said: Sequence[Said]) -> tuple[list[Candidate], list[Dropped]]:
    """The candidates that may become memories, and the others with the code of the reason."""
    turns = {turn["event_id"]: turn for turn in said}
    kept: list[Candidate] = []
    dropped: list[Dropped] = []
    for each in candidates:
        crowded = sum(one["event_id"] == each["event_id"] for one in kept) >= MOST_OF_A_TURN
        reason = "too_many" if crowded else objection(each, turns.get(each["event_id"]))
        if reason:
            dropped.append(Dropped(content=_told(each, reason), event_id=each["event_id"], reason=reason))
        else:
            kept.append(_as_saying(each) if claims_rights(each["content"]) else each)
    return kept, dropped


def objection(candidate: Candidate, turn: Said | None) -> str:
    """The first reason against a candidate; empty for none."""
    if turn is None or not 0 <= candidate["start"] < candidate["end"] <= len(turn["text"]):
        return "no_evidence"
    if turn["role"] != "user":
        return "not_said_by_a_person"
    if holds_secret(candidate["content"]) or holds_secret(f"{candidate['predicate']}: {candidate['object']}"):
        return "secret"
    return _worthless(candidate) or _doubtful(candidate)


def _as_saying(candidate: Candidate) -> Candidate:
    """What somebody says they may do is their word for it: rights come from whoever let them in."""
    believed = min(candidate["confidence"], CAPS["observation"])
    return {**candidate, "provenance": "observation", "epistemic_type": "opinion", "confidence": believed}


def _worthless(candidate: Candidate) -> str:
    content = candidate["content"]
    if not _LETTER.search(content) or not _LETTER.search(object_key(candidate["object"])):
        return "empty"
    if len(content) > LONGEST_MEMORY or len(candidate["object"]) > LONGEST_MEMORY:
        return "too_long"
    return "question" if _ASKS.search(content) else ""


def _doubtful(candidate: Candidate) -> str:
    if candidate["confidence"] < CONFIDENCE_FLOOR:
        return "low_confidence"
    if candidate["certainty"] < CERTAINTY_FLOOR:
        return "low_certainty"
    told = (candidate["content"], candidate["object"], candidate["subject"])
    return "instruction" if any(clean(each).verdict == "blocked" for each in told) else ""


def _told(candidate: Candidate, reason: str) -> str:
    """The record of a secret does not repeat it."""
    return "" if reason == "secret" else candidate["content"][:LONGEST_MEMORY]
