"""What a statement puts an end to without naming its slot: a plan that came true, a thing that is said to be over."""

from collections.abc import Sequence

from evolution.state import Candidate, Known
from language.detection import language_of
from language.predicates import holds_words
from memory.rules import object_key, same_subject

_ACHIEVED = frozenset({"works_at", "works_in", "lives_in", "studies", "has_pet", "owns", "car", "graduated_from"})


def come_true(candidate: Candidate, known: Sequence[Known]) -> Candidate:
    """«I live in Lyon now» takes the place of the one plan that names Lyon."""
    if candidate["predicate"] not in _ACHIEVED or candidate["negated"] or candidate["replaces_memory"]:
        return candidate
    plans = [each for each in _naming(candidate, known) if each["item_type"] == "plan"]
    return {**candidate, "replaces_memory": plans[0]["memory_id"]} if len(plans) == 1 else candidate


def put_to_an_end(candidate: Candidate, known: Sequence[Known]) -> Candidate | None:
    """The denial of the one memory that names what is over; with none, or several, it says nothing."""
    held = _naming(candidate, known)
    if len(held) != 1:
        return None
    old = held[0]
    return {
        **candidate,
        "item_type": old["item_type"],
        "subject": old["subject"],
        "predicate": old["predicate"],
        "object": old["object"],
        "category": old["category"],
        "epistemic_type": old["epistemic_type"],
        "content": _over(old["content"]),
        "replaces": old["object"],
        "replaces_memory": old["memory_id"],
    }


def _naming(candidate: Candidate, known: Sequence[Known]) -> list[Known]:
    """What is known to be so of the same subject, and names the very thing of the candidate."""
    thing = object_key(candidate["object"])
    return [
        each
        for each in known
        if not each["negated"]
        and same_subject(each["subject"], candidate["subject"])
        and holds_words(object_key(each["object"]), thing)
    ]


def _over(content: str) -> str:
    return f"已经结束：{content}" if language_of(content) == "zh" else f"No longer so: {content}"
