"""The figures of remembering as lines to read: one row per figure, its threshold beside it, one column per group."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

from evals.evaluation.memory import Report
from evals.evaluation.memory_figures import Share, Shares, f1

Better = Literal["more", "less"]
_NAME = 38
_CELL = 13
_VERDICT = 14


@dataclass(frozen=True)
class Figure:
    """What a share is called, which way is better, and from where on it passes (S1 section 44.3), if that is set."""

    title: str
    better: Better
    threshold: float | None = None

    def verdict(self, value: float | None) -> str:
        """PASS or FAIL; nothing where there is no threshold or nothing was measured."""
        if self.threshold is None or value is None:
            return ""
        passed = value >= self.threshold if self.better == "more" else value < self.threshold
        bound = f"{'≥' if self.better == 'more' else '<'} {self.threshold:.0%}"
        return f"{bound} {'PASS' if passed else 'FAIL'}"


FIGURES: Mapping[str, Figure] = {
    "precision": Figure("extraction precision", "more", 0.95),
    "recall": Figure("extraction recall", "more", 0.92),
    "junk": Figure("junk (asked for by no label)", "less"),
    "traps": Figure("traps fallen into", "less"),
    "repeated": Figure("living memories said twice", "less"),
    "clear": Figure("understandable alone", "more"),
    "traceable": Figure("traceable to a person's words", "more", 1.0),
    "well_cited": Figure("cites the labelled turn", "more"),
    "supersede_precision": Figure("supersede precision", "more", 0.95),
    "false_conflicts": Figure("false conflicts", "less", 0.03),
    "let_go": Figure("what is over has ended", "more"),
    "stale_leak": Figure("stale leak (old told as current)", "less"),
    "old_first": Figure("  old turn or fact before the new", "less"),
    "fresh": Figure("current answer fresh", "more", 0.98),
    "fresh_if_held": Figure("  where it was remembered at all", "more"),
    "in_reach": Figure("  as a fact or in its own turn", "more"),
    "as_of": Figure("right at an earlier moment", "more"),
    "history": Figure("history complete", "more", 0.95),
    "history_links": Figure("  links of histories told", "more"),
}


def lines(report: Report) -> Iterator[str]:
    """A title, a table, and how the figures came about."""
    groups = {"all": report.total, **report.groups}
    yield f"{report.split} half · {report.conversations} conversations · {report.way}"
    yield f"{'':<{_NAME}}{'S1 44.3':<{_VERDICT}}" + "".join(f"{name:>{_CELL}}" for name in groups)
    for name, figure in FIGURES.items():
        verdict = figure.verdict(report.total[name].value)
        cells = "".join(f"{_cell(shares[name]):>{_CELL}}" for shares in groups.values())
        yield f"{figure.title:<{_NAME}}{verdict:<{_VERDICT}}{cells}"
        if name == "recall":
            yield _f1(groups)
    if report.requests:
        asked = ", ".join(f"{count} {form}" for form, count in sorted(report.requests.items()))
        yield f"Nobody was asked: these are recorded answers, played back over the wire ({asked})."


def _f1(groups: Mapping[str, Shares]) -> str:
    cells = (f1(shares) for shares in groups.values())
    told = "".join(f"{'–' if value is None else f'{value:.1%}':>{_CELL}}" for value in cells)
    return f"{'extraction F1':<{_NAME}}{'':<{_VERDICT}}{told}"


def _cell(share: Share) -> str:
    return "–" if share.value is None else f"{share.value:.1%} /{share.whole}"
