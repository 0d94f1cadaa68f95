"""How well a conversation was remembered, as shares that can be added up over conversations."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from uuid import UUID

from brain.evolution.absolute.unclear import unresolved_words
from evals.memory_data import Label
from evals.memory_judge import Judged, judge
from evals.memory_replay import Asked, Lived
from memory.contracts import MemoryItem


@dataclass(frozen=True)
class Share:
    """``part`` of ``whole``; of nothing at all there is no share."""

    part: int = 0
    whole: int = 0

    def __add__(self, other: "Share") -> "Share":
        return Share(self.part + other.part, self.whole + other.whole)

    @property
    def value(self) -> float | None:
        """0 to 1; None for a share of nothing."""
        return self.part / self.whole if self.whole else None


Shares = Mapping[str, Share]


@dataclass(frozen=True)
class Reading:
    """A life as its labels see it."""

    lived: Lived

    @cached_property
    def judged(self) -> dict[UUID, Judged]:
        """Every memory that was ever stored."""
        return {item.memory_id: judge(self.lived.conversation, item) for item in self.lived.items}

    @property
    def wanted(self) -> list[Label]:
        """What must be remembered at some time."""
        return [label for label in self.lived.conversation.labels if not label.optional]

    def holders(self, label: Label) -> list[MemoryItem]:
        """The memories that say it."""
        return [each.item for each in self.judged.values() if label.label in each.labels]

    def names(self, memory_id: UUID) -> set[str]:
        """The labels that a memory meets, by name."""
        judged = self.judged.get(memory_id)
        return set(judged.labels) if judged else set()

    def held(self, names: Iterable[str]) -> bool:
        """Whether any of these labels was ever remembered."""
        return any(self.holders(self.lived.conversation.label_of[name]) for name in names)

    def evidence(self, names: Iterable[str]) -> set[str]:
        """The turns that say what these labels ask for."""
        return {turn for name in names for turn in self.lived.conversation.label_of[name].evidence}

    def labels(self, memory_id: UUID) -> list[Label]:
        """What a memory says, as labels."""
        return [self.lived.conversation.label_of[name] for name in self.names(memory_id)]


def measured(lived: Lived) -> Shares:
    """Every figure of one conversation."""
    reading = Reading(lived)
    return {name: Share(*_count(verdicts)) for name, verdicts in _verdicts(reading)}


def total(shares: Iterable[Shares]) -> dict[str, Share]:
    """The figures of many conversations as of one: every memory and label counts the same."""
    added: dict[str, Share] = {}
    for each in shares:
        for name, share in each.items():
            added[name] = added.get(name, Share()) + share
    return added


def f1(shares: Shares) -> float | None:
    """The harmonic mean of precision and recall."""
    precision, recall = shares["precision"].value, shares["recall"].value
    if precision is None or recall is None or not precision + recall:
        return None
    return 2 * precision * recall / (precision + recall)


def _count(verdicts: Sequence[bool]) -> tuple[int, int]:
    return sum(verdicts), len(verdicts)


def _verdicts(reading: Reading) -> Iterator[tuple[str, list[bool]]]:
    for name, verdicts in _OF_ITEMS.items():
        yield name, verdicts(reading)
    for name, verdicts in _OF_TIME.items():
        yield name, verdicts(reading)


def _precision(reading: Reading) -> list[bool]:
    return [each.verdict == "wanted" for each in reading.judged.values() if each.verdict != "harmless"]


def _recall(reading: Reading) -> list[bool]:
    return [bool(reading.holders(label)) for label in reading.wanted]


def _junk(reading: Reading) -> list[bool]:
    return [each.unasked for each in reading.judged.values()]


def _traps(reading: Reading) -> list[bool]:
    caught = [each.trap for each in reading.judged.values() if each.trap]
    return [trap in caught for trap in reading.lived.conversation.traps]


def _repeated(reading: Reading) -> list[bool]:
    """Of the living memories, those that only say again what another one says."""
    living = [each for each in reading.judged.values() if each.verdict == "wanted" and each.item.status == "active"]
    said = Counter((each.item.predicate, each.labels) for each in living)
    again = sum(said.values()) - len(said)
    return [number < again for number in range(len(living))]


def _clear(reading: Reading) -> list[bool]:
    language = reading.lived.conversation.head.language
    return [not unresolved_words(each.content, language) for each in reading.lived.items]


def _traceable(reading: Reading) -> list[bool]:
    """Rests on words of a person that are still in the log as they were."""
    evidence = reading.lived.evidence
    return [
        any(each.verified and each.quote.strip() for each in evidence[item.memory_id]) for item in reading.lived.items
    ]


def _well_cited(reading: Reading) -> list[bool]:
    """Of the wanted memories, those that cite a turn which the label names."""
    return [
        any(cited.reference in label.evidence for cited in reading.lived.evidence[each.item.memory_id] for label in met)
        for each in reading.judged.values()
        if each.verdict == "wanted" and (met := reading.labels(each.item.memory_id))
    ]


def _supersedes(reading: Reading) -> list[bool]:
    """Every ending of a memory that labels know: right when the label was over by then."""
    return [not _still_true(reading, item) for item in _ended(reading)]


def _false_conflicts(reading: Reading) -> list[bool]:
    """Of the memories that labels know, those that were ended or disputed although nothing contradicts them."""
    disputed = {each for pair in _disputes(reading) for each in pair}
    return [
        item.memory_id in disputed or (item.status == "superseded" and _still_true(reading, item))
        for item in reading.lived.items
        if reading.labels(item.memory_id)
    ]


def _ended(reading: Reading) -> Iterator[MemoryItem]:
    for item in reading.lived.items:
        if item.status == "superseded" and reading.labels(item.memory_id):
            yield item


def _still_true(reading: Reading, item: MemoryItem) -> bool:
    """Whether a memory was ended while every label that it meets still held."""
    conversation, by = reading.lived.conversation, _successor(reading, item)
    at = by.observed_at if by else item.updated_at
    return not any(conversation.past(label, at) for label in reading.labels(item.memory_id))


def _successor(reading: Reading, item: MemoryItem) -> MemoryItem | None:
    return next((each for each in reading.lived.items if each.memory_id == item.superseded_by), None)


def _disputes(reading: Reading) -> Iterator[tuple[UUID, UUID]]:
    """Conflicts between memories that, by their labels, are true side by side."""
    for conflict in reading.lived.conflicts:
        conversation, at = reading.lived.conversation, conflict.opened_at
        sides = [reading.labels(conflict.held_id), reading.labels(conflict.new_id)]
        if all(side and not any(conversation.past(label, at) for label in side) for side in sides):
            yield conflict.held_id, conflict.new_id


def _let_go(reading: Reading) -> list[bool]:
    """Of what was remembered and is over, what does not live on as if it were true."""
    at = max(reading.lived.conversation.said_at.values())
    over = [label for label in reading.wanted if reading.lived.conversation.past(label, at)]
    held = [items for label in over if (items := reading.holders(label))]
    return [not any(item.status == "active" for item in items) for items in held]


def _fresh(reading: Reading, asked: Iterable[Asked], *, held_only: bool = False) -> list[bool]:
    """Whether the first memory that bears on a question says what is true now."""
    answers: list[bool] = []
    for each in asked:
        now = _current(reading, each)
        if now and (reading.held(now) or not held_only):
            answers.append(bool(now & _first_bearing(reading, each)))
    return answers


def _in_reach(reading: Reading) -> list[bool]:
    """Whether a true memory, or the turn that says so, is among the best of everything."""
    return [
        bool(reading.evidence(now) & set(each.turns)) or any(now & reading.names(found) for found in each.facts)
        for each in reading.lived.asked
        if (now := _current(reading, each))
    ]


def _stale(reading: Reading) -> list[bool]:
    """Of the questions whose answer has changed, those that still bring an old one as current."""
    verdicts: list[bool] = []
    for each in reading.lived.asked:
        over = {label.label for label in _about(reading, each) if reading.lived.conversation.past(label, each.at)}
        if over:
            brought = [reading.names(found) for found in each.facts]
            verdicts.append(any(said & over and not said & _current(reading, each) for said in brought))
    return verdicts


def _told(reading: Reading) -> list[bool]:
    """Chains of which the history leaves out nothing."""
    return [told == asked for told, asked in _links(reading)]


def _links_told(reading: Reading) -> list[bool]:
    return [number < told for told, asked in _links(reading) for number in range(asked)]


def _links(reading: Reading) -> Iterator[tuple[int, int]]:
    for each in reading.lived.histories:
        chain = [label for label in _about(reading, each) if reading.lived.conversation.known(label, each.at)]
        brought = {name for found in each.facts for name in reading.names(found)}
        if len(chain) > 1 and _is_chain(chain):
            yield sum(label.label in brought for label in chain), len(chain)


def _is_chain(labels: Sequence[Label]) -> bool:
    return any(label.replaces or label.ended_by for label in labels)


def _about(reading: Reading, asked: Asked) -> list[Label]:
    return [reading.lived.conversation.label_of[name] for name in asked.question.about]


def _current(reading: Reading, asked: Asked) -> set[str]:
    about = _about(reading, asked)
    return {label.label for label in about if reading.lived.conversation.current(label, asked.at)}


def _first_bearing(reading: Reading, asked: Asked) -> set[str]:
    about = set(asked.question.about)
    return next((both for found in asked.facts if (both := about & reading.names(found))), set[str]())


_Verdicts = Callable[[Reading], list[bool]]

_OF_ITEMS: Mapping[str, _Verdicts] = {
    "precision": _precision,
    "recall": _recall,
    "junk": _junk,
    "traps": _traps,
    "repeated": _repeated,
    "clear": _clear,
    "traceable": _traceable,
    "well_cited": _well_cited,
}
_OF_TIME: Mapping[str, _Verdicts] = {
    "supersede_precision": _supersedes,
    "false_conflicts": _false_conflicts,
    "let_go": _let_go,
    "stale_leak": _stale,
    "fresh": lambda reading: _fresh(reading, reading.lived.asked),
    "fresh_if_held": lambda reading: _fresh(reading, reading.lived.asked, held_only=True),
    "in_reach": _in_reach,
    "as_of": lambda reading: _fresh(reading, reading.lived.as_of, held_only=True),
    "history": _told,
    "history_links": _links_told,
}
