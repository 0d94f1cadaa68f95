"""The embedded database, as processes of their own: the way people meet it."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from dataclasses import replace
from pathlib import Path
from uuid import uuid4

import psycopg
import pytest
from filelock import FileLock
from psycopg.conninfo import conninfo_to_dict

from brain.local_postgres.idle_watch import hold_watch
from brain.local_postgres.server import EmbeddedPostgres
from memory.errors import BrainError

START = (
    "import pathlib, sys; from brain.local_postgres.server import EmbeddedPostgres;"
    "print(EmbeddedPostgres(pathlib.Path(sys.argv[1])).start())"
)
HOLD = "import psycopg, sys, time; held = psycopg.connect(sys.argv[1]); print(flush=True); time.sleep(600)"
ROOT = Path(__file__).parents[2]

needs_proc = pytest.mark.skipif(not Path("/proc/self").exists(), reason="tells processes apart through /proc")


@pytest.fixture
def home(reachable_folder: Path) -> Generator[Path]:
    """A folder that does not exist yet."""
    folder = reachable_folder / uuid4().hex[:8]
    yield folder
    EmbeddedPostgres(folder).stop()


@pytest.fixture(scope="module")
def started_once(reachable_folder: Path) -> Path:
    """A home that has been started and stopped, to copy instead of unpacking for every test."""
    folder = reachable_folder / "started-once"
    EmbeddedPostgres(folder).start()
    EmbeddedPostgres(folder).stop()
    return folder


@pytest.fixture
def embedded(home: Path, started_once: Path) -> EmbeddedPostgres:
    """A database that was started before and is now at rest."""
    subprocess.run(["cp", "-al", str(started_once), str(home)], check=True)  # linked: the programs are large
    for part in ("database.json", "postgres/cluster"):
        subprocess.run(["rm", "-r", str(home / part)], check=True)
        subprocess.run(["cp", "-a", str(started_once / part), str(home / part)], check=True)
    return EmbeddedPostgres(home)


def a_start(home: Path) -> "subprocess.Popen[str]":
    command = [sys.executable, "-c", START, str(home)]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def ask(url: str, query: str) -> object:
    with psycopg.connect(url, autocommit=True) as connection:
        row = connection.execute(query.encode()).fetchone()
    return row[0] if row else None


def pid_of(embedded: EmbeddedPostgres) -> int:
    return int((embedded.home / "postgres/cluster/postmaster.pid").read_text().splitlines()[0])


def kill(embedded: EmbeddedPostgres) -> None:
    """End the server the way a power cut does, and wait until it is gone."""
    pid = pid_of(embedded)
    os.kill(pid, signal.SIGKILL)
    deadline = time.monotonic() + 60
    while embedded.is_running() and time.monotonic() < deadline:
        time.sleep(0.02)


def test_processes_that_start_it_at_once_all_reach_the_same_server(home: Path):
    starts = [a_start(home) for _ in range(3)]
    results = [start.communicate(timeout=180) for start in starts]

    assert [start.returncode for start in starts] == [0, 0, 0], results
    urls = {out.strip() for out, _ in results}
    assert len(urls) == 1
    assert ask(urls.pop(), "select 1") == 1


def test_making_one_leaves_nothing_among_temporary_files(home: Path):
    before = set(Path("/tmp").glob(".tmp*"))
    EmbeddedPostgres(home).start()
    assert set(Path("/tmp").glob(".tmp*")) <= before


def test_it_outlives_the_process_that_started_it_and_keeps_what_it_was_told(embedded: EmbeddedPostgres):
    url = embedded.start()
    with psycopg.connect(url) as connection:
        connection.execute("create table kept as select 42 as n")

    assert embedded.stop()
    assert not embedded.is_running()
    assert embedded.start() == url
    assert ask(url, "select n from kept") == 42


def test_stopping_what_does_not_run_is_no_error(embedded: EmbeddedPostgres):
    assert not embedded.stop()
    embedded.start()
    assert embedded.stop()
    assert not embedded.stop()


def test_it_has_the_extensions_brain_needs(server_url: str):
    available = ask(
        server_url,
        "select array_agg(name::text order by name) from pg_available_extensions"
        " where name in ('vector', 'intarray', 'pg_trgm')",
    )
    assert available == ["intarray", "pg_trgm", "vector"]


def test_it_listens_on_loopback_with_a_random_port_and_a_password(embedded: EmbeddedPostgres):
    url = embedded.start()
    parts = conninfo_to_dict(url)

    assert ask(url, "show listen_addresses") == "127.0.0.1"
    assert ask(url, "show unix_socket_directories") == ""
    assert parts["port"] != "5432"
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(url, password="guess")


def test_what_it_writes_survives_a_power_cut_unless_a_test_says_otherwise(embedded: EmbeddedPostgres):
    durable = ask(embedded.start(), "show fsync")
    embedded.stop()
    forgetful = ask(replace(embedded, durable=False).start(), "show fsync")

    assert (durable, forgetful) == ("on", "off")


def test_its_secrets_are_readable_by_their_owner_only(embedded: EmbeddedPostgres):
    embedded.start()

    assert (embedded.home / "database.json").stat().st_mode & 0o777 == 0o600
    assert (embedded.home / "postgres").stat().st_mode & 0o777 == 0o700
    password = json.loads((embedded.home / "database.json").read_text())["password"]
    leaks = [path for path in (embedded.home / "postgres").glob("*") if path.is_file() and password in path.read_text()]
    assert leaks == []
    assert password not in subprocess.run(["ps", "axww"], capture_output=True, text=True, check=False).stdout


@needs_proc
def test_it_never_runs_as_root(embedded: EmbeddedPostgres):
    embedded.start()
    assert Path(f"/proc/{pid_of(embedded)}").stat().st_uid != 0


def test_it_recovers_from_being_killed(embedded: EmbeddedPostgres):
    url = embedded.start()
    with psycopg.connect(url) as connection:
        connection.execute("create table survived as select 1 as n")
    kill(embedded)

    assert embedded.start() == url
    assert ask(url, "select n from survived") == 1


@needs_proc
def test_a_pid_file_from_before_a_reboot_that_names_another_program_is_ignored(embedded: EmbeddedPostgres):
    url = embedded.start()
    kill(embedded)
    stale = embedded.home / "postgres/cluster/postmaster.pid"
    lines = stale.read_text().splitlines()
    stale.write_text("\n".join([str(os.getpid()), *lines[1:]]))

    assert not embedded.is_running()
    assert embedded.start() == url


def test_a_taken_port_is_left_to_its_new_owner(embedded: EmbeddedPostgres):
    old = int(str(conninfo_to_dict(embedded.start())["port"]))
    embedded.stop()
    with socket.socket() as squatter:
        squatter.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        squatter.bind(("127.0.0.1", old))
        squatter.listen()

        url = embedded.start()

    assert conninfo_to_dict(url)["port"] != str(old)
    assert ask(url, "select 1") == 1


def test_waiting_for_a_start_that_hangs_has_an_end(home: Path):
    home.mkdir()
    with FileLock(home / "database.lock"), pytest.raises(BrainError) as refused:
        EmbeddedPostgres(home, wait=0.2).start()

    assert refused.value.code == "E_DEP_TIMEOUT"


def test_a_lost_password_file_says_what_to_do(embedded: EmbeddedPostgres):
    embedded.start()
    embedded.stop()
    (embedded.home / "database.json").write_text("{ torn")

    with pytest.raises(BrainError, match=r"database\.json is missing or damaged") as refused:
        embedded.start()

    assert refused.value.code == "E_CONFIG"
    assert "move" in refused.value.hint


def test_an_interrupted_first_start_is_begun_again(home: Path):
    own = home / "postgres"
    own.mkdir(parents=True)
    for leftover in ("cluster.new", "engine-0.new"):
        (own / leftover).mkdir()
        (own / leftover / "half-written").write_text("?")

    assert ask(EmbeddedPostgres(home, durable=False).start(), "select 1") == 1


def test_a_folder_that_cannot_be_made_says_what_to_do(reachable_folder: Path):
    blocked = reachable_folder / f"file-{uuid4().hex[:8]}"
    blocked.write_text("in the way")

    with pytest.raises(BrainError, match="BRAIN_HOME") as refused:
        EmbeddedPostgres(blocked / "home").start()

    assert refused.value.code == "E_CONFIG"


@pytest.mark.skipif(os.geteuid() != 0, reason="only root has folders that others cannot enter")
def test_root_is_told_when_others_cannot_enter_the_folder(reachable_folder: Path):
    closed = reachable_folder / uuid4().hex[:8]
    closed.mkdir(mode=0o700)

    with pytest.raises(BrainError, match="out of reach") as refused:
        EmbeddedPostgres(closed / "home").start()

    assert refused.value.code == "E_CONFIG"


_SPAWNING = """
import threading
from pathlib import Path

