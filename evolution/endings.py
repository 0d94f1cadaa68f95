"""Which older statement a new one puts an end to: the same person's, on the same topic, about the same thing.

Likeness across topics never ends anything. When it is not sure, nothing ends: recall then shows the newer one first.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import log, sqrt

from evolution.state import Candidate
from evolution.writing import key_of
from language.corrections import contrast_in, names, put_right
from language.kinds import Topic
from language.people import SPEAKER, same_person
from language.predicates import holds_one
from language.statements import denies, topics_of
from language.terms import fold, word_terms
from memory.contracts import MemoryItem

CHANGED = 0.2
"""Share of rarity-weighted words that a statement of change has in common with what it ends."""
RESTATED = 0.6
"""The same share for a statement that says no word of a change, but the same with another number, or denied."""
SLIPPED = 4
"""Statements back to which a slip of the tongue is looked for when it does not name the wrong value."""
FEW_WORDS = 4
"""Content words up to which a correction says nothing by itself."""
ONE_AT_A_TIME: tuple[Topic, ...] = ("home", "work", "partner", "study")
"""Topics of which a person mostly has one thing at a time."""
CLEARLY = 0.5
"""Probability from which a statement is on such a topic for certain."""
SAME_TOPIC = 0.45
"""Overlap of topics from which two statements count as on the same topic."""

_NUMBER = re.compile(r"\d+|[零一二两三四五六七八九十百千]+")


@dataclass(frozen=True, kw_only=True)
class Older:
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


def older_of(item: MemoryItem) -> Older:
    """A living memory as something that may be ended."""
    text = item.content
    return Older(
        key=str(item.memory_id),
        subject=item.subject,
        predicate=item.predicate,
        category=item.category,
        slot=item.slot,
        value=item.object,
        text=text,
        is_plan=item.memory_type == "plan",
        topics=topics_of(text),
        words=words_of(text),
        denied=denies(text),
    )


def _as_older(candidate: Candidate) -> Older:
    text = candidate["content"]
    return Older(
        key=key_of(candidate),
        subject=candidate["subject"],
        predicate=candidate["predicate"],
        category=candidate["category"],
        slot=candidate["slot"],
        value=candidate["object"],
        text=text,
        is_plan=candidate["item_type"] == "plan",
        topics=topics_of(text),
        words=words_of(text),
        denied=denies(text),
    )


def with_endings(candidates: Sequence[Candidate], known: Sequence[MemoryItem]) -> list[Candidate]:
    """The candidates with what each statement ends in ``replaces_memory``: a memory's id, or the key of a candidate
    before it. ``known`` are the person's living memories, oldest first. A slip that corrects nothing known is left out.
    """
    older = [older_of(item) for item in known]
    resolved: list[Candidate] = []
    for each in candidates:
        found = _resolved(each, older)
        if found is not None:
            resolved.append(found)
            older = [*(one for one in older if one.key != found["replaces_memory"]), _as_older(found)]
    return resolved


def _resolved(candidate: Candidate, older: Sequence[Older]) -> Candidate | None:
    if candidate["source"] != "rules" or candidate["replaces_memory"]:
        return candidate
    over = ended_by(candidate, older)
    if over is None:
        return None if candidate["ends"] == "slip" and _is_bare(candidate) else candidate
    told = put_right(over.text, candidate["content"]) if candidate["ends"] == "slip" else ""
    ended: Candidate = {**candidate, "replaces_memory": over.key, "provenance": "confirmed_by_user", "confidence": 0.9}
    return _in_place_of(over, told, ended) if told else ended


def _in_place_of(over: Older, told: str, candidate: Candidate) -> Candidate:
    """The older statement with the right value: it stays on its matter, whatever the correction's few words say."""
    value = put_right(over.value, candidate["content"]) or told
    return {
        **candidate,
        "subject": over.subject,
        "predicate": over.predicate,
        "category": over.category,
        "object": value,
        "content": told,
        "slot": over.slot,
        "single_valued": holds_one(over.predicate),
    }


def _is_bare(candidate: Candidate) -> bool:
    """Whether it says nothing that could be understood without what it corrects."""
    return bool(contrast_in(candidate["content"])) or len(words_of(candidate["content"])) <= FEW_WORDS


