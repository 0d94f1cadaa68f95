"""What a worker leans on that goes by rules. Nothing here imports a graph: a dying worker does that around its node."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime

from apps.threads.checkpointer import Saver
from brain.models.roles import Models
from brain.resources import Resources
from brain.settings import Settings
from knowledge.port import NoKnowledge
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.pools import checkpoint_pool

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def rule_resources(database: Database) -> Resources:
    """A real memory, no model, a clock that stands still, and a window that so few turns overflow."""
    settings = Settings(_env_file=None, embeddings="none", window_events=2, fold_tokens=50)  # pyright: ignore[reportCallIssue]
    return Resources(
        settings=settings,
        memory=postgres_memory(database),
        models=Models(),
        knowledge=NoKnowledge(),
        clock=lambda: NOON,
    )


@asynccontextmanager
async def a_saver(url: str) -> AsyncGenerator[Saver]:
    """LangGraph's saver on the database."""
    async with checkpoint_pool(url) as pool:
        yield Saver(pool)
