"""Is what a model noted down true to the conversation? Code decides, entry by entry, and says what is wrong."""

import math
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from evolution.extraction.form import NotedMemory
from evolution.extraction.place import placed
from evolution.extraction.prompt import Reading
from evolution.extraction.quote import find_quote, own_share
from evolution.speaking import subject_of
from evolution.state import LONGEST_MEMORY, Candidate, Dropped, Said
from language.detection import same_language
from language.secrets import holds_secret
from language.times import find_times
from memory.contracts import ProvenanceLevel

MOST = 40
"""Entries read of one answer: a model that notes down more is listing, not choosing."""
LONGEST_SHELF = 40
OWN = 0.5
"""Share of a quotation that must be the speaker's own words."""
INFERRED = frozenset({"pattern", "insight"})

_NO_WORD = re.compile(r"[\W_]+")
_SELF = re.compile(
    r"(?:the\s+)?(?:ai|assistant|chat\s?bot|bot|brain|language model|system)|助手|人工智能|机器人|系统", re.I
)


@dataclass(frozen=True)
class Fault:
    """What is wrong with one entry: a code for the record, words for the model."""

    reason: str
    words: str


@dataclass(frozen=True)
class Rejected:
    """An entry that cannot be accepted as it is."""

    entry: NotedMemory
    faults: tuple[Fault, ...]

    def dropped(self, reading: Reading) -> Dropped:
        """The record that it was left out."""
        turn = reading.turn(self.entry.turn)
        return Dropped(
            content=self.entry.content[:LONGEST_MEMORY],
            event_id=turn["event_id"] if turn else "",
            reason=self.faults[0].reason,
        )


@dataclass(frozen=True)
class Checked:
    """An answer taken apart: what may go on, what may be put right, and what is left out for good."""

    candidates: tuple[Candidate, ...]
    rejected: tuple[Rejected, ...]
    dropped: tuple[Dropped, ...]


def check(entries: Sequence[NotedMemory], reading: Reading) -> Checked:
    """Every entry against the turn that it names."""
    candidates: list[Candidate] = []
    rejected: list[Rejected] = []
    dropped: list[Dropped] = []
    for entry in entries[:MOST]:
        unwanted = _unwanted(entry, reading)
        faults = () if unwanted else tuple(_faults(entry, reading))
        if unwanted:
            dropped.append(unwanted)
        elif faults:
            rejected.append(Rejected(entry, faults))
        else:
            candidates.append(_candidate(entry, reading))
    return Checked(tuple(candidates), tuple(rejected), tuple(dropped))


def _unwanted(entry: NotedMemory, reading: Reading) -> Dropped | None:
    """What no asking again would make acceptable. A secret is not repeated in the record either."""
    turn = reading.turn(entry.turn)
    event_id = turn["event_id"] if turn else ""
    if any(map(holds_secret, (entry.content, entry.quote, f"{entry.predicate.replace('_', ' ')}: {entry.object}"))):
        return Dropped(content="", event_id=event_id, reason="secret")
    if _SELF.fullmatch(entry.subject.strip()):
        return Dropped(content=entry.content[:LONGEST_MEMORY], event_id=event_id, reason="about_the_assistant")
    return None


def _faults(entry: NotedMemory, reading: Reading) -> Iterator[Fault]:
    turn = reading.turn(entry.turn)
    if turn is None:
        yield Fault("unknown_turn", f"there is no turn {entry.turn}; turns are numbered 1 to {len(reading.said)}")
        return
    if turn["role"] != "user":
        yield Fault("not_said_by_a_person", f"turn {entry.turn} is not a person's")
        return
    yield from _quote_faults(entry, turn)
    yield from _wording_faults(entry, turn)
    if entry.related_memory.strip() and reading.memory(entry.related_memory) is None:
        yield Fault("unknown_memory", "related_memory is none of the known ids; leave it empty")
    if _valid_at(entry, turn) is None:
        yield Fault("unreadable_date", "valid_at is no date; write it like 2024-05-17, or leave it empty")


def _quote_faults(entry: NotedMemory, turn: Said) -> Iterator[Fault]:
    span = find_quote(turn["text"], entry.quote)
    if span is None:
        yield Fault("quote_not_found", f"the quote does not stand in turn {entry.turn} in these words")
    elif own_share(turn["text"], span) < OWN:
        yield Fault("not_their_own_words", f"in turn {entry.turn} these are not the speaker's own words")


def _wording_faults(entry: NotedMemory, turn: Said) -> Iterator[Fault]:
    for name in ("subject", "predicate", "object", "content"):
        value: str = getattr(entry, name).strip()
        if not value or len(value) > LONGEST_MEMORY:
            yield Fault("empty_or_endless", f"{name} must have between 1 and {LONGEST_MEMORY} characters")
    if not same_language(turn["text"], entry.content):
        yield Fault("other_language", "content is not in the language of the turn")


def _candidate(entry: NotedMemory, reading: Reading) -> Candidate:
    turn = reading.turn(entry.turn)
    assert turn is not None
    span = find_quote(turn["text"], entry.quote)
    valid_at = _valid_at(entry, turn)
    assert span is not None
    assert valid_at is not None
    candidate = Candidate(
        item_type=entry.type,
        subject=subject_of(entry.subject, turn),
        predicate=entry.predicate.strip(),
        object=entry.object.strip(),
        negated=entry.negated,
        content=" ".join(entry.content.split()),
        category=_NO_WORD.sub("_", entry.category.lower()).strip("_")[:LONGEST_SHELF],
        epistemic_type=entry.epistemic_type,
        provenance=_level(entry, reading),
        confidence=_share(entry.confidence),
        certainty=_share(entry.certainty),
        valid_at=valid_at.isoformat(),
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
    return placed(candidate, reading.memory(entry.related_memory))


def _level(entry: NotedMemory, reading: Reading) -> ProvenanceLevel:
    """What was concluded, or put in words that nobody used, is not confirmed by anybody."""
    if entry.provenance != "confirmed_by_user":
        return entry.provenance
    return "analysis" if entry.type in INFERRED or not _grounded(entry.object, reading) else "confirmed_by_user"


def _grounded(value: str, reading: Reading) -> bool:
    """Whether any word of the value was used in the conversation at all."""
    heard = " ".join(turn["text"] for turn in (*reading.before, *reading.said)).casefold()
    words = re.findall(r"[a-z]{3,}|\d+|[\u4e00-\u9fff]", value.casefold())
    return not words or any(word[:5] in heard for word in words)


def _valid_at(entry: NotedMemory, turn: Said) -> datetime | None:
    """Since when it holds: what begins later is planned from the moment of speaking on. None for no date at all."""
    at = datetime.fromisoformat(turn["at"])
    told = entry.valid_at.strip()
    if not told:
        return at
    begun = _moment(told, at, turn["time_zone"])
    return min(begun, at) if begun else None


def _moment(told: str, at: datetime, zone: str) -> datetime | None:
    day = f"{told}-01" if re.fullmatch(r"\d{4}-\d{2}", told) else f"{told}-01-01" if told.isdecimal() else told
    times = find_times(day, at, zone)
    return times[0].start if times else None


def _share(value: float) -> float:
    """A number between 0 and 1, whatever the model wrote."""
    return min(1.0, max(0.0, value)) if math.isfinite(value) else 0.0
