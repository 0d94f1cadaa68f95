"""The server of these measurements: on disk in a folder that is kept until it is told to go, one database a size."""

import shutil
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psycopg
from psycopg import conninfo
from psycopg.sql import SQL, Composed, Identifier

from brain.local_postgres.server import EmbeddedPostgres
from evals.scale.loading import Layout, Say, load
from memory.postgres.migrate import migrate
from memory.postgres.roles import Addresses, addresses

_LOADING = ("wal_level = 'minimal'", "max_wal_senders = 0", "max_wal_size = '8GB'", "autovacuum = off")


@contextmanager
def loading_server(home: Path) -> Generator[str]:
    """A superuser's URL while rows are loaded: not durable, no autovacuum; as shipped again afterwards."""
    url = EmbeddedPostgres(home, durable=False).start()
    try:
        _configure(url, [SQL("alter system set " + each) for each in _LOADING])  # pyright: ignore
        EmbeddedPostgres(home).stop()
        yield EmbeddedPostgres(home, durable=False).start()
        _configure(EmbeddedPostgres(home, durable=False).start(), [SQL("alter system reset all")])
    finally:
        EmbeddedPostgres(home).stop()


@contextmanager
def shipped_server(home: Path, *, keep: bool) -> Generator[str]:
    """The same server as Brain ships it; stopped afterwards, and removed unless it is kept."""
    server = EmbeddedPostgres(home)
    try:
        yield server.start()
    finally:
        server.stop()
        if not keep:
            shutil.rmtree(home, ignore_errors=True)


def database_of(url: str, rows: int) -> Addresses:
    """The addresses of the database with so many rows."""
    return addresses(conninfo.make_conninfo(url, dbname=f"scale_{rows}"))


async def ensure_loaded(home: Path, layout: Layout, say: Say = print) -> dict[str, float]:
    """Make and fill the database of a layout where it is not there whole; seconds of each step, empty where it was."""
    home.parent.mkdir(parents=True, exist_ok=True)
    with loading_server(home) as url:
        where = database_of(url, layout.rows)
        if _is_complete(where):
            return {}
        _configure(url, [SQL(each).format(Identifier(f"scale_{layout.rows}")) for each in _ANEW])
        await migrate(where)
        seconds = load(where.owner, layout, say)
        _configure(where.owner, [_COMPLETE])
        return seconds


_ANEW = ("drop database if exists {} with (force)", "create database {}")
_COMPLETE = SQL("create table scale.complete ()")


def _is_complete(where: Addresses) -> bool:
    try:
        with psycopg.connect(where.owner, autocommit=True) as connection:
            return connection.execute("select to_regclass('scale.complete')").fetchone() != (None,)
    except psycopg.OperationalError:
        return False


def _configure(url: str, statements: Sequence[SQL | Composed]) -> None:
    with psycopg.connect(url, autocommit=True) as connection:
        for statement in statements:
            connection.execute(statement)
