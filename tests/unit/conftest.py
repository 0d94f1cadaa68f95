"""The memory of a test that needs one, and what no unit test may leave behind."""

from collections.abc import Generator

import pytest
import structlog

from memory.ports import MemoryCore
from memory.postgres import postgres_memory
from memory.postgres.database import Database
from tests.this_test import THIS_TEST


@pytest.fixture
def memory(database: Database) -> MemoryCore:
    """Memory Core on the session's PostgreSQL, which builders find as well; ``me()`` is nobody else's there."""
    THIS_TEST.memory = postgres_memory(database)
    return THIS_TEST.memory


@pytest.fixture(autouse=True)
def logging_ends_with_the_test() -> Generator[None]:
    """A command run inside a test sends the log to that test's own stderr, which is closed afterwards."""
    yield
    structlog.reset_defaults()
