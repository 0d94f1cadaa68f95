"""The release gate: a change may enter only when neither precision nor recall falls against a stored baseline."""

from collections.abc import Iterator, Mapping, Sequence

from evals.evaluation.baseline import BaselinePart
from evals.evaluation.retrieval import RetrievalFigures, RetrievalReport
from memory.errors import bad_request

TOLERANCE = 0.01
"""How far a share may fall, as a part of what it was. One question's worth is let through however small the set:
two memories of equal score may change places without anything being worse."""

_ROUNDING = 1e-4


class Shares(BaselinePart):
    """What is held: shares 0..1 by k."""

    questions: int
    recall: Mapping[int, float]
    precision: Mapping[int, float]


class FileBaseline(BaselinePart):
    """The shares of one file, over everything and by language, under the policy that reached them."""

    file: str
    sha256: str
    policy: str
    embeddings: str
    shares: Mapping[str, Shares]


class Baseline(BaselinePart):
    """What a later run is held against."""

    files: tuple[FileBaseline, ...]


def baseline_of(reports: Sequence[RetrievalReport]) -> Baseline:
    """What these reports promise to later ones: no times, which differ from machine to machine."""
    return Baseline(files=tuple(_file(report) for report in reports))


def falls(reports: Sequence[RetrievalReport], baseline: Baseline, tolerance: float = TOLERANCE) -> list[str]:
    """What fell by more than it may, one line each; empty when the gate is open.

    Raises ``E_BAD_REQUEST`` when a report has no counterpart of the same data and embeddings: nothing can be compared.
    """
    held = {each.file: each for each in baseline.files}
    return [each for report in reports for each in _find_regressions(report, _counterpart(report, held), tolerance)]


def _file(report: RetrievalReport) -> FileBaseline:
    return FileBaseline(
        file=report.file,
        sha256=report.sha256,
        policy=report.policy,
        embeddings=report.embeddings,
        shares={name: _shares(figures) for name, figures in _figure_groups(report).items()},
    )


def _figure_groups(report: RetrievalReport) -> dict[str, RetrievalFigures]:
    """No language may pay for another."""
    return {"total": report.total, **report.languages}


def _shares(figures: RetrievalFigures) -> Shares:
    return Shares(
        questions=figures.questions,
        recall={k: round(share, 4) for k, share in figures.recall.items()},
        precision={k: round(share, 4) for k, share in figures.precision.items()},
    )


def _counterpart(report: RetrievalReport, held: Mapping[str, FileBaseline]) -> FileBaseline:
    stored = held.get(report.file)
    if stored is None or (stored.sha256, stored.embeddings) != (report.sha256, report.embeddings):
        raise bad_request(
            f"The baseline has no figures of this {report.file} with embeddings {report.embeddings!r}.",
            "Measure the same data in the same way, or save a new baseline.",
        )
    return stored


def _find_regressions(report: RetrievalReport, stored: FileBaseline, tolerance: float) -> Iterator[str]:
    now = _figure_groups(report)
    for name, before in stored.shares.items():
        for k, share in before.recall.items():
            fallen = share - _share_at(k, now[name].recall)
            if fallen > max(tolerance * share, 1 / before.questions) + _ROUNDING:
                yield _format_regression(report, name, f"recall@{k}", share, fallen)
        for k, share in before.precision.items():
            fallen = share - _share_at(k, now[name].precision)
            if fallen > max(tolerance * share, 1 / (k * before.questions)) + _ROUNDING:
                yield _format_regression(report, name, f"precision@{k}", share, fallen)


def _share_at(k: int, shares: Mapping[int, float]) -> float:
    if k not in shares:
        raise bad_request(f"The baseline holds figures at {k}, which was not measured.", f"Add --k {k}.")
    return shares[k]


def _format_regression(report: RetrievalReport, name: str, metric: str, share: float, fallen: float) -> str:
    return f"{report.file}, {name}: {metric} fell from {share:.1%} to {share - fallen:.1%}"
