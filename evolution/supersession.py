"""Which older statement a new one puts an end to: the same person's, on the same topic, about the same thing.

Likeness across topics never ends anything. When it is not sure, nothing ends: recall then shows the newer one first.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evolution.memory_writes import idempotency_key_of
from evolution.state import ExtractionCandidate, states_value
from language.corrections import correct_value, find_contrast, has_value
from language.people import SPEAKER, is_same_person
from language.predicates import is_single_valued
from language.readers import READ_OFF
from language.supersession import MAY_END, content_words, supersession_likelihood
from memory.contracts import MemoryItem

LIKELY = 0.12
"""How likely an ending has to be: of what is left out, recall still shows the newer statement first."""
MOST_DOUBTED = 2
"""Older statements that one newer one leaves in doubt at most: a long memory holds something like everything."""
SLIPPED = 4
"""Statements back to which a slip of the tongue is looked for when it does not name the wrong value."""
FEW_WORDS = 4
"""Content words up to which a correction says nothing by itself."""


@dataclass(frozen=True, kw_only=True)
class OlderStatement:
    """Something stated before. ``key`` is the memory's id, or the key of a candidate that is not written yet."""

    key: str
    subject: str
    predicate: str
    category: str
    slot: str
    value: str
    text: str


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
    )


def mark_endings(candidates: Sequence[ExtractionCandidate], known: Sequence[MemoryItem]) -> list[ExtractionCandidate]:
    """The candidates with what each statement ends in ``replaces_memory``: a memory's id, or the key of a candidate
    before it. ``known`` are the person's living memories, oldest first. A slip that corrects nothing known is left out.
    """
    older = [read_older(item) for item in known]
    resolved: list[ExtractionCandidate] = []
    for each in candidates:
        found = _resolve_ending(each, older)
        if found is not None:
            resolved.append({**found, "doubts": find_doubted(found, older)} if found["source"] == "rules" else found)
            older = [*(one for one in older if one.key != found["replaces_memory"]), read_candidate(found)]
    return resolved


def _resolve_ending(candidate: ExtractionCandidate, older: Sequence[OlderStatement]) -> ExtractionCandidate | None:
    if candidate["source"] != "rules" or candidate["replaces_memory"]:
        return candidate
    over = find_superseded(candidate, older)
    if over is None:
        return None if candidate["ends"] == "slip" and _is_bare(candidate) else candidate
    told = (
        "" if candidate["ends"] != "slip" or states_value(candidate) else correct_value(over.text, candidate["content"])
    )
    ended: ExtractionCandidate = {
        **candidate,
        "replaces_memory": over.key,
        "provenance": "confirmed_by_user",
        "confidence": 0.9,
    }
    return _correct_older(over, told, ended) if told else ended


def _correct_older(over: OlderStatement, told: str, candidate: ExtractionCandidate) -> ExtractionCandidate:
    """The older statement with the right value: it stays on its matter, whatever the correction's few words say."""
    value = correct_value(over.value, candidate["content"]) or told
    return {
        **candidate,
        "subject": over.subject,
        "predicate": over.predicate,
        "category": over.category,
        "object": value,
        "content": told,
        "slot": over.slot,
        "single_valued": over.value != over.text and is_single_valued(over.predicate),
    }


def _is_bare(candidate: ExtractionCandidate) -> bool:
    """Whether it says nothing that could be understood without what it corrects."""
    return bool(find_contrast(candidate["content"])) or len(content_words(candidate["content"])) <= FEW_WORDS


def find_superseded(new: ExtractionCandidate, older: Sequence[OlderStatement]) -> OlderStatement | None:
    """What ``new`` puts an end to, if anything. ``older`` is in the order of saying, the newest last.

    A statement whose value was read exactly is ended only by another value of it: it may say more than one thing.
    """
    mine = [each for each in older if concerns(each, new)]
    contrast = find_contrast(new["content"])
    if contrast and new["ends"]:
        return next((each for each in reversed(mine) if has_value(each.text, contrast.old)), None)
    if new["ends"] == "slip":
        return _find_slip(new, mine)
    mine = _replaceable(mine, new)
    scored = [(supersession_likelihood(each.text, new["content"]), place) for place, each in enumerate(mine)]
    likely, place = max(scored, default=(0.0, -1))
    return mine[place] if likely >= LIKELY else None


def find_doubted(new: ExtractionCandidate, older: Sequence[OlderStatement]) -> list[str]:
    """The keys of what may not hold any more since ``new`` was said, the likeliest first; it does not end them."""
    if new["ends"] == "slip":
        return []
    mine = _replaceable([each for each in older if concerns(each, new) and each.key != new["replaces_memory"]], new)
    likely = sorted(((supersession_likelihood(each.text, new["content"]), each.key) for each in mine), reverse=True)
    return [key for share, key in likely[:MOST_DOUBTED] if share >= MAY_END]


def _replaceable(mine: Sequence[OlderStatement], new: ExtractionCandidate) -> list[OlderStatement]:
    return [each for each in mine if not _older_has_value(each) or each.predicate == new["predicate"]]


def concerns(old: OlderStatement, new: ExtractionCandidate) -> bool:
    """Whether both are about one person: also where the older one only names who the newer one is about."""
    return is_same_person(old.subject, new["subject"]) or _names_the_person(old, new)


def _older_has_value(old: OlderStatement) -> bool:
    return old.predicate in READ_OFF and old.value != old.text


def _names_the_person(old: OlderStatement, new: ExtractionCandidate) -> bool:
    return new["subject"] != SPEAKER and has_value(old.text, new["subject"].split()[-1])


def _find_slip(new: ExtractionCandidate, mine: Sequence[OlderStatement]) -> OlderStatement | None:
    """What was just said and shares a word with the correction, or has another number."""
    words = content_words(new["content"])
    alike = [
        each for each in mine[-SLIPPED:] if words & content_words(each.text) or correct_value(each.text, new["content"])
    ]
    return alike[-1] if alike else None
