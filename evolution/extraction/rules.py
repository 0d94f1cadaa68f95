"""What turns state by deterministic rules alone: the analysis without a model, and what stands in when one fails."""

from collections.abc import Iterator, Sequence
from datetime import datetime

from evolution.extraction.over import come_true, put_to_an_end
from evolution.speaking import spoken
from evolution.state import Candidate, Known, Said
from language.secrets import holds_secret
from memory.rules import Assertion, extract, object_key
from memory.rules.endings import ENDS
from memory.rules.replacements import CORRECTS


def by_rules(said: Sequence[Said], known: Sequence[Known]) -> list[Candidate]:
    """What the turns state outright, secrets aside; a bare correction only where it fits one known memory."""
    return [placed for turn in said for candidate in _stated(turn) if (placed := _placed(candidate, known))]


def _stated(said: Said) -> Iterator[Candidate]:
    for assertion in extract(spoken(said)):
        if not holds_secret(assertion.quote):
            yield _candidate(said, assertion)


def _candidate(said: Said, assertion: Assertion) -> Candidate:
    start, end = assertion.span
    return Candidate(
        item_type=assertion.item_type,
        subject=assertion.subject,
        predicate=assertion.predicate,
        object=assertion.object,
        negated=assertion.negated,
        content=assertion.content,
        category=assertion.category,
        epistemic_type=assertion.epistemic_type,
        provenance=assertion.provenance,
        confidence=assertion.confidence,
        certainty=assertion.certainty,
        valid_at=(assertion.valid_at or datetime.fromisoformat(said["at"])).isoformat(),
        event_id=said["event_id"],
        start=start,
        end=end,
        replaces=assertion.correction.old if assertion.correction else "",
        replaces_memory="",
        source="rules",
        unresolved=[],
        slot="",
        single_valued=False,
    )


def _placed(candidate: Candidate, known: Sequence[Known]) -> Candidate | None:
    """A bare correction takes the place of the one memory that it corrects; with none, or several, it says nothing."""
    if candidate["predicate"] == ENDS.predicate:
        return put_to_an_end(candidate, known)
    if candidate["predicate"] != CORRECTS.predicate:
        return come_true(candidate, known)
    wrong = object_key(candidate["replaces"])
    held = [memory for memory in known if not memory["negated"] and object_key(memory["object"]) == wrong]
    return _in_place_of(held[0], candidate) if len(held) == 1 else None


def _in_place_of(old: Known, candidate: Candidate) -> Candidate:
    said, new = old["content"], candidate["object"]
    return {
        **candidate,
        "item_type": old["item_type"],
        "subject": old["subject"],
        "predicate": old["predicate"],
        "category": old["category"],
        "epistemic_type": old["epistemic_type"],
        "content": said.replace(old["object"], new) if old["object"] in said else candidate["content"],
        "replaces_memory": old["memory_id"],
    }
