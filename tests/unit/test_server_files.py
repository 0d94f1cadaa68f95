"""What the development server may write of the threads and runs that it knows."""

import io
import pickle
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from langgraph.checkpoint.memory import PersistentDict
from langgraph_runtime_inmem import database
from structlog.testing import capture_logs

from apps.threads.server_files import dump_without_words, keep_private, open_records

SECRET = "my locker is 4711"
CONFIG = {"configurable": {"graph_id": "brain"}}
KWARGS: dict[str, Any] = {"input": {"messages": [SECRET]}, "command": None, "config": CONFIG}


def a_run(status: str) -> dict[str, Any]:
    return {"run_id": status, "thread_id": "t", "status": status, "kwargs": KWARGS}


def written(**operations: Any) -> dict[str, Any]:
    file = io.BytesIO()
    dump_without_words({"runs": [], "threads": [], "assistants": [{"name": "a"}], **operations}, file)
    return pickle.loads(file.getvalue())


@pytest.mark.parametrize("status", ["success", "error", "interrupted", "timeout"])
def test_a_finished_run_is_written_without_what_was_said(status: str):
    (run,) = written(runs=[a_run(status)])["runs"]
    assert SECRET not in str(run)
    assert run["kwargs"]["config"] == CONFIG
    assert run["status"] == status


@pytest.mark.parametrize("status", ["pending", "running"])
def test_an_accepted_run_is_written_whole_so_that_it_can_start_again(status: str):
    assert written(runs=[a_run(status)])["runs"] == [a_run(status)]


def test_a_thread_is_written_as_if_nothing_had_been_said_in_it():
    known = {"thread_id": "t", "metadata": {"owner": "ann"}, "status": "idle"}
    said = {"values": {"messages": [SECRET]}, "interrupts": {"1": [SECRET]}, "error": SECRET}
    assert written(threads=[{**known, **said}])["threads"] == [{**known, "values": None}]


def test_everything_else_is_written_as_it_is():
    assert written()["assistants"] == [{"name": "a"}]


@pytest.fixture
def operations() -> Iterator[Any]:
    """The records of the server's runtime, which this process has loaded, as they were before."""
    store: Any = database.GLOBAL_STORE
    retries: Any = database.GLOBAL_RETRY_COUNTER._counters  # pyright: ignore[reportPrivateUsage]
    before, held, counted, sync = dict(store.__dict__), dict(store), retries.filename, PersistentDict.sync
    yield store
    PersistentDict.sync = sync
    store.__dict__.clear()
    store.__dict__.update(before)
    store.clear()
    store.update(held)
    retries.filename = counted


def test_its_folder_and_its_files_are_the_owners_alone(tmp_path: Path, operations: Any):
    folder = tmp_path / "kept"
    folder.mkdir(mode=0o755)
    left = folder / "left.pckl"
    left.write_bytes(b"from before")
    left.chmod(0o644)
    keep_private(folder)
    operations.filename = str(folder / "operations.pckl")
    operations.sync()
    assert [path.stat().st_mode & 0o777 for path in (folder, left, folder / "operations.pckl")] == [0o700, 0o600, 0o600]


def test_other_servers_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.delitem(sys.modules, "langgraph_runtime_inmem.database")
    keep_private(tmp_path / "kept")
    open_records("a", tmp_path / "kept")
    assert not (tmp_path / "kept").exists()


SYSTEM = {"name": "brain", "metadata": {"created_by": "system"}}
OWN: dict[str, Any] = {"name": "mine", "metadata": {}}


def keep(file: Path, *runs: dict[str, Any]) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(pickle.dumps({"runs": list(runs), "threads": [], "assistants": [SYSTEM, OWN]}))


def test_runs_of_another_database_are_left_and_told_of(tmp_path: Path, operations: Any):
    own, other = (tmp_path / name / ".langgraph_ops.pckl" for name in "ab")
    keep(own, a_run("running"), a_run("success"))
    keep(other, a_run("pending"), a_run("running"), a_run("error"))
    left = other.read_bytes()
    operations["runs"] = [a_run("of nobody knows whom")]
    with capture_logs() as told:
        open_records("a", tmp_path)
    assert [run["status"] for run in operations["runs"]] == ["pending", "success"]
    assert (operations["assistants"], operations.filename) == ([OWN], str(own))
    assert [(each["event"], each["count"], each["folder"]) for each in told] == [("runs_left", 2, str(tmp_path / "b"))]
    assert other.read_bytes() == left


def test_what_lay_there_before_databases_had_folders_belongs_to_the_first(tmp_path: Path, operations: Any):
    keep(tmp_path / ".langgraph_ops.pckl", a_run("pending"))
    operations["runs"] = read = [a_run("pending")]
    open_records("a", tmp_path)
    assert operations["runs"] is read
    assert (tmp_path / "a" / ".langgraph_ops.pckl").exists()
    operations.filename = "elsewhere"
    open_records("b", tmp_path)
    assert not (tmp_path / "b" / ".langgraph_ops.pckl").exists()


def test_a_server_that_opens_its_records_again_keeps_what_it_has(tmp_path: Path, operations: Any):
    keep(tmp_path / "a" / ".langgraph_ops.pckl")
    open_records("a", tmp_path)
    operations["runs"] = new = [a_run("pending")]
    open_records("a", tmp_path)
    assert operations["runs"] is new


def test_records_that_cannot_be_read_are_put_aside(tmp_path: Path, operations: Any):
    file = tmp_path / "a" / ".langgraph_ops.pckl"
    file.parent.mkdir()
    file.write_bytes(b"no pickle")
    open_records("a", tmp_path)
    assert operations["runs"] == []
    assert file.with_suffix(".unreadable").read_bytes() == b"no pickle"
