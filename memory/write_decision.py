"""Decides what an assertion does to what is remembered already: pure."""

from collections.abc import Sequence
from dataclasses import dataclass

from language.assertions import has_several_assertions
from language.clauses import strip_lead
from language.commitments import find_commitment
from language.people import introduces
from language.predicates import has_whole_words, object_key
from memory.conflicts import ConflictKind
from memory.memory_item import Action, MemoryDraft, MemoryItem, WriteStatus
from memory.provenance import RANK, REWORDED, events_of, provenance_level

SUPERSEDE_CERTAINTY = 0.7
CONSTRAINT_CERTAINTY = 0.85


@dataclass(frozen=True)
class WriteDecision:
    """What to do with a draft, and the memories it concerns. ``ended`` are those that a merge puts an end to.

    ``parted`` say other things as well and live on, ``contested`` are ended by nothing but the person's word.
    """

    action: Action
    targets: tuple[MemoryItem, ...] = ()
    ended: tuple[MemoryItem, ...] = ()
    parted: tuple[MemoryItem, ...] = ()
    contested: tuple[MemoryItem, ...] = ()


def decide(draft: MemoryDraft, beside: Sequence[MemoryItem]) -> WriteDecision:
    """Compare a draft with the living memories of its own slot and with the one that it replaces by name.

    ``beside`` holds these, and the memories of the slot that were taken from the same turn, living or not: what was
    drawn from a turn once is not drawn from it again. It also holds those of the slot that were taken back after the
    draft was said: to be told only now what they said brings none of them back. And it holds those that rest on the
    draft's own words and were forgotten, excluded or put right by a person. Anything else is never touched.
    """
    if gone := next((item for item in beside if item.slot != draft.slot and _is_final(draft, item)), None):
        return WriteDecision("reject", (gone,))
    slot = [item for item in beside if item.slot == draft.slot]
    if known := next((item for item in beside if _is_known(draft, item)), None):
        return WriteDecision("known" if _says_living(draft, known) else "reject", (known,))
    living = [item for item in slot if item.status == "active"]
    against = _conflicting_items(draft, living, beside)
    beaten = [item for item in against if outweighs(draft, item)]
    before = [item for item in against if draft.observed_at >= item.observed_at]
    contested = tuple(item for item in before if _needs_person(draft, item))
    parted = tuple(item for item in before if item not in contested and says_more(draft, item))
    ended = tuple(item for item in beaten if item not in contested and item not in parted)
    if same := next((item for item in living if _is_same(draft, item)), None):
        return WriteDecision("merge", (same,), ended, parted, contested)
    if gone := next((item for item in slot if item.status != "active" and _is_same(draft, item)), None):
        return WriteDecision("merge", (gone,))
    if ended:
        return WriteDecision("retract" if _is_pure_ending(draft) else "supersede", ended, (), parted, contested)
    if parted or contested:
        return WriteDecision("append", (), (), parted, contested)
    later = tuple(item for item in against if _can_supersede(draft, item))
    if later:
        return WriteDecision("precede", later)
    return WriteDecision("append_conflict", against) if against else WriteDecision("append")


def write_status(action: Action) -> WriteStatus:
    """What the receipt of a decision says: ``rejected`` where a person's own change stands against the draft."""
    match action:
        case "reject":
            return "rejected"
        case "known" | "merge":
            return "merged"
        case _:
            return "accepted"


def outweighs(draft: MemoryDraft, item: MemoryItem) -> bool:
    """Sure enough, no less trusted and no older: constraints ask for more."""
    needed = CONSTRAINT_CERTAINTY if item.memory_type == "constraint" else SUPERSEDE_CERTAINTY
    higher = draft.composed or RANK[draft.provenance] >= RANK[provenance_level(item)]
    return higher and draft.certainty >= needed and draft.observed_at >= item.observed_at


def _needs_person(draft: MemoryDraft, item: MemoryItem) -> bool:
    """Whether the grounds do not suffice to end this memory, or a part of it."""
    if draft.grounds == "said":
        return False
    return is_protected(item) or not _has_one_place(draft, item)


def _has_one_place(draft: MemoryDraft, item: MemoryItem) -> bool:
    """Whether both were read as the value of a matter that has one: only then values end each other by themselves."""
    return draft.slot == item.slot and draft.single_valued and not draft.negated


def is_protected(item: MemoryItem) -> bool:
    """Whether only the person's own word ends it: what keeps them safe or well, what they promised or planned."""
    guarded = item.memory_type in ("constraint", "plan") or item.category in ("health", "diet")
    return guarded or item.predicate in ("allergic_to", "diet") or find_commitment(item.content) is not None


def says_more(draft: MemoryDraft, item: MemoryItem) -> bool:
    """Whether a memory also says what the draft neither repeats nor takes back, such as who a name is; a composed draft
    repeats all of it.
    """
    more = has_several_assertions(item.content) or introduces(item.content, draft.content)
    return not draft.composed and more


