"""PgBouncer before a server, lending its connections by the transaction."""

import os
import re
import secrets
import shutil
import signal
import subprocess
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg
import pytest
from psycopg import OperationalError, conninfo

from brain.local_postgres import startup
from memory.postgres.roles import Addresses, addresses

PROGRAM = shutil.which("pgbouncer", path=f"{os.environ.get('PATH', os.defpath)}:/usr/sbin")
START = 20.0
_PAGE = Path(__file__).parents[1] / "docs" / "high-availability.md"


@dataclass(frozen=True)
class Pooler:
    """A running PgBouncer; every database of the server is behind it."""

    port: int

    def addresses(self, where: Addresses) -> Addresses:
        """The same database with the application going through the pooler."""
        return addresses(self.url(where.owner), direct=where.owner)

    def url(self, address: str) -> str:
        """An address of the server as one of the pooler."""
        return conninfo.make_conninfo(address, host="127.0.0.1", port=self.port)


@dataclass
class Route:
    """How the application comes to the databases of this session: ``BRAIN_TEST_POOLER=1`` puts PgBouncer between."""

    pooler: Pooler | None = None
    port: str = ""
    """That of the session's server."""

    def lead(self, where: Addresses) -> Addresses:
        """The way for a test."""
        return where if self.pooler is None or not where.managed else self.pooler.addresses(where)

    def settings(self, owner: str) -> dict[str, str]:
        """What a server of a test is told, from the owner's address."""
        if self.pooler is None or _port(owner) != self.port:
            return {"BRAIN_DATABASE_URL": owner}
        return {"BRAIN_DATABASE_URL": self.pooler.url(owner), "BRAIN_DIRECT_DATABASE_URL": owner}

    @contextmanager
    def through(self, server_url: str, folder: Path) -> Generator[None]:
        """For as long as the session's server runs; commands that tests run as processes go directly."""
        if not os.environ.get("BRAIN_TEST_POOLER"):
            yield
            return
        self.port = _port(server_url)

        def lead(owner: str, app: str | None = None, **others: str | None) -> Addresses:
            known = addresses(owner, app, **others)
            return self.lead(known) if _port(owner) == self.port and not any(others.values()) else known

        with (
            a_pooler(server_url, folder / "pooler_of_all", size=12) as self.pooler,
            pytest.MonkeyPatch.context() as patch,
        ):
            patch.setattr(startup, "addresses", lead)
            yield
            self.pooler = None


ROUTE = Route()


@contextmanager
def a_pooler(server_url: str, folder: Path, size: int = 2) -> Generator[Pooler]:
    """One with ``size`` connections to the server for each login and database."""
    assert PROGRAM is not None
    server = {key: str(value) for key, value in conninfo.conninfo_to_dict(server_url).items()}
    port = 30_000 + secrets.randbelow(2_000)
    folder.mkdir()
    (folder / "userlist.txt").write_text(f'"{server["user"]}" "{server["password"]}"\n')
    (folder / "pgbouncer.ini").write_text(
        _configuration(
            {
                "host=db.example.com port=5432": f"host={server['host']} port={server['port']}",
                "6432": str(port),
                "/etc/pgbouncer": str(folder),
                "/var/log/postgresql": str(folder),
                "auth_user = brain": f"auth_user = {server['user']}",
                "default_pool_size = 20": f"default_pool_size = {size}\nserver_idle_timeout = 20",
            }
        )
    )
    command = [PROGRAM, str(folder / "pgbouncer.ini")]
    if os.geteuid() == 0:  # it refuses to be root
        command.insert(1, "--user=nobody")
        for path in (folder, *folder.iterdir()):
            shutil.chown(path, "nobody")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        _wait_for(conninfo.make_conninfo(server_url, host="127.0.0.1", port=port, dbname="postgres"))
        yield Pooler(port)
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(10)


def _port(url: str) -> str:
    return str(conninfo.conninfo_to_dict(url).get("port", ""))


def _configuration(changes: Mapping[str, str]) -> str:
    """What the documentation tells people to write, for another place."""
    found = re.search(r"```ini\n(.+?)```", _PAGE.read_text("utf-8"), re.DOTALL)
    assert found is not None
    text = found[1]
    for written, here in changes.items():
        assert written in text
        text = text.replace(written, here)
    return text


def _wait_for(url: str) -> None:
    deadline = time.monotonic() + START
    while True:
        try:
            psycopg.connect(url, connect_timeout=5).close()
        except OperationalError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.05)
        else:
            return
