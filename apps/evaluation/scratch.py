"""A database that exists for one measurement: created, migrated, dropped."""

import os
import shutil
import tempfile
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from urllib.parse import quote
from uuid import uuid4

import psycopg
from psycopg import conninfo
from psycopg.sql import SQL, Composed, Identifier

from brain.local_postgres.server import EmbeddedPostgres
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses, addresses

URL_VARIABLE = "BRAIN_EVAL_DATABASE_URL"


@contextmanager
def a_server(url: str | None = None) -> Generator[str]:
    """The superuser's URL of a server: the given one, ``BRAIN_EVAL_DATABASE_URL``, or an embedded one of our own.

    The embedded one runs as it is shipped, durable, in a temporary folder that is removed at the end.
    """
    given = url or os.environ.get(URL_VARIABLE)
    if given:
        yield given
        return
    folder = Path(tempfile.mkdtemp(prefix="brain-eval-"))
    folder.chmod(0o711)  # the server runs as another user when this process is root
    server = EmbeddedPostgres(folder / "server")
    try:
        yield server.start()
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)


@asynccontextmanager
async def a_database(server_url: str) -> AsyncGenerator[Addresses]:
    """A migrated database with both logins, dropped with its role at the end."""
    name = f"brain_eval_{uuid4().hex[:12]}"
    where = addresses(conninfo.make_conninfo(server_url, dbname=name))
    _run(server_url, SQL("create database {}").format(Identifier(name)))
    try:
        await migrate(where)
        yield where
    finally:
        _run(server_url, SQL("drop database {} with (force)").format(Identifier(name)))
        _run(server_url, SQL("drop role if exists {}").format(Identifier(where.app_role)))


@asynccontextmanager
async def scratch_resources(settings: Settings, url: str | None = None) -> AsyncGenerator[Resources]:
    """What ``settings`` name, on a database of its own that is dropped at the end; for ``url`` see ``a_server``."""
    with a_server(url) as server:
        async with a_database(server) as where:
            resources = build_resources(settings.model_copy(update={"database_url": where.owner}))
            try:
                yield resources
            finally:
                await resources.close()


def as_url(conninfo_text: str) -> str:
    """The URL of libpq's own ``key=value`` spelling, which is what ``BRAIN_DATABASE_URL`` takes."""
    parts = {name: quote(str(value), safe="") for name, value in conninfo.conninfo_to_dict(conninfo_text).items()}
    login = f"{parts['user']}:{parts['password']}" if "password" in parts else parts["user"]
    return f"postgresql://{login}@/{parts['dbname']}?host={parts['host']}&port={parts.get('port', '5432')}"


def _run(url: str, statement: Composed) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(statement)