import numpy as np

from brain.local_postgres.server_user import ServerUser

matrix = np.ones((600, 600), np.float32)


def compute():
    while True:
        matrix @ matrix


threading.Thread(target=compute, daemon=True).start()
folder = Path("{folder}")
user = ServerUser(folder, 30.0)
user.prepare_folder()
user.make_folder(folder)
assert all(user.run(["true"], folder).returncode == 0 for _ in range(100))
print(user.run(["id", "-u"], folder).stdout.strip(), folder.stat().st_uid)
"""
"""Python code that starts programs while numpy computes in another thread."""


def test_a_program_is_started_while_another_thread_computes(reachable_folder: Path):
    code = _SPAWNING.format(folder=reachable_folder / "spawning")
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=300, check=True)
    user, owner = done.stdout.split()
    assert user == owner


def test_it_ends_by_itself_when_its_last_user_is_gone_and_not_before(embedded: EmbeddedPostgres):
    patient = replace(embedded, patience=1.0)
    url = patient.start()
    with subprocess.Popen([sys.executable, "-c", HOLD, url], stdout=subprocess.PIPE) as user:
        assert user.stdout is not None
        user.stdout.readline()
        assert ask(patient.start(), "select 1 from pg_sleep(1.5)") == 1
        assert patient.is_running()
        user.kill()
    wait_until(lambda: not patient.is_running())
    assert ask(patient.start(), "select 1") == 1
    wait_until(lambda: not patient.is_running())

    staying = replace(embedded, patience=0.0)
    patient.start()
    staying.start()
    wait_until(lambda: is_unwatched(embedded.home))
    assert staying.is_running()


def is_unwatched(home: Path) -> bool:
    lock = hold_watch(home)
    if lock is not None:
        lock.release()
    return lock is not None


def wait_until(holds: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not holds():
        assert time.monotonic() < deadline
        time.sleep(0.05)
