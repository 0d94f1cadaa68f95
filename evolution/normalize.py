"""One way of saying each thing: predicates folded, denials marked, slots named, repetitions merged."""

import re
from collections.abc import Sequence

from langgraph.runtime import Runtime

from brain.job_context import JobContext
from brain.state import Update
from evolution.speakers import subject_of
from evolution.state import EvolutionState, ExtractionCandidate, TurnRecord, states_value
from language.predicates import fold_predicate, is_single_valued, object_key, slot_of
from language.tables import pattern_of_all, words_by_name
from memory.provenance import CAPS


async def normalize(state: EvolutionState, runtime: Runtime[JobContext]) -> Update:
    """Subjects, predicates and denials in one form, each candidate in its slot, repetitions of one turn merged."""
    return {"candidates": normalize_candidates(state.candidates, state.said)}


def normalize_candidates(
    candidates: Sequence[ExtractionCandidate], said: Sequence[TurnRecord]
) -> list[ExtractionCandidate]:
    """Candidates with their slots. What one turn says twice becomes one; two turns stay two pieces of evidence."""
    turns = {turn["event_id"]: turn for turn in said}
    once: dict[tuple[str, str, str, bool], ExtractionCandidate] = {}
    for each in candidates:
        plain = _normalize_candidate(each, turns.get(each["event_id"]))
        key = (plain["event_id"], plain["slot"], object_key(plain["object"]), plain["negated"])
        once[key] = _merge_two(once[key], plain) if key in once else plain
    return list(once.values())


def _normalize_candidate(candidate: ExtractionCandidate, turn: TurnRecord | None) -> ExtractionCandidate:
    predicate, negated = _fold_negation(candidate["predicate"], candidate["negated"])
    subject = subject_of(candidate["subject"], turn) if turn else candidate["subject"]
    return {
        **candidate,
        "subject": subject,
        "predicate": predicate,
        "negated": negated,
        "object": " ".join(candidate["object"].split()),
        "content": " ".join(candidate["content"].split()),
        "confidence": min(candidate["confidence"], CAPS[candidate["provenance"]]),
        "slot": slot_of(subject, predicate),
        "single_valued": states_value(candidate) and is_single_valued(predicate) and _is_alone(candidate),
    }


def _is_alone(candidate: ExtractionCandidate) -> bool:
    """Whether its value is the only one: rules have looked at the words around it, a model has been asked."""
    return candidate["source"] != "rules" or candidate["single_valued"]


def _fold_negation(predicate: str, negated: bool) -> tuple[str, bool]:
    """«dislikes» and «does_not_like» are «likes», denied: liking and not liking a thing must meet in one slot."""
    plain = re.sub(r"[\s-]+", "_", predicate.strip().lower())
    if opposite := words_by_name("normalization.opposites").get(plain):
        return fold_predicate(opposite), True
    if denied := pattern_of_all("normalization.denies").match(plain):
        return fold_predicate(plain[denied.end() :]), True
    return fold_predicate(predicate), negated


def _merge_two(one: ExtractionCandidate, other: ExtractionCandidate) -> ExtractionCandidate:
    better, worse = (other, one) if other["confidence"] > one["confidence"] else (one, other)
    return {
        **better,
        "replaces": better["replaces"] or worse["replaces"],
        "replaces_memory": better["replaces_memory"] or worse["replaces_memory"],
    }
