"""One measurement of retrieval: logs recorded conversations, asks their questions, and leaves nothing behind."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apps.calibration.dataset import Dataset
from apps.calibration.measurement import FileRun, open_runs
from brain.settings import Settings
from evals.evaluation.ranked_lists import append_ranks
from evals.evaluation.retrieval import RetrievalReport, TimedEmbedder, TimedExamination, report


@dataclass(frozen=True)
class Task:
    """What to measure: some files, under a policy, cut at these places; what was ranked goes to ``ranks``."""

    datasets: Sequence[Dataset]
    policy: str
    ks: tuple[int, ...]
    ranks: Path | None = None


async def measure_retrieval(settings: Settings, task: Task) -> list[RetrievalReport]:
    """A report for each file. Raises ``E_BAD_REQUEST`` when a file cannot be used as a whole."""
    async with open_runs(settings, task.policy, len(task.datasets)) as runs:
        return [await _report(run, task, dataset) for run, dataset in zip(runs, task.datasets, strict=True)]


async def _report(run: FileRun, task: Task, dataset: Dataset) -> RetrievalReport:
    """Write the conversations, give them vectors, ask."""
    watch = TimedEmbedder(run.resources.embedder) if run.resources.embedder else None
    timed = TimedExamination(await run.prepare(dataset, watch), watch, task.ks)
    answers = await timed.answers(dataset, run.advance(dataset, "asking"))
    if task.ranks:
        append_ranks(task.ranks, dataset, task.policy, answers)
    return report(dataset, timed, answers)
