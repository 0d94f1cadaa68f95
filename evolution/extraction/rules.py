"""The analysis without a model: each sentence that is worth a memory becomes one, as it was said."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import takewhile

from evolution.absolutization.coreference import Transcript, find_antecedents, find_pronoun, may_mean
from evolution.extraction.belief import INSISTED, belief_of, epistemic_type
from evolution.speakers import subject_of_speaker
from evolution.state import Ending, ExtractionCandidate, TurnPlace, TurnRecord, states_value
from language.additions import added_allergen, with_additions
from language.clauses import add_lead
from language.corrections import find_contrast, is_bare_correction, is_slip
from language.detection import language_of
from language.endings import happened_long_before, is_bare_change
from language.exclusive_values import takes_one_place
from language.kinds import Kind
from language.own_words import ends_play, starts_play
from language.people import SOMEONE, SPEAKER, is_first_person
from language.predicates import fold_predicate, is_single_valued, slot_of
from language.secrets import has_secret
from language.self_corrections import settle_slip
from language.sentences import split_sentences
from language.statements import Statement, read_statements
from language.taking_apart import take_apart
from language.times import mentions_now
from language.times.validity import find_validity
from memory.memory_item import ItemType

ENDS = 0.25
"""How probable it has to be that a statement says something has changed, to look for what it ends."""
FAINT = 0.25
"""How probable it has to be that a sentence is worth a memory, to look whether something known ends with it."""
WITHHOLDS = 0.25
"""How probable it has to be that a sentence asks not to be noted, to leave its whole turn out."""
MAX_PLAY_TURNS = 5
"""Turns of a person that a role play may last without a word of it."""
_TYPES: Mapping[Kind, ItemType] = {"preference": "preference", "constraint": "constraint", "plan": "plan"}


def extract_by_rules(
    said: Sequence[TurnRecord], before: Sequence[TurnRecord] = (), *, faint: bool = False
) -> list[ExtractionCandidate]:
    """Candidates in the order in which they were said; ``before`` are the turns that explain the first of them.

    With ``faint`` also those that are no memory by themselves, but may end one.
    """
    found: list[ExtractionCandidate] = []
    person, last = SPEAKER, before[-1] if before else None
    talk = Transcript(turns=(*before, *said))
    acted = _turns_in_play(talk.turns)
    for turn in said:
        asked = _assistant_text(last)
        own, previous = _told_before(turn, talk.turns, acted)
        for each in [] if turn["event_id"] in acted else memorable_statements(turn, asked, previous, faint=faint):
            about = _find_person(each, turn, talk, person)
            person = about.subject
            statement = each if about.is_known else replace(each, value=None)
            sources = {"turn": turn, "question": last, "turn before": own}
            candidate = _with_lead(_candidate(turn, statement, person), statement, sources)
            found.append(_behind(_with_last_spoken(candidate, turn, talk.turns), about))
        last = turn
    return found


@dataclass(frozen=True, kw_only=True)
class _Person:
    """Whom a statement is about; where a pronoun says it, with the words of the person's own turns that name them."""

    subject: str
    is_known: bool = True
    words: str = ""
    place: TurnPlace | None = None


def _find_person(statement: Statement, turn: TurnRecord, talk: Transcript, last: str) -> _Person:
    """By its own words, what was said right before or, unless several may be meant, the ``last`` one spoken of."""
    if statement.person:
        return _Person(subject=statement.person)
    pronoun, language = find_pronoun(statement.text), language_of(statement.text)
    named = find_antecedents(pronoun, talk.earlier_texts(turn["event_id"], statement.start), language)
    if len(named) == 1:
        source, one = named[0]
        start, end = one.place
        if source["role"] != "user":
            return _Person(subject=one.subject)
        place = TurnPlace(event_id=source["event_id"], start=start, end=end, sha256=source["sha256"])
        return _Person(subject=one.subject, words=source["text"][start:end], place=place)
    if not named and last not in (SPEAKER, SOMEONE) and may_mean(pronoun, last):
        return _Person(subject=last)
    return _Person(subject=SPEAKER if is_first_person(statement.text) else SOMEONE, is_known=False)


def _behind(candidate: ExtractionCandidate, about: _Person) -> ExtractionCandidate:
    """The candidate behind the words that name its person, where it shows its own words alone so far."""
    if about.place is None or candidate.get("composed") or "lead" in candidate:
        return candidate
    content = add_lead(about.words, candidate["content"])
    thing = candidate["object"] if states_value(candidate) else content
    return {**candidate, "content": content, "object": thing, "lead": about.place}


def _with_last_spoken(
    candidate: ExtractionCandidate, turn: TurnRecord, turns: Sequence[TurnRecord]
) -> ExtractionCandidate:
    """A candidate that takes something back with the moment at which its person had spoken last, as far as is known."""
    content = candidate["content"]
    if not (is_slip(content) or find_contrast(content) or is_bare_change(content)):
        return candidate
    own = _last_own_turn(turn, turns)
    return {**candidate, "spoke_before": own["at"]} if own else candidate


def _last_own_turn(turn: TurnRecord, turns: Sequence[TurnRecord]) -> TurnRecord | None:
    """The turn that the same person said last before this one, as far as is known."""
    earlier = takewhile(lambda each: each["event_id"] != turn["event_id"], turns)
    own = [each for each in earlier if each["role"] == "user" and each["speaker"] == turn["speaker"]]
    return own[-1] if own else None


