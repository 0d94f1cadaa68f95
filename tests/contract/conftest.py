"""Every contract runs on the fake and on PostgreSQL, so that they cannot part ways."""

from collections.abc import AsyncGenerator

import pytest

from memory.in_memory import in_memory
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


@pytest.fixture(params=["in_memory", "postgres", "upgraded"])
def memory(request: pytest.FixtureRequest) -> MemoryCore:
    """Memory Core on the fake, on a new database and on one that was upgraded."""
    if request.param == "in_memory":
        return in_memory()
    return postgres_memory(request.getfixturevalue(_DATABASES[request.param]))


@pytest.fixture(params=["in_memory", "by the statement", "kept ready"])
def recalling(request: pytest.FixtureRequest) -> MemoryCore:
    """Memory Core with each of the ways to find memories again."""
    if request.param == "in_memory":
        return in_memory()
    kept = CorpusCache(first_questions=0) if request.param == "kept ready" else CorpusCache(megabytes=0)
    return postgres_memory(request.getfixturevalue("database"), kept)
