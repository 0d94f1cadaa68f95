"""The analysis without a model: each sentence that is worth a memory becomes one, as it was said."""

from collections.abc import Mapping, Sequence

from evolution.extraction.belief import INSISTED, belief_of, epistemic_type
from evolution.speaking import subject_of_speaker
from evolution.state import Candidate, Ending, Said
from language.corrections import contrast_in
from language.kinds import Kind
from language.people import SPEAKER
from language.predicates import fold_predicate, holds_one, slot_of
from language.statements import Statement, read
from language.times import names_now
from memory.contracts import ItemType

ENDS = 0.25
"""How probable it has to be that a statement says something has changed, to look for what it ends."""
_TYPES: Mapping[Kind, ItemType] = {"preference": "preference", "constraint": "constraint", "plan": "plan"}


def statements_of(said: Sequence[Said], before: Sequence[Said] = ()) -> list[Candidate]:
    """Candidates in the order in which they were said; ``before`` are the turns that explain the first of them."""
    found: list[Candidate] = []
    person, asked = SPEAKER, _asked(before[-1]) if before else ""
    for turn in said:
        for statement in kept(turn, asked):
            person = statement.person or person
            found.append(_candidate(turn, statement, person))
        asked = _asked(turn)
    return found


def kept(turn: Said, asked: str = "") -> list[Statement]:
    """The sentences of one turn that memories are made of; none of a turn that asks not to be noted."""
    statements = read(turn["text"], asked) if turn["role"] == "user" else []
    if any(each.kind == "dont_note" for each in statements):
        return []
    return [each for each in statements if each.is_kept]


def _asked(turn: Said) -> str:
    return turn["text"] if turn["role"] == "assistant" else ""


def _candidate(turn: Said, statement: Statement, person: str) -> Candidate:
    value, item_type = statement.value, _TYPES.get(statement.kind, "fact")
    belief = belief_of(item_type, insisted=statement.kind in INSISTED)
    predicate = fold_predicate(value.predicate) if value else statement.topic
    subject = subject_of_speaker(turn) if person == SPEAKER else person
    return Candidate(
        item_type=item_type,
        subject=subject,
        predicate=predicate,
        object=value.text if value else statement.text,
        negated=False,
        content=statement.text,
        category=statement.topic,
        epistemic_type=epistemic_type(item_type, statement.topic),
        provenance=belief.provenance,
        confidence=belief.confidence,
        certainty=belief.certainty,
        valid_at=turn["at"],
        event_id=turn["event_id"],
        start=statement.start,
        end=statement.end,
        ends=_ending(statement),
        replaces="",
        replaces_memory="",
        source="rules",
        unresolved=[],
        slot=slot_of(subject, predicate),
        single_valued=value is not None and holds_one(predicate),
    )


def _ending(statement: Statement) -> Ending:
    """A slip that speaks of now, or says a value of its own, is a change: what it takes back was true until then."""
    if statement.kind == "slip":
        return "change" if names_now(statement.text) or statement.value else "slip"
    ends = statement.kinds["change"] >= ENDS or contrast_in(statement.text) is not None
    return "change" if ends else ""
