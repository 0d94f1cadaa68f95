"""Selects the evidence among recalled memories: each thing once, the newest first, marked where it may be over."""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

from brain.prompting.excerpt import LONG
from brain.prompting.tokens import count_tokens
from brain.state import DecisionReason, MemoryUse
from language.acts import asks_about_replies, is_courtesy, is_only_question, is_question_sentence, mentions_self
from language.people import SPEAKER, is_same_person
from language.sentences import split_sentences
from language.similarity import has_common_subject, is_contained_in, may_tell_change
from language.statements import read_statements
from language.supersession import may_supersede
from memory.index_rows import DOUBTED_CONFIDENCE
from memory.recall.policy import RankedCandidate

NEAR = 0.95
"""Share of the better score from which two memories answer about equally well."""
SURE_OF_TOPIC = 0.3
"""How probable a topic has to be to be taken for one; there are 26."""
ANSWERS = 0.5
"""Share of the question's words that a reply of Brain's has to hold to stand for an answer nobody else gave."""
_ONE_VALUE = frozenset({"name", "birth", "home", "origin", "partner", "diet", "contact"})
"""Topics of which a newer statement puts older ones in doubt, even without words of change."""


class _Subject(NamedTuple):
    person: str
    topic: str


def exclusion_reasons(ranked: Sequence[RankedCandidate], question: str) -> dict[int, DecisionReason]:
    """Which places tell nothing about the person, and why: questions, courtesies, and Brain's own words.

    All count where the question is about them. Where it is about no person at all, a reply of Brain's stays in that
    answers better than everything else.
    """
    if asks_about_replies(question):
        return {}
    others = (each.candidate.coverage for each in ranked if not _is_reply(each))
    best = 1.0 if mentions_self(question) else max(ANSWERS, *others, 0.0)
    reasons: dict[int, DecisionReason] = {}
    for place, each in enumerate(ranked):
        if _is_reply(each) and each.candidate.coverage <= best:
            reasons[place] = "own_reply"
        elif each.candidate.lane == "turn" and is_only_question(each.candidate.text):
            reasons[place] = "question"
        elif each.candidate.lane == "turn" and is_courtesy(each.candidate.text):
            reasons[place] = "courtesy"
    return reasons


def _is_reply(each: RankedCandidate) -> bool:
    return each.candidate.lane == "turn" and each.candidate.role == "assistant"


def drop_repeats(best_first: Sequence[MemoryUse]) -> tuple[list[MemoryUse], list[MemoryUse]]:
    """The memories without those that say only what another one says, and these; of equals the newer one stays.

    A short turn takes the place of a statement that was taken from it when it tells more.
    """
    kept: list[MemoryUse] = []
    repeats: list[MemoryUse] = []
    for memory in best_first:
        place = next((at for at, held in enumerate(kept) if _is_repeat(memory, held)), None)
        if place is None:
            kept.append(memory)
            continue
        better = _pick_better(kept[place], memory)
        repeats.append({**(memory if better is kept[place] else kept[place]), "decision_reason": "repeat"})
        kept[place] = better
    return kept, repeats


def _is_repeat(one: MemoryUse, held: MemoryUse) -> bool:
    """Whether one says no more than what is held, or is short enough to stand for it; two voices are two witnesses."""
    if not _is_same_voice(one, held):
        return False
    if is_contained_in(one["text"], held["text"]):
        return True
    return is_contained_in(held["text"], one["text"]) and count_tokens(one["text"]) <= LONG


def says_no_more(one: MemoryUse, held: MemoryUse) -> bool:
    """Whether one voice says in one memory only what it says in the other."""
    return _is_same_voice(one, held) and is_contained_in(one["text"], held["text"])


def _is_same_voice(one: MemoryUse, other: MemoryUse) -> bool:
    nameless = {one["speaker"], other["speaker"]} & {"", SPEAKER}
    return one["role"] == other["role"] and bool(nameless or one["speaker"] == other["speaker"])


def _pick_better(held: MemoryUse, other: MemoryUse) -> MemoryUse:
    """The one that says more; when only chatter is added, or as much is said, the newer one, else the first."""
    more = not is_contained_in(other["text"], held["text"])
    if more:
        news = [each.text for each in split_sentences(other["text"]) if not is_contained_in(each.text, held["text"])]
        return other if any(not is_question_sentence(text) for text in news) and not is_doubtful(other) else held
    same = is_contained_in(held["text"], other["text"])
    return other if same and held["lane"] == other["lane"] and other["valid_since"] > held["valid_since"] else held


