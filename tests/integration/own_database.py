"""A database of a file's own: whoever starts on one where somebody was erased needs the list of erasures."""

from collections.abc import AsyncGenerator

import pytest

from memory.postgres.database import Database
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses
from tests.conftest import a_database


@pytest.fixture(scope="module")
async def test_addresses(server_url: str) -> AsyncGenerator[Addresses]:
    """Where it is."""
    with a_database(server_url) as where:
        await migrate(where)
        yield where


@pytest.fixture(scope="module")
async def database(test_addresses: Addresses) -> AsyncGenerator[Database]:
    """The application's way to it."""
    async with Database(test_addresses.app) as opened:
        yield opened
