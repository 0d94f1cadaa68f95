"""A model on a mocked wire for every test."""

from collections.abc import AsyncGenerator

import pytest
import respx

from tests.respx_httpx2 import HTTPX2
from tests.unit.models.client import BASE_URL, ChatClient, client


@pytest.fixture
async def chat() -> AsyncGenerator[ChatClient]:
    """The adapter with a provider that answers what the test says."""
    with respx.mock(base_url=BASE_URL, using=HTTPX2, assert_all_called=False) as router:
        ready = client(router)
        yield ready
        await ready.models.aclose()
