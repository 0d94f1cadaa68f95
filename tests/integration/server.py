"""The deployed Brain as a process: ``langgraph dev`` on a free port, watched for what it sends abroad, ended by id."""

import json
import os
import secrets
import signal
import socket
import subprocess
import time
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote

import httpx
from psycopg import conninfo

from tests.audit_keys import ENVIRONMENT
from tests.integration.forked_process import LANGGRAPH, ForkedProcess
from tests.pooler import ROUTE

ROOT = Path(__file__).parents[2]
START = 180.0
"""Seconds within which a server must be ready."""

_SPY = '''\
"""Loaded by Python itself: notes every address outside this machine that anything tries to reach."""
import os, sys
NEAR = ("127.", "::1", "localhost", "0.0.0.0", "None")
def spy(event, arguments):
    if event == "socket.connect":
        address = arguments[1]
        host = str(address[0]) if isinstance(address, tuple) else ""
    elif event == "socket.getaddrinfo":
        host = str(arguments[0])
    else:
        return
    if host and not host.startswith(NEAR):
        with open(os.environ["BRAIN_TEST_ABROAD"], "a") as log:
            log.write(f"{event} {host}\\n")
sys.addaudithook(spy)
'''


@dataclass
class Server:
    """A server that can be stopped, killed and started again over the same database and folder."""

    folder: Path
    environment: Mapping[str, str]
    port: int
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.port}"

    @property
    def log(self) -> str:
        """All that it has said so far."""
        return (self.folder / "server.log").read_text()

    @property
    def records(self) -> list[Path]:
        """The files in which it keeps its list of threads and runs, one for each database."""
        return list((self.folder / ".langgraph_api").rglob(".langgraph_ops.pckl"))

    @property
    def abroad(self) -> list[str]:
        """The addresses outside this machine that it tried to reach through Python's sockets."""
        path = self.folder / "abroad.log"
        return path.read_text().splitlines() if path.exists() else []

    def start(self, arguments: Sequence[str] = ()) -> None:
        """Start it, whether or not it becomes ready."""
        command = [LANGGRAPH, "dev", "--no-browser", "--no-reload"]
        command += ["--port", str(self.port), "--config", str(ROOT / "langgraph.json"), "--n-jobs-per-worker", "4"]
        with (self.folder / "server.log").open("ab") as log:
            self.process = ForkedProcess(
                [*command, *arguments],
                cwd=self.folder,
                env=dict(self.environment),
                stdout=log,
                stderr=log,
                start_new_session=True,
            )

    def wait(self) -> None:
        """Until a turn would work."""
        deadline = time.monotonic() + START
        while time.monotonic() < deadline:
            assert self.process is not None
            if self.process.poll() is not None:
                break
            with suppress(httpx.HTTPError):
                if httpx.get(f"{self.url}/brain/ready", timeout=30.0).status_code == 200:
                    return
            time.sleep(0.1)
        raise AssertionError(f"The server did not become ready:\n{self.log[-6000:]}")

    def stop(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it and whatever it started, by the process group that is its own."""
        if self.process is None:
            return
        with suppress(ProcessLookupError):
            os.killpg(self.process.pid, how)
        try:
            self.process.wait(20)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait(10)
        self.process = None

    def connections(self) -> set[str]:
        """The foreign ends of the TCP sockets that its process holds now, as the kernel tells."""
        assert self.process is not None
        held = _inodes(self.process.pid)
        lines = [
            line.split() for kind in ("tcp", "tcp6") for line in Path(f"/proc/net/{kind}").read_text().splitlines()[1:]
        ]
        return {_address(line[2]) for line in lines if line[9] in held and not line[2].endswith(":0000")}


@contextmanager
def a_server(folder: Path, database_url: str, **settings: str) -> Generator[Server]:
    """A server that is prepared but not started; ended for certain afterwards. Settings are Brain's, in lower case."""
    (folder / "sitecustomize.py").write_text(_SPY)
    kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG", "VIRTUAL_ENV") if name in os.environ}
    environment = {
        **kept,
        "PYTHONPATH": f"{folder}{os.pathsep}{ROOT}",
        "PYTHONUNBUFFERED": "1",
        "BRAIN_TEST_ABROAD": str(folder / "abroad.log"),
        "LANGGRAPH_CLI_NO_ANALYTICS": "1",
        "NO_COLOR": "1",
        **ENVIRONMENT,
        "BRAIN_ERASURES_FOLDER": str(folder / "erasures"),
        **{name: as_url(url) for name, url in ROUTE.settings(database_url).items()},
        **{f"BRAIN_{name.upper()}": value for name, value in settings.items()},
    }
    server = Server(folder, environment, free_port())
    try:
        yield server
    finally:
        server.stop()


def free_port() -> int:
    """A port that nobody uses, outside those that systems lend to connections: free again after a restart."""
    while True:
        port = 10_000 + secrets.randbelow(20_000)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def as_url(address: str) -> str:
    """A connection string of key=value pairs as the URL that settings take."""
    parts = conninfo.conninfo_to_dict(address)
    login = f"{quote(str(parts['user']), safe='')}:{quote(str(parts['password']), safe='')}"
    return f"postgresql://{login}@{parts['host']}:{parts['port']}/{parts['dbname']}"


def _inodes(pid: int) -> set[str]:
    found: set[str] = set()
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with suppress(OSError):
            target = os.readlink(descriptor)
            if target.startswith("socket:["):
                found.add(target[8:-1])
    return found


def _address(hexadecimal: str) -> str:
    host = hexadecimal.partition(":")[0]
    if len(host) == 8:
        return socket.inet_ntop(socket.AF_INET, bytes.fromhex(host)[::-1])
    words = b"".join(bytes.fromhex(host[at : at + 8])[::-1] for at in range(0, 32, 8))
    return socket.inet_ntop(socket.AF_INET6, words)


def said(values: Mapping[str, object]) -> str:
    """What the last message of a state says."""
    messages = json.loads(json.dumps(values["messages"]))
    return str(messages[-1]["content"])
