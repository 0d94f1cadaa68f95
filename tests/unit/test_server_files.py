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

from apps.server_files import dump_without_words, keep_private

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
    before, sync = dict(store.__dict__), PersistentDict.sync
    yield store
    PersistentDict.sync = sync
    store.__dict__.clear()
    store.__dict__.update(before)


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
    assert not (tmp_path / "kept").exists()