def ended_by(new: Candidate, older: Sequence[Older]) -> Older | None:
    """What ``new`` puts an end to, if anything. ``older`` is in the order of saying, the newest last."""
    mine = [each for each in older if _concerns(each, new)]
    contrast = contrast_in(new["content"])
    if contrast and new["ends"]:
        return next((each for each in reversed(mine) if names(each.text, contrast.old)), None)
    if new["ends"] == "slip":
        return _slipped(new, mine)
    topics = topics_of(new["content"])
    near = [each for each in mine if affinity(topics, each.topics) >= SAME_TOPIC or _names_the_person(each, new)]
    return _about_the_same(new, near, _rarity(older)) or _in_its_one_place(new, topics, near)


def _about_the_same(new: Candidate, near: Sequence[Older], rarity: "Rarity") -> Older | None:
    """The statement with the most words in common, when these are enough for what the new one says."""
    words = words_of(new["content"])
    scored = [(shared(words, each.words, rarity), place) for place, each in enumerate(near)]
    share, place = max(scored, default=(0.0, -1))
    if share >= CHANGED and (new["ends"] or (near[place].is_plan and new["item_type"] != "plan")):
        return near[place]
    return near[place] if share >= RESTATED and _says_otherwise(new["content"], near[place]) else None


def _in_its_one_place(new: Candidate, topics: Mapping[Topic, float], near: Sequence[Older]) -> Older | None:
    """The last thing said on a topic of which a person has one at a time, whatever its words."""
    if new["ends"] != "change":
        return None
    on_topic: list[Topic] = [topic for topic in ONE_AT_A_TIME if topics[topic] >= CLEARLY]
    held = (each for each in reversed(near) for topic in on_topic if each.topics[topic] >= CLEARLY)
    return next((each for each in held if not each.is_plan), None)


def _concerns(old: Older, new: Candidate) -> bool:
    """Whether both are about one person: also where the older one only names who the newer one is about."""
    return same_person(old.subject, new["subject"]) or _names_the_person(old, new)


def _names_the_person(old: Older, new: Candidate) -> bool:
    return new["subject"] != SPEAKER and names(old.text, new["subject"].split()[-1])


def affinity(one: Mapping[Topic, float], other: Mapping[Topic, float]) -> float:
    """How far two texts are about the same topic: the overlap of their topics' probabilities, 0 to 1."""
    return sum(sqrt(share * other[topic]) for topic, share in one.items())


def shared(one: frozenset[str], other: frozenset[str], rarity: "Rarity") -> float:
    """Rarity-weighted share of the words of the shorter text that both have, 0 to 1."""
    least = min(rarity.weight(one), rarity.weight(other))
    return rarity.weight(one & other) / least if least else 0.0


def words_of(text: str) -> frozenset[str]:
    """Content words; of Chinese the pairs of characters, which tell more than characters."""
    found = word_terms(fold(text))
    return frozenset(each for each in found if len(each) > 1 and not each.startswith("month:"))


@dataclass(frozen=True)
class Rarity:
    """How much a word tells among a person's statements."""

    counts: Counter[str]
    total: int

    def weight(self, words: Iterable[str]) -> float:
        """Summed over the words."""
        return sum(log(1 + (self.total + 1) / (self.counts[word] + 0.5)) for word in words)


def _rarity(older: Sequence[Older]) -> Rarity:
    return Rarity(Counter(word for each in older for word in each.words), len(older))


def _slipped(new: Candidate, mine: Sequence[Older]) -> Older | None:
    """What was just said and shares a word with the correction, or has another number."""
    words = words_of(new["content"])
    alike = [each for each in mine[-SLIPPED:] if words & each.words or put_right(each.text, new["content"])]
    return alike[-1] if alike else None


def _says_otherwise(text: str, old: Older) -> bool:
    numbers, before = _numbers(text), _numbers(old.text)
    other_number = bool(numbers and before and numbers != before)
    return other_number or denies(text) != old.denied


def _numbers(text: str) -> frozenset[str]:
    return frozenset(_NUMBER.findall(text))
