"""Checks what a model noted against the conversation, entry by entry, and says what is wrong with it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from brain.safety.sanitizer import sanitize_text
from evolution.extraction.belief import INSISTED, Belief, belief_of, epistemic_type, weaker_belief
from evolution.extraction.form import NotedMemory
from evolution.extraction.prompt import ExtractionInput
from evolution.extraction.proof import Fault, find_contradictions, is_said
from evolution.extraction.quote import find_quote, own_share
from evolution.speakers import subject_of
from evolution.state import MAX_MEMORY_CHARACTERS, DroppedCandidate, ExtractionCandidate, KnownMemory, TurnRecord
from language.detection import same_language
from language.predicates import fold_predicate, is_same_subject, object_key
from language.secrets import has_secret
from language.statements import Statement, read_statements
from language.tables import pattern_of_all
from language.times import find_times
from language.times.validity import find_validity
from memory.provenance import CAPS

MAX_NOTES = 40
"""Entries read of one answer: a model that notes down more is listing, not choosing."""
MIN_OWN_SHARE = 0.5
"""Share of a quotation that must be the speaker's own words."""
MAX_LABEL_CHARACTERS = 8
"""Characters of a label, brackets and all."""
OTHER = "other"
"""The topic of a quotation that is no sentence of its speaker's own."""


@dataclass(frozen=True)
class RejectedNote:
    """An entry that cannot be accepted as it is."""

    entry: NotedMemory
    faults: tuple[Fault, ...]

    def to_dropped(self, reading: ExtractionInput) -> DroppedCandidate:
        """The record that it was left out."""
        turn = reading.turn(self.entry.turn)
        return DroppedCandidate(
            content=self.entry.content[:MAX_MEMORY_CHARACTERS],
            event_id=turn["event_id"] if turn else "",
            reason=self.faults[0].reason,
        )


@dataclass(frozen=True)
class CheckResult:
    """An answer taken apart: what may go on, what may be put right, and what is left out for good."""

    candidates: tuple[ExtractionCandidate, ...]
    rejected: tuple[RejectedNote, ...]
    dropped: tuple[DroppedCandidate, ...]


def check_notes(entries: Sequence[NotedMemory], reading: ExtractionInput) -> CheckResult:
    """Every entry against the turn that it names."""
    candidates: list[ExtractionCandidate] = []
    rejected: list[RejectedNote] = []
    dropped: list[DroppedCandidate] = []
    for entry in (_move_to_quote(each, reading) for each in entries[:MAX_NOTES]):
        unwanted = _reject_outright(entry, reading)
        faults = () if unwanted else tuple(_find_faults(entry, reading))
        if unwanted:
            dropped.append(unwanted)
        elif faults:
            rejected.append(RejectedNote(entry, faults))
        else:
            candidates.append(_candidate(entry, reading))
    return CheckResult(tuple(candidates), tuple(rejected), tuple(dropped))


def _move_to_quote(entry: NotedMemory, reading: ExtractionInput) -> NotedMemory:
    """The entry with the number of the one turn that its quote stands in, where it names another of that speaker.

    Nothing moves into a turn that had to be sanitized: it may have named turns of its own.
    """
    named = reading.turn(entry.turn)
    if named is not None and (named["role"] != "user" or find_quote(named["text"], entry.quote)):
        return entry
    people = {each["speaker"] for each in reading.said if each["role"] == "user"}
    speakers = {named["speaker"]} if named else people
    mine = [(n, each) for n, each in enumerate(reading.said, start=1) if {each["speaker"]} == speakers]
    found = [number for number, each in mine if each["role"] == "user" and _has_plainly(each["text"], entry.quote)]
    return entry.model_copy(update={"turn": found[0]}) if len(found) == 1 else entry


def _has_plainly(text: str, quote: str) -> bool:
    return find_quote(text, quote) is not None and sanitize_text(text).verdict == "pass"


def _reject_outright(entry: NotedMemory, reading: ExtractionInput) -> DroppedCandidate | None:
    """What no asking again would make acceptable. A secret is not repeated in the record either."""
    turn = reading.turn(entry.turn)
    event_id = turn["event_id"] if turn else ""
    if any(map(has_secret, (entry.content, entry.quote, f"{entry.predicate.replace('_', ' ')}: {entry.object}"))):
        return DroppedCandidate(content="", event_id=event_id, reason="secret")
    if pattern_of_all("extraction.assistant").fullmatch(entry.subject.strip()):
        return DroppedCandidate(
            content=entry.content[:MAX_MEMORY_CHARACTERS], event_id=event_id, reason="about_the_assistant"
        )
    return None


