"""A server that exists for one measurement."""

import os
import shutil
import tempfile
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from psycopg import conninfo

from brain.local_postgres.server import EmbeddedPostgres

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


def as_url(conninfo_text: str) -> str:
    """The URL of libpq's own ``key=value`` spelling, which is what ``BRAIN_DATABASE_URL`` takes."""
    parts = {name: quote(str(value), safe="") for name, value in conninfo.conninfo_to_dict(conninfo_text).items()}
    login = f"{parts['user']}:{parts['password']}" if "password" in parts else parts["user"]
    return f"postgresql://{login}@/{parts['dbname']}?host={parts['host']}&port={parts.get('port', '5432')}"
