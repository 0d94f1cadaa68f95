"""What tests of the work behind the conversation share: resources, and a saver, on a database."""

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Any

from apps.threads.checkpointer import Saver
from brain.resources import Resources
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from memory.postgres.pools import checkpoint_pool
from tests.fakes import Leanings, a_settings, resources_of


def resources_on(database: Database, **settings: Any) -> Resources:
    """A real memory, no model, a clock that stands still."""
    return resources_of(Leanings(memory=postgres_memory(database), settings=a_settings(**settings)))


@asynccontextmanager
async def a_saver(url: str) -> AsyncGenerator[Saver]:
    """LangGraph's saver on the test's database."""
    async with checkpoint_pool(url) as pool:
        yield Saver(pool)
