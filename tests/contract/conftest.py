"""Every contract runs on a new database and on one that was upgraded."""

from collections.abc import AsyncGenerator

import pytest

from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.corpus_cache import CorpusCache
from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from tests.conftest import a_database
from tests.databases import load

_DATABASES = {"postgres": "database", "upgraded": "upgraded_database"}


@pytest.fixture(scope="session")
async def upgraded_database(server_url: str) -> AsyncGenerator[Database]:
    """A database of the first commit that could log a turn, brought to the schema of this one."""
    with a_database(server_url) as where:
        load("9dc9201", where)
        await migrate(where)
        async with Database(where.app) as opened:
            yield opened


@pytest.fixture(params=["postgres", "upgraded"])
def memory(request: pytest.FixtureRequest) -> MemoryCore:
    """Memory Core on either."""
    return postgres_memory(request.getfixturevalue(_DATABASES[request.param]))


@pytest.fixture(params=["by the statement", "kept ready"])
def recalling(request: pytest.FixtureRequest) -> MemoryCore:
    """Memory Core with each of the ways to find memories again."""
    kept = CorpusCache(first_questions=0) if request.param == "kept ready" else CorpusCache(megabytes=0)
    return postgres_memory(request.getfixturevalue("database"), kept)
