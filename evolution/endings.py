"""Which older statements a new one puts an end to, corrects, or leaves in doubt: the same person's, on the same matter.

Likeness never ends anything: values that exclude each other do, or words that say that this very thing is over.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from evolution.state import Ending, ExtractionCandidate, holds_until, said_at, states_value
from evolution.write import idempotency_key_of
from language.clauses import strip_lead
from language.corrections import correct_value, exchange_stated, find_contrast, is_bare_correction, is_slip
from language.ending_likelihood import content_words
from language.endings import happened_long_before, is_appointment, is_bare_change
from language.exclusion import SUREST, Exclusion, find_exclusion
from language.people import is_about_one, is_same_person
from language.predicates import is_single_valued, object_key
from language.values import find_values
from memory.memory_item import MemoryItem, was_over

MAX_DOUBTED = 2
"""Older statements beside the one that ends which a newer one leaves in doubt at most."""


@dataclass(frozen=True, kw_only=True)
class OlderStatement:
    """Something stated before. ``key`` is the memory's id, or the key of a candidate that is not written yet.

    ``until`` is the end that it tells itself: what was over when it was said is ended by nothing said later.
    """

    key: str
    subject: str
    predicate: str
    category: str
    slot: str
    value: str
    text: str
    said_at: datetime
    until: datetime | None = None


@dataclass(frozen=True)
class _Ending:
    """An older statement that does not hold beside a newer one, and why."""

    over: OlderStatement
    why: Exclusion


def read_older(item: MemoryItem) -> OlderStatement:
    """A living memory as something that may be ended."""
    return OlderStatement(
        key=str(item.memory_id),
        subject=item.subject,
        predicate=item.predicate,
        category=item.category,
        slot=item.slot,
        value=item.object,
        text=item.content,
        said_at=item.observed_at,
        until=item.invalid_at,
    )


def read_candidate(candidate: ExtractionCandidate) -> OlderStatement:
    """What was just said, as something that may be ended."""
    return OlderStatement(
        key=idempotency_key_of(candidate),
        subject=candidate["subject"],
        predicate=candidate["predicate"],
        category=candidate["category"],
        slot=candidate["slot"],
        value=candidate["object"],
        text=candidate["content"],
        said_at=said_at(candidate),
        until=holds_until(candidate),
    )


def mark_endings(candidates: Sequence[ExtractionCandidate], known: Sequence[MemoryItem]) -> list[ExtractionCandidate]:
    """The candidates with what each statement ends in ``replaces_memory``: a memory's id, or the key of a candidate
    before it. ``known`` are living memories of the person, oldest first. A correction that says nothing by itself and
    corrects nothing known is left out.
    """
    older = [read_older(item) for item in known]
    resolved: list[ExtractionCandidate] = []
    for each in candidates:
        found = _resolve_ending(each, older)
        if found is not None:
            resolved.append(found)
            older = [*(one for one in older if one.key != found["replaces_memory"]), read_candidate(found)]
    return resolved


def _resolve_ending(candidate: ExtractionCandidate, older: Sequence[OlderStatement]) -> ExtractionCandidate | None:
    if candidate["source"] != "rules" or candidate["replaces_memory"]:
        return candidate
    resolved = _resolve_statement(candidate, older)
    return None if resolved and resolved.get("faint") and not resolved["replaces_memory"] else resolved


def _resolve_statement(candidate: ExtractionCandidate, older: Sequence[OlderStatement]) -> ExtractionCandidate | None:
    mine = [each for each in older if concerns(each, candidate)]
    if is_slip(candidate["content"]) or is_bare_correction(candidate["content"]):
        bare = is_bare_correction(candidate["content"])
        if bare and states_value(candidate):
            return candidate  # read once before, it says the value it put right
        corrected = find_corrected(candidate, older if bare else mine)
        if corrected is not None:
            return {**_correct_older(corrected, candidate), "doubts": _find_echoes(corrected, candidate, older)}
        if bare:
            return None
    if is_bare_change(candidate["content"]):
        if any(_has_values(each.text, candidate["content"]) for each in mine):
            return None
        changed = find_changed(candidate, mine)
        return _change_older(changed, candidate) if changed else candidate
    return _end_older(candidate, find_endings(candidate, mine))


def _has_values(text: str, change: str) -> bool:
    """Whether a statement has all the values that a bare change gives: it was changed before."""
    given = {(each.frame, each.key) for each in find_values(change)}
    return bool(given) and given <= {(each.frame, each.key) for each in find_values(text)}


def find_changed(new: ExtractionCandidate, mine: Sequence[OlderStatement]) -> OlderStatement | None:
    """The appointment that a bare change is about: the only one that was told right before it, where nothing else was
    told with it and its value has a place there.
    """
    just_said = [each for each in mine if each.said_at >= _moment_before(new)]
    one = just_said[0] if len(just_said) == 1 else None
    return one if one and is_appointment(one.text) and exchange_stated(one.text, new["content"]) else None


def find_corrected(new: ExtractionCandidate, mine: Sequence[OlderStatement]) -> OlderStatement | None:
    """The statement whose value a correction puts right: the last one that holds the wrong value by its name, or, for
    a bare value, the one that was said right before it. None where others hold it on another matter, or several may be
    meant.
    """
    said = new["content"]
    fitting = [each for each in mine if not is_bare_correction(each.text) and correct_value(each.text, said)]
    just_said = [each for each in fitting if each.said_at >= _moment_before(new)]
    if find_contrast(said):
        meant = [each for each in fitting if _is_meant(each, new)]
        last = meant[-1] if meant else None
        is_sure = last in just_said or all(_is_echo(each, last, said) for each in meant[:-1] if last)
        return last if is_sure else None
    return just_said[0] if is_bare_correction(said) and len(just_said) == 1 else None


def _is_echo(old: OlderStatement, last: OlderStatement, correction: str) -> bool:
    """Whether an older statement says of the same person what the last one says, beside the value as well."""
    contrast = find_contrast(correction)
    value = content_words(contrast.old) if contrast else frozenset[str]()
    shared = (content_words(old.text) & content_words(last.text)) - value
    return is_same_person(old.subject, last.subject) and (old.slot == last.slot or bool(shared))


def _moment_before(new: ExtractionCandidate) -> datetime:
    """When the person spoke last before a correction."""
    return datetime.fromisoformat(new["spoke_before"]) if "spoke_before" in new else said_at(new)


def _find_echoes(over: OlderStatement, new: ExtractionCandidate, older: Sequence[OlderStatement]) -> list[str]:
    """Other statements about the same person that say the named value of what was corrected, in words of its own."""
    named = [each for each in older if each.key != over.key and is_same_person(each.subject, over.subject)]
    alike = [each for each in named if content_words(each.text) & content_words(over.text)]
    wrong = find_contrast(new["content"])
    return [each.key for each in alike if wrong and correct_value(each.text, new["content"])][-MAX_DOUBTED:]


def _is_meant(old: OlderStatement, new: ExtractionCandidate) -> bool:
    why = find_exclusion(old.text, new["content"])
    return is_bare_correction(new["content"]) or (why is not None and why.correction)


def find_endings(new: ExtractionCandidate, mine: Sequence[OlderStatement]) -> list[_Ending]:
    """What does not hold beside ``new``, what the person named first, then the newest first."""
    began = datetime.fromisoformat(new["valid_at"])
    found = [
        _Ending(each, why)
        for each in reversed(mine)
        if _can_end(each, new, began) and (why := find_exclusion(each.text, _own_words(new)))
    ]
    return sorted(found, key=lambda each: SUREST.index(each.why.grounds))


def _own_words(new: ExtractionCandidate) -> str:
    """What the person said: the question that it answers asserts nothing."""
    lead = new.get("lead")
    return strip_lead(new["content"]) if lead and lead["event_id"] != new["event_id"] else new["content"]


def _can_end(old: OlderStatement, new: ExtractionCandidate, began: datetime) -> bool:
    """Whether the newer one says something else, and neither tells only of a time that was over when the older was
    said; ``began`` is since when the newer one holds.
    """
    is_past = was_over(old.until, old.said_at) or was_over(holds_until(new), old.said_at)
    is_past = is_past or happened_long_before(old.said_at, new["content"], began)
    return not (is_past or _is_repeated(old, new))


def _is_repeated(old: OlderStatement, new: ExtractionCandidate) -> bool:
    return object_key(old.text) == object_key(new["content"])


def _end_older(candidate: ExtractionCandidate, endings: Sequence[_Ending]) -> ExtractionCandidate:
    """The candidate with what it ends, and with what else it leaves in doubt."""
    if not endings:
        return candidate
    first, *others = endings
    ended: ExtractionCandidate = {
        **candidate,
        "replaces_memory": first.over.key,
        "grounds": first.why.grounds,
        "over": first.why.old,
        "instead": first.why.new,
        "doubts": [each.over.key for each in others[:MAX_DOUBTED] if each.why.grounds != "likely"],
    }
    if candidate["ends"] != "change":
        ended["ends"] = "slip" if first.why.correction else "change"
    if first.why.grounds == "said":
        return {**ended, "provenance": "confirmed_by_user", "confidence": 0.9}
    return ended


def _correct_older(over: OlderStatement, candidate: ExtractionCandidate) -> ExtractionCandidate:
    """The older statement with the right value."""
    told = correct_value(over.text, candidate["content"])
    value = correct_value(over.value, candidate["content"]) or told
    return _reword_older(over, candidate, told, value, "slip")


def _change_older(over: OlderStatement, candidate: ExtractionCandidate) -> ExtractionCandidate:
    """The older statement with the value that holds from now on."""
    told = exchange_stated(over.text, candidate["content"])
    value = exchange_stated(over.value, candidate["content"]) or told
    return _reword_older(over, candidate, told, value, "change")


def _reword_older(
    over: OlderStatement, candidate: ExtractionCandidate, told: str, value: str, ends: Ending
) -> ExtractionCandidate:
    """The older statement with another value: it stays on its matter, whatever the few words say that give the value.

    Nobody said it in these words, so nobody confirmed it.
    """
    return {
        **candidate,
        "replaces_memory": over.key,
        "ends": ends,
        "subject": over.subject,
        "predicate": over.predicate,
        "category": over.category,
        "object": value,
        "content": told,
        "slot": over.slot,
        "single_valued": over.value != over.text and is_single_valued(over.predicate),
        "provenance": "analysis",
        "confidence": 0.8,
        "composed": True,
    }


def concerns(old: OlderStatement, new: ExtractionCandidate) -> bool:
    """Whether both are about one person: also where one only names who the other is about."""
    return is_about_one(old.subject, old.text, new["subject"], new["content"])
