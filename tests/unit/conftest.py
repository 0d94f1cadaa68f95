"""The memory of a unit test that needs one."""

import pytest

from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from tests.this_test import THIS_TEST


@pytest.fixture
def memory(database: Database) -> MemoryCore:
    """Memory Core on the session's PostgreSQL, which builders find as well; ``me()`` is nobody else's there."""
    THIS_TEST.memory = postgres_memory(database)
    return THIS_TEST.memory
