"""Where a noted memory belongs beside the known one that it names."""

from evolution.state import ExtractionCandidate, KnownMemory
from language.predicates import fold_predicate, is_same_subject, object_key


def assign_slot(candidate: ExtractionCandidate, known: KnownMemory | None) -> ExtractionCandidate:
    """The candidate in the slot of the memory that it confirms or replaces.

    A model may only judge inside a slot: with another subject, or another matter whose value it does not take back,
    the known memory stays untouched.
    """
    if known is None or not is_same_subject(candidate["subject"], known["subject"]):
        return candidate
    if _has_same_value(candidate, known):
        return _copy_slot(candidate, known)
    if not candidate["replaces"] or not (_same_matter(candidate, known) or _same_taste(candidate, known)):
        return candidate
    moved = _copy_slot(candidate, known)
    return {**moved, "replaces": known["object"], "replaces_memory": known["memory_id"]}


def _same_matter(candidate: ExtractionCandidate, known: KnownMemory) -> bool:
    return fold_predicate(candidate["predicate"]) == fold_predicate(known["predicate"])


def _same_taste(candidate: ExtractionCandidate, known: KnownMemory) -> bool:
    """Tastes go by many predicates: there the value taken back must be the very one that is known."""
    both = candidate["item_type"] == known["item_type"] == "preference"
    return both and object_key(candidate["replaces"]) == object_key(known["object"])


def _has_same_value(candidate: ExtractionCandidate, known: KnownMemory) -> bool:
    return object_key(candidate["object"]) == object_key(known["object"]) and candidate["negated"] == known["negated"]


def _copy_slot(candidate: ExtractionCandidate, known: KnownMemory) -> ExtractionCandidate:
    return {**candidate, "subject": known["subject"], "predicate": known["predicate"]}
