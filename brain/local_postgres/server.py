"""A PostgreSQL of one's own, from a Python package: started when no BRAIN_DATABASE_URL points at another.

Everything stays in one folder (``Settings.data_dir``): ``database.json`` (mode 0600) has the port and the password,
``postgres/`` the unpacked programs, the cluster and the server's log. PostgreSQL refuses to run as root; for root it
runs as an unprivileged user to whom ``postgres/`` belongs, and who must be able to enter the folder (so not /root).
The server outlives the process that started it, so that the next start costs nothing; ``stop`` ends it, and so does a
watcher (``idle_watch.py``) when nobody has used it for a while.
"""

import json
import os
import secrets
from collections.abc import Callable, Generator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from urllib.parse import quote

import psycopg
from filelock import FileLock, Timeout

from brain.file_errors import file_error, translate_file_errors
from brain.local_postgres import cluster
from brain.local_postgres.cluster import Cluster
from brain.local_postgres.idle_watch import note_use
from memory.errors import config_error, timeout_error, unavailable

OWNER = "brain"
DATABASE = "brain"
_OTHERS = b"select count(*) from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()"
_START_SECONDS = 60.0
_ATTEMPTS = 3
OnStep = Callable[[str], None]
"""Told what begins now, in a few words for a person; from any thread."""

_ANOTHER_HOME = "Set BRAIN_HOME to a folder of your own."


@dataclass(frozen=True)
class Access:
    """How to reach the server; kept in a file that only its owner can read."""

    port: int
    password: str

    @property
    def url(self) -> str:
        """The owner's URL: loopback only."""
        return f"postgresql://{OWNER}:{quote(self.password)}@127.0.0.1:{self.port}/{DATABASE}"


@dataclass(frozen=True)
class EmbeddedPostgres:
    """The embedded database of one folder. ``durable=False`` trades crash safety for speed: for tests only.

    With ``patience`` it ends by itself so many seconds after its last use; 0 lets it stay, whoever said otherwise
    before; without any, what was said before holds.
    """

    home: Path
    durable: bool = True
    wait: float = _START_SECONDS
    patience: float | None = None

    def start(self, on_step: OnStep = lambda _: None) -> str:
        """The owner's URL of a running server, starting it if needed. Blocking: seconds at first, then milliseconds.

        Any number of processes may call this at once. Raises ``E_CONFIG`` when the folder cannot be used,
        ``E_DEP_UNAVAILABLE`` when the server does not start or its disk is full, ``E_DEP_TIMEOUT`` when another start
        never ends.
        """
        self._prepare_home()
        server = self._cluster()
        with translate_file_errors(self.home, _ANOTHER_HOME), self.hold_lock():
            on_step("unpacking PostgreSQL")
            server.unpack()
            on_step("creating the database")
            access = self._ensure_access(server)
            on_step("starting PostgreSQL")
            running = self._ensure_running(server, access)
            note_use(self.home, self.patience)
            return running.url

    def stop(self) -> bool:
        """End the server, letting it finish writing; False when none was running."""
        if not self.home.is_dir():
            return False
        with self.hold_lock():
            return self.end()

    def end(self) -> bool:
        """The same for who holds the lock."""
        return self._cluster().stop()

    def find_program(self, name: str) -> Path | None:
        """One of the engine's programs, unpacked if need be; None where the engine has no such program."""
        self._prepare_home()
        with self.hold_lock():
            engine = self._cluster()
            engine.unpack()
            return engine.find_program(name)

    def is_running(self) -> bool:
        """Whether the server of this folder is up."""
        return self._cluster().server_pid() is not None

    def has_clients(self) -> bool:
        """Whether anybody is connected; of a server that does not tell it is assumed."""
        access = _read_access(self.home / "database.json")
        try:
            with psycopg.connect(_maintenance(access) if access else "", autocommit=True, connect_timeout=10) as known:
                row = known.execute(_OTHERS).fetchone()
        except psycopg.OperationalError:
            return True
        return row is None or row[0] > 0

    @contextmanager
    def hold_lock(self) -> Generator[None]:
        """One process at a time; the kernel releases the lock of a killed one. Raises ``E_DEP_TIMEOUT``."""
        lock = FileLock(self.home / "database.lock", timeout=self.wait, mode=0o600, fallback_to_soft=False)
        try:
            lock.acquire()
        except Timeout:
            raise timeout_error(
                f"Another process has held {lock.lock_file} for over {self.wait:.0f} seconds.",
                "Wait for it, or end it if it hangs, and try again.",
            ) from None
        try:
            yield
        finally:
            lock.release()

    def _cluster(self) -> Cluster:
        return Cluster(self.home.resolve() / "postgres", self.durable, self.wait)

    def _prepare_home(self) -> None:
        with translate_file_errors(self.home, _ANOTHER_HOME):
            self.home.mkdir(parents=True, exist_ok=True, mode=0o755)
        if not os.access(self.home, os.W_OK | os.X_OK):
            raise config_error(f"{self.home} cannot be written by this user.", _ANOTHER_HOME)

    def _ensure_access(self, server: Cluster) -> Access:
        """Remembered access, or for a new folder a fresh one; written before the cluster that depends on it."""
        known = _read_access(self.home / "database.json")
        if known is None:
            if server.data_directory.exists():
                raise config_error(
                    f"{self.home}/database.json is missing or damaged, and with it the database's password.",
                    f"Restore it from a backup, or move {server.data_directory} away to begin anew.",
                )
            known = Access(cluster.find_free_port(), secrets.token_urlsafe(32))
            self._save_access(known)
        if not server.data_directory.exists():
            server.create(OWNER, known.password)
        return known

    def _ensure_running(self, server: Cluster, access: Access) -> Access:
        port = server.wait_for_port()
        if port is None:
            access = self._start_server(server, access)
        elif port != access.port:
            access = self._save_access(Access(port, access.password))
        _ensure_database(access)
        return access

    def _start_server(self, server: Cluster, access: Access) -> Access:
        """Start on the remembered port, or on another when something else has taken it meanwhile."""
        for _ in range(_ATTEMPTS):
            if not cluster.is_port_free(access.port):
                access = self._save_access(Access(cluster.find_free_port(), access.password))
            if server.start(access.port):
                return access
        raise unavailable(f"The embedded PostgreSQL does not start: {server.last_log_line()}", f"See {server.log}.")

    def _save_access(self, access: Access) -> Access:
        path = self.home / "database.json"
        draft = path.with_suffix(".new")
        draft.unlink(missing_ok=True)
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump(asdict(access), file)
        draft.replace(path)
        return access


def _read_access(path: Path) -> Access | None:
    try:
        return Access(**json.loads(path.read_text()))
    except FileNotFoundError:
        return None
    except OSError as error:
        raise file_error(path, error, _ANOTHER_HOME) from None
    except (ValueError, TypeError):
        return None


def _maintenance(access: Access) -> str:
    """The database that every cluster has."""
    return access.url.removesuffix(DATABASE) + "postgres"


def _ensure_database(access: Access) -> None:
    try:
        with psycopg.connect(_maintenance(access), autocommit=True, connect_timeout=10) as connection:
            if not connection.execute("select 1 from pg_database where datname = %s", (DATABASE,)).fetchone():
                connection.execute(f"create database {DATABASE}".encode())
    except psycopg.OperationalError as error:
        raise unavailable(
            f"The embedded PostgreSQL does not answer: {str(error).strip().splitlines()[-1]}.",
            "Run 'brain db stop' and try again.",
        ) from error
