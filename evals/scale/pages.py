"""A table out of every memory: PostgreSQL's own pages and the system's."""

import os
from pathlib import Path

import psycopg


def evict(owner_url: str) -> int:
    """Forget the pages of this database, here and in the system; the number of files let go.

    Only this database's files: others on the machine keep theirs. Needs a superuser on the server's own machine.
    """
    with psycopg.connect(owner_url, autocommit=True) as connection:
        connection.execute("create extension if not exists pg_buffercache")
        connection.execute("checkpoint")
        connection.execute("select pg_buffercache_evict_all()")
        row = connection.execute(
            "select current_setting('data_directory'), oid from pg_database where datname = current_database()"
        ).fetchone()
    assert row is not None
    return _forget(Path(str(row[0])) / "base" / str(row[1]))


def _forget(folder: Path) -> int:
    count = 0
    for path in folder.iterdir():
        if path.is_file():
            descriptor = os.open(path, os.O_RDONLY)
            try:
                os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)
                count += 1
            finally:
                os.close(descriptor)
    return count
