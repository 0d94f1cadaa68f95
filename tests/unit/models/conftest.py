"""A model on a mocked wire for every test."""

from collections.abc import AsyncGenerator

import pytest

from tests.unit.models.client import ChatClient, a_wire


@pytest.fixture
async def chat() -> AsyncGenerator[ChatClient]:
    """The adapter with a provider that answers what the test says."""
    async with a_wire() as ready:
        yield ready
