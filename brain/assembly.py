"""How the live things of a run are put together from settings. Nothing here connects: first use does."""

from functools import cache

from brain.embeddings.choosing import embedder_from
from brain.local_postgres.startup import app_url
from brain.models.choosing import models_from
from brain.models.roles import ModelSettings
from brain.prompting.budget import check_window
from brain.reranking.choosing import cross_encoder_from
from brain.resources import Resources
from brain.settings import Settings
from knowledge.port import NoKnowledge
from memory.postgres import postgres_memory
from memory.postgres.corpora import Corpora
from memory.postgres.database import Database, Limits


def build(settings: Settings) -> Resources:
    """Resources of one event loop: their database opens at first use and belongs to the loop that used it."""
    check_window(settings.context_window)
    limits = Limits(connections=settings.database_connections, statement=settings.database_timeout)
    database = Database(app_url(settings), limits)
    return Resources(
        settings=settings,
        memory=postgres_memory(database, Corpora(megabytes=settings.recall_memory)),
        models=models_from(_model_settings(settings)),
        knowledge=NoKnowledge(),
        embedder=embedder_from(settings),
        cross_encoder=cross_encoder_from(settings),
        on_open=database.open,
        on_close=database.close,
    )


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
def shared() -> Resources:
    """This process's own resources. Cheap: the database is reached at first use, not here."""
    return build(Settings())