def conflict_kind(draft: MemoryDraft | MemoryItem, item: MemoryItem) -> ConflictKind:
    """In which way a draft, or a memory that comes back, and a memory cannot both be true."""
    if draft.negated != item.negated:
        return "contradiction"
    return "outdated" if draft.observed_at < item.observed_at else "inconsistent"


def _is_final(draft: MemoryDraft, item: MemoryItem) -> bool:
    """Whether a person's own change stands against another reading of the words that a memory rests on.

    What a person excluded may still be ended by name: only its words are not read once more.
    """
    if item.use == "excluded" and item.memory_id != draft.replaces_memory:
        return True
    return item.status == "deleted" or (REWORDED in item.provenance and item.status != "superseded")


def _says_living(draft: MemoryDraft, item: MemoryItem) -> bool:
    """Whether a memory that was drawn from the same turn says what the draft says, and still counts."""
    return item.status != "deleted" and (REWORDED not in item.provenance or _is_same(draft, item))


def _is_known(draft: MemoryDraft, item: MemoryItem) -> bool:
    """Whether it was drawn from the same turn before: in its slot, or as words that hold the draft's, or are a part of
    them, where a sentence was taken apart in another way.
    """
    turns = {str(citation.event_id) for citation in draft.citations}
    if not turns or not turns <= set(events_of(item)):
        return False
    if item.slot == draft.slot:
        return _is_duplicate(draft, item)
    return draft.object == draft.content and item.object == item.content and _shares_words(draft, item)


def _is_duplicate(draft: MemoryDraft, item: MemoryItem) -> bool:
    """Also what a person changed or forgot since: looking at the turn again does not bring it back."""
    if draft.object == draft.content:
        # A sentence as it was said: a turn may hold several on one topic, and each is known by its own words alone.
        return _is_same(draft, item) or _shares_words(draft, item)
    as_said = item.object == item.content and (not draft.speaker or _shares_words(draft, item))
    reworded = item.status == "deleted" or REWORDED in item.provenance or as_said
    ended = item.status == "retracted" and object_key(draft.object) == object_key(item.object)
    return _is_same(draft, item) or reworded or ended


def _shares_words(draft: MemoryDraft, item: MemoryItem) -> bool:
    """Whether the words of the one stand in those of the other."""
    one, other = (object_key(strip_lead(text)) for text in (draft.content, item.content))
    return has_whole_words(one, other) or has_whole_words(other, one)


def _is_same(draft: MemoryDraft, item: MemoryItem) -> bool:
    return object_key(draft.object) == object_key(item.object) and draft.negated == item.negated


def _conflicting_items(
    draft: MemoryDraft, living: Sequence[MemoryItem], beside: Sequence[MemoryItem]
) -> tuple[MemoryItem, ...]:
    named = [item for item in beside if item.memory_id == draft.replaces_memory and item.status == "active"]
    denied = [item for item in living if _has_conflict(draft, item)]
    against = {item.memory_id: item for item in (*named, *_holders_of_old_value(draft, living), *denied)}
    return tuple(item for item in against.values() if item.slot != draft.slot or not _is_same(draft, item))


def _has_conflict(draft: MemoryDraft, item: MemoryItem) -> bool:
    """What tells of the past stands beside what holds now, and beside what held at another time."""
    if draft.tells_of_past or item.tells_of_past:
        return False
    if draft.negated != item.negated:
        return object_key(draft.object) == object_key(item.object)
    return draft.single_valued and not draft.negated


def _holders_of_old_value(draft: MemoryDraft, living: Sequence[MemoryItem]) -> list[MemoryItem]:
    """Those that hold the very value that is taken back; when there is none, those that hold it among other words."""
    old = object_key(draft.replaces) if draft.replaces else ""
    if not old:
        return []
    exact = [item for item in living if object_key(item.object) == old]
    return exact or [item for item in living if is_contained(old, object_key(item.object))]


def is_contained(one: str, other: str) -> bool:
    """Whether either holds the other as whole words."""
    short, long = sorted((one, other), key=len)
    return has_whole_words(long, short)


def _is_pure_ending(draft: MemoryDraft) -> bool:
    """«I no longer work at Acme»: the place of the one value stays empty."""
    return draft.negated and draft.single_valued and object_key(draft.replaces) == object_key(draft.object)


def _can_supersede(draft: MemoryDraft, item: MemoryItem) -> bool:
    """Whether, had they been learned in the order in which they were said, the memory would have ended the draft."""
    needed = CONSTRAINT_CERTAINTY if draft.item_type == "constraint" else SUPERSEDE_CERTAINTY
    trusted = RANK[provenance_level(item)] >= RANK[draft.provenance] and item.certainty >= needed
    whole = not has_several_assertions(draft.content) and draft.item_type not in ("constraint", "plan")
    return trusted and whole and item.observed_at > draft.observed_at
