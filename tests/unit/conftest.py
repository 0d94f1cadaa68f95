"""What no unit test may leave behind."""

from collections.abc import Generator

import pytest
import structlog


@pytest.fixture(autouse=True)
def logging_ends_with_the_test() -> Generator[None]:
    """A command run inside a test sends the log to that test's own stderr, which is closed afterwards."""
    yield
    structlog.reset_defaults()