def is_doubtful(memory: MemoryUse) -> bool:
    """Whether something that it says was found to be over, or may be since something newer was said."""
    if memory["lane"] == "fact":
        return memory["confidence"] <= DOUBTED_CONFIDENCE
    return memory["lane"] == "turn" and memory["signals"].get("belief", 1.0) < 1.0


def prefer_newer(best_first: Sequence[MemoryUse]) -> list[MemoryUse]:
    """The same memories; of two neighbours that answer about equally well, the newer one stands first."""
    ordered = list(best_first)
    for end in range(1, len(ordered)):
        for place in range(end, 0, -1):
            before, after = ordered[place - 1], ordered[place]
            if after["score"] < NEAR * before["score"] or after["valid_since"] <= before["valid_since"]:
                break
            ordered[place - 1], ordered[place] = after, before
    return ordered


def mark_statuses(memories: Sequence[MemoryUse], beside: Sequence[MemoryUse] = ()) -> list[MemoryUse]:
    """The same memories; what is over is ``outdated``, what a newer one may have ended ``earlier``.

    ``beside`` are memories that were found as well and stay out of the prompt.
    """
    doubted = {older["memory_id"] for older, _ in conflicting_pairs(memories, beside)}
    return [_set_status(memory, memory["memory_id"] in doubted) for memory in memories]


def conflicting_pairs(
    memories: Sequence[MemoryUse], beside: Sequence[MemoryUse] = ()
) -> Iterator[tuple[MemoryUse, MemoryUse]]:
    """Pairs of an older and a newer memory about one matter of one person, of which the older may not hold any more.

    The older one is among the ``memories``, the newer one among them or ``beside`` them.
    """
    in_time = sorted([*memories, *beside], key=lambda each: each["valid_since"])
    stated = [each for each in in_time if each["lane"] in ("turn", "fact") and each["role"] == "user"]
    shown = {memory["memory_id"] for memory in memories}
    for older, newer in combinations(stated, 2):
        if (
            older["memory_id"] in shown
            and older["valid_since"] < newer["valid_since"]
            and _is_conflicting(older, newer)
        ):
            yield older, newer


def _is_conflicting(older: MemoryUse, newer: MemoryUse) -> bool:
    if is_contained_in(older["text"], newer["text"]):
        return False
    one_shelf = older["lane"] == newer["lane"] == "fact" and older["category"] == newer["category"] != ""
    return can_supersede(older["text"], newer["text"], one_shelf=one_shelf)


def can_supersede(older: str, newer: str, *, one_shelf: bool = False) -> bool:
    """Whether a newer text may put an end to what an older one says: about one person, and one thing or topic.

    Likeness only: it marks, and never ends anything. ``one_shelf`` tells that both were noted under one topic.
    """
    first, second = find_subject(older), find_subject(newer)
    if not (
        is_same_person(first.person, second.person)
        or _has_name_of(newer, first.person)
        or _has_name_of(older, second.person)
    ):
        return False
    same_topic = one_shelf or (first.topic != "" and first.topic == second.topic)
    if may_tell_change(newer) and (same_topic or has_common_subject(older, newer)):
        return True
    return (same_topic and first.topic in _ONE_VALUE) or may_supersede(older, newer)


def _has_name_of(text: str, person: str) -> bool:
    plain = text.casefold()
    return any(part.casefold() in plain for part in person.split() if part != SPEAKER and len(part) > 1)


@lru_cache(maxsize=8_192)
def find_subject(text: str) -> _Subject:
    """Whom and what the first statement of a text is about; no topic where the classifier is not sure."""
    statements = read_statements(text)
    if not statements:
        return _Subject(SPEAKER, "")
    first = max(statements, key=lambda each: each.keeps)
    sure = first.topics[first.topic] >= SURE_OF_TOPIC and first.topic != "other"
    return _Subject(first.person or SPEAKER, first.topic if sure else "")


def _set_status(memory: MemoryUse, overtaken: bool) -> MemoryUse:
    if memory["epistemic_type"] == "outdated":
        return {**memory, "status": "outdated"}
    return {**memory, "status": "earlier"} if overtaken or is_doubtful(memory) else memory
