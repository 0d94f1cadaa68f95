"""The model of what must hold: what a person said and was answered, and what Brain may show of it ever after.

Every thing that somebody tells carries a name that exists once in the world, so that whoever is shown it is known to be
right or wrong. Nothing here asks a database or a server; what was seen comes in through arguments.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Literal

_SYLLABLES = ("ba", "ce", "di", "fo", "gu", "ha", "le", "mi", "no", "pu", "ra", "se", "ti", "vo", "zu", "ka")
_NAME = re.compile(r"(?<![a-z])[a-z]{12}(?![a-z])", re.ASCII | re.IGNORECASE)
FaultKind = Literal[
    "lost",
    "doubled",
    "without reply",
    "leaked",
    "reappeared",
    "not remembered",
    "overruled",
    "stuck",
    "refused",
    "left",
]
Standing = Literal["kept", "replaced", "forgotten", "unsure"]
"""``unsure`` is what was asked for and not answered yet: both are right."""


@dataclass(frozen=True)
class Fault:
    """Something that must not be, and where it was seen."""

    kind: FaultKind
    who: str
    what: str


@dataclass
class Saying:
    """One message of a person; it is answered when the server said so, and ``waits`` when that asked for an approval.

    The question of an approval is no reply of the conversation, and what ``decides`` it is no turn of its own: the log
    has the request, and the reply that follows the decision.
    """

    text: str
    names: tuple[str, ...] = ()
    is_answered: bool = False
    waits: bool = False
    decides: bool = False


@dataclass(frozen=True)
class Logged:
    """A turn as the log holds it."""

    role: str
    text: str
    operation_id: str


@dataclass
class Names:
    """Names that exist once, and whose they are."""

    chance: Random
    owners: dict[str, str] = field(default_factory=dict[str, str])

    def make(self, owner: str) -> str:
        """A new one. No syllable twice: "haha" in a name would be laughter."""
        while True:
            name = "".join(self.chance.sample(_SYLLABLES, 6))
            if name not in self.owners:
                self.owners[name] = owner
                return name

    def find_in(self, text: str) -> set[str]:
        """The names that a text tells."""
        return {found for each in _NAME.findall(text) if (found := each.lower()) in self.owners}


@dataclass
class Ledger:
    """What one person said, and how the things stand that they told: each by its name."""

    who: str
    sayings: list[Saying] = field(default_factory=list[Saying])
    told: dict[str, str] = field(default_factory=dict[str, str])
    """The sentence of each name."""
    standing: dict[str, Standing] = field(default_factory=dict[str, Standing])
    erased: set[str] = field(default_factory=set[str])

    def say(self, text: str, names: Iterable[str] = ()) -> Saying:
        """A message that is on its way."""
        saying = Saying(text, tuple(names))
        self.sayings.append(saying)
        return saying

    def tell(self, name: str, text: str) -> Saying:
        """A message that states something new."""
        self.told[name], self.standing[name] = text, "kept"
        return self.say(text, (name,))

    def kept(self) -> list[str]:
        """The names of what stands, the oldest first."""
        return [name for name, standing in self.standing.items() if standing == "kept"]

    def erase(self) -> None:
        """Everything is gone; the person may begin anew."""
        self.erased.update(self.told)
        self.sayings, self.told, self.standing = [], {}, {}

    def find_logged_faults(self, logged: Sequence[Logged]) -> Iterator[Fault]:
        """What the log lost, doubled or left without a reply. Asked while the person says nothing."""
        said = Counter(each.text for each in self.sayings)
        answered = Counter(each.text for each in self.sayings if each.is_answered and not each.decides)
        due = Counter(each.text for each in self.sayings if each.is_answered and not (each.waits or each.decides))
        words = [each for each in logged if each.role == "user"]
        replies = Counter(each.operation_id for each in logged if each.role == "assistant")
        found = Counter(each.text for each in words)
        replied = Counter(each.text for each in words if replies[each.operation_id])
        for text, times in said.items():
            if found[text] < answered[text]:
                yield self._fault("lost", f"{text!r}: {found[text]} of {answered[text]}")
            elif replied[text] < due[text]:
                yield self._fault("without reply", f"{text!r}: {replied[text]} of {due[text]}")
            if found[text] > times:
                yield self._fault("doubled", f"{text!r}: {found[text]} of {times}")
        for operation_id, times in replies.items():
            if times > 1:
                yield self._fault("doubled", f"{times} replies of the operation {operation_id}")
        for text in found.keys() - said.keys():
            yield self._fault("leaked", f"{text!r} is in their log, and they never said it")

    def find_remembered_faults(self, active: Sequence[str], names: Names, *, settled: bool) -> Iterator[Fault]:
        """What memories say that must not be; once all work is done, also what they lack."""
        shown = {name for text in active for name in names.find_in(text)}
        yield from self.find_shown_faults(active, names, "memories")
        sentences = {text.rstrip(".。") for text in active}
        for name, standing in self.standing.items():
            if settled and standing == "replaced" and self.told[name].rstrip(".。") in sentences:
                yield self._fault("overruled", f"{self.told[name]!r} still stands")
            if settled and standing == "kept" and name not in shown and self._was_answered(name):
                yield self._fault("not remembered", self.told[name])

    def find_shown_faults(self, texts: Iterable[str], names: Names, where: str, asked: str = "") -> Iterator[Fault]:
        """Names in what they were shown that are another's, or were forgotten or erased before they asked."""
        own = names.find_in(asked)
        for text in texts:
            for name in names.find_in(text) - own:
                if names.owners[name] != self.who:
                    yield self._fault("leaked", f"{where}: {text!r} tells what {names.owners[name]} said")
                elif name in self.erased or self.standing.get(name) == "forgotten":
                    yield self._fault("reappeared", f"{where}: {text!r}")

    def _was_answered(self, name: str) -> bool:
        return any(each.is_answered for each in self.sayings if name in each.names)

    def _fault(self, kind: FaultKind, what: str) -> Fault:
        return Fault(kind, self.who, what)


def find_growth(lives: Mapping[str, Sequence[Sequence[float]]], room: float) -> list[str]:
    """Processes whose memory grows: in a long life the last fifth stands more than ``room`` above the second one.

    Samples are megabytes in order, one list for each life; a life of fewer than 50 samples tells nothing.
    """
    grown = list[str]()
    for name, samples in lives.items():
        for number, life in enumerate(samples, 1):
            fifth = len(life) // 5
            if len(life) < _LONG:
                continue
            early, late = _middle(life[fifth : 2 * fifth]), _middle(life[-fifth:])
            if late > early * (1 + room):
                grown.append(f"{name}, life {number}: {early:.0f} MB, later {late:.0f} MB")
    return grown


_LONG = 50


def _middle(values: Sequence[float]) -> float:
    return sorted(values)[len(values) // 2]
