"""``brain serve`` without a server: the application in this process, over the real database."""

import asyncio
import time
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import jwt
import pytest
from starlette.applications import Starlette

from apps.access.authentication import authenticator
from apps.servers.serve import build_app
from apps.threads.registry import thread_registry
from brain.settings import Settings
from brain.wiring import shared_resources
from memory.postgres.roles import Addresses
from tests.integration.server import as_url
from tests.integration.serving import SECRET


@asynccontextmanager
async def an_application(where: Addresses, folder: Path, **settings: str) -> AsyncGenerator[Any]:
    """The application from its start to its end, with settings of its own."""
    chosen = {"DATABASE_URL": as_url(where.owner), "AUTH_JWT_SECRET": SECRET, "EMBEDDINGS": "none"}
    others = {name.upper(): value for name, value in settings.items()}
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        for name, value in {**chosen, "WORKER": "false", "TENANT_REQUESTS": "0", **others}.items():
            patch.setenv(f"BRAIN_{name}", value)
        forget_settings()
        app, is_done = build_app(Settings()), asyncio.Event()
        started = asyncio.get_running_loop().create_future()
        life = asyncio.create_task(_live(app, started, is_done))
        await asyncio.wait([started, life], return_when=asyncio.FIRST_COMPLETED)
        yield app
        is_done.set()
        await life
        forget_settings()


def token_of(tenant: str, user: str = "ann") -> str:
    """What proves to the application who calls."""
    return jwt.encode({"tenant": tenant, "sub": user, "exp": int(time.time()) + 600}, SECRET, "HS256")


def forget_settings() -> None:
    """What a process decides once."""
    for each in (authenticator, thread_registry, shared_resources):
        each.cache_clear()


async def _live(app: Starlette, started: asyncio.Future[None], is_done: asyncio.Event) -> None:
    """An application's life in one task, which the parts of a fixture are not."""
    async with app.router.lifespan_context(app):
        started.set_result(None)
        await is_done.wait()
