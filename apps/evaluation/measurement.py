"""One measurement of retrieval: logs recorded conversations, asks their questions, and leaves nothing behind."""

import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from uuid import UUID, uuid4

import psycopg
from psycopg.sql import SQL, Identifier
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from apps.evaluation.calibration import WEIGHTS, CachingEmbedder, LanguageAnswer, LanguageCalibration, calibrate
from apps.evaluation.dataset import Dataset
from apps.evaluation.ranked_lists import append_ranks
from apps.evaluation.retrieval import Examination, RetrievalAnswer, RetrievalReport, TimedEmbedder, report
from apps.evaluation.scratch import a_database
from apps.ingest import Destination, Ingestion
from brain.embeddings.backfill import embed_pending
from brain.local_postgres.startup import resolve_addresses
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources
from language.detection import language_of
from memory.errors import bad_request


@dataclass(frozen=True)
class Task:
    """What to measure: some files, under a policy, cut at these places; what was ranked goes to ``ranks``."""

    datasets: Sequence[Dataset]
    policy: str
    ks: tuple[int, ...]
    ranks: Path | None = None


@dataclass(frozen=True)
class Scratch:
    """Where to measure: the settings of a database, and how tenants are named there."""

    settings: Settings
    tenant: str


async def measure_retrieval(settings: Settings, task: Task) -> list[RetrievalReport]:
    """A report for each file. Raises ``E_BAD_REQUEST`` when a file cannot be used as a whole."""
    async with _open_runs(settings, task) as runs:
        return [await run.report(dataset) for run, dataset in zip(runs, task.datasets, strict=True)]


async def measure_vector_weights(settings: Settings, task: Task) -> list[LanguageCalibration]:
    """What the configured model's vectors are worth in the questions of all files together, by language.

    Raises ``E_BAD_REQUEST`` when there is no model, or a file cannot be used as a whole.
    """
    if settings.embedding_model[0] == "none":
        raise bad_request("There is no embedding model to calibrate.", "Set BRAIN_EMBEDDINGS.")
    answers: dict[float, list[LanguageAnswer]] = {weight: [] for weight in WEIGHTS}
    async with _open_runs(settings, task) as runs:
        for run, dataset in zip(runs, task.datasets, strict=True):
            for weight, asked in (await run.trials(dataset)).items():
                answers[weight] += asked
    return calibrate(answers)


@asynccontextmanager
async def _open_runs(settings: Settings, task: Task) -> AsyncGenerator[list["_FileRun"]]:
    """One run for each file, in one database."""
    async with _scratch(settings) as scratch:
        resources = replace(build_resources(scratch.settings), new_id=_sequential_ids())
        try:
            with _progress() as progress:
                yield [_FileRun(resources, task, f"{scratch.tenant}-{n}", progress) for n in range(len(task.datasets))]
        finally:
            await resources.close()


@dataclass(frozen=True)
class _FileRun:
    """One file's people, in a tenant of their own."""

    resources: Resources
    task: Task
    tenant: str
    progress: Progress

    async def report(self, dataset: Dataset) -> RetrievalReport:
        """Write the conversations, give them vectors, ask."""
        watch = TimedEmbedder(self.resources.embedder) if self.resources.embedder else None
        examination = await self._prepare(dataset, replace(self.resources, embedder=watch), watch)
        answers = await self._answers(examination, dataset, "asking")
        if self.task.ranks:
            append_ranks(self.task.ranks, dataset, self.task.policy, answers)
        return report(dataset, examination, answers)

    async def trials(self, dataset: Dataset) -> dict[float, list[LanguageAnswer]]:
        """Write the conversations, give them vectors, ask the same once for each weight."""
        assert self.resources.embedder is not None
        resources = replace(self.resources, embedder=CachingEmbedder(self.resources.embedder))
        examination = await self._prepare(dataset, resources, None)
        languages = [language_of(question.question) for _, question in dataset.questions]
        asked: dict[float, list[LanguageAnswer]] = {}
        for weight in WEIGHTS:
            trial = replace(examination, vector_weight=weight)
            answers = await self._answers(trial, dataset, f"asking at weight {weight:g}")
            asked[weight] = list(zip(languages, answers, strict=True))
        return asked

    async def _prepare(self, dataset: Dataset, resources: Resources, watch: TimedEmbedder | None) -> Examination:
        """The file's conversations in memory, with vectors where there is a model."""
        examination = Examination(resources, self.tenant, self.task.policy, watch, self.task.ks)
        await self._ingest(dataset)
        if resources.embedder:
            await self._embed(examination, dataset)
        return examination

    async def _answers(self, examination: Examination, dataset: Dataset, doing: str) -> list[RetrievalAnswer]:
        asking = self.progress.add_task(f"{dataset.path.name}: {doing}", total=len(dataset.questions))
        return await examination.answers(dataset, lambda: self.progress.advance(asking))

    async def _ingest(self, dataset: Dataset) -> None:
        file = dataset.path
        reading = self.progress.add_task(f"{file.name}: reading", total=file.stat().st_size)
        ingestion = Ingestion(self.resources, Destination(tenant=self.tenant))
        await ingestion.read(file, lambda position: self.progress.update(reading, completed=position))
        if ingestion.tally.refused:
            raise bad_request(str(ingestion.tally.refused[0]), "A measurement needs all of the data.")

    async def _embed(self, examination: Examination, dataset: Dataset) -> None:
        embedding = self.progress.add_task(f"{dataset.path.name}: embedding", total=len(dataset.conversations))
        for conversation in dataset.conversations:
            await embed_pending(examination.resources, examination.scope(conversation))
            self.progress.advance(embedding)


@asynccontextmanager
async def _scratch(settings: Settings) -> AsyncGenerator[Scratch]:
    """An empty database, where all names are the same each time, so that every run breaks ties alike.

    Where none may be created, tenants of random names in the configured one: the log cannot be emptied again.
    """
    where = await resolve_addresses(settings)
    if where.managed and _may_create(where.owner):
        async with a_database(where.owner) as own:
            _skip_disk_sync(own.owner)
            yield Scratch(settings.model_copy(update={"database_url": own.owner}), "eval")
        return
    tenant = f"eval-{uuid4()}"
    print(f"No database may be created here: what is measured on stays, in tenants {tenant}-….", file=sys.stderr)
    yield Scratch(settings, tenant)


def _may_create(owner: str) -> bool:
    """Whether this login may make a database and its application's role."""
    with psycopg.connect(owner) as connection:
        found = connection.execute(
            "select rolsuper or rolcreatedb and rolcreaterole from pg_roles where rolname = current_user"
        ).fetchone()
    return bool(found and found[0])


def _skip_disk_sync(owner: str) -> None:
    """What is dropped anyway need not wait for the disk."""
    with psycopg.connect(owner, autocommit=True) as connection:
        name = Identifier(connection.info.dbname)
        connection.execute(SQL("alter database {} set synchronous_commit = off").format(name))


def _sequential_ids() -> Callable[[], UUID]:
    """Ids that count up: random ones would break ties in another way each time."""
    numbers = count(1)
    return lambda: UUID(int=next(numbers))


def _progress() -> Progress:
    """Bars on stderr; nothing when nobody is looking."""
    screen = Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)
