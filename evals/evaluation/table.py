"""The figures of a retrieval report as lines to read: shares in percent, one row per category."""

from collections.abc import Iterator, Sequence

from evals.evaluation.retrieval import TOP, RetrievalFigures, RetrievalReport

_NAME = 20
_CELL = 7


def lines(report: RetrievalReport) -> Iterator[str]:
    """A title, a table, and whatever else the reader must know to judge it."""
    yield f"{report.file} · policy {report.policy} · embeddings {report.embeddings}"
    yield _line("", _head(report.total))
    for name, figures in _groups(report):
        yield _line(name, _cells(figures))
    if report.embeddings != "none":
        p50, p95 = report.embedding_p50_ms, report.embedding_p95_ms
        yield f"Embedding a question took {p50:.1f} ms (p95 {p95:.1f} ms) more."
    if report.degraded:
        yield f"Asked without their embedding: {report.degraded}."
    if report.skipped:
        yield f"Skipped for want of evidence: {report.skipped}."


def _groups(report: RetrievalReport) -> Iterator[tuple[str, RetrievalFigures]]:
    yield from report.categories.items()
    yield "total", report.total
    if len(report.languages) > 1:
        yield from ((f"in {language}", figures) for language, figures in report.languages.items())
    if report.adversarial:
        yield "apart: adversarial", report.adversarial


def _head(figures: RetrievalFigures) -> list[str]:
    by_k = (f"{name}@{k}" for name in ("R", "hit", "P") for k in figures.recall)
    sessions = (f"S@{k}" for k in figures.session_recall)
    return ["asked", *by_k, "MRR", f"nDCG{TOP}", *sessions, f"tok@{TOP}", "p50 ms", "p95 ms"]


def _cells(figures: RetrievalFigures) -> list[str]:
    by_k = (*figures.recall.values(), *figures.hit.values(), *figures.precision.values())
    shares = (*by_k, figures.mrr, figures.ndcg, *figures.session_recall.values())
    times = (f"{figures.p50_ms:.1f}", f"{figures.p95_ms:.1f}")
    return [str(figures.questions), *(f"{100 * share:.1f}" for share in shares), f"{figures.tokens:.0f}", *times]


def _line(name: str, cells: Sequence[str]) -> str:
    return f"{name:<{_NAME}}" + "".join(f"{cell:>{_CELL}}" for cell in cells)
