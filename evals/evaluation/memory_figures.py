"""How well a conversation was remembered, as shares that can be added up over conversations."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from evals.evaluation.memory_over_time import OF_TIME
from evals.evaluation.memory_reading import Reading, Verdicts
from evals.evaluation.memory_replay import Lived
from language.references import unresolved_words


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


def measure_shares(lived: Lived) -> Shares:
    """Every figure of one conversation."""
    reading = Reading(lived)
    cases = {name: verdicts(reading) for name, verdicts in {**_OF_ITEMS, **OF_TIME}.items()}
    return {name: Share(sum(each), len(each)) for name, each in cases.items()}


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


def _precision(reading: Reading) -> list[bool]:
    return [each.verdict == "wanted" for each in reading.judged.values() if each.verdict != "harmless"]


def _recall(reading: Reading) -> list[bool]:
    return [bool(reading.holders(label)) for label in reading.wanted]


def _junk(reading: Reading) -> list[bool]:
    return [each.unasked for each in reading.judged.values()]


def _traps(reading: Reading) -> list[bool]:
    caught = [each.trap for each in reading.judged.values() if each.trap]
    return [trap in caught for trap in reading.lived.conversation.traps]


def _repetitions(reading: Reading) -> list[bool]:
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


_OF_ITEMS: Mapping[str, Verdicts] = {
    "precision": _precision,
    "recall": _recall,
    "junk": _junk,
    "traps": _traps,
    "repeated": _repetitions,
    "clear": _clear,
    "traceable": _traceable,
    "well_cited": _well_cited,
}
