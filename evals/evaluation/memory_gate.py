"""The release gate of remembering: no figure may become worse than a stored baseline, in either language."""

from collections.abc import Iterator, Mapping, Sequence

from evals.evaluation.baseline import BaselinePart
from evals.evaluation.memory import Report
from evals.evaluation.memory_figures import Share, Shares
from evals.evaluation.memory_table import FIGURES, Figure
from memory.errors import bad_request

TOLERANCE = 0.01
"""How far a share may get worse. One memory's, label's or question's worth is let through however small the set."""
_LANGUAGES = ("en", "zh")


class Held(BaselinePart):
    """One share as it was: ``part`` of ``whole``."""

    part: int
    whole: int

    @property
    def share(self) -> Share:
        """The same, to reckon with."""
        return Share(self.part, self.whole)


class HalfBaseline(BaselinePart):
    """The shares of one half, over everything and by language, reached in one way on one state of the data."""

    split: str
    way: str
    data: Mapping[str, str]
    shares: Mapping[str, Mapping[str, Held]]


class MemoryBaseline(BaselinePart):
    """What a later run is held against."""

    halves: tuple[HalfBaseline, ...]


def baseline_of(reports: Sequence[Report], before: MemoryBaseline | None = None) -> MemoryBaseline:
    """What these reports promise to later ones; of an earlier baseline, the halves and ways not measured now stay."""
    measured = [_half(each) for each in reports]
    renewed = {(each.split, each.way) for each in measured}
    kept = [each for each in (before.halves if before else ()) if (each.split, each.way) not in renewed]
    return MemoryBaseline(halves=(*kept, *measured))


def falls(reports: Sequence[Report], baseline: MemoryBaseline) -> list[str]:
    """What became worse by more than it may, one line each; empty when the gate is open.

    Raises ``E_BAD_REQUEST`` when a report has no counterpart of the same data, half and way: nothing can be compared.
    """
    return [each for report in reports for each in _find_regressions(report, _counterpart(report, baseline))]


def _half(report: Report) -> HalfBaseline:
    groups = {name: _held_shares(shares) for name, shares in _shares_by_language(report).items()}
    return HalfBaseline(split=report.split, way=report.way, data=report.data, shares=groups)


def _held_shares(shares: Shares) -> dict[str, Held]:
    return {name: Held(part=share.part, whole=share.whole) for name, share in shares.items()}


def _shares_by_language(report: Report) -> dict[str, Shares]:
    """No language may pay for another."""
    return {"all": report.total, **{name: report.groups[name] for name in _LANGUAGES if name in report.groups}}


def _counterpart(report: Report, baseline: MemoryBaseline) -> HalfBaseline:
    wanted = (report.split, report.way, dict(report.data))
    for half in baseline.halves:
        if (half.split, half.way, dict(half.data)) == wanted:
            return half
    raise bad_request(
        f"The baseline has no figures of this data, {report.split} half, by {report.way}.",
        "Measure the same data in the same way, or save a new baseline.",
    )


def _find_regressions(report: Report, before: HalfBaseline) -> Iterator[str]:
    now = _shares_by_language(report)
    for group, shares in before.shares.items():
        for name, held in shares.items():
            figure, share = FIGURES[name], now[group][name]
            if _is_worse(figure, held.share, share):
                place = f"{report.split} half, {group}"
                yield f"{place}: {figure.title} was {_format_share(held.share)}, is {_format_share(share)}"


def _is_worse(figure: Figure, before: Share, now: Share) -> bool:
    if before.value is None or now.value is None:
        return before.value is not None and figure.better == "more"
    lost = before.value - now.value if figure.better == "more" else now.value - before.value
    return lost > max(TOLERANCE, 1 / now.whole)


def _format_share(share: Share) -> str:
    return "nothing" if share.value is None else f"{share.value:.1%} ({share.part} of {share.whole})"
