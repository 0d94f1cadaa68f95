"""Recorded conversations in a database made for them, asked their questions; it is dropped at the end."""

import sys
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from itertools import count
from uuid import UUID, uuid4

import psycopg
from psycopg import conninfo
from psycopg.sql import SQL, Composed, Identifier
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from apps.calibration.dataset import Dataset
from apps.calibration.examination import Examination, RankedAnswer
from apps.calibration.weights import WEIGHTS, CachingEmbedder, LanguageAnswer, LanguageCalibration, calibrate
from apps.ingestion.ingest import Destination, Ingestion
from brain.embeddings.backfill import embed_pending
from brain.local_postgres.startup import resolve_addresses
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources
from language.detection import language_of
from memory.embedding import Embedder
from memory.errors import bad_request
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses, addresses


@dataclass(frozen=True)
class Scratch:
    """Where to measure: the settings of a database, and how tenants are named there."""

    settings: Settings
    tenant: str


async def measure_vector_weights(
    settings: Settings, datasets: Sequence[Dataset], policy: str
) -> list[LanguageCalibration]:
    """What the configured model's vectors are worth in the questions of all files together, by language.

    Raises ``E_BAD_REQUEST`` when there is no model, or a file cannot be used as a whole.
    """
    if settings.embedding_model[0] == "none":
        raise bad_request("There is no embedding model to calibrate.", "Set BRAIN_EMBEDDINGS.")
    answers: dict[float, list[LanguageAnswer]] = {weight: [] for weight in WEIGHTS}
    async with open_runs(settings, policy, len(datasets)) as runs:
        for run, dataset in zip(runs, datasets, strict=True):
            for weight, asked in (await run.trials(dataset)).items():
                answers[weight] += asked
    return calibrate(answers)


@asynccontextmanager
async def open_runs(settings: Settings, policy: str, files: int) -> AsyncGenerator[list["FileRun"]]:
    """One run for each file, in one database."""
    async with _scratch(settings) as scratch:
        resources = replace(build_resources(scratch.settings), new_id=_sequential_ids())
        try:
            with _progress() as progress:
                yield [FileRun(resources, policy, f"{scratch.tenant}-{n}", progress) for n in range(files)]
        finally:
            await resources.close()


@dataclass(frozen=True)
class FileRun:
    """One file's people, in a tenant of their own."""

    resources: Resources
    policy: str
    tenant: str
    progress: Progress

    async def trials(self, dataset: Dataset) -> dict[float, list[LanguageAnswer]]:
        """Write the conversations, give them vectors, ask the same once for each weight."""
        assert self.resources.embedder is not None
        examination = await self.prepare(dataset, CachingEmbedder(self.resources.embedder))
        languages = [language_of(question.question) for _, question in dataset.questions]
        asked: dict[float, list[LanguageAnswer]] = {}
        for weight in WEIGHTS:
            trial = replace(examination, vector_weight=weight)
            answers = await self._answers(trial, dataset, f"asking at weight {weight:g}")
            asked[weight] = list(zip(languages, answers, strict=True))
        return asked

    async def prepare(self, dataset: Dataset, embedder: Embedder | None) -> Examination:
        """The file's conversations in memory, with vectors where there is a model."""
        examination = Examination(replace(self.resources, embedder=embedder), self.tenant, self.policy)
        await self._ingest(dataset)
        if embedder:
            await self._embed(examination, dataset)
        return examination

    def advance(self, dataset: Dataset, doing: str) -> Callable[[], None]:
        """A new bar for this file's questions; what is returned moves it on by one."""
        asking = self.progress.add_task(f"{dataset.path.name}: {doing}", total=len(dataset.questions))
        return lambda: self.progress.advance(asking)

    async def _answers(self, examination: Examination, dataset: Dataset, doing: str) -> list[RankedAnswer]:
        done, answers = self.advance(dataset, doing), list[RankedAnswer]()
        for conversation, question in dataset.questions:
            answers.append(await examination.answer(conversation, question))
            done()
        return answers

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
async def a_database(server_url: str) -> AsyncGenerator[Addresses]:
    """A migrated database with both logins on this server (a superuser's URL), dropped with its role at the end."""
    name = f"brain_eval_{uuid4().hex[:12]}"
    where = addresses(conninfo.make_conninfo(server_url, dbname=name))
    _run(server_url, SQL("create database {}").format(Identifier(name)))
    try:
        await migrate(where)
        yield where
    finally:
        _run(server_url, SQL("drop database {} with (force)").format(Identifier(name)))
        for role in (where.app_role, where.knowledge_role):
            _run(server_url, SQL("drop role if exists {}").format(Identifier(role)))


@asynccontextmanager
async def _scratch(settings: Settings) -> AsyncGenerator[Scratch]:
    """An empty database, where all names are the same each time, so that every run breaks ties alike.

    Where none may be created, tenants of random names in the configured one: the log cannot be emptied again.
    """
    where = await resolve_addresses(settings)
    if where.managed and _may_create(where.owner):
        async with a_database(where.owner) as own:
            # What is dropped anyway need not wait for the disk.
            name = Identifier(str(conninfo.conninfo_to_dict(own.owner)["dbname"]))
            _run(own.owner, SQL("alter database {} set synchronous_commit = off").format(name))
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


def _run(url: str, statement: Composed) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)


def _sequential_ids() -> Callable[[], UUID]:
    """Ids that count up: random ones would break ties in another way each time."""
    numbers = count(1)
    return lambda: UUID(int=next(numbers))


def _progress() -> Progress:
    """Bars on stderr; nothing when nobody is looking."""
    screen = Console(stderr=True)
    columns = TextColumn("{task.description}", markup=False), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    return Progress(*columns, console=screen, transient=True, disable=not screen.is_terminal)
