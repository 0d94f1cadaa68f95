"""A turn that is read again: the same statement in other words stays the memory that it became before."""

from collections.abc import Sequence

from evolution.state import ExtractionCandidate, PriorCandidate, states_value
from language.corrections import is_bare_correction
from language.predicates import is_known_predicate, is_same_subject, is_single_valued, object_key
from memory.write_decision import is_contained


def reuse_prior(candidate: ExtractionCandidate, priors: Sequence[PriorCandidate]) -> ExtractionCandidate | None:
    """The candidate as its turn was understood before, by rules or by an earlier answer; None when it is new.

    Models word things differently every time. What a turn left once stays as it was left, so that reading it again
    neither doubles a memory nor changes it.
    """
    of_turn = [each for each in priors if each["event_id"] == candidate["event_id"]]
    if any(_is_equal(candidate, each) for each in of_turn):
        return candidate
    same = next((each for each in of_turn if _is_same_statement(candidate, each)), None)
    return _copy_prior_fields(candidate, same) if same else None


def _is_equal(candidate: ExtractionCandidate, prior: PriorCandidate) -> bool:
    return (candidate["slot"], object_key(candidate["object"]), candidate["negated"]) == (
        prior["slot"],
        object_key(prior["object"]),
        prior["negated"],
    )


def _is_same_statement(candidate: ExtractionCandidate, prior: PriorCandidate) -> bool:
    """Of the same subject, in the same words of the turn, with the same value: then only the naming differs. What was
    left by a bare correction is what it put right.

    Two matters that have names of their own are two statements, as in «I live and work in Lyon».
    """
    overlap = candidate["start"] < prior["end"] and prior["start"] < candidate["end"]
    if overlap and is_bare_correction(candidate["content"]):
        return True
    if not overlap or not is_same_subject(candidate["subject"], prior["subject"]):
        return False
    same_slot = candidate["slot"] == prior["slot"]
    if same_slot and candidate["single_valued"]:
        return True
    named = _has_name(candidate) and _has_name(prior)
    one, other = object_key(candidate["object"]), object_key(prior["object"])
    return (same_slot or not named) and (one == other or is_contained(one, other))


def _has_name(stated: ExtractionCandidate | PriorCandidate) -> bool:
    """Whether the matter has a name of its own: the topic of a sentence may be called like one (``name``, ``diet``)."""
    return states_value(stated) and is_known_predicate(stated["predicate"])


def _copy_prior_fields(candidate: ExtractionCandidate, prior: PriorCandidate) -> ExtractionCandidate:
    return {
        **candidate,
        "subject": prior["subject"],
        "predicate": prior["predicate"],
        "object": prior["object"],
        "negated": prior["negated"],
        "slot": prior["slot"],
        "single_valued": states_value(prior) and is_single_valued(prior["predicate"]),
        "ends": "",
        "replaces": "",
        "replaces_memory": "",
    }
