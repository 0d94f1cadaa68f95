"""Four ``brain serve`` behind HAProxy as ``docs/haproxy.cfg`` configures it, and an accident every few seconds."""

import asyncio
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import httpx

from evals.evaluation.scratch import as_url
from evals.served import SECRET, START, STOP, free_port
from memory.postgres.roles import Addresses

CONFIGURATION = Path(__file__).parents[1] / "docs" / "haproxy.cfg"
NAMES = ("ONE", "TWO", "THREE", "FOUR")
NOTICE = 3
"""Seconds for which a process that was told to end goes on listening."""
KILLS_IN_THREE = 2
"""Of three accidents so many are kills; the others are told to end."""


def haproxy() -> str | None:
    """The program, where it is installed."""
    return shutil.which("haproxy", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")


@dataclass
class Replica:
    """One process that is started again whenever it ends."""

    port: int
    folder: Path
    environment: Mapping[str, str]
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Its own address."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start it, whether or not it becomes ready."""
        command = [str(Path(sys.executable).with_name("brain")), "serve", "--port", str(self.port)]
        with (self.folder / f"{self.port}.log").open("ab") as told:
            self.process = subprocess.Popen(command, cwd=self.folder, env=self.environment, stdout=told, stderr=told)

    def end(self, how: signal.Signals) -> None:
        """Send a signal and wait until it is gone."""
        if self.process is not None:
            self.process.send_signal(how)
            self.process.wait(STOP)

    @property
    def is_ready(self) -> bool:
        """Whether a turn would work here."""
        with suppress(httpx.HTTPError):
            return httpx.get(f"{self.url}/readyz", timeout=5.0).is_success
        return False


@dataclass(frozen=True)
class Balanced:
    """One address and the processes behind it."""

    url: str
    replicas: list[Replica]
    ended: dict[str, int] = field(default_factory=dict[str, int])

    @property
    def resident_mb(self) -> float:
        """Not of one process."""
        return float("nan")

    async def cause_accidents(self, pause: float, random: Random) -> None:
        """Every so many seconds one of them is killed, or told to end, and started again; until cancelled."""
        while True:
            await asyncio.sleep(pause)
            one = random.choice(self.replicas)
            how = signal.SIGKILL if random.randrange(3) < KILLS_IN_THREE else signal.SIGTERM
            await asyncio.to_thread(one.end, how)
            one.start()
            self.ended[how.name] = self.ended.get(how.name, 0) + 1


@contextmanager
def a_balanced(where: Addresses, **settings: str) -> Generator[Balanced]:
    """All of it over a migrated database, ready; ended at the end. Raises ``RuntimeError`` with what was told."""
    program = haproxy()
    if program is None:
        raise RuntimeError("HAProxy is not installed: apt-get install haproxy.")
    chosen = {
        "database_url": as_url(where.owner),
        "embeddings": "none",
        "auth_jwt_secret": SECRET,
        "trusted_proxies": "127.0.0.1",
        "stop_notice": str(NOTICE),
        "database_connections": "4",
        **settings,
    }
    with TemporaryDirectory(prefix="brain-eval-") as name, ExitStack() as ends:
        folder, address = Path(name), f"127.0.0.1:{free_port()}"
        environment = {f"BRAIN_{key.upper()}": value for key, value in {**chosen, "home": name}.items()}
        replicas = [Replica(free_port(), folder, environment) for _ in NAMES]
        for each in replicas:
            each.start()
            ends.callback(each.end, signal.SIGTERM)
        places = {f"PROCESS_{key}": f"127.0.0.1:{each.port}" for key, each in zip(NAMES, replicas, strict=True)}
        ends.enter_context(_proxy(program, folder, {**places, "BALANCER_ADDRESS": address}))
        balanced = Balanced(f"http://{address}", replicas)
        _wait(balanced, folder)
        yield balanced


@contextmanager
def _proxy(program: str, folder: Path, environment: Mapping[str, str]) -> Generator[None]:
    with (folder / "haproxy.log").open("ab") as told:
        command = [program, "-db", "-f", str(CONFIGURATION)]
        process = subprocess.Popen(command, env=dict(environment), stdout=told, stderr=told)
    try:
        yield
    finally:
        process.terminate()
        process.wait(STOP)


def _wait(balanced: Balanced, folder: Path) -> None:
    deadline = time.monotonic() + len(NAMES) * START
    while time.monotonic() < deadline:
        with suppress(httpx.HTTPError):
            if all(each.is_ready for each in balanced.replicas) and httpx.get(f"{balanced.url}/readyz").is_success:
                return
        time.sleep(0.2)
    told = "\n".join(path.read_text()[-2000:] for path in sorted(folder.glob("*.log")))
    raise RuntimeError(f"Not all of them became ready:\n{told}")
