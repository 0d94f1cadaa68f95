"""Selects the evidence among recalled memories: each thing once, the newest first, marked where it may be over."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from functools import lru_cache
from itertools import combinations

from brain.prompting.excerpt import MAX_WHOLE_TOKENS
from brain.prompting.repetition import is_one_person, repeats
from brain.prompting.tokens import count_tokens
from brain.state import DecisionReason, MemoryUse, said_at
from language.acts import asks_about_replies, is_courtesy, is_only_question, is_question_sentence, mentions_self
from language.assertions import has_several_assertions
from language.endings import happened_long_before, tells_of_date
from language.exclusion import SUREST, Exclusion, find_exclusion
from language.own_words import HIDDEN, own_words
from language.people import SPEAKER
from language.sentences import split_sentences
from language.times.validity import find_validity
from memory.index_rows import IN_DOUBT, note_over
from memory.recall.policy import RankedCandidate

NEAR_SIMILARITY = 0.95
"""Share of the better score from which two memories answer about equally well."""
ANSWERS = 0.5
"""Share of the question's words that a reply of Brain's has to hold to stand for an answer nobody else gave."""
MAX_COMPARED = 6
"""Sentences of a text that are compared with those of another one."""


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
    if repeats(one["text"], held["text"]):
        return True
    return repeats(held["text"], one["text"]) and count_tokens(one["text"]) <= MAX_WHOLE_TOKENS


def says_no_more(one: MemoryUse, held: MemoryUse) -> bool:
    """Whether one voice says in one memory only what it says in the other."""
    return _is_same_voice(one, held) and repeats(one["text"], held["text"])


def _is_same_voice(one: MemoryUse, other: MemoryUse) -> bool:
    nameless = {one["speaker"], other["speaker"]} & {"", SPEAKER}
    return one["role"] == other["role"] and bool(nameless or one["speaker"] == other["speaker"])


def _pick_better(held: MemoryUse, other: MemoryUse) -> MemoryUse:
    """The one that says more; when only chatter is added, or as much is said, the newer one, else the first."""
    more = not repeats(other["text"], held["text"])
    if more:
        news = [each.text for each in split_sentences(other["text"]) if not repeats(each.text, held["text"])]
        return other if any(not is_question_sentence(text) for text in news) and not is_doubtful(other) else held
    same = repeats(held["text"], other["text"])
    return other if same and held["lane"] == other["lane"] and said_at(other) > said_at(held) else held


def is_doubtful(memory: MemoryUse) -> bool:
    """Whether something that it says was found to be over, or may be since something newer was said."""
    if memory["lane"] == "fact":
        return memory.get("about") == IN_DOUBT
    return memory["lane"] == "turn" and memory["signals"].get("belief", 1.0) < 1.0


def prefer_newer(best_first: Sequence[MemoryUse]) -> list[MemoryUse]:
    """The same memories; of two neighbours that answer about equally well, the newer one stands first."""
    ordered = list(best_first)
    for end in range(1, len(ordered)):
        for place in range(end, 0, -1):
            before, after = ordered[place - 1], ordered[place]
            if after["score"] < NEAR_SIMILARITY * before["score"] or said_at(after) <= said_at(before):
                break
            ordered[place - 1], ordered[place] = after, before
    return ordered


def mark_statuses(memories: Sequence[MemoryUse], beside: Sequence[MemoryUse] = ()) -> list[MemoryUse]:
    """The same memories; what is over is ``outdated``, what a newer one says otherwise ``earlier``; of a text that says
    several things, the part is named.

    ``beside`` are memories that were found as well and stay out of the prompt.
    """
    over = {older["memory_id"]: why for older, _, why in _compare_all(memories, beside) if why.grounds != "likely"}
    return [_set_status(memory, over.get(memory["memory_id"])) for memory in memories]


def conflicting_pairs(
    memories: Sequence[MemoryUse], beside: Sequence[MemoryUse] = ()
) -> Iterator[tuple[MemoryUse, MemoryUse]]:
    """Pairs of an older and a newer memory about one matter of one person, which cannot both hold, or may not.

    The older one is among the ``memories``, the newer one among them or ``beside`` them.
    """
    return ((older, newer) for older, newer, _ in _compare_all(memories, beside))


def _compare_all(
    memories: Sequence[MemoryUse], beside: Sequence[MemoryUse]
) -> Iterator[tuple[MemoryUse, MemoryUse, Exclusion]]:
    in_time = sorted([*memories, *beside], key=lambda each: said_at(each))
    stated = [each for each in in_time if each["lane"] in ("turn", "fact") and each["role"] == "user"]
    shown = {memory["memory_id"] for memory in memories}
    for older, newer in combinations(stated, 2):
        if newer["epistemic_type"] == "outdated":
            continue
        if older["memory_id"] in shown and said_at(older) < said_at(newer) and not _is_old_news(older, newer):
            why = find_over(older["text"], newer["text"])
            if why:
                yield older, newer, why


def _is_old_news(older: MemoryUse, newer: MemoryUse) -> bool:
    """Whether the newer one tells of what came about long before the older one was said: that had not ended it."""
    if not tells_of_date(newer["text"]):
        return False
    said = datetime.fromisoformat(said_at(newer))
    began = find_validity(newer["text"], said, "UTC").begins(said)
    return happened_long_before(datetime.fromisoformat(said_at(older)), newer["text"], began)


@lru_cache(maxsize=16_384)
def find_over(older: str, newer: str) -> Exclusion | None:
    """What of an older text does not hold beside a newer one, the surest first: sentence by sentence, each about the
    person that it names. It marks, and never ends anything.
    """
    if repeats(older, newer):
        return None
    pairs = [(one, other) for one in _told(older) for other in _told(newer)]
    found = [why for one, other in pairs if is_one_person(one, other) and (why := find_exclusion(one, other))]
    return min(found, key=lambda each: SUREST.index(each.grounds), default=None)


@lru_cache(maxsize=8_192)
def _told(text: str) -> tuple[str, ...]:
    """The sentences of a text that tell something, in its speaker's own words."""
    own = own_words(text).replace(HIDDEN, " ")
    sentences = (each.text for each in split_sentences(own)[:MAX_COMPARED])
    return tuple(each for each in sentences if not is_question_sentence(each))


def says_more_than(text: str, over: str) -> bool:
    """Whether a text says other things beside what is over."""
    return over != text and (len(split_sentences(text)) > 1 or has_several_assertions(text))


def _set_status(memory: MemoryUse, why: Exclusion | None) -> MemoryUse:
    if memory["epistemic_type"] == "outdated":
        return {**memory, "status": "outdated"}
    if why and says_more_than(memory["text"], why.old):
        return {**memory, "about": note_over(why.old, why.new)}
    return {**memory, "status": "earlier"} if why or is_doubtful(memory) else memory
