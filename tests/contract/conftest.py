"""Every contract runs on the fake and on PostgreSQL, so that they cannot part ways."""

import pytest

from memory.in_memory import in_memory
from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.corpora import Corpora


@pytest.fixture(params=["in_memory", "postgres"])
def memory(request: pytest.FixtureRequest) -> MemoryCore:
    """Memory Core, twice."""
    if request.param == "in_memory":
        return in_memory()
    return postgres_memory(request.getfixturevalue("database"))


@pytest.fixture(params=["in_memory", "by the statement", "kept ready"])
def recalling(request: pytest.FixtureRequest) -> MemoryCore:
    """Memory Core with each of the ways to find memories again."""
    if request.param == "in_memory":
        return in_memory()
    kept = Corpora(first_questions=0) if request.param == "kept ready" else Corpora(megabytes=0)
    return postgres_memory(request.getfixturevalue("database"), kept)
