"""A server that exists for one measurement."""

import os
import shutil
import signal
import tempfile
import threading
from collections.abc import AsyncGenerator, Generator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from urllib.parse import quote

from psycopg import conninfo

from apps.calibration.measurement import a_database
from brain.local_postgres.server import EmbeddedPostgres
from brain.resources import Resources
from brain.settings import Settings
from brain.wiring import build_resources

URL_VARIABLE = "BRAIN_EVAL_DATABASE_URL"


@contextmanager
def a_server(url: str | None = None, *, durable: bool = True) -> Generator[str]:
    """The superuser's URL of a server: the given one, ``BRAIN_EVAL_DATABASE_URL``, or an embedded one of our own.

    The embedded one runs as it is shipped, in a temporary folder that is removed at the end; what measures no time
    need not wait until it is ``durable``.
    """
    given = url or os.environ.get(URL_VARIABLE)
    if given:
        yield given
        return
    folder = Path(tempfile.mkdtemp(prefix="brain-eval-"))
    folder.chmod(0o711)  # the server runs as another user when this process is root
    server = EmbeddedPostgres(folder / "server", durable=durable)
    with _told_to_end():
        try:
            yield server.start()
        finally:
            server.stop()
            shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def _told_to_end() -> Generator[None]:
    """SIGTERM ends the measurement as Ctrl-C does, so that what it started ends with it."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


@asynccontextmanager
async def scratch_resources(settings: Settings, url: str | None = None) -> AsyncGenerator[Resources]:
    """What ``settings`` name, on a database of its own that is dropped at the end; for ``url`` see ``a_server``."""
    with a_server(url, durable=False) as server:
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
