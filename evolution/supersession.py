"""Which older statement a new one puts an end to: the same person's, on the same topic, about the same thing.

Likeness across topics never ends anything. When it is not sure, nothing ends: recall then shows the newer one first.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import exp, sqrt

from evolution.memory_writes import idempotency_key_of
from evolution.state import ExtractionCandidate
from language.classifier import load_classifier
from language.corrections import correct_value, find_contrast, has_value
from language.kinds import Topic
from language.people import SPEAKER, is_same_person
from language.predicates import is_single_valued
from language.readers import READ_OFF
from language.statements import is_denial, topics_of
from language.term_words import COMMON_WORDS
from language.terms import fold, word_terms
from language.times import mentions_now
from memory.contracts import MemoryItem

WEIGHTS = (3.55, 3.46, 1.66, 1.28, 0.18, -1.61, 0.47, 0.53, -0.99, 0.73, 2.12, 0.51)
"""Of ``signs``: words in common, overlap of topics, the same likeliest topic, another number, denied or no longer,
a plan said now, a plan said before, a word of now, a change, and the change with words, topics, or a topic of which one
has one at a time. Fitted by ``python -m evals.fit_endings`` on pairs written for the purpose."""
BIAS = -7.0
LIKELY = 0.5
"""How likely an ending has to be: of what is left out, recall still shows the newer statement first."""
SLIPPED = 4
"""Statements back to which a slip of the tongue is looked for when it does not name the wrong value."""
FEW_WORDS = 4
"""Content words up to which a correction says nothing by itself."""
ONE_AT_A_TIME: tuple[Topic, ...] = ("home", "work", "partner", "study")
"""Topics of which a person mostly has one thing at a time."""
_NUMBER = re.compile(r"\d+|[零一二两三四五六七八九十百千]+")


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
    is_plan: bool
    topics: Mapping[Topic, float]
    words: frozenset[str]
    denied: bool


def read_older(item: MemoryItem) -> OlderStatement:
    """A living memory as something that may be ended."""
    text = item.content
    return OlderStatement(
        key=str(item.memory_id),
        subject=item.subject,
        predicate=item.predicate,
        category=item.category,
        slot=item.slot,
        value=item.object,
        text=text,
        is_plan=item.memory_type == "plan",
        topics=topics_of(text),
        words=content_words(text),
        denied=is_denial(text),
    )


def _candidate_as_older(candidate: ExtractionCandidate) -> OlderStatement:
    text = candidate["content"]
    return OlderStatement(
        key=idempotency_key_of(candidate),
        subject=candidate["subject"],
        predicate=candidate["predicate"],
        category=candidate["category"],
        slot=candidate["slot"],
        value=candidate["object"],
        text=text,
        is_plan=candidate["item_type"] == "plan",
        topics=topics_of(text),
        words=content_words(text),
        denied=is_denial(text),
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
            resolved.append(found)
            older = [*(one for one in older if one.key != found["replaces_memory"]), _candidate_as_older(found)]
    return resolved


def _resolve_ending(candidate: ExtractionCandidate, older: Sequence[OlderStatement]) -> ExtractionCandidate | None:
    if candidate["source"] != "rules" or candidate["replaces_memory"]:
        return candidate
    over = find_superseded(candidate, older)
    if over is None:
        return None if candidate["ends"] == "slip" and _is_bare(candidate) else candidate
    told = (
        "" if candidate["ends"] != "slip" or _has_value(candidate) else correct_value(over.text, candidate["content"])
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
        "single_valued": is_single_valued(over.predicate),
    }


def _has_value(candidate: ExtractionCandidate) -> bool:
    """Whether a value was read off its sentence, which then can be understood by itself."""
    return candidate["object"] != candidate["content"]


def _is_bare(candidate: ExtractionCandidate) -> bool:
    """Whether it says nothing that could be understood without what it corrects."""
    return bool(find_contrast(candidate["content"])) or len(content_words(candidate["content"])) <= FEW_WORDS


def find_superseded(new: ExtractionCandidate, older: Sequence[OlderStatement]) -> OlderStatement | None:
    """What ``new`` puts an end to, if anything. ``older`` is in the order of saying, the newest last.

    A statement whose value was read exactly is ended only by another value of it: it may say more than one thing.
    """
    mine = [each for each in older if _concerns(each, new)]
    contrast = find_contrast(new["content"])
    if contrast and new["ends"]:
        return next((each for each in reversed(mine) if has_value(each.text, contrast.old)), None)
    if new["ends"] == "slip":
        return _find_slip(new, mine)
    told = read_newer(new["content"])
    mine = [each for each in mine if not _older_has_value(each) or each.predicate == new["predicate"]]
    scored = [(supersession_likelihood(supersession_features(each, told)), place) for place, each in enumerate(mine)]
    likely, place = max(scored, default=(0.0, -1))
    return mine[place] if likely >= LIKELY else None


@dataclass(frozen=True, kw_only=True)
class NewerStatement:
    """A statement as something that may end an older one; ``change`` is how probably it speaks of a change."""

    text: str
    words: frozenset[str]
    topics: Mapping[Topic, float]
    change: float
    is_plan: float


def read_newer(text: str) -> NewerStatement:
    """What of a sentence tells whether it ends anything."""
    judged = load_classifier().classify(text)
    return NewerStatement(
        text=text,
        words=content_words(text),
        topics=judged.topics,
        change=judged.kinds["change"] + judged.kinds["slip"],
        is_plan=judged.kinds["plan"],
    )


def supersession_features(old: OlderStatement, new: NewerStatement) -> tuple[float, ...]:
    """What speaks for an ending, in the order of ``WEIGHTS``; each from 0 to 1."""
    topic, same = topic_overlap(new.topics, old.topics), bool(old.words & new.words)
    numbers, before = _numbers(new.text), _numbers(old.text)
    return (
        float(same),
        topic,
        sum(share * old.topics[each] for each, share in new.topics.items()),
        float(bool(numbers and before and numbers != before)),
        float(is_denial(new.text) != old.denied),
        new.is_plan,
        float(old.is_plan),
        float(mentions_now(new.text)),
        new.change,
        same * new.change,
        topic * new.change,
        max(old.topics[each] * new.topics[each] for each in ONE_AT_A_TIME) * new.change,
    )


def supersession_likelihood(values: Sequence[float]) -> float:
    """How likely it is that the older statement no longer holds, 0 to 1."""
    total = sum(weight * value for weight, value in zip(WEIGHTS, values, strict=True)) + BIAS
    return 1 / (1 + exp(-total))


def _concerns(old: OlderStatement, new: ExtractionCandidate) -> bool:
    """Whether both are about one person: also where the older one only names who the newer one is about."""
    return is_same_person(old.subject, new["subject"]) or _names_the_person(old, new)


def _older_has_value(old: OlderStatement) -> bool:
    return old.predicate in READ_OFF and old.value != old.text


def _names_the_person(old: OlderStatement, new: ExtractionCandidate) -> bool:
    return new["subject"] != SPEAKER and has_value(old.text, new["subject"].split()[-1])


def topic_overlap(one: Mapping[Topic, float], other: Mapping[Topic, float]) -> float:
    """How far two texts are about the same topic: the overlap of their topics' probabilities, 0 to 1."""
    return sum(sqrt(share * other[topic]) for topic, share in one.items())


def content_words(text: str) -> frozenset[str]:
    """Content words; of Chinese the pairs of characters, which tell more than characters."""
    found = word_terms(fold(text))
    return frozenset(each for each in found if len(each) > 1 and not each.startswith("month:")) - COMMON_WORDS


def _find_slip(new: ExtractionCandidate, mine: Sequence[OlderStatement]) -> OlderStatement | None:
    """What was just said and shares a word with the correction, or has another number."""
    words = content_words(new["content"])
    alike = [each for each in mine[-SLIPPED:] if words & each.words or correct_value(each.text, new["content"])]
    return alike[-1] if alike else None


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))
