"""Every contract runs on the fake and on PostgreSQL, so that they cannot part ways."""

import pytest

from memory.in_memory import in_memory
from memory.ports import MemoryCore
from memory.postgres import postgres_memory


@pytest.fixture(params=["in_memory", "postgres"])
def memory(request: pytest.FixtureRequest) -> MemoryCore:
    """Memory Core, twice."""
    if request.param == "in_memory":
        return in_memory()
    return postgres_memory(request.getfixturevalue("database"))