def _told_before(
    turn: TurnRecord, turns: Sequence[TurnRecord], acted: frozenset[str]
) -> tuple[TurnRecord | None, Statement | None]:
    """What stood at the end of the turn that a turn only adds to, and the turn that its words stand in; nothing where
    Brain asked for something since.
    """
    first = next(iter(split_sentences(turn["text"])), None) if turn["role"] == "user" else None
    if first is None or added_allergen(first.text) is None:
        return None, None
    own = _last_own_turn(turn, turns)
    if own is None or own["event_id"] in acted or _asked_before(turn, turns).rstrip().endswith(("?", "？")):
        return None, None
    source, earlier = _told_before(own, turns, acted)
    told = memorable_statements(own, _asked_before(own, turns), earlier)
    if not told or own["text"][told[-1].end :].strip():
        return None, None
    lead = told[-1].lead
    return source if lead and lead.source == "turn before" else own, told[-1]


def _asked_before(turn: TurnRecord, turns: Sequence[TurnRecord]) -> str:
    """What Brain said right before a turn."""
    earlier = list(takewhile(lambda each: each["event_id"] != turn["event_id"], turns))
    return _assistant_text(earlier[-1] if earlier else None)


def _with_lead(
    candidate: ExtractionCandidate, statement: Statement, sources: Mapping[str, TurnRecord | None]
) -> ExtractionCandidate:
    """The candidate with the words that it takes its subject from, where it has none of its own."""
    source = sources[statement.lead.source] if statement.lead else None
    if statement.lead is None or source is None:
        return candidate
    start, end = statement.lead.start, statement.lead.end
    return {**candidate, "lead": TurnPlace(event_id=source["event_id"], start=start, end=end, sha256=source["sha256"])}


def _turns_in_play(turns: Sequence[TurnRecord]) -> frozenset[str]:
    """The ids of a person's turns that are spoken in a role: from the one that deals out the roles to the one that
    stops, which is the person's own again, or ``MAX_PLAY_TURNS`` turns on.
    """
    acted: set[str] = set()
    left = 0
    for turn in turns:
        if turn["role"] != "user":
            continue
        left = MAX_PLAY_TURNS if starts_play(turn["text"]) else 0 if ends_play(turn["text"]) else max(0, left - 1)
        if left:
            acted.add(turn["event_id"])
    return frozenset(acted)


def memorable_statements(
    turn: TurnRecord, asked: str = "", previous: Statement | None = None, *, faint: bool = False
) -> list[Statement]:
    """The sentences of one turn that memories are made of, or may be; none of a turn that asks not to be noted.

    ``previous`` is what the same person said last before it, where it goes on with that.
    """
    sentences = read_statements(turn["text"], asked) if turn["role"] == "user" else []
    sentences = with_additions(sentences, previous)
    if any(each.kinds["dont_note"] >= WITHHOLDS for each in sentences):
        return []
    statements = take_apart(sentences, turn["text"], asked)
    return [each for each in statements if each.is_memorable or (faint and _is_faint(each))]


def _is_faint(statement: Statement) -> bool:
    unwanted = statement.kind in ("question", "forget", "dont_note", "secret") or has_secret(statement.text)
    is_told_by_few_words = is_bare_correction(statement.text) or is_bare_change(statement.text)
    return not unwanted and (statement.keeps >= FAINT or is_told_by_few_words)


def _assistant_text(turn: TurnRecord | None) -> str:
    return turn["text"] if turn and turn["role"] == "assistant" else ""


def _candidate(turn: TurnRecord, statement: Statement, person: str) -> ExtractionCandidate:
    settled = settle_slip(statement.text)
    content = settled or statement.text
    value = statement.value
    item_type = _TYPES.get(statement.kind, "fact")
    belief = belief_of(item_type, insisted=statement.kind in INSISTED)
    predicate = fold_predicate(value.predicate) if value else statement.topic
    said = datetime.fromisoformat(turn["at"])
    told = find_validity(content, said, turn["time_zone"])
    begins = told.begins(said)
    has_one_place = takes_one_place(content, predicate) and not happened_long_before(said, content, begins)
    subject = subject_of_speaker(turn) if person == SPEAKER else person
    candidate = ExtractionCandidate(
        item_type=item_type,
        subject=subject,
        predicate=predicate,
        object=value.text if value else content,
        negated=False,
        content=content,
        category=statement.topic,
        epistemic_type=epistemic_type(item_type, statement.topic),
        provenance=belief.provenance,
        confidence=belief.confidence,
        certainty=belief.certainty,
        said_at=turn["at"],
        valid_at=begins.isoformat(),
        invalid_at=told.until.isoformat() if told.until else "",
        event_id=turn["event_id"],
        start=statement.start,
        end=statement.end,
        ends=_ending(statement),
        replaces="",
        replaces_memory="",
        source="rules",
        unresolved=[],
        slot=slot_of(subject, predicate),
        single_valued=value is not None and is_single_valued(predicate) and has_one_place,
    )
    if not statement.is_memorable:
        candidate["faint"] = True
    if not settled:
        return candidate
    return {**candidate, "composed": True, "provenance": "analysis", "confidence": 0.8, "ends": ""}


def _ending(statement: Statement) -> Ending:
    """A slip that speaks of now, or says a value of its own, is a change: what it takes back was true until then."""
    if statement.kind == "slip":
        return "change" if mentions_now(statement.text) or statement.value else "slip"
    ends = statement.kinds["change"] >= ENDS or find_contrast(statement.text) is not None
    return "change" if ends else ""
