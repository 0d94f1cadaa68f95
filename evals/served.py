"""``brain serve`` as a process of its own, and people who prove by a token who they are."""

import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from socket import socket
from tempfile import TemporaryDirectory

import httpx
import jwt

from evals.evaluation.scratch import as_url
from memory.postgres.roles import Addresses
from memory.scope import Scope, Speaker, scope_of

SECRET = "a secret of measurements, longer than thirty-two characters"
START = 120.0
"""Seconds within which a server must be ready."""
STOP = 90.0


@dataclass(frozen=True)
class Served:
    """A running server."""

    url: str
    process: subprocess.Popen[bytes]

    @property
    def resident_mb(self) -> float:
        """Megabytes of memory that the process holds now; NaN where the system does not tell."""
        with suppress(OSError):
            for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
                if line.startswith("VmRSS:"):
                    return int(line.split()[1]) / 1024
        return float("nan")


@dataclass(frozen=True)
class Person:
    """Somebody of a tenant."""

    tenant: str
    user: str

    @property
    def scope(self) -> Scope:
        """The rows that are theirs."""
        return scope_of(Speaker(tenant=self.tenant, user=self.user))

    @property
    def headers(self) -> dict[str, str]:
        """What a client of theirs sends along: a token that is good for a day."""
        claims = {"tenant": self.tenant, "sub": self.user, "exp": datetime.now(UTC) + timedelta(days=1)}
        return {"Authorization": f"Bearer {jwt.encode(claims, SECRET, 'HS256')}"}


@contextmanager
def a_served(where: Addresses, **settings: str) -> Generator[Served]:
    """A server over a migrated database, ready; told to end afterwards. Raises ``RuntimeError`` with its log."""
    port = free_port()
    with TemporaryDirectory(prefix="brain-eval-") as folder:
        log = Path(folder) / "server.log"
        process = _start(where, Path(folder), log, {"port": str(port), **settings})
        served = Served(f"http://127.0.0.1:{port}", process)
        try:
            _wait(served, log)
            yield served
        finally:
            process.terminate()
            process.wait(STOP)


def _start(where: Addresses, folder: Path, log: Path, settings: Mapping[str, str]) -> subprocess.Popen[bytes]:
    chosen = {"database_url": as_url(where.owner), "embeddings": "none", "auth_jwt_secret": SECRET, **settings}
    environment = {f"BRAIN_{name.upper()}": value for name, value in chosen.items()}
    command = [str(Path(sys.executable).with_name("brain")), "serve"]
    with log.open("ab") as told:
        return subprocess.Popen(command, cwd=folder, env=environment, stdout=told, stderr=told)


def _wait(served: Served, log: Path) -> None:
    deadline = time.monotonic() + START
    while time.monotonic() < deadline and served.process.poll() is None:
        with suppress(httpx.HTTPError):
            if httpx.get(f"{served.url}/readyz", timeout=30.0).is_success:
                return
        time.sleep(0.1)
    raise RuntimeError(f"The server did not become ready:\n{log.read_text()[-4000:]}")


def free_port() -> int:
    """A port of this machine that nobody listens on at this moment."""
    with closing(socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