def _find_faults(entry: NotedMemory, reading: ExtractionInput) -> Iterator[Fault]:
    turn = reading.turn(entry.turn)
    if turn is None:
        yield Fault("unknown_turn", f"there is no turn {entry.turn}; turns are numbered 1 to {len(reading.said)}")
        return
    if turn["role"] != "user":
        yield Fault("not_said_by_a_person", f"turn {entry.turn} is not a person's")
        return
    wrong = [*_quote_faults(entry, turn), *_wording_faults(entry, turn)]
    yield from wrong or find_contradictions(entry, turn, reading)
    if _is_id(entry.related_memory) and reading.memory(entry.related_memory) is None:
        yield Fault("unknown_memory", "related_memory is none of the known ids; leave it empty")


def _is_id(told: str) -> bool:
    """Whether it is somebody's id, which can only have been smuggled in; a label of none is a slip."""
    return len(told.strip()) > MAX_LABEL_CHARACTERS


def _quote_faults(entry: NotedMemory, turn: TurnRecord) -> Iterator[Fault]:
    span = find_quote(turn["text"], entry.quote)
    if span is None:
        yield Fault("quote_not_found", f"the quote does not stand in turn {entry.turn} in these words")
    elif own_share(turn["text"], span) < MIN_OWN_SHARE:
        yield Fault("not_their_own_words", f"in turn {entry.turn} these are not the speaker's own words")


def _wording_faults(entry: NotedMemory, turn: TurnRecord) -> Iterator[Fault]:
    for name in ("subject", "predicate", "object", "content"):
        value: str = getattr(entry, name).strip()
        if not value or len(value) > MAX_MEMORY_CHARACTERS:
            yield Fault("empty_or_endless", f"{name} must have between 1 and {MAX_MEMORY_CHARACTERS} characters")
    if not same_language(turn["text"], entry.content):
        yield Fault("other_language", "content is not in the language of the turn")


def _candidate(entry: NotedMemory, reading: ExtractionInput) -> ExtractionCandidate:
    turn = reading.turn(entry.turn)
    assert turn is not None
    span = find_quote(turn["text"], entry.quote)
    assert span is not None
    sentence = _sentence_at(turn["text"], span)
    topic = sentence.topic if sentence else OTHER
    belief = _belief(entry, sentence, reading)
    since, until = _validity(entry, turn, turn["text"][slice(*span)])
    candidate = ExtractionCandidate(
        item_type=entry.type,
        subject=subject_of(entry.subject, turn),
        predicate=entry.predicate.strip(),
        object=entry.object.strip(),
        negated=entry.negated,
        content=" ".join(entry.content.split()),
        category=topic,
        epistemic_type=epistemic_type(entry.type, topic),
        provenance=belief.provenance,
        confidence=belief.confidence,
        certainty=belief.certainty,
        said_at=turn["at"],
        valid_at=since.isoformat(),
        invalid_at=until.isoformat() if until else "",
        event_id=turn["event_id"],
        start=span[0],
        end=span[1],
        ends="",
        replaces=entry.replaces.strip(),
        replaces_memory="",
        source="model",
        unresolved=[],
        slot="",
        single_valued=False,
    )
    return assign_slot(candidate, reading.memory(entry.related_memory))


def _belief(entry: NotedMemory, sentence: Statement | None, reading: ExtractionInput) -> Belief:
    """As far as the same sentence is believed without a model; words that nobody used are confirmed by nobody."""
    if entry.certainty != "plain":
        return weaker_belief(entry.type, hedged=entry.certainty == "unsure")
    belief = belief_of(entry.type, insisted=sentence is not None and sentence.kind in INSISTED)
    if belief.provenance == "confirmed_by_user" and not is_said(entry, reading):
        return replace(belief, provenance="analysis", confidence=min(belief.confidence, CAPS["analysis"]))
    return belief


def _sentence_at(text: str, span: tuple[int, int]) -> Statement | None:
    """The sentence that a quotation stands in, where it is the speaker's own."""
    return next((each for each in read_statements(text) if each.start < span[1] and span[0] < each.end), None)


def _validity(entry: NotedMemory, turn: TurnRecord, quote: str) -> tuple[datetime, datetime | None]:
    """Since when it holds and until when, by the note and else by the words it quotes; without either from the moment
    of speaking on, and so does what begins later. An end before the beginning is none.
    """
    at = datetime.fromisoformat(turn["at"])
    told = find_validity(quote, at, turn["time_zone"])
    begun = min(_moment(entry.valid_at.strip(), at, turn["time_zone"]) or told.begins(at), at)
    return begun, told.until if told.until and told.until > begun else None


def _moment(told: str, at: datetime, zone: str) -> datetime | None:
    day = f"{told}-01" if re.fullmatch(r"\d{4}-\d{2}", told) else f"{told}-01-01" if told.isdecimal() else told
    times = find_times(day, at, zone)
    return times[0].start if times else None


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
