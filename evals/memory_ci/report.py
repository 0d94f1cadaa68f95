"""What a part of memory CI found: figures with their limits, and the verdict that follows from them."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Literal

Verdict = Literal["PASS", "FAIL", "NOT RUN"]
_ONE_CASE = 1
"""What a limit lets through beyond its share, where it lets through anything: small samples have coarse shares."""


@dataclass(frozen=True, kw_only=True)
class Figure:
    """``part`` of ``whole``, and the share that it may reach at ``most`` or must reach at ``least``.

    Of what may never happen ``most`` is 0. A figure ``is_wrong`` when it counts acts that nobody asked for.
    """

    name: str
    part: int
    whole: int
    most: float | None = None
    least: float | None = None
    is_wrong: bool = False

    @property
    def share(self) -> float | None:
        """None where there is nothing to judge."""
        return self.part / self.whole if self.whole else None

    @property
    def is_held(self) -> bool:
        """Whether it is within its limits."""
        if self.most is not None and self.part > self._round(self.most, _ONE_CASE):
            return False
        return self.least is None or self.part >= self._round(self.least, -_ONE_CASE)

    def _round(self, share: float, slack: int) -> float:
        """A limit in cases; what must never or always be so has no slack."""
        return share * self.whole + (slack if 0 < share < 1 else 0)

    @property
    def limit(self) -> str:
        """In words."""
        if self.most is not None:
            return f"at most {self.most:.0%}" if self.most else "0"
        return "" if self.least is None else f"at least {self.least:.0%}"

    @property
    def told(self) -> str:
        """In a line."""
        share = "" if self.share is None or not self.part else f" ({self.share:.1%})"
        return f"{self.part} of {self.whole}{share}"


@dataclass(frozen=True, kw_only=True)
class Findings:
    """What a part found. ``faults`` are failures that no figure tells; ``notes`` say what was left out."""

    figures: Sequence[Figure]
    faults: Sequence[str] = ()
    notes: Sequence[str] = ()

    @property
    def all_faults(self) -> list[str]:
        """Every reason to fail, in words."""
        beyond = [f"{each.name}: {each.told}, allowed: {each.limit}" for each in self.figures if not each.is_held]
        return [*beyond, *self.faults]


@dataclass(frozen=True, kw_only=True)
class PartReport:
    """One part: the findings, or why it could not run."""

    name: str
    title: str
    seconds: float
    findings: Findings | None = None
    reason: str = ""

    @property
    def verdict(self) -> Verdict:
        """A part without findings has not run, which is no pass; nor is one that judged nothing."""
        if self.findings is None or not any(each.whole for each in self.findings.figures):
            return "NOT RUN"
        return "FAIL" if self.findings.all_faults else "PASS"

    @property
    def wrong_acts(self) -> int:
        """Acts that nobody asked for."""
        figures = self.findings.figures if self.findings else ()
        return sum(each.part for each in figures if each.is_wrong)


@dataclass(frozen=True, kw_only=True)
class Report:
    """The whole run, and what was measured."""

    began_at: str
    configuration: dict[str, str]
    parts: list[PartReport] = field(default_factory=list[PartReport])
    is_quick: bool = False

    @property
    def is_passed(self) -> bool:
        """Whether every part ran and passed."""
        return all(each.verdict == "PASS" for each in self.parts)

    @property
    def wrong_acts(self) -> int:
        """Of all parts."""
        return sum(each.wrong_acts for each in self.parts)

    @property
    def in_order(self) -> list[PartReport]:
        """Wrong acts first, then what failed, then what could not run."""
        order = ("FAIL", "NOT RUN", "PASS")
        return sorted(self.parts, key=lambda each: (-each.wrong_acts, order.index(each.verdict)))
