"""How the live things of a run are put together from settings. Nothing here connects: first use does."""

import os
from collections.abc import Mapping
from dataclasses import replace
from functools import cache, partial

from brain.cells import open_databases
from brain.embeddings.factory import build_earlier_embedder, build_embedder, find_encoder
from brain.knowledge_database import KnowledgeSessions
from brain.local_postgres.server import OnStep
from brain.local_postgres.startup import ignore_step, pool_limits, resolve_addresses
from brain.models.roles import Models, ModelSettings
from brain.prompting.budget import check_window
from brain.reranking.cross_encoder import build_cross_encoder
from brain.resources import Resources
from brain.settings import Settings
from brain.stage_budgets import StageBudgets, StageController
from brain.telemetry.telemetry import Telemetry
from knowledge.port import NoKnowledge
from knowledge.postgres.knowledge import PostgresKnowledge
from knowledge.postgres.store import PostgresKnowledgeStore
from memory.errors import config_error
from memory.postgres import postgres_memory
from memory.postgres.cells import CellDatabase
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database
from memory.postgres.replica import Replica


def build_resources(settings: Settings, on_step: OnStep = ignore_step) -> Resources:
    """Resources of one event loop: their database opens at first use and belongs to the loop that used it.

    ``on_step`` hears what is done to open it, which takes seconds in the first run.
    """
    check_window(settings.context_window)
    corpora = CorpusCache(megabytes=settings.recall_memory)
    database = open_databases(settings, [corpora.forget], on_step)
    replica = build_replica(settings, database)
    sessions, is_on = KnowledgeSessions(database), settings.knowledge == "on"
    resources = Resources(
        settings=settings,
        memory=postgres_memory(database, corpora, replica),
        models=build_models(_model_settings(settings)),
        other_cells={name: postgres_memory(each) for name, each in _databases_beside(database).items()},
        knowledge=PostgresKnowledge(sessions, settings.knowledge_memory) if is_on else NoKnowledge(),
        knowledge_store=PostgresKnowledgeStore(sessions) if is_on else None,
        embedder=build_embedder(settings),
        encoder=find_encoder(settings),
        earlier_embedder=build_earlier_embedder(settings),
        cross_encoder=build_cross_encoder(settings),
        telemetry=build_telemetry(settings),
        on_open=database.open,
        on_close=partial(_close_all, database, replica),
    )
    if settings.stage_budgets == "off":
        return resources
    return replace(resources, stages=StageController(_stage_budgets(settings), rungs=resources.can_leave_out))


def _databases_beside(home: Database) -> Mapping[str, Database]:
    return home.others if isinstance(home, CellDatabase) else {}


def build_replica(settings: Settings, primary: Database) -> Replica | None:
    """A copy to ask, where the settings name one. Nobody waits for it long: the primary could have answered."""
    if settings.replica_database_url is None:
        return None
    if settings.cell_urls:
        raise config_error("A copy to read from goes with one database, not with cells.", "Unset one of the two.")
    limits = replace(pool_limits(settings), connect=2.0, wait=0.5, statement=min(2.0, settings.database_timeout))
    return Replica(primary, Database(partial(_replica_url, settings), limits))


async def _replica_url(settings: Settings) -> str:
    return (await resolve_addresses(settings)).of_replica.app


async def _close_all(database: Database, replica: Replica | None) -> None:
    if replica is not None:
        await replica.close()
    await database.close()


def _stage_budgets(settings: Settings) -> StageBudgets:
    return StageBudgets(
        open=settings.stage_open,
        intent=settings.stage_intent,
        retrieval=settings.stage_retrieval,
        context=settings.stage_context,
        jitter=settings.stage_jitter,
        window=settings.stage_window,
        patience=settings.stage_seconds,
        recovery=settings.stage_recovery,
        load=settings.stage_load,
    )


def build_telemetry(settings: Settings) -> Telemetry | None:
    """What the settings switch on. Raises ``E_CONFIG`` where its packages are missing."""
    if not settings.otel or os.environ.get("OTEL_SDK_DISABLED", "").lower() == "true":
        return None
    try:
        from brain.telemetry.otlp import connect_exporter  # 0.3 s to import, which nobody else has to wait for
    except ImportError:
        raise config_error("BRAIN_OTEL needs OpenTelemetry.", "Run pip install 'brain[telemetry]'.") from None
    try:
        exporter = connect_exporter(settings.otel_queue)
    except ValueError:
        raise config_error("One of OpenTelemetry's variables (OTEL_…) cannot be used.", "Correct it.") from None
    return Telemetry(exporter=exporter, with_content=settings.otel_content, with_users=settings.otel_users)


def _model_settings(settings: Settings) -> ModelSettings:
    return ModelSettings(
        base_url=settings.base_url,
        api_key=settings.openai_api_key,
        chat_model=settings.chat_model,
        fast_model=settings.fast_model,
        timeout_seconds=settings.model_timeout,
        fast_timeout_seconds=settings.fast_timeout,
        context_window=settings.context_window,
    )


@cache
def shared_resources() -> Resources:
    """This process's own resources. Cheap: the database is reached at first use, not here."""
    return build_resources(Settings())


def build_models(settings: ModelSettings) -> Models:
    """Both roles over one connection pool; nothing is contacted before the first call."""
    if not settings.is_configured:
        return Models()
    from brain.models.openai import connect  # the client takes 0.4 s to import, which a run on rules need not wait for

    return connect(settings)
