"""The processes of a soak: two servers, a worker and Brain's own PostgreSQL, killed by id and started again."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Generator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from shutil import rmtree
from tempfile import mkdtemp

from brain.local_postgres.server import EmbeddedPostgres
from evals.served import SECRET, free_port

STOP = 60.0
"""Seconds in which a process that was asked to end must be gone."""
_PASSED_ON = ("PATH", "PYTHONPATH", "HOME", "LANG", "VIRTUAL_ENV", "SSL_CERT_FILE", "LD_LIBRARY_PATH")
_SETTINGS = {
    "auth_jwt_secret": SECRET,
    "database_idle_minutes": "0",
    "evolution_debounce": "0",
    "tenant_requests": "0",
    "worker": "false",
}


@dataclass
class Process:
    """One of Brain's, under a name; ``lives`` counts its starts."""

    name: str
    arguments: tuple[str, ...]
    port: int = 0
    lives: int = 0
    child: subprocess.Popen[bytes] | None = field(default=None, repr=False)

    @property
    def pid(self) -> int | None:
        """Its id while it runs."""
        return self.child.pid if self.child is not None and self.child.poll() is None else None


@dataclass
class House:
    """All of them over one folder, which is Brain's home."""

    home: Path
    embeddings: str
    processes: dict[str, Process]

    @property
    def postgres(self) -> EmbeddedPostgres:
        """Brain's own database; Brain starts it again whenever it is gone."""
        return EmbeddedPostgres(self.home)

    @property
    def urls(self) -> list[str]:
        """Where the servers listen."""
        return [f"http://127.0.0.1:{each.port}" for each in self.processes.values() if each.port]

    @property
    def environment(self) -> dict[str, str]:
        """What a process of Brain's is told, and nothing of this machine's own settings."""
        kept = {name: os.environ[name] for name in _PASSED_ON if name in os.environ}
        chosen = {**_SETTINGS, "home": str(self.home)} | ({"embeddings": self.embeddings} if self.embeddings else {})
        return kept | {f"BRAIN_{name.upper()}": value for name, value in chosen.items()}

    def start(self, name: str) -> None:
        """Start one that does not run, whether or not it becomes ready."""
        process = self.processes[name]
        if process.pid is not None:
            return
        process.lives += 1
        environment = self.environment | ({"BRAIN_PORT": str(process.port)} if process.port else {})
        command = [str(Path(sys.executable).with_name("brain")), *process.arguments]
        with (self.home / f"{name}.log").open("ab") as log:
            process.child = subprocess.Popen(
                command, cwd=self.home, env=environment, stdout=log, stderr=log, start_new_session=True
            )

    def kill(self, name: str) -> None:
        """End one at once, wherever it stands."""
        child = self.processes[name].child
        if child is not None and child.poll() is None:
            child.kill()
            child.wait()

    def server_pids(self) -> list[int]:
        """The database's processes, the postmaster first; none while it is gone."""
        try:
            postmaster = int((self.home / "postgres" / "cluster" / "postmaster.pid").read_text().splitlines()[0])
            told = Path(f"/proc/{postmaster}/task/{postmaster}/children").read_text()
        except (OSError, ValueError, IndexError):
            return []
        command = _read(Path(f"/proc/{postmaster}/cmdline"))
        return [postmaster, *map(int, told.split())] if str(self.home) in command else []

    def kill_postmaster(self) -> bool:
        """Kill the database itself; whether there was one."""
        return _kill(self.server_pids()[:1])

    def kill_backend(self, chance: Random) -> bool:
        """Kill one of its other processes: it cuts everybody off and recovers by itself."""
        others = self.server_pids()[1:]
        return _kill([chance.choice(others)] if others else [])

    def log_tail(self, name: str, letters: int = 4000) -> str:
        """The end of what one said."""
        return _read(self.home / f"{name}.log")[-letters:]

    def stop(self) -> list[str]:
        """Ask all to end; those that did not are killed and named."""
        slow = list[str]()
        running = [each for each in self.processes.values() if each.pid is not None]
        for each in running:
            assert each.child is not None
            each.child.terminate()
        for each in running:
            assert each.child is not None
            try:
                each.child.wait(STOP)
            except subprocess.TimeoutExpired:
                slow.append(each.name)
                each.child.kill()
                each.child.wait()
        return slow


@contextmanager
def a_house(embeddings: str = "") -> Generator[House]:
    """A house in a folder of its own, prepared and not yet started; nothing of it is left afterwards."""
    home = Path(mkdtemp(prefix="brain-soak-"))
    home.chmod(0o711)  # the database runs as another user where this process is root
    servers = {name: Process(name, ("serve",), free_port()) for name in ("serve-1", "serve-2")}
    house = House(home, embeddings, {**servers, "worker": Process("worker", ("worker",))})
    try:
        yield house
    finally:
        for name in house.processes:
            house.kill(name)
        house.postgres.stop()
        rmtree(home, ignore_errors=True)


def wait_until_gone(pids: list[int], seconds: float = STOP) -> list[int]:
    """Those that are still there after so long."""
    deadline = time.monotonic() + seconds
    left = pids
    while left and time.monotonic() < deadline:
        left = [pid for pid in left if Path(f"/proc/{pid}").exists()]
        time.sleep(0.05)
    return left


def _kill(pids: list[int]) -> bool:
    killed = False
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
            killed = True
    return killed


def _read(path: Path) -> str:
    try:
        return path.read_text(errors="replace").replace("\0", " ")
    except OSError:
        return ""
